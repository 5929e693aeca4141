"""Plays the campaigns behind docs/how-it-works/win-rates.md and draws its pictures and table.

Takes five minutes of one core. Results are kept in build/lab, so a
run that was stopped continues. `--share 100` plays a hundredth of the games, for a quick look.
"""

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from sapper import PLAYERS, TILINGS, Position
from sapper.board.symmetries import outline_classes
from sapper.engine.budget import Limit
from sapper.errors import OutOfBudget
from sapper.games.campaign import Campaign
from sapper.lab.compare import CampaignResults, compare
from sapper.lab.plots import draw_plot
from sapper.lab.report import as_markdown, report_json
from sapper.lab.results import CampaignTotals, ResultFile
from sapper.lab.run import run_campaign
from sapper.lab.runners import WorkerPool, worker_pool
from sapper.players.agents import Agent, SolverAgent
from sapper.players.guess import RandomGuesser
from sapper.players.player import Player, PlayerSettings
from sapper.solvers.hybrid import search_components
from sapper.solvers.result import Deduction

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "build" / "lab"
PAGE = Path(__file__).with_name("win-rates.md")
PICTURES = PAGE.parent / "pictures"

CORNER = {"rule": "safe", "first": "r1c1"}
FIRST_CELLS = {"beginner": 50_000, "intermediate": 25_000, "expert": 10_000}
BY_SIZE = {"9x9": (4, 24), "16x16": (10, 70), "30x16": (20, 130)}


class Exhaustive:
    """The papers' backtracking, component by component, without the strategies."""

    def __init__(self, position: Position):
        self._position = position

    def moves(self, limit: Limit) -> list[Deduction]:
        """Return what follows without the mine count; large components are left to guessing."""
        try:
            found, _ = search_components(self._position, limit)
        except OutOfBudget:
            return []
        return found

    def update(self, changes: dict[int, int]) -> None:
        """Set new marks by cell."""
        self._position = self._position.with_marks(changes)


def _exhaustive(position: Position, seed: int, settings: PlayerSettings) -> Agent:
    return SolverAgent(position, (Exhaustive(position),), RandomGuesser(seed).guess)


class Laboratory:
    """Plays campaigns into files of their own, and draws."""

    def __init__(self, workers: WorkerPool, share: int):
        self._workers = workers
        self._share = share

    def measured(self, campaigns: Iterable[Campaign]) -> list[CampaignTotals]:
        """Return the results of campaigns, played where they are not there yet."""
        return [self._measure(campaign) for campaign in campaigns]

    def _measure(self, campaign: Campaign) -> CampaignTotals:
        games = max(100, len(campaign.seeds) // self._share)
        campaign = campaign.with_seeds(campaign.seeds[:games])
        with ResultFile(encode_file(campaign), write=True) as results:
            run_campaign(results, campaign, self._workers)
            return results.totals(campaign, campaign.seeds)

    def draw(
        self, name: str, sums: list[CampaignTotals], kind: str | None = None, title: str = ""
    ) -> None:
        """Write a picture of the page."""
        (PICTURES / f"lab-{name}.png").write_bytes(draw_plot(sums, "png", kind, title or None))
        print(f"lab-{name}.png: {sum(summary.games for summary in sums):,} games", flush=True)


def encode_file(campaign: Campaign) -> Path:
    """Where the results of a campaign are kept."""
    return KEPT / f"{campaign.slug}.sqlite"


def papers() -> Iterator[Campaign]:
    """Human-like, exhaustive and hybrid solving over densities; all guess any covered cell."""
    for mines in range(10, 71, 10):
        for player, games in (("human", 20_000), ("exhaustive", 1_000), ("hybrid", 20_000)):
            yield Campaign.of(f"16x16/{mines}", player, games, 1, **CORNER)


def first_cells(level: str, rule: str) -> Iterator[Campaign]:
    """Every first cell of a level, mirror images once."""
    one = Campaign.of(level, "careful", FIRST_CELLS[level], 1, rule)
    for alike in outline_classes(one.rules.board):
        yield replace(one, first=alike[0])


def without_a_guess() -> Iterator[Campaign]:
    """Boards of three sizes over densities, from an opening in the middle."""
    for size, (fewest, most) in BY_SIZE.items():
        for step in range(11):
            mines = fewest + round(step * (most - fewest) / 10)
            yield Campaign.of(f"{size}/{mines}", "careful", 10_000, 1, "zero")


def tilings() -> Iterator[Campaign]:
    """Return the five tilings with the same shares of mines."""
    for tiling in TILINGS:
        for mines in range(15, 86, 10):
            yield Campaign.of(f"16x16/{mines}", "careful", 5_000, 1, "safe", tiling=tiling)


def levels() -> Iterator[Campaign]:
    """Return the rows of the table."""
    for player in ("human", "hybrid", "careful"):
        yield Campaign.of("expert", player, 100_000, 1, **CORNER)
    for level in ("intermediate", "beginner"):
        yield Campaign.of(level, "careful", 100_000, 1, **CORNER)


def write_table(sums: list[CampaignTotals]) -> None:
    """Put the table into the page."""
    before, rest = PAGE.read_text(encoding="utf-8").split("<!-- rates -->\n")
    _, after = rest.split("<!-- end -->")
    table = as_markdown(report_json(summary) for summary in sums)
    text = f"{before}<!-- rates -->\n\n{table}\n\n<!-- end -->{after}"
    PAGE.write_text(text, encoding="utf-8")


def same_games() -> None:
    """Say on how many layouts the exhaustive player and the hybrid differ."""
    differ = games = 0
    for one in papers():
        if one.player == "exhaustive":
            other = replace(one, player="hybrid")
            with ResultFile(encode_file(one)) as a, ResultFile(encode_file(other)) as b:
                pairs = compare(CampaignResults(a, one), CampaignResults(b, other))
            differ, games = differ + pairs.only_a + pairs.only_b, games + pairs.games
    print(f"exhaustive and hybrid differ on {differ} of {games:,} layouts")


def main() -> None:
    """Play and draw all of it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--share", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    KEPT.mkdir(parents=True, exist_ok=True)
    PLAYERS.add(Player("exhaustive", "backtracking alone, else any covered cell", _exhaustive))
    # Threads, because other processes would not have the player that was just added.
    with worker_pool("threads", asked.jobs) as workers:
        lab = Laboratory(workers, asked.share)
        lab.draw("papers", lab.measured(papers()))
        same_games()
        lab.draw(
            "no-guess",
            lab.measured(without_a_guess()),
            "no-guess",
            "boards won without a guess from an opening in the middle",
        )
        lab.draw("tilings", lab.measured(tilings()))
        for level in FIRST_CELLS:
            for rule in ("safe", "zero"):
                lab.draw(f"first-{level}-{rule}", lab.measured(first_cells(level, rule)), "first")
        write_table(lab.measured(levels()))


if __name__ == "__main__":
    main()
