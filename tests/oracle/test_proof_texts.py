"""Proofs in words are parsed again, and each sentence is checked against the position.

A check takes the facts of a proof (t) and the parts of its sentence: names of numbers (p, q) and of
other cells, counts and word forms. n is the cell of a number.
"""

import itertools
import re

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sapper import FLAG, Board, Contradiction
from sapper.proofs.prover import Proof, explain_all
from tests.oracle.naive import neighbours, subsets
from tests.sampling import cases
from tests.strategies import tiling_boards, true_positions

MAX_COVERED = 11
END = r"so (\S+) is (a mine|safe)\."


class Facts:
    """The facts that the text of a proof may mention: by number, its mines and covered cells."""

    def __init__(self, proof: Proof):
        position = self.position = proof.position
        self.cell, self.is_mine = proof.move.cell, proof.move.action == "flag"
        self.numbers, self.with_count = list(proof.number_cells), proof.uses_mine_count
        flagged = set(position.flags.tolist()) if proof.trust_flags else set()
        self.unknown_cells = set(position.without_flags().covered.tolist()) - flagged
        self.mines_left = None if position.mines is None else position.mines - len(flagged)
        near = neighbours(position.board)
        self.mines = {n: near[n] & flagged for n in self.numbers}
        self.covered = {n: near[n] & self.unknown_cells for n in self.numbers}
        self.need = {n: int(position.marks[n]) - len(self.mines[n]) for n in self.numbers}
        self.frontier = set().union(*self.covered.values())

    def cells(self, text: str) -> set[int]:
        return {self.position.board.cell(name) for name in re.split(", | and ", text)}

    def solutions(self) -> set[frozenset[int]]:
        """Return the solutions around the numbers, with the mine count if it is used."""
        solutions = set()
        rest = len(self.unknown_cells) - len(self.frontier)
        for mines in subsets(self.frontier):
            count_holds = not self.with_count or 0 <= self.mines_left - len(mines) <= rest
            if count_holds and all(
                len(mines & self.covered[n]) == self.need[n] for n in self.numbers
            ):
                solutions.add(mines)
        return solutions


def plural(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def has_only(t, p, need, covered, named):
    (n,) = t.numbers
    assert t.cells(p) == {n} and t.need[n] == len(t.covered[n]) == int(need)
    assert plural(int(need), "covered cell") == covered and t.cells(named) == t.covered[n]


def needs_none(t, p):
    assert t.cells(p) == set(t.numbers) and t.position.marks[t.numbers[0]] == 0


def touches_its_mines(t, p, mines, named):
    (n,) = t.numbers
    assert t.cells(p) == {n} and t.need[n] == 0 and t.cells(named) == t.mines[n]
    assert mines == ("mine" if len(t.mines[n]) == 1 else plural(len(t.mines[n]), "mine"))


def other_is_a_mine(t, q, allowed, shared, p, need_p):
    others_are_mines(t, q, allowed, shared, p, need_p, t.position.board.name(t.cell))


def others_are_mines(t, q, allowed, shared, p, need_p, others):
    (p,), (q,) = t.cells(p), t.cells(q)
    only = t.covered[p] - t.covered[q]
    assert {p, q} == set(t.numbers) and t.cells(shared) == t.covered[p] & t.covered[q]
    assert str(t.need[p]) == need_p
    assert allowed == (f"only {plural(t.need[q], 'mine')}" if t.need[q] else "no mine")
    assert t.need[p] - t.need[q] == len(only) and t.cells(others) == only
    assert t.cell in only and t.is_mine


def shares_all(t, q, need, all_its, shared, touch, p):
    (p,), (q,) = t.cells(p), t.cells(q)
    assert {p, q} == set(t.numbers) and t.need[p] == t.need[q] == int(need)
    assert t.cells(shared) == t.covered[q] <= t.covered[p]
    only_one = len(t.covered[q]) == 1
    assert (all_its == "its only covered cell") == (touch == "touches") == only_one


def at_most(t, q, need, most, only, least, shared, p, them, limit):
    (p,), (q,) = t.cells(p), t.cells(q)
    assert {p, q} == set(t.numbers) and t.need[q] == int(need)
    assert t.cells(only) == t.covered[q] - t.covered[p] and len(t.cells(only)) == int(most)
    assert t.cells(shared) == t.covered[q] & t.covered[p]
    assert int(need) - int(most) == int(least) == int(limit) == t.need[p]
    assert them == ("it" if len(t.cells(shared)) == 1 else "them")


def count_alone(t, mines, are, covered):
    assert not t.numbers and t.mines_left == len(t.unknown_cells)
    assert (mines, covered) == (plural(t.mines_left, "mine"), plural(t.mines_left, "covered cell"))
    assert are == ("is" if t.mines_left == 1 else "are")


def count_none(t):
    assert not t.numbers and t.mines_left == 0


def count_and_numbers(t, mines, are, numbers, needs, needed):
    """The numbers need all mines that are left."""
    assert not t.is_mine and t.cell not in t.frontier
    check_count_and_numbers(t, mines, are, numbers, needs)
    assert t.mines_left == sum(t.need.values())
    assert needed == ("it" if t.mines_left == 1 else "all of them")


def count_and_rest(t, mines, are, numbers, needs, needed, others):
    """The mines that the numbers do not need are in all other covered cells."""
    total, rest = sum(t.need.values()), len(t.unknown_cells - t.frontier)
    assert t.is_mine and t.cell not in t.frontier
    check_count_and_numbers(t, mines, are, numbers, needs)
    assert t.mines_left - total == rest and needed == str(total or "none")
    assert others == ("other covered cell" if rest == 1 else f"{rest} other covered cells")


def check_count_and_numbers(t, mines, are, numbers, needs):
    assert t.cells(numbers) == set(t.numbers)
    assert mines == plural(t.mines_left, "mine") and are == ("is" if t.mines_left == 1 else "are")
    assert needs == ("needs" if len(t.numbers) == 1 else "need")
    share_no_cell = sum(map(len, t.covered.values())) == len(t.frontier)
    assert share_no_cell or not any(t.need.values())


SENTENCES = {
    rf"(\S+) needs (\d+) and has only (\d+ covered cells?), (.+), {END}": has_only,
    rf"(\S+) needs no mine, {END}": needs_none,
    rf"(\S+) already touches its (\d+ mines|mine), (.+), {END}": touches_its_mines,
    rf"(\S+) allows (only \d+ mines?|no mine) in (.+)\. (\S+) needs (\d+), {END}": other_is_a_mine,
    r"(\S+) allows (only \d+ mines?|no mine) in (.+)\. (\S+) needs (\d+), "
    r"so its other covered cells, (.+), are mines\.": others_are_mines,
    r"(\S+) needs (\d+), and (all its covered cells|its only covered cell), (.+), "
    r"(touch|touches) (\S+), which needs no more\. "
    rf"{END.replace('so', 'So')}": shares_all,
    rf"(\S+) needs (\d+): at most (\d+) in (.+), so at least (\d+) in (.+)\. "
    rf"(\S+) touches (it|them) and needs only (\d+), {END}": at_most,
    r"By the mine count, (\d+ mines?) (is|are) left for (\d+ covered cells?), "
    rf"{END}": count_alone,
    rf"By the mine count, no mine is left, {END}": count_none,
    r"By the mine count, (\d+ mines?) (is|are) left\. (.+) (needs?) (it|all of them), "
    rf"{END}": count_and_numbers,
    r"By the mine count, (\d+ mines?) (is|are) left\. (.+) (needs?) (\d+|none)\. "
    rf"The (.+) must hold the rest, {END}": count_and_rest,
}
MINE_COUNT = r"(?: and the mine count \((\d+ mines?) left\))?"
IN_EACH = r"(So|In each,|In each case,) (\S+) is (a mine|safe)\."
LISTED = rf"(.+?){MINE_COUNT} allow only these mines: (.+)\. {IN_EACH}"
COUNTED = rf"(\d+ ways?) to place mines (fits?) (.+?){MINE_COUNT}\. {IN_EACH}"


def check_text(proof: Proof) -> None:
    t = Facts(proof)
    conclusion = proof.position.board.name(t.cell), "a mine" if t.is_mine else "safe"
    for pattern, check in SENTENCES.items():
        if (match := re.fullmatch(pattern, proof.text)) is not None:
            parts = match.groups()
            if pattern.lower().endswith(END.lower()):
                parts, end = parts[:-2], parts[-2:]
                assert end == conclusion
            check(t, *parts)
            return
    if proof.text.startswith("If "):
        check_contradiction(t, proof.text)
        return
    solutions = t.solutions()
    if (match := re.fullmatch(LISTED, proof.text)) is not None:
        numbers, mines, listed, start, *end = match.groups()
        check_cases(t, listed, solutions)
        assert start == ("In each case," if "; or " in listed else "So")
    else:
        match = re.fullmatch(COUNTED, proof.text)
        assert match is not None
        ways, fit, numbers, mines, start, *end = match.groups()
        assert ways == plural(len(solutions), "way") and start == "In each,"
        assert fit == ("fits" if len(solutions) == 1 else "fit")
    assert t.cells(numbers) == set(t.numbers) and tuple(end) == conclusion
    assert mines == (plural(t.mines_left, "mine") if t.with_count else None)


def check_contradiction(t: Facts, text: str) -> None:
    """Check that each link follows from those before, and the last number is unsatisfiable."""
    name, opposite, rest = re.fullmatch(r"If (\S+) were (a mine|safe), (.+)\.", text).groups()
    assert t.cells(name) == {t.cell} and (opposite == "safe") == t.is_mine
    start, _, end = rest.rpartition(". Then ")
    link = r"(\S+) would make (.+?) (a mine|mines|safe)(?:, | and |$)"
    mines, known = set() if t.is_mine else {t.cell}, {t.cell}
    links = list(re.finditer(link, start))
    assert "".join(match[0] for match in links) == start
    for match in links:
        number, named, state = match.groups()
        (n,) = t.cells(number)
        covered = t.covered[n] - known
        assert t.cells(named) == covered
        assert t.need[n] - len(t.covered[n] & mines) == (0 if state == "safe" else len(covered))
        assert state == "safe" or (state == "a mine") == (len(covered) == 1)
        known |= covered
        mines |= set() if state == "safe" else covered
    number, too_many, lacks = re.fullmatch(
        r"(\S+) would (?:have (\d+ mines?) too many|lack (\d+ mines?))", end
    ).groups()
    (n,) = t.cells(number)
    lack = t.need[n] - len(t.covered[n] & mines)
    count = -lack if too_many else lack - len(t.covered[n] - known)
    assert count > 0 and (too_many or lacks) == plural(count, "mine")


def check_cases(t: Facts, text: str, solutions: set[frozenset[int]]) -> None:
    """Check that the cases are the solutions, each once."""
    cases = []
    for case in text.split("; or "):
        parts = re.split(r", (?=\d+ of )", case)
        sure = set() if re.match(r"\d+ of ", parts[0]) else t.cells(parts.pop(0))
        some = [part.split(" of ") for part in parts]
        choices = [itertools.combinations(t.cells(named), int(n)) for n, named in some]
        cases += [frozenset(sure.union(*picked)) for picked in itertools.product(*choices)]
    assert len(cases) == len(solutions) and set(cases) == solutions


@st.composite
def plain_graphs(draw: st.DrawFn) -> Board:
    """Draw graphs whose cell names contain no punctuation."""
    names = [f"v{i}" for i in range(draw(st.integers(2, 11)))]
    pairs = st.sampled_from(list(itertools.combinations(names, 2)))
    return Board.from_edges(draw(st.lists(pairs, unique=True)), names)


POSITIONS = true_positions(st.one_of(tiling_boards(4), plain_graphs()))


@settings(max_examples=cases(120))
@given(POSITIONS, st.integers(0, 7), st.booleans())
def test_every_sentence_of_a_proof_is_true(position, flags, trust_flags):
    assume(len(position.covered) <= MAX_COVERED)
    flagged = [c for i, c in enumerate(position.covered.tolist()) if flags >> i & 1]
    position = position.with_marks(dict.fromkeys(flagged, FLAG))
    try:
        proofs = explain_all(position, trust_flags=trust_flags)
    except Contradiction:
        return
    for proof in proofs:
        check_text(proof)
