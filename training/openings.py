"""Study of the openings: better moves than those of `shrewd` in positions that recur.

The positions are those without a certain move that occur with at least a given probability when
`shrewd` plays from the usual first clicks; this probability is exact. Symmetric positions count as
one.

Every position is studied in two stages. Both compare cells on common samples, in batches:

screening     the most promising cells by the networks, with `learned` playing the roll-outs; a cell
              that is clearly behind drops out
confirmation  the best cell of the screening against the choice of `shrewd`, on other samples, with
              `shrewd` itself playing the roll-outs, so that the difference is the gain over it

Only a confirmed move goes into the table of `sapper.formats.openings`. A batch follows from its
position and number, and is written as soon as it is complete: an interrupted study continues.

The first click is studied in the same way, from the position without numbers: its win rates are
those of the rule `any`, and proportional to those of `safe`. Under `zero`, every candidate begins
with its own zero, on its own samples.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

from sapper.board.board import Board, Ints
from sapper.board.position import COVERED, Position
from sapper.board.rules import Rules
from sapper.board.symmetries import Symmetry, orbits, symmetries
from sapper.engine.analysis import analyse
from sapper.engine.budget import MAX_SECONDS, Budget
from sapper.formats.openings import Opening, format_openings
from sapper.kernels import view
from sapper.kernels.players import guessing, learned
from sapper.kernels.players.shrewd import ShrewdState
from sapper.players.patient import PatientSettings, make_rollout_state
from sapper.players.rollouts import add_samples, begin_samples, comparison_of
from sapper.players.shrewd import ShrewdSettings, make_shrewd_state

Line = tuple[str, str, str]
"""Size, rule and first click."""
LINES: tuple[Line, ...] = (
    ("30x16/99", "safe", "r1c1"),
    ("16x16/40", "safe", "r1c1"),
    ("9x9/10", "safe", "r1c1"),
    ("8x8/10", "safe", "r1c1"),
    ("30x16/99", "zero", "r4c4"),
    ("16x16/40", "zero", "r3c3"),
    ("9x9/10", "zero", "r3c3"),
    ("8x8/10", "zero", "r3c3"),
)
LEAST_PROBABILITY = 0.005
"""Positions that occur in fewer games than this share are not studied."""
MAX_CANDIDATES = 12
"""Cells that the screening compares."""
SAFE_RATIO = 0.93
"""A candidate is safe at least this share as often as the safest cell."""
SAMPLES_PER_BATCH = 500
"""Samples of a batch."""
SCREENING_CHECKS = (8, 16, 32, 64, 128)
"""Batches after which cells may drop out of the screening; it ends after the last."""
CONFIRMATION_BATCHES = 400
"""Batches of a confirmation."""
EARLY_END_CHECKS = (40, 80, 160, 240, 320)
"""Batches after which a confirmation ends if the gain is less than one standard error."""
CLEAR_STANDARD_ERRORS = 3.0
"""Standard errors by which a cell must be ahead of another one to be better."""
FIRST_ZERO = "first click shows 0"
"""The name of the first click under `zero` in the records."""
NEAR_CORNER = 6
"""Under `zero`, first clicks in this number of rows and columns are studied, and the middle."""
PROBABLE_STANDARD_ERRORS = 2.0
"""Standard errors by which the gain of a cell must be too small to drop out."""
SMALL_GAIN = 0.0025
"""A gain that is too small to be found with these numbers of samples."""
SMALL_GAIN_PER_GAME = 0.0001
"""A gain times the probability of the position that is too small to matter."""
# Seeds of the samples, distinct for the two stages.
SCREENING_SEED = 4 * 10**9
CONFIRMATION_SEED = 5 * 10**9


@dataclass(frozen=True)
class RecurringPosition:
    """A position in which a guess is needed, and the share of all games in which it occurs."""

    position: Position
    probability: float


def text_of(position: Position) -> str:
    """Return the revealed cells of a position and their numbers.

    >>> text_of(Position.parse("1#"))
    'r1c1=1'
    """
    names = position.board.names
    revealed = np.flatnonzero(position.marks >= 0).tolist()
    return " ".join(f"{names[cell]}={position.marks[cell]}" for cell in revealed)


@cache
def symmetries_of(board: Board) -> list[Symmetry]:
    """Return the symmetries of a board."""
    return symmetries(board)


def canonical(board: Board, marks: Ints) -> Ints:
    """Return the image of a position that all its images have in common."""
    images = []
    for symmetry in symmetries_of(board):
        image = np.empty_like(marks)
        image[np.array(symmetry)] = marks
        images.append(image)
    # The one whose first cells are revealed, so that the first click stays in its corner.
    return max(images, key=lambda image: image.tolist())


def recurring_positions(
    rules: Rules, first: int, least: float, choose: Callable[[RecurringPosition], int]
) -> list[RecurringPosition]:
    """Return the positions that need a guess, with their probabilities, the most frequent first.

    *choose* is the player. A position that occurs in less than *least* of all games is left
    out, with all that follow from it.
    """
    board, found = rules.board, []
    by_revealed: dict[int, dict[bytes, tuple[Ints, float]]] = {}

    def add(marks: Ints, cell: int, probability: float, values: Mapping[int, float]) -> None:
        for number, p in values.items():
            if probability * p >= least:
                shown = marks.copy()
                shown[cell] = number
                shown = canonical(board, shown)
                group = by_revealed.setdefault(int((shown >= 0).sum()), {})
                before = group.get(shown.tobytes(), (shown, 0.0))[1]
                group[shown.tobytes()] = shown, before + probability * p

    start = np.full(len(board), COVERED, dtype=np.int32)
    add(start, first, 1.0, _first_numbers(rules, Position(board, start, rules.mines), first))
    # All ways to a position reveal the same number of cells, so its probability is complete.
    for revealed in range(1, len(board) - rules.mines):
        for marks, probability in by_revealed.pop(revealed, {}).values():
            position = Position(board, marks, rules.mines)
            analysis = analyse(position)
            if len(analysis.safe_cells):
                cell = int(analysis.safe_cells[0])
            else:
                found.append(RecurringPosition(position, probability))
                cell = choose(found[-1])
            add(marks, cell, probability, analysis.values(cell) or {})
    return sorted(found, key=lambda item: -item.probability)


def _first_cells(board: Board, usual: int) -> list[int]:
    """Return first clicks near a corner and the middle, the usual one first."""
    names = {f"r{r}c{c}" for r in range(1, NEAR_CORNER + 1) for c in range(1, NEAR_CORNER + 1)}
    near = {board.cell(name) for name in names & set(board.names)} | {board.middle, usual}
    groups = orbits(board, symmetries_of(board))
    lowest = [min(near & set(group)) for group in groups if near & set(group)]
    same = next(set(group) for group in groups if usual in group)
    return [usual, *(cell for cell in sorted(lowest) if cell not in same)]


def _first_numbers(rules: Rules, position: Position, first: int) -> dict[int, float]:
    """Return the probabilities of the numbers that the first click shows."""
    values = analyse(position).values(first) or {}
    if rules.rule == "zero":
        return {0: 1.0}
    safe = sum(values.values()) if rules.rule == "safe" else 1.0
    return {number: p / safe for number, p in values.items()}


@dataclass
class Batches:
    """The win rates of some cells in batch after batch of one stage of a study."""

    rates: list[dict[int, float]] = field(default_factory=list)

    def lead(self, a: int, b: int) -> tuple[float, float]:
        """Return how far cell a is ahead of cell b in their common batches, and its error."""
        both = [rates[a] - rates[b] for rates in self.rates if a in rates and b in rates]
        if len(both) < 2:
            return 0.0, 1.0
        return float(np.mean(both)), float(np.std(both, ddof=1)) / sqrt(len(both))

    def rate(self, cell: int) -> float:
        """Return the mean win rate of a cell."""
        return float(np.mean([rates[cell] for rates in self.rates if cell in rates]))

    def rate_error(self, cell: int) -> float:
        """Return the standard error of `rate`."""
        rates = [rates[cell] for rates in self.rates if cell in rates]
        return float(np.std(rates, ddof=1)) / sqrt(len(rates))

    def left_after(self, cells: Sequence[int], gain: float) -> list[int]:
        """Return the cells that have not dropped out; the first one never does.

        A cell drops out if it is clearly behind the best, or probably not ahead of the first by
        *gain*.
        """
        left = list(cells)
        for check in SCREENING_CHECKS:
            if check <= len(self.rates):
                done = Batches(self.rates[:check])
                best = max(left, key=done.rate)
                left = [
                    c for c in left if c == left[0] or not done._drops_out(c, best, left[0], gain)
                ]
        return left

    def _drops_out(self, cell: int, best: int, first: int, gain: float) -> bool:
        lead, error = self.lead(cell, first)
        return _is_clear(*self.lead(best, cell)) or lead + PROBABLE_STANDARD_ERRORS * error < gain


def _is_clear(lead: float, error: float) -> bool:
    return lead > CLEAR_STANDARD_ERRORS * error


class OpeningRollouts:
    """Roll-outs on one board, by `learned` and by `shrewd`."""

    def __init__(self, board: Board):
        self.board = board
        settings = ShrewdSettings(openings=False)
        self.guesser = make_shrewd_state(board, settings)
        self._by_learned = make_rollout_state(board, PatientSettings())
        self._by_shrewd = make_rollout_state(board, PatientSettings())
        self._by_shrewd.guesser = make_shrewd_state(board, settings)
        self._limit = Budget(seconds=MAX_SECONDS).start(None)

    def read(self, position: Position) -> ShrewdState:
        """Let `shrewd` choose in a position; return its state."""
        status = guessing.run(self.guesser, view(position.marks), position.mines, True)
        assert status == 0, f"the engine has no answer for {text_of(position)}: {status}"
        return self.guesser

    def batch(
        self, position: Position, cells: list[int], seed: int, by_shrewd: bool
    ) -> dict[int, float]:
        """Return the win rates of cells on the samples of a seed."""
        state = self._by_shrewd if by_shrewd else self._by_learned
        comparison = comparison_of(self.read(position), cells)
        assert begin_samples(state, position.marks, position.mines, seed, self._limit) == 0
        assert add_samples(state, comparison, SAMPLES_PER_BATCH, self._limit)
        return {cell: comparison.result(i).rate for i, cell in enumerate(cells)}

    def candidates(self, position: Position) -> list[int]:
        """Return the choice of `shrewd`, and the other cells that the networks value most.

        Of cells that symmetries of the position exchange, only one is returned.
        """
        state = self.read(position)
        chosen = int(state.chosen)
        marks, images = position.marks, {}
        for symmetry in symmetries_of(self.board):
            order = np.array(symmetry)
            if (marks[order] == marks).all():
                images[symmetry] = order
        risk = np.asarray(state.p.probabilities)[: len(marks)]
        covered = np.flatnonzero(marks == COVERED).tolist()
        largest = 1.0 - SAFE_RATIO * (1.0 - min(risk[cell] for cell in covered))
        values, done = {}, {int(order[chosen]) for order in images.values()}
        for cell in covered:
            if cell not in done and risk[cell] <= largest:
                done |= {int(order[cell]) for order in images.values()}
                values[cell] = learned.value_of(state.first_values, cell)
        kept = [int(state.candidate[i]) for i in range(min(state.candidates, 5))]
        best = [cell for cell in kept if cell in values]
        best += sorted(values, key=lambda cell: -values[cell])
        return [chosen, *list(dict.fromkeys(best))[: MAX_CANDIDATES - 1]]


@dataclass
class Study:
    """The study of one position."""

    line: Line
    position: Position
    probability: float
    cells: list[int]
    """The candidates, the choice of `shrewd` first."""
    screening: Batches = field(default_factory=Batches)
    confirming: Batches = field(default_factory=Batches)

    @property
    def name(self) -> str:
        """The name of the position in the records."""
        return text_of(self.position)

    def rates(
        self, rollouts: OpeningRollouts, cells: list[int], seed: int, by_shrewd: bool
    ) -> dict[int, float]:
        """Return the win rates of cells on the samples of a seed."""
        return rollouts.batch(self.position, cells, seed, by_shrewd)

    @property
    def left(self) -> list[int]:
        """The cells that are left in the screening."""
        gain = max(SMALL_GAIN, SMALL_GAIN_PER_GAME / self.probability)
        return self.screening.left_after(self.cells, gain)

    @property
    def is_screened(self) -> bool:
        """Whether the screening is over."""
        return len(self.left) == 1 or len(self.screening.rates) >= SCREENING_CHECKS[-1]

    @property
    def best_alternative(self) -> int | None:
        """The cell that must be confirmed; None if no cell is ahead of the choice of `shrewd`."""
        own, *others = self.left
        if not others:
            return None
        best = max(others, key=self.screening.rate)
        lead, error = self.screening.lead(best, own)
        return best if lead > error else None

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to do."""
        if not self.is_screened:
            return False
        best = self.best_alternative
        done = len(self.confirming.rates)
        if best is None or done >= CONFIRMATION_BATCHES:
            return True
        return any(
            self._is_hopeless(Batches(self.confirming.rates[:check]), best)
            for check in EARLY_END_CHECKS
            if check <= done
        )

    def _is_hopeless(self, batches: Batches, best: int) -> bool:
        lead, error = batches.lead(best, self.cells[0])
        return lead < error

    @property
    def move(self) -> int | None:
        """The better move, once it is confirmed."""
        best = self.best_alternative if self.is_over else None
        if best is None or len(self.confirming.rates) < CONFIRMATION_BATCHES:
            return None
        return best if _is_clear(*self.confirming.lead(best, self.cells[0])) else None

    def step(self, rollouts: OpeningRollouts) -> dict[str, Any]:
        """Do the next batch and return its record."""
        stage, cells, seed = "screening", self.left, SCREENING_SEED
        if self.is_screened:
            assert self.best_alternative is not None
            stage, cells, seed = (
                "confirming",
                [self.cells[0], self.best_alternative],
                CONFIRMATION_SEED,
            )
        batches: Batches = getattr(self, stage)
        seed += len(batches.rates)
        rates = self.rates(rollouts, cells, seed, stage == "confirming")
        batches.rates.append(rates)
        names = self.position.board.names
        return {
            "size": self.line[0],
            "position": self.name,
            "stage": stage,
            "seed": seed,
            "rates": {names[cell]: round(rate, 7) for cell, rate in rates.items()},
        }

    def summary(self) -> dict[str, Any]:
        """Return the result so far, for the card."""
        names, own = self.position.board.names, self.cells[0]
        stages = {}
        for stage in ("screening", "confirming"):
            batches: Batches = getattr(self, stage)
            if not batches.rates:
                continue
            shown = [c for c in self.cells if any(c in rates for rates in batches.rates)]
            stages[stage] = {
                "samples": SAMPLES_PER_BATCH * len(batches.rates),
                "win rate of the choice of shrewd": round(batches.rate(own), 5),
                "points over it": {
                    names[c]: [round(100 * x, 3) for x in batches.lead(c, own)]
                    for c in shown
                    if c != own
                },
            }
        return {
            "size": self.line[0],
            "rule": self.line[1],
            "first": self.line[2],
            "position": self.name,
            "probability": round(self.probability, 6),
            "shrewd": names[own],
            "move": None if self.move is None else names[self.move],
            "over": self.is_over,
            **stages,
        }

    def opening(self) -> Opening:
        """Return the entry of the table for a confirmed move."""
        own, move, batches = self.cells[0], self.move, self.confirming
        assert move is not None
        return Opening(
            self.position,
            analyse(self.position).ln_solutions,
            move,
            own,
            round(batches.rate(move), 6),
            round(batches.rate_error(move), 6),
            round(batches.rate(own), 6),
            round(batches.rate_error(own), 6),
            round(batches.lead(move, own)[1], 6),
            SAMPLES_PER_BATCH * len(batches.rates),
        )


class FirstZeroStudy(Study):
    """The study of the first click under the rule `zero`; its moves are not in the table."""

    @property
    def name(self) -> str:
        """The name in the records."""
        return FIRST_ZERO

    def rates(
        self, rollouts: OpeningRollouts, cells: list[int], seed: int, by_shrewd: bool
    ) -> dict[int, float]:
        """Return the win rates if each cell is the first click and shows 0."""
        rates = {}
        for cell in cells:
            opened = self.position.with_marks({cell: 0})
            neighbour = int(self.position.board.around(cell)[0])
            rates[cell] = rollouts.batch(opened, [neighbour], seed, by_shrewd)[neighbour]
        return rates


class Studies:
    """All studies of some lines, with the batches of a file."""

    def __init__(self, lines: Sequence[Line], path: Path, least: float):
        self._path, self._least = path, least
        self._records: dict[tuple[str, str], list[dict[str, Any]]] = {}
        if path.exists():
            for text in path.read_text().splitlines():
                record = json.loads(text)
                self._records.setdefault((record["size"], record["position"]), []).append(record)
        self._rollouts: dict[str, OpeningRollouts] = {}
        self._known: dict[tuple[str, str], Study] = {}
        self.lines = lines

    def rollouts(self, size: str) -> OpeningRollouts:
        """Return the roll-outs of a board."""
        if size not in self._rollouts:
            self._rollouts[size] = OpeningRollouts(Rules.of(size, None, "safe").board)
        return self._rollouts[size]

    def of(self, line: Line) -> list[Study]:
        """Return the studies of a line: the positions that recur if confirmed moves are played."""
        size, rule, first = line
        rules = Rules.of(size, None, rule)
        found = recurring_positions(
            rules,
            rules.first_cell(first),
            self._least,
            lambda item: self._choose(line, item),
        )
        empty = Position.initial(rules.board, rules.mines)
        if rule != "zero":
            found.insert(0, RecurringPosition(empty, 1.0))
        studies = [self._study(line, item) for item in found]
        if rule == "zero":
            cells = _first_cells(rules.board, rules.first_cell(first))
            studies.insert(0, self._with_records(FirstZeroStudy(line, empty, 1.0, cells)))
        return studies

    def _choose(self, line: Line, item: RecurringPosition) -> int:
        study = self._study(line, item)
        return study.cells[0] if study.move is None else study.move

    def _study(self, line: Line, item: RecurringPosition) -> Study:
        key = line[0], text_of(item.position)
        if key not in self._known:
            cells = self.rollouts(line[0]).candidates(item.position)
            return self._with_records(Study(line, item.position, item.probability, cells))
        return self._known[key]

    def _with_records(self, study: Study) -> Study:
        """Return a study with the batches of the file, the same one if it is known."""
        key, cell = (study.line[0], study.name), study.position.board.cell
        if key not in self._known:
            self._known[key] = study
            for record in self._records.get(key, []):
                rates = {cell(name): rate for name, rate in record["rates"].items()}
                getattr(study, record["stage"]).rates.append(rates)
        return self._known[key]

    def run(self, seconds: float) -> Iterator[Study]:
        """Continue the studies until the time is up; yield each one that is over.

        The lines take turns; on a line, the most frequent positions come first.
        """
        deadline = time.monotonic() + seconds
        queues = [[study for study in self.of(line) if not study.is_over] for line in self.lines]
        while any(queues):
            for line, queue in zip(self.lines, queues, strict=True):
                if not queue:
                    continue
                study = queue[0]
                record = study.step(self.rollouts(line[0]))
                with self._path.open("a") as file:
                    file.write(json.dumps(record) + "\n")
                if study.is_over:
                    yield study
                    # A confirmed move leads to other positions.
                    queue[:] = [study for study in self.of(line) if not study.is_over]
                if time.monotonic() > deadline:
                    return


def table(studies: Studies) -> str:
    """Return the content of the table: all confirmed moves."""
    tables: dict[str, tuple[Opening, ...]] = {}
    for line in studies.lines:
        for study in studies.of(line):
            known = tables.setdefault(line[0], ())
            if isinstance(study, FirstZeroStudy) or study.move is None:
                continue
            if study.opening() not in known:
                tables[line[0]] = (*known, study.opening())
    return format_openings({size: rows for size, rows in tables.items() if rows})


def card(studies: Studies) -> dict[str, Any]:
    """Return how the study was made, and the result for every position."""
    return {
        "about": "the table of openings of shrewd: all positions that were studied",
        "seeds of the samples": {"screening": SCREENING_SEED, "confirming": CONFIRMATION_SEED},
        "samples of a batch": SAMPLES_PER_BATCH,
        "inside": {"screening": "learned", "confirming": "shrewd"},
        "positions": [study.summary() for line in studies.lines for study in studies.of(line)],
    }
