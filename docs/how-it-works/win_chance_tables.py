"""Compare win chances with the outcomes of real games, and write the tables of win-chance.md.

Each game gives one position, at a stage that its number determines. The same player that plays the
game estimates the win chance there. For some positions 100,000 samples are drawn, and the intervals
of every 1,000 of them are compared with the rate of all.

Takes about 5 hours of one core. Results are kept in build/win_chance.ndjson, so a run that was
stopped continues; `--draw` only writes the tables from them.
"""

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import numpy as np

from sapper import PLAYERS, Game, Move, Position, win_chance
from sapper.engine.budget import Budget, Cancel
from sapper.games.batch import CompiledRunner
from sapper.games.campaign import Campaign
from sapper.games.play_many import wilson
from sapper.games.win_estimates import NO_MOVE, WinChanceRequest, default_player

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "build" / "win_chance.ndjson"
PAGE = Path(__file__).with_name("win-chance.md")
PICTURE = PAGE.parent / "pictures" / "win-chance.png"
BEGIN, END = "<!-- calibration: begin -->", "<!-- calibration: end -->"

STAGES = (0.0, 0.25, 0.5, 0.75, 0.9)
"""A position is taken as soon as this share of the safe cells is revealed."""
SAMPLES = 1000
REFERENCE_SAMPLES = 100_000
FIRST_SEED = 7_000_000_000
BUDGET = Budget(seconds=3600)


@dataclass(frozen=True)
class Study:
    """The positions measured on one board: one of each game."""

    name: str
    tiling: str
    size: str
    positions: int
    references: int
    """How many of the positions have a reference estimate."""

    def campaign(self, seed: int) -> Campaign:
        """Return a campaign of one game."""
        board = Campaign.of(self.size, tiling=self.tiling).rules.board
        return Campaign.of(
            self.size, default_player(board), 1, seed, "safe", "r1c1", tiling=self.tiling
        )


STUDIES = (
    Study("Expert", "square", "30x16/99", 20_000, 500),
    Study("Intermediate", "square", "16x16/40", 5_000, 100),
    Study("Hexagonal", "hexagonal", "16x16/52", 2_500, 50),
    Study("Triangular", "triangular", "16x16/40", 2_500, 50),
)


def play_to_stage(campaign: Campaign, stage: float) -> tuple[Position, bool] | None:
    """Play a game; return its position at a stage and its outcome, or None if it ended before."""
    player = campaign.make_player()
    assert player.compiled is not None
    rules = campaign.rules
    log = np.zeros(2 * len(rules.board), dtype=np.int32)
    runner = CompiledRunner(rules, campaign.first, player, player.compiled, log=log)
    won = bool(runner.play(campaign.seeds, Cancel())[0, 0] > 0)
    game = Game.new(rules, seed=campaign.seeds.start)
    target = stage * (len(rules.board) - rules.mines)
    for code in [campaign.first, *log[: runner.log_count].tolist()]:
        if code >= 0 and game.position.marks[code] < 0 and not game.over:
            game.play(Move("reveal", code))
            revealed = int((game.position.marks >= 0).sum())
            if revealed >= target and not game.over:
                return game.position.without_flags(), won
    return None


def measure(task: tuple[Study, int]) -> dict[str, Any] | None:
    """Return the prediction and the outcome of one game, or None if it ended before its stage."""
    study, number = task
    stage = number % len(STAGES)
    campaign = study.campaign(FIRST_SEED + number)
    reached = play_to_stage(campaign, STAGES[stage])
    if reached is None:
        return None
    position, won = reached
    chance = win_chance(
        position, player=campaign.player, samples=SAMPLES, seed=number, budget=BUDGET
    )
    return {
        "study": study.name, "number": number, "stage": stage, "player": campaign.player,
        "wins": round(chance.value * SAMPLES), "won": won,
    }  # fmt: skip


def measure_reference(task: tuple[Study, int]) -> dict[str, Any] | None:
    """Return the wins in each 1,000 samples of a reference estimate."""
    study, number = task
    campaign = study.campaign(FIRST_SEED + number)
    reached = play_to_stage(campaign, STAGES[number % len(STAGES)])
    if reached is None:
        return None
    seed = FIRST_SEED + number
    request = WinChanceRequest(
        reached[0], PLAYERS[campaign.player], seed, 1, True, BUDGET.start(None)
    )
    won = np.concatenate([part[:, 0] for part, _ in request.play([NO_MOVE], REFERENCE_SAMPLES)])
    wins = won.reshape(-1, SAMPLES).sum(axis=1).tolist()
    return {"study": study.name, "reference": number, "wins": wins}


def run(share: int, workers: int, seconds: float) -> None:
    """Measure what is missing in the results, until the time is over."""
    RESULTS.parent.mkdir(exist_ok=True)
    rows = read_results()
    deadline = time.monotonic() + seconds
    with Pool(workers) as pool, RESULTS.open("a", encoding="utf-8") as file:
        for study in STUDIES:
            for key, function in (("number", measure), ("reference", measure_reference)):
                numbers = [row[key] for row in rows if key in row and row["study"] == study.name]
                first = max(numbers, default=-1) + 1
                count = study.references if key == "reference" else study.positions
                missing = max(1, count // share) - len(numbers)
                while missing > 0:
                    tasks = [(study, first + i) for i in range(missing)]
                    first += missing
                    for row in pool.imap(function, tasks):
                        if time.monotonic() > deadline:
                            pool.terminate()
                            return
                        if row is not None:
                            file.write(json.dumps(row) + "\n")
                            file.flush()
                            missing -= 1


def read_results() -> list[dict[str, Any]]:
    """Return the rows that were measured."""
    if not RESULTS.exists():
        return []
    return [json.loads(line) for line in RESULTS.read_text(encoding="utf-8").splitlines()]


def reliability(rows: list[dict[str, Any]]) -> Iterator[tuple[str, int, float, float, float]]:
    """Yield for each tenth of the scale: its range, positions, prediction, outcome, error."""
    tenths = defaultdict(list)
    for row in rows:
        tenths[min(9, row["wins"] * 10 // SAMPLES)].append((row["wins"] / SAMPLES, row["won"]))
    for tenth, pairs in sorted(tenths.items()):
        predicted, won = np.array(pairs, dtype=float).T
        # The error of the observed rate if every prediction were right.
        error = float(np.sqrt((predicted * (1 - predicted)).sum())) / len(pairs)
        text = f"{10 * tenth} to {10 * tenth + 10}"
        yield text, len(pairs), float(predicted.mean()), float(won.mean()), error


def brier(rows: list[dict[str, Any]]) -> float:
    """Return the mean square of the difference between prediction and outcome."""
    return float(np.mean([(row["wins"] / SAMPLES - row["won"]) ** 2 for row in rows]))


def coverage(rows: list[dict[str, Any]]) -> tuple[int, int, int]:
    """Return how many intervals of 1,000 samples contain the reference, of how many, and positions.

    Positions that are always or never won in the reference are left out.
    """
    inside = intervals = positions = 0
    for row in rows:
        rate = sum(row["wins"]) / REFERENCE_SAMPLES
        if 0 < rate < 1:
            ends = [wilson(wins, SAMPLES) for wins in row["wins"]]
            inside += sum(low <= rate <= high for low, high in ends)
            intervals += len(ends)
            positions += 1
    return inside, intervals, positions


def write_tables() -> None:
    """Write the tables into the page, and draw the reliability diagram."""
    all_rows = read_results()
    lines = [
        "| board | player | positions | Brier score | references | intervals that cover |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
    ]
    tenths = [
        "| board | predicted (%) | positions | mean prediction | games won | difference / error |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
    ]
    curves = {}
    for study in STUDIES:
        rows = [row for row in all_rows if row["study"] == study.name and "number" in row]
        references = [row for row in all_rows if row["study"] == study.name and "reference" in row]
        inside, intervals, positions = coverage(references)
        lines.append(
            f"| {study.name} {study.size} | `{rows[0]['player']}` | {len(rows):,} "
            f"| {brier(rows):.4f} | {positions} | {100 * inside / intervals:.2f}% |"
        )
        curves[study.name] = list(reliability(rows))
        for text, count, predicted, won, error in curves[study.name]:
            tenths.append(
                f"| {study.name} | {text} | {count:,} | {100 * predicted:.2f} | {100 * won:.2f} "
                f"| {(won - predicted) / error if error else 0:+.1f} |"
            )
    draw(curves)
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    table = "\n".join([*lines, "", *tenths])
    PAGE.write_text(f"{before}{BEGIN}\n{table}\n{END}{after}", encoding="utf-8")


def draw(curves: dict[str, list[tuple[str, int, float, float, float]]]) -> None:
    """Draw the reliability diagram: the rate of won games against the predicted win chance."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context({"font.size": 10}):
        figure = Figure(figsize=(8, 8), layout="constrained")
        for axes, (name, points) in zip(figure.subplots(2, 2).flat, curves.items(), strict=True):
            _, _, predicted, won, error = zip(*points, strict=True)
            axes.plot([0, 100], [0, 100], color="#999999", linewidth=1)
            axes.errorbar(
                100 * np.array(predicted), 100 * np.array(won), 300 * np.array(error),
                color="#0072B2", fmt="o", markersize=4, capsize=2,
            )  # fmt: skip
            axes.set_title(name, loc="left")
            axes.set_xlabel("predicted win chance (%)")
            axes.set_ylabel("games won (%)")
            axes.set(xlim=(0, 100), ylim=(0, 100), aspect="equal")
        figure.supxlabel("bars: three standard errors", fontsize=8)
        figure.savefig(PICTURE, dpi=100)


def main() -> None:
    """Measure, then write the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--share", type=int, default=1, help="measure a part: 10 for a tenth")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--draw", action="store_true", help="only write the tables")
    options = parser.parse_args()
    if not options.draw:
        run(options.share, options.workers, options.seconds)
    write_tables()


if __name__ == "__main__":
    main()
