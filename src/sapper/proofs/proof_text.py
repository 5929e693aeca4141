"""Proofs in words that a person follows.

One number and two numbers speak as the strategies do; more of them name the cases, and, where single
numbers suffice for it, tell what would go wrong otherwise. A proof is a sentence of `sentences`:
in a text it names its cells, on a board it points at them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from sapper.proofs.argument import MAX_NUMBERS, Argument, outlined
from sapper.sentences import CellRef, Piece, Sentence
from sapper.wording import counted, shortened, spelled_out

# A list of cases longer than this is not read.
MOST_CASES = 4
# Counting the ways stops at so many states; the text then does without their number.
MOST_STATES = 20_000


def describe(argument: Argument) -> Sentence:
    """The proof as one or more sentences, on one line."""
    if not argument.uses_mine_count and len(argument.numbers) == 1:
        return tuple(_one_number(argument, argument.numbers[0]))
    if not argument.uses_mine_count and len(argument.numbers) == 2:
        return tuple(_two_numbers(argument) or _many_numbers(argument))
    if argument.uses_mine_count:
        return tuple(_mine_count(argument) or _many_numbers(argument))
    return tuple(_many_numbers(argument))


def _one_number(a: Argument, number: int) -> list[Piece]:
    place, covered, missing = a.point_at(number), a.covered(number), a.missing(number)
    if a.is_mine:
        only = a.some(counted(len(covered), "covered cell"), covered)
        return [place, f" needs {missing} and has only ", only, ", so ", *a.conclusion, "."]
    mines = a.mines(number)
    if not mines:
        return [place, " needs no mine, so ", *a.conclusion, "."]
    has = a.some(_nouns("mine", mines), mines)
    return [place, f" shows {len(mines)} and has its ", has, ", so ", *a.conclusion, "."]


def _two_numbers(a: Argument) -> list[Piece] | None:
    """Strategies 3, 4, 6 and 7, with p the number that sees the cell and q the one that does not."""
    seen = [a.cell in a.covered(number) for number in a.numbers]
    if seen[0] == seen[1]:
        return None
    p, q = a.numbers if seen[0] else a.numbers[::-1]
    of_p, of_q = a.covered(p), a.covered(q)
    shared = [b for b in of_p if b in of_q]
    only_p = [b for b in of_p if b not in of_q]
    only_q = [b for b in of_q if b not in of_p]
    at_p, at_q = a.point_at(p), a.point_at(q)
    if a.is_mine:
        rest = a.missing(p) - a.missing(q)
        if rest != len(only_p):
            return None
        others = a.some(f"its other {_nouns('covered', only_p)}", only_p, ",")
        return [
            *(at_p, f" needs {a.missing(p)} and shares ", a.these(shared), " with ", at_q),
            *(f", which needs {a.missing(q) or 'none'}, so ", others),
            f" {'is a mine' if rest == 1 else 'are mines'}.",
        ]
    least = a.missing(q) - len(only_q)
    if least != a.missing(p):
        return None
    if not only_q:
        all_its = "its only covered cell" if len(shared) == 1 else "all its covered cells"
        return [
            *(at_q, f" needs {least} and shares ", a.some(all_its, shared, ","), " with "),
            *(at_p, ", which needs no more, so ", *a.conclusion, "."),
        ]
    return [
        *(at_q, f" needs {a.missing(q)}, at most {len(only_q)} of them on ", a.these(only_q)),
        *(f", so at least {least} {_be(least)} on ", a.these(shared), ", which it shares with "),
        *(at_p, f"; that one needs no more than {least}, so ", *a.conclusion, "."),
    ]


def _be(number: int) -> str:
    return "is" if number == 1 else "are"


def _nouns(noun: str, things: Sequence[int]) -> str:
    return noun if len(things) == 1 else f"{noun}s"


def _mine_count(a: Argument) -> list[Piece] | None:
    """The mine count with numbers that share no covered cell, or need no mine, when they say it all."""
    sees = [set(a.covered(number)) for number in a.numbers]
    seen, needed = set().union(*sees), sum(map(a.missing, a.numbers))
    if needed and sum(map(len, sees)) != len(seen):
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
    takes = a.these(a.numbers, _all_outlined(a))
    needs = f" {'needs' if len(a.numbers) == 1 else 'missing'} {needed or 'none'}"
    if len(a.numbers) > 1 and needed:
        needs += " on different covered cells"
    others = "other covered cell" if rest == 1 else f"{rest} other covered cells"
    end = f"{left} {_be(left)} left for the only {others}"
    if not left:
        end = f"none is left for the other covered {'cell' if rest == 1 else 'cells'}"
    start = f"By the mine count {mines} {verb} left; "
    return [start, takes, f"{needs}, and {end}, so ", *a.conclusion, "."]


def _all_outlined(a: Argument) -> str:
    if len(a.numbers) == 1:
        return outlined(a.position, a.numbers, a.numbers[0])
    return f"the {len(a.numbers)} outlined numbers"


def _many_numbers(a: Argument) -> list[Piece]:
    """How many ways the numbers leave, and what would go wrong otherwise."""
    boxes = _boxes(a)
    number = _count_ways(a, boxes)
    read = [*shortened([a.name(number) for number in a.numbers], MAX_NUMBERS)]
    seen = [_all_outlined(a)] if a.numbers else []
    if a.uses_mine_count:
        left = f"{counted(a.mines_left, 'mine')} left in {counted(a.unknown_count, 'covered')}"
        read.append(f"the mine count ({left})")
        seen.append(f"the mine count ({left})")
    shown = "many ways" if number is None else counted(number, "way")
    each = "in it" if number == 1 else "in each"
    numbers = CellRef(
        a.numbers, f"{_nouns('Number', a.numbers)} {spelled_out(read)}", spelled_out(seen)
    )
    text: list[Piece] = [numbers, f" leave {shown} to place mines there; ", *a.conclusion]
    text.append(f" {each}.")
    story = _by_contradiction(a)
    if story is not None:
        return [*text, " ", *story]
    cases = _cases(a, boxes)
    if cases:
        return [*text, " The mines are ", *_list_cases(a, boxes, cases), "."]
    return text


Boxes = dict[tuple[int, ...], list[int]]


def _boxes(a: Argument) -> Boxes:
    """The covered cells around the numbers, grouped by which of the numbers see them."""
    boxes: Boxes = {}
    for covered in sorted({b for number in a.numbers for b in a.covered(number)}):
        near = set(map(int, a.position.board.around(covered)))
        key = tuple(i for i, number in enumerate(a.numbers) if number in near)
        boxes.setdefault(key, []).append(covered)
    return boxes


def _fits(a: Argument, boxes: Boxes, mines: int) -> bool:
    """Whether so many mines in the boxes leave the right number for the other covered cells."""
    rest = a.unknown_count - sum(map(len, boxes.values()))
    return not a.uses_mine_count or 0 <= a.mines_left - mines <= rest


def _count_ways(a: Argument, boxes: Boxes) -> int | None:
    """How many solutions around the numbers meet them; None when that takes too long."""
    # For each vector of needs that remain, with the mines used: the number of ways to get there.
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
        if len(states) > MOST_STATES:
            return None
    return sum(ways for state, ways in states.items() if _fits(a, boxes, state[-1]))


def _cases(a: Argument, boxes: Boxes) -> list[list[int]]:
    """The numbers of mines in each box that meet the numbers; nothing if there are many cases."""
    found: list[list[int]] = []
    rows = list(boxes.items())
    left = [a.missing(number) for number in a.numbers]
    room = [len(a.covered(number)) for number in a.numbers]
    mines: list[int] = []
    steps = 0

    def fill(i: int) -> None:
        nonlocal steps
        steps += 1
        if len(found) > MOST_CASES or steps > MOST_STATES:
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
    return found if len(found) <= MOST_CASES and steps <= MOST_STATES else []


def _list_cases(a: Argument, boxes: Boxes, cases: list[list[int]]) -> list[Piece]:
    """All cases, one after the other."""
    row: list[Piece] = []
    for case in cases:
        row += ["; or ", *_one_case(a, boxes, case)] if row else _one_case(a, boxes, case)
    return row


def _one_case(a: Argument, boxes: Boxes, case: list[int]) -> list[Piece]:
    """One case: the boxes that are full by their cells, the others by their number."""
    full: list[int] = []
    parts: list[list[Piece]] = []
    for number, members in zip(case, boxes.values(), strict=True):
        if number == len(members):
            full += members
        elif number:
            parts.append([f"{number} of ", a.these(members)])
    if full:
        sure = CellRef(
            tuple(sorted(full)),
            ", ".join(a.name(cell) for cell in sorted(full)),
            "this cell" if len(full) == 1 else f"these {len(full)} cells",
        )
        parts.insert(0, [sure])
    return [piece for i, part in enumerate(parts) for piece in ([", "] * bool(i) + part)]


def _by_contradiction(a: Argument) -> list[Piece] | None:
    """What follows, number by number, from the contrary, down to a number that cannot be met.

    None where single numbers do not lead there. Every number is read, since a proof has none to spare.
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
        links.append([a.point_at(number), " would make ", a.these(cells), f" {state}"])


def _contradiction_text(
    a: Argument, links: list[list[Piece]], number: int, lack: int, room: int
) -> list[Piece]:
    text: list[Piece] = ["If ", a.point_at_cell(), f" were {'safe' if a.is_mine else 'a mine'}, "]
    for link in links:
        text += [*link, "; "]
    wrong = (
        f" would have {counted(-lack, 'mine')} too many"
        if lack < 0
        else f" would lack {counted(lack - room, 'mine')}"
    )
    return [*text, *(["then "] if links else []), a.point_at(number), f"{wrong}."]
