"""Proofs in words; in the functions *a* is the Argument of a proof.

A proof of one or two numbers reads like the strategies. A proof of more numbers says what would go
wrong otherwise if single numbers show it; else it lists the few cases, or counts the solutions.

A view of the board outlines the numbers of a proof, with letters from A on where words would not be
clear, and groups of cells carry the letters X, Y, Z. It highlights the numbers of a premise.
"""

from __future__ import annotations

from dataclasses import replace
from math import comb

from sapper.proofs.arguments import Argument
from sapper.sentences import CellRef, Piece, Sentence, joined, shortened
from sapper.wording import count_text

# The most numbers that are listed one by one.
MAX_LISTED = 12
# Cases are not listed if there are more, or if they have more parts together.
MAX_CASES = 3
MAX_CASE_PARTS = 8
# Beyond this many states the solutions are not counted, and the text does not say how many.
MAX_STATES = 20_000


def describe(argument: Argument) -> Sentence:
    """Return a proof in words."""
    if argument.uses_mine_count:
        return tuple(_mine_count(argument) or _many_numbers(argument))
    if len(argument.numbers) == 1:
        return tuple(_one_number(argument, argument.numbers[0]))
    if len(argument.numbers) == 2:
        return tuple(_two_numbers(argument) or _many_numbers(argument))
    return tuple(_many_numbers(argument))


def _one_number(a: Argument, number: int) -> list[Piece]:
    ref, covered, mines = a.ref_number(number), a.covered(number), a.mines(number)
    if a.is_mine:
        only = a.ref_described(count_text(len(covered), "covered cell"), covered)
        return [ref, f" needs {a.missing(number)} and has only ", only, ", so ", *a.conclusion, "."]
    if not mines:
        return [ref, " needs no mine, so ", *a.conclusion, "."]
    its = "its mine" if len(mines) == 1 else f"its {len(mines)} mines"
    return [ref, " already touches ", a.ref_described(its, mines), ", so ", *a.conclusion, "."]


def _two_numbers(a: Argument) -> list[Piece] | None:
    """Describe strategies 3, 4, 6 and 7: p is the number that touches the cell, q the other one."""
    touches = [a.cell in a.covered(number) for number in a.numbers]
    if touches[0] == touches[1]:
        return None
    p, q = a.numbers if touches[0] else a.numbers[::-1]
    of_p, of_q = a.covered(p), a.covered(q)
    shared = [cell for cell in of_p if cell in of_q]
    only_p = [cell for cell in of_p if cell not in of_q]
    only_q = [cell for cell in of_q if cell not in of_p]
    ref_p, ref_q = a.ref_number(p), a.ref_number(q)
    start: list[Piece]
    end: list[Piece]
    if a.is_mine:
        rest = a.missing(p) - a.missing(q)
        if rest != len(only_p):
            return None
        allowed = f"only {count_text(a.missing(q), 'mine')}" if a.missing(q) else "no mine"
        start = [ref_q, f" allows {allowed} in ", a.ref_group(shared), ". ", _sentence_start(ref_p)]
        end = a.conclusion
        if rest > 1:
            end = [a.ref_described("its other covered cells", only_p, ","), " are mines"]
        return [*start, f" needs {a.missing(p)}, so ", *end, "."]
    least = a.missing(q) - len(only_q)
    if least != a.missing(p):
        return None
    if not only_q:
        all_its = "its only covered cell" if len(shared) == 1 else "all its covered cells"
        touch = "touches" if len(shared) == 1 else "touch"
        start = [ref_q, f" needs {least}, and ", a.ref_described(all_its, shared, ",")]
        return [*start, f" {touch} ", ref_p, ", which needs no more. So ", *a.conclusion, "."]
    at_most = f" needs {a.missing(q)}: at most {len(only_q)} in "
    start = [ref_q, at_most, a.ref_group(only_q), f", so at least {least} in ", a.ref_group(shared)]
    again = replace(a.ref_group(shared), text=("it" if len(shared) == 1 else "them",))
    end = [". ", _sentence_start(ref_p), " touches ", again, f" and needs only {least}, so "]
    return [*start, *end, *a.conclusion, "."]


def _sentence_start(ref: CellRef) -> CellRef:
    """Return a reference with a capital letter, for the start of a sentence."""
    return replace(ref, label=ref.label[:1].upper() + ref.label[1:])


def _is_or_are(number: int) -> str:
    return "is" if number == 1 else "are"


def _mine_count(a: Argument) -> list[Piece] | None:
    """Describe the mine count with numbers that share no covered cell, or that need no mine."""
    around = [set(a.covered(number)) for number in a.numbers]
    touched, needed = set().union(*around), sum(map(a.missing, a.numbers))
    if needed and sum(map(len, around)) != len(touched):
        return None
    left, rest = a.mines_left - needed, a.unknown_count - len(touched)
    if a.cell in touched or left not in (0, rest) or bool(left) != a.is_mine:
        return None
    verb = _is_or_are(a.mines_left)
    start = f"By the mine count, {count_text(a.mines_left, 'mine')} {verb} left"
    if not a.numbers and not a.is_mine:
        return ["By the mine count, no mine is left, so ", *a.conclusion, "."]
    if not a.numbers:
        covered = count_text(a.unknown_count, "covered cell")
        return [f"{start} for {covered}, so ", *a.conclusion, "."]
    need = "needs" if len(a.numbers) == 1 else "need"
    needed_text = "all of them" if not left and needed > 1 else "it" if not left else f"{needed}"
    if not needed:
        needed_text = "none"
    sources: list[Piece] = [
        f"{start}. ",
        _sentence_start(a.ref_numbers()),
        f" {need} {needed_text}",
    ]
    if not left:
        return [*sources, ", so ", *a.conclusion, "."]
    others = "other covered cell" if rest == 1 else f"{rest} other covered cells"
    return [*sources, f". The {others} must hold the rest, so ", *a.conclusion, "."]


def _many_numbers(a: Argument) -> list[Piece]:
    """Say what would go wrong otherwise, or which solutions the numbers leave."""
    contradiction = None if a.is_premise else _by_contradiction(a)
    if contradiction is not None:
        return contradiction
    a.clear_groups()
    boxes = _boxes(a)
    cases = [] if a.is_premise else _listed_cases(a, boxes)
    if cases:
        described = [_one_case(a, case) for case in cases]
        end = ". So " if len(cases) == 1 else ". In each case, "
        start = [*_sources(a), " allow only these mines: ", *_concatenated("; or ", described)]
        return [*start, end, *a.conclusion, "."]
    count = _count_ways(a, boxes)
    ways = "Many ways" if count is None else count_text(count, "way")
    fit = "fits" if count == 1 else "fit"
    return [f"{ways} to place mines {fit} ", *_sources(a), ". In each, ", *a.conclusion, "."]


def _sources(a: Argument) -> list[Piece]:
    """Name the numbers and, if it is used, the mine count."""
    names = shortened(a.numbers, MAX_LISTED)
    if not a.uses_mine_count:
        return [CellRef(a.numbers, a.numbers_label, tuple(joined(names)))]
    mine_count = f"the mine count ({count_text(a.mines_left, 'mine')} left)"
    text = tuple(joined([*names, mine_count]))
    return [CellRef(a.numbers, f"{a.numbers_label} and {mine_count}", text)]


Boxes = dict[tuple[int, ...], list[int]]


def _boxes(a: Argument) -> Boxes:
    """Group the covered cells around the numbers by which of the numbers they touch."""
    boxes: Boxes = {}
    for cell in sorted({cell for number in a.numbers for cell in a.covered(number)}):
        near = set(map(int, a.position.board.around(cell)))
        key = tuple(i for i, number in enumerate(a.numbers) if number in near)
        boxes.setdefault(key, []).append(cell)
    return boxes


def _fits(a: Argument, boxes: Boxes, mines: int) -> bool:
    """Return whether this many mines in the boxes leave a possible number for the other cells."""
    rest = a.unknown_count - sum(map(len, boxes.values()))
    return not a.uses_mine_count or 0 <= a.mines_left - mines <= rest


def _count_ways(a: Argument, boxes: Boxes) -> int | None:
    """Count the solutions around the numbers; None if that takes too long."""
    # For each vector of mines still missing, with the mines used: the number of ways to get there.
    states: dict[tuple[int, ...], int] = {(*(a.missing(number) for number in a.numbers), 0): 1}
    last_box = {i: key for key in boxes for i in key}
    for key, members in boxes.items():
        after: dict[tuple[int, ...], int] = {}
        done = [i for i in key if last_box[i] == key]
        for state, ways in states.items():
            for mines in range(min([len(members)] + [state[i] for i in key]) + 1):
                new = list(state)
                for i in key:
                    new[i] -= mines
                new[-1] += mines if a.uses_mine_count else 0
                if not any(new[i] for i in done):
                    reached = tuple(new)
                    after[reached] = after.get(reached, 0) + ways * comb(len(members), mines)
        states = after
        if len(states) > MAX_STATES:
            return None
    return sum(ways for state, ways in states.items() if _fits(a, boxes, state[-1]))


def _cases(a: Argument, boxes: Boxes) -> list[list[int]]:
    """Return the possible mines per box for each case; nothing if there are many cases."""
    cases: list[list[int]] = []
    rows = list(boxes.items())
    # For each number, the mines that it still needs and the cells that are left for them.
    missing = [a.missing(number) for number in a.numbers]
    space = [len(a.covered(number)) for number in a.numbers]
    mines: list[int] = []
    steps = 0

    def fill(box: int) -> None:
        nonlocal steps
        steps += 1
        if len(cases) > MAX_CASES or steps > MAX_STATES:
            return
        if box == len(rows):
            if _fits(a, boxes, sum(mines)):
                cases.append(mines.copy())
            return
        key, members = rows[box]
        for count in range(len(members) + 1):
            for i in key:
                missing[i] -= count
                space[i] -= len(members)
            if all(0 <= missing[i] <= space[i] for i in key):
                mines.append(count)
                fill(box + 1)
                mines.pop()
            for i in key:
                missing[i] += count
                space[i] += len(members)

    fill(0)
    return cases if len(cases) <= MAX_CASES and steps <= MAX_STATES else []


def _listed_cases(a: Argument, boxes: Boxes) -> list[Case]:
    """Return the cases if they can be listed in a short sentence, which must not omit a mine."""
    cases = _cases(a, boxes)
    if not all(map(any, cases)):
        return []
    if a.uses_mine_count and any(sum(case) != a.mines_left for case in cases):
        return []
    merged = _merge_full_boxes(boxes, cases)
    return merged if sum(map(len, merged)) <= MAX_CASE_PARTS else []


# The groups of cells with mines in a case, each with the number of its mines.
Case = list[tuple[list[int], int]]


def _merge_full_boxes(boxes: Boxes, cases: list[list[int]]) -> list[Case]:
    """Merge boxes that are full in the same cases and empty in all others; these come first."""
    full: dict[tuple[bool, ...], list[int]] = {}
    partial: list[tuple[list[int], tuple[int, ...]]] = []
    for members, *mines in zip(boxes.values(), *cases, strict=True):
        if all(count in (0, len(members)) for count in mines):
            full.setdefault(tuple(count > 0 for count in mines), []).extend(members)
        else:
            partial.append((members, tuple(mines)))
    groups = [(sorted(g), tuple(len(g) * is_full for is_full in key)) for key, g in full.items()]
    groups += partial
    return [[(g, mines[k]) for g, mines in groups if mines[k]] for k in range(len(cases))]


def _concatenated(separator: str, parts: list[list[Piece]]) -> list[Piece]:
    pieces: list[Piece] = []
    for part in parts:
        pieces += [separator, *part] if pieces else part
    return pieces


def _one_case(a: Argument, case: Case) -> list[Piece]:
    """Describe one case: the groups that are full, then how many mines are in each other one."""
    parts: list[list[Piece]] = []
    for cells, mines in case:
        group = a.ref_group(cells)
        if mines == len(cells):
            parts.append([replace(group, text=tuple(_comma_list(cells)))])
        else:
            of_group = replace(group, label=f"in {group.label}", text=("of ", *group.text))
            parts.append([f"{mines} ", of_group])
    return _concatenated(", ", parts)


def _comma_list(cells: list[int]) -> list[str | int]:
    """Return cells as a list in plain text, without "and" before the last one."""
    return [part for cell in cells for part in (", ", cell)][1:]


def _by_contradiction(a: Argument) -> list[Piece] | None:
    """Describe what follows, number by number, from the opposite, until a number is unsatisfiable.

    Returns None if single numbers do not lead there. Every number is used, because a smallest proof
    has no superfluous ones.
    """
    is_mine = {a.cell: not a.is_mine}
    links: list[list[Piece]] = []
    while True:
        forced = None
        for number in a.numbers:
            covered = a.covered(number)
            undecided = [cell for cell in covered if cell not in is_mine]
            missing = a.missing(number) - sum(is_mine.get(cell, False) for cell in covered)
            if not 0 <= missing <= len(undecided):
                problem = f" would lack {count_text(missing - len(undecided), 'mine')}."
                if missing < 0:
                    problem = f" would have {count_text(-missing, 'mine')} too many."
                return _contradiction_text(a, links, [a.ref_number(number), problem])
            if undecided and missing in (0, len(undecided)) and forced is None:
                forced = number, undecided, missing > 0
        if forced is None or a.uses_mine_count:
            return None
        number, cells, mines = forced
        is_mine.update(dict.fromkeys(cells, mines))
        state = "safe" if not mines else "a mine" if len(cells) == 1 else "mines"
        links.append([a.ref_number(number), " would make ", a.ref_group(cells), f" {state}"])


def _contradiction_text(a: Argument, links: list[list[Piece]], end: list[Piece]) -> list[Piece]:
    """Return the links from the opposite of a move to the number that is unsatisfiable."""
    start: list[Piece] = ["If ", a.ref_cell(), f" were {'safe' if a.is_mine else 'a mine'}, "]
    last = [" and ", *links.pop()] if len(links) > 1 else []
    middle = [*_concatenated(", ", links), *last]
    return [*start, *middle, ". Then " if links else "", *end]
