"""Proofs in words.

A proof of one or two numbers reads like the strategies. A proof of more numbers counts the
solutions around them, and says what would go wrong otherwise if single numbers show it; else it
lists the cases.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import comb

from sapper.proofs.argument import MAX_LISTED, Argument
from sapper.sentences import CellRef, Piece, Sentence, joined
from sapper.wording import counted

# More cases than this are not listed.
MAX_CASES = 4
# Beyond this many states the solutions are not counted, and the text does without their number.
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
        only = a.ref_described(counted(len(covered), "covered cell"), covered)
        return [ref, f" needs {a.missing(number)} and has only ", only, ", so ", *a.conclusion, "."]
    if not mines:
        return [ref, " needs no mine, so ", *a.conclusion, "."]
    has = a.ref_described(_plural("mine", mines), mines)
    return [ref, f" shows {len(mines)} and has its ", has, ", so ", *a.conclusion, "."]


def _two_numbers(a: Argument) -> list[Piece] | None:
    """Describe strategies 3, 4, 6 and 7: p is the number that touches the cell, q the other one."""
    touches = [a.cell in a.covered(number) for number in a.numbers]
    if touches[0] == touches[1]:
        return None
    p, q = a.numbers if touches[0] else a.numbers[::-1]
    of_p, of_q = a.covered(p), a.covered(q)
    shared = [b for b in of_p if b in of_q]
    only_p = [b for b in of_p if b not in of_q]
    only_q = [b for b in of_q if b not in of_p]
    ref_p, ref_q = a.ref_number(p), a.ref_number(q)
    if a.is_mine:
        rest = a.missing(p) - a.missing(q)
        if rest != len(only_p):
            return None
        others = a.ref_described(f"its other covered {_plural('cell', only_p)}", only_p, ",")
        return [
            *(ref_p, f" needs {a.missing(p)} and shares ", a.ref_cells(shared), " with ", ref_q),
            *(f", which needs {a.missing(q) or 'none'}, so ", others),
            f" {'is a mine' if rest == 1 else 'are mines'}.",
        ]
    least = a.missing(q) - len(only_q)
    if least != a.missing(p):
        return None
    if not only_q:
        all_its = "its only covered cell" if len(shared) == 1 else "all its covered cells"
        return [
            *(ref_q, f" needs {least} and shares ", a.ref_described(all_its, shared, ",")),
            *(" with ", ref_p, ", which needs no more, so ", *a.conclusion, "."),
        ]
    return [
        *(ref_q, f" needs {a.missing(q)}, at most {len(only_q)} of them on ", a.ref_cells(only_q)),
        *(f", so at least {least} {_be(least)} on ", a.ref_cells(shared)),
        *(", which it shares with ", ref_p),
        *(f"; that one needs no more than {least}, so ", *a.conclusion, "."),
    ]


def _be(number: int) -> str:
    return "is" if number == 1 else "are"


def _plural(noun: str, things: Sequence[int]) -> str:
    return noun if len(things) == 1 else f"{noun}s"


def _mine_count(a: Argument) -> list[Piece] | None:
    """Describe the mine count with numbers that share no covered cell, or that need no mine."""
    around = [set(a.covered(number)) for number in a.numbers]
    seen, needed = set().union(*around), sum(map(a.missing, a.numbers))
    if needed and sum(map(len, around)) != len(seen):
        return None
    left, rest = a.mines_left - needed, a.unknown_count - len(seen)
    if a.cell in seen or left not in (0, rest) or bool(left) != a.is_mine:
        return None
    mines, covered = counted(a.mines_left, "mine"), counted(a.unknown_count, "covered cell")
    verb = _be(a.mines_left)
    if not a.numbers:
        if a.is_mine:
            start = f"By the mine count {mines} {verb} left and only {covered}, so "
            return [start, *a.conclusion, "."]
        return ["By the mine count no mine is left, so ", *a.conclusion, "."]
    needs = f" {'needs' if len(a.numbers) == 1 else 'need'} {needed or 'none'}"
    if len(a.numbers) > 1 and needed:
        needs += " on different covered cells"
    others = "other covered cell" if rest == 1 else f"{rest} other covered cells"
    end = f"{left} {_be(left)} left for the only {others}"
    if not left:
        end = f"none is left for the other covered {'cell' if rest == 1 else 'cells'}"
    start = f"By the mine count {mines} {verb} left; "
    return [start, a.ref_numbers(), f"{needs}, and {end}, so ", *a.conclusion, "."]


def _many_numbers(a: Argument) -> list[Piece]:
    """Say how many solutions the numbers leave, and what would go wrong otherwise."""
    boxes = _boxes(a)
    number = _count_ways(a, boxes)
    shown = "many ways" if number is None else counted(number, "way")
    each = "in it" if number == 1 else "in each"
    text = [_sources(a), f" leave {shown} to place mines there; ", *a.conclusion, f" {each}."]
    contradiction = _by_contradiction(a)
    if contradiction is not None:
        return [*text, " ", *contradiction]
    cases = _cases(a, boxes)
    if cases:
        return [*text, " The mines are ", *_list_cases(a, boxes, cases), "."]
    return text


def _sources(a: Argument) -> CellRef:
    """Return a reference to the numbers and, if it is used, the mine count."""
    names: list[str | int] = list(a.numbers)
    if len(names) > MAX_LISTED:
        names = [*names[: MAX_LISTED - 1], f"{len(names) - MAX_LISTED + 1} more"]
    labels = [a.numbers_label]
    if a.uses_mine_count:
        left, covered = counted(a.mines_left, "mine"), counted(a.unknown_count, "covered cell")
        names.append(f"the mine count ({left} left in {covered})")
        labels.append(f"the mine count ({left} left in {covered})")
    text = (f"{_plural('Number', a.numbers)} ", *joined(names))
    return CellRef(a.numbers, " and ".join(labels), text)


Boxes = dict[tuple[int, ...], list[int]]


def _boxes(a: Argument) -> Boxes:
    """Group the covered cells around the numbers by which of the numbers they touch."""
    boxes: Boxes = {}
    for covered in sorted({b for number in a.numbers for b in a.covered(number)}):
        near = set(map(int, a.position.board.around(covered)))
        key = tuple(i for i, number in enumerate(a.numbers) if number in near)
        boxes.setdefault(key, []).append(covered)
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
    found: list[list[int]] = []
    rows = list(boxes.items())
    left = [a.missing(number) for number in a.numbers]
    room = [len(a.covered(number)) for number in a.numbers]
    mines: list[int] = []
    steps = 0

    def fill(i: int) -> None:
        nonlocal steps
        steps += 1
        if len(found) > MAX_CASES or steps > MAX_STATES:
            return
        if i == len(rows):
            if _fits(a, boxes, sum(mines)):
                found.append(mines.copy())
            return
        key, members = rows[i]
        for number in range(len(members) + 1):
            for h in key:
                left[h] -= number
                room[h] -= len(members)
            if all(0 <= left[h] <= room[h] for h in key):
                mines.append(number)
                fill(i + 1)
                mines.pop()
            for h in key:
                left[h] += number
                room[h] += len(members)

    fill(0)
    return found if len(found) <= MAX_CASES and steps <= MAX_STATES else []


def _list_cases(a: Argument, boxes: Boxes, cases: list[list[int]]) -> list[Piece]:
    """Describe all cases."""
    row: list[Piece] = []
    for case in cases:
        row += ["; or ", *_one_case(a, boxes, case)] if row else _one_case(a, boxes, case)
    return row


def _one_case(a: Argument, boxes: Boxes, case: list[int]) -> list[Piece]:
    """Describe one case: full boxes by their cells, the others by their number of mines."""
    full: list[int] = []
    parts: list[list[Piece]] = []
    for number, members in zip(case, boxes.values(), strict=True):
        if number == len(members):
            full += members
        elif number:
            parts.append([f"{number} of ", a.ref_cells(members)])
    if full:
        cells = sorted(full)
        names = [part for cell in cells for part in (", ", cell)][1:]
        parts.insert(0, [replace(a.ref_cells(cells), text=tuple(names))])
    return [piece for i, part in enumerate(parts) for piece in ([", "] * bool(i) + part)]


def _by_contradiction(a: Argument) -> list[Piece] | None:
    """Describe what follows, number by number, from the opposite, until a number is unsatisfiable.

    Returns None if single numbers do not lead there. Every number is used, because a smallest proof
    has no superfluous ones.
    """
    values = {a.cell: not a.is_mine}
    links: list[list[Piece]] = []
    while True:
        forced = None
        for number in a.numbers:
            covered = a.covered(number)
            open_covered = [b for b in covered if b not in values]
            lack = a.missing(number) - sum(values.get(b, False) for b in covered)
            if not 0 <= lack <= len(open_covered):
                return _contradiction_text(a, links, number, lack, len(open_covered))
            if open_covered and lack in (0, len(open_covered)) and forced is None:
                forced = number, open_covered, lack > 0
        if forced is None or a.uses_mine_count:
            return None
        number, cells, mines = forced
        values.update(dict.fromkeys(cells, mines))
        state = ("a mine" if mines else "safe") if len(cells) == 1 else "mines" if mines else "safe"
        links.append([a.ref_number(number), " would make ", a.ref_cells(cells), f" {state}"])


def _contradiction_text(
    a: Argument, links: list[list[Piece]], number: int, lack: int, room: int
) -> list[Piece]:
    text: list[Piece] = ["If ", a.ref_cell(), f" were {'safe' if a.is_mine else 'a mine'}, "]
    for link in links:
        text += [*link, "; "]
    wrong = (
        f" would have {counted(-lack, 'mine')} too many"
        if lack < 0
        else f" would lack {counted(lack - room, 'mine')}"
    )
    return [*text, *(["then "] if links else []), a.ref_number(number), f"{wrong}."]
