"""Play the campaigns of win-rates.md, and write its pictures and its first table.

Takes five minutes of one core. Results are stored in build/lab, so an interrupted run continues.
`--share 100` plays a hundredth of the games, for a quick test.
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
RESULTS = ROOT / "build" / "lab"
PAGE = Path(__file__).with_name("win-rates.md")
PICTURES = PAGE.parent / "pictures"

SAFE_CORNER = {"rule": "safe", "first": "r1c1"}
GAMES_PER_FIRST_CELL = {"beginner": 50_000, "intermediate": 25_000, "expert": 10_000}
MINES_BY_SIZE = {"9x9": (4, 24), "16x16": (10, 70), "30x16": (20, 130)}


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


class CampaignRunner:
    """Plays campaigns, each into its own result file, and draws their plots."""

    def __init__(self, workers: WorkerPool, share: int):
        self._workers = workers
        self._share = share

    def measure(self, campaigns: Iterable[Campaign]) -> list[CampaignTotals]:
        """Return the totals of campaigns; games that are not stored yet are played."""
        return [self._measure(campaign) for campaign in campaigns]

    def _measure(self, campaign: Campaign) -> CampaignTotals:
        games = max(100, len(campaign.seeds) // self._share)
        campaign = campaign.with_seeds(campaign.seeds[:games])
        with ResultFile(result_path(campaign), write=True) as results:
            run_campaign(results, campaign, self._workers)
            return results.totals(campaign, campaign.seeds)

    def draw(
        self, name: str, totals: list[CampaignTotals], kind: str | None = None, title: str = ""
    ) -> None:
        """Write a picture of the page."""
        (PICTURES / f"lab-{name}.png").write_bytes(draw_plot(totals, "png", kind, title or None))
        print(f"lab-{name}.png: {sum(summary.games for summary in totals):,} games", flush=True)


def result_path(campaign: Campaign) -> Path:
    """Return the path of the result file of a campaign."""
    return RESULTS / f"{campaign.slug}.sqlite"


def papers() -> Iterator[Campaign]:
    """Yield campaigns of the papers' solvers by number of mines; all guess any covered cell."""
    for mines in range(10, 71, 10):
        for player, games in (("human", 20_000), ("exhaustive", 1_000), ("hybrid", 20_000)):
            yield Campaign.of(f"16x16/{mines}", player, games, 1, **SAFE_CORNER)


def first_cells(level: str, rule: str) -> Iterator[Campaign]:
    """Yield a campaign for each first cell of a level, but one for mirror images."""
    campaign = Campaign.of(level, "careful", GAMES_PER_FIRST_CELL[level], 1, rule)
    for cells in outline_classes(campaign.rules.board):
        yield replace(campaign, first=cells[0])


def without_a_guess() -> Iterator[Campaign]:
    """Yield campaigns on three sizes by number of mines, from an opening in the middle."""
    for size, (min_mines, max_mines) in MINES_BY_SIZE.items():
        for step in range(11):
            mines = min_mines + round(step * (max_mines - min_mines) / 10)
            yield Campaign.of(f"{size}/{mines}", "careful", 10_000, 1, "zero")


def tilings() -> Iterator[Campaign]:
    """Yield campaigns on the five tilings with the same numbers of mines."""
    for tiling in TILINGS:
        for mines in range(15, 86, 10):
            yield Campaign.of(f"16x16/{mines}", "careful", 5_000, 1, "safe", tiling=tiling)


def levels() -> Iterator[Campaign]:
    """Yield the campaigns of the table."""
    for player in ("human", "hybrid", "careful"):
        yield Campaign.of("expert", player, 100_000, 1, **SAFE_CORNER)
    for level in ("intermediate", "beginner"):
        yield Campaign.of(level, "careful", 100_000, 1, **SAFE_CORNER)


def write_table(totals: list[CampaignTotals]) -> None:
    """Write the table into the page."""
    before, rest = PAGE.read_text(encoding="utf-8").split("<!-- rates -->\n")
    _, after = rest.split("<!-- end -->")
    table = as_markdown(report_json(summary) for summary in totals)
    text = f"{before}<!-- rates -->\n\n{table}\n\n<!-- end -->{after}"
    PAGE.write_text(text, encoding="utf-8")


def compare_exhaustive_with_hybrid() -> None:
    """Print on how many layouts the exhaustive player and the hybrid have different results."""
    differ = games = 0
    for one in papers():
        if one.player == "exhaustive":
            other = replace(one, player="hybrid")
            with ResultFile(result_path(one)) as a, ResultFile(result_path(other)) as b:
                pairs = compare(CampaignResults(a, one), CampaignResults(b, other))
            differ, games = differ + pairs.only_a + pairs.only_b, games + pairs.games
    print(f"exhaustive and hybrid differ on {differ} of {games:,} layouts")


def main() -> None:
    """Play all campaigns, and write the pictures and the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--share", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    RESULTS.mkdir(parents=True, exist_ok=True)
    PLAYERS.add(Player("exhaustive", "backtracking alone, else any covered cell", _exhaustive))
    # Threads, because other processes would not have the player that was just added.
    with worker_pool("threads", options.jobs) as workers:
        runner = CampaignRunner(workers, options.share)
        runner.draw("papers", runner.measure(papers()))
        compare_exhaustive_with_hybrid()
        runner.draw(
            "no-guess",
            runner.measure(without_a_guess()),
            "no-guess",
            "boards won without a guess from an opening in the middle",
        )
        runner.draw("tilings", runner.measure(tilings()))
        for level in GAMES_PER_FIRST_CELL:
            for rule in ("safe", "zero"):
                runner.draw(
                    f"first-{level}-{rule}", runner.measure(first_cells(level, rule)), "first"
                )
        write_table(runner.measure(levels()))


if __name__ == "__main__":
    main()
