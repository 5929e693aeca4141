"""Proofs in words that a person follows.

One hint and two hints speak as the strategies do; more of them name the cases, and, where single
hints suffice for it, tell what would go wrong otherwise. A proof is a sentence of `sentences`:
in a text it names its cells, on a board it points at them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from sapper.infer.proofs.argument import MOST_HINTS, Argument, outlined
from sapper.infer.proofs.sentences import Piece, Point, Sentence
from sapper.wording import counted, shortened, spelled_out

# A list of cases longer than this is not read.
MOST_CASES = 4
# Counting the ways stops at so many states; the text then does without their number.
MOST_STATES = 20_000


def tell(argument: Argument) -> Sentence:
    """The proof as one or more sentences, on one line."""
    if not argument.mine_count and len(argument.hints) == 1:
        return tuple(_tell_one(argument, argument.hints[0]))
    if not argument.mine_count and len(argument.hints) == 2:
        return tuple(_tell_two(argument) or _tell_cases(argument))
    if argument.mine_count:
        return tuple(_tell_count(argument) or _tell_cases(argument))
    return tuple(_tell_cases(argument))


def _tell_one(a: Argument, hint: int) -> list[Piece]:
    place, blanks, need = a.point_at(hint), a.blanks(hint), a.need(hint)
    if a.is_mine:
        only = a.some(counted(len(blanks), "blank"), blanks)
        return [place, f" needs {need} and has only ", only, ", so ", *a.conclusion, "."]
    mines = a.mines(hint)
    if not mines:
        return [place, " needs no mine, so ", *a.conclusion, "."]
    has = a.some(_nouns("mine", mines), mines)
    return [place, f" shows {len(mines)} and has its ", has, ", so ", *a.conclusion, "."]


def _tell_two(a: Argument) -> list[Piece] | None:
    """Strategies 3, 4, 6 and 7, with p the hint that sees the cell and q the one that does not."""
    seen = [a.cell in a.blanks(hint) for hint in a.hints]
    if seen[0] == seen[1]:
        return None
    p, q = a.hints if seen[0] else a.hints[::-1]
    of_p, of_q = a.blanks(p), a.blanks(q)
    shared = [b for b in of_p if b in of_q]
    only_p = [b for b in of_p if b not in of_q]
    only_q = [b for b in of_q if b not in of_p]
    at_p, at_q = a.point_at(p), a.point_at(q)
    if a.is_mine:
        rest = a.need(p) - a.need(q)
        if rest != len(only_p):
            return None
        others = a.some(f"its other {_nouns('blank', only_p)}", only_p, ",")
        return [
            *(at_p, f" needs {a.need(p)} and shares ", a.these(shared), " with ", at_q),
            *(f", which needs {a.need(q) or 'none'}, so ", others),
            f" {'is a mine' if rest == 1 else 'are mines'}.",
        ]
    least = a.need(q) - len(only_q)
    if least != a.need(p):
        return None
    if not only_q:
        all_its = "its only blank" if len(shared) == 1 else "all its blanks"
        return [
            *(at_q, f" needs {least} and shares ", a.some(all_its, shared, ","), " with "),
            *(at_p, ", which needs no more, so ", *a.conclusion, "."),
        ]
    return [
        *(at_q, f" needs {a.need(q)}, at most {len(only_q)} of them on ", a.these(only_q)),
        *(f", so at least {least} {_be(least)} on ", a.these(shared), ", which it shares with "),
        *(at_p, f"; that one needs no more than {least}, so ", *a.conclusion, "."),
    ]


def _be(number: int) -> str:
    return "is" if number == 1 else "are"


def _nouns(noun: str, things: Sequence[int]) -> str:
    return noun if len(things) == 1 else f"{noun}s"


def _tell_count(a: Argument) -> list[Piece] | None:
    """The mine count with hints that share no blank, or need no mine, when they say it all."""
    sees = [set(a.blanks(hint)) for hint in a.hints]
    seen, needed = set().union(*sees), sum(map(a.need, a.hints))
    if needed and sum(map(len, sees)) != len(seen):
        return None
    left, rest = a.mines_left - needed, a.unknown_count - len(seen)
    if a.cell in seen or left not in (0, rest) or bool(left) != a.is_mine:
        return None
    mines, blanks = counted(a.mines_left, "mine"), counted(a.unknown_count, "blank")
    verb = _be(a.mines_left)
    if not a.hints:
        if a.is_mine:
            start = f"By the mine count {mines} {verb} left and only {blanks}, so "
            return [start, *a.conclusion, "."]
        return ["By the mine count no mine is left, so ", *a.conclusion, "."]
    takes = a.these(a.hints, _all_outlined(a))
    needs = f" {'needs' if len(a.hints) == 1 else 'need'} {needed or 'none'}"
    if len(a.hints) > 1 and needed:
        needs += " on different blanks"
    others = "other blank" if rest == 1 else f"{rest} other blanks"
    end = f"{left} {_be(left)} left for the only {others}"
    if not left:
        end = f"none is left for the other {'blank' if rest == 1 else 'blanks'}"
    start = f"By the mine count {mines} {verb} left; "
    return [start, takes, f"{needs}, and {end}, so ", *a.conclusion, "."]


def _all_outlined(a: Argument) -> str:
    if len(a.hints) == 1:
        return outlined(a.frame, a.hints, a.hints[0])
    return f"the {len(a.hints)} outlined hints"


def _tell_cases(a: Argument) -> list[Piece]:
    """How many ways the hints leave, and what would go wrong otherwise."""
    boxes = _boxes(a)
    number = _count_ways(a, boxes)
    read = [*shortened([a.name(hint) for hint in a.hints], MOST_HINTS)]
    seen = [_all_outlined(a)] if a.hints else []
    if a.mine_count:
        left = f"{counted(a.mines_left, 'mine')} left in {counted(a.unknown_count, 'blank')}"
        read.append(f"the mine count ({left})")
        seen.append(f"the mine count ({left})")
    shown = "many ways" if number is None else counted(number, "way")
    each = "in it" if number == 1 else "in each"
    hints = Point(a.hints, f"{_nouns('Hint', a.hints)} {spelled_out(read)}", spelled_out(seen))
    text: list[Piece] = [hints, f" leave {shown} to place mines there; ", *a.conclusion]
    text.append(f" {each}.")
    story = _otherwise(a)
    if story is not None:
        return [*text, " ", *story]
    cases = _cases(a, boxes)
    if cases:
        return [*text, " The mines are ", *_tell_listing(a, boxes, cases), "."]
    return text


Boxes = dict[tuple[int, ...], list[int]]


def _boxes(a: Argument) -> Boxes:
    """The blanks around the hints, grouped by which of the hints see them."""
    boxes: Boxes = {}
    for blank in sorted({b for hint in a.hints for b in a.blanks(hint)}):
        near = set(map(int, a.frame.board.around(blank)))
        key = tuple(i for i, hint in enumerate(a.hints) if hint in near)
        boxes.setdefault(key, []).append(blank)
    return boxes


def _fits(a: Argument, boxes: Boxes, mines: int) -> bool:
    """Whether so many mines in the boxes leave the right number for the other blanks."""
    rest = a.unknown_count - sum(map(len, boxes.values()))
    return not a.mine_count or 0 <= a.mines_left - mines <= rest


def _count_ways(a: Argument, boxes: Boxes) -> int | None:
    """How many placements around the hints meet them; None when that takes too long."""
    # For each vector of needs that remain, with the mines used: the number of ways to get there.
    states: dict[tuple[int, ...], int] = {(*(a.need(hint) for hint in a.hints), 0): 1}
    last_box = {i: key for key in boxes for i in key}
    for key, members in boxes.items():
        after: dict[tuple[int, ...], int] = {}
        done = [i for i in key if last_box[i] == key]
        for state, ways in states.items():
            for mines in range(min([len(members)] + [state[i] for i in key]) + 1):
                new = list(state)
                for i in key:
                    new[i] -= mines
                new[-1] += mines if a.mine_count else 0
                if not any(new[i] for i in done):
                    reached = tuple(new)
                    after[reached] = after.get(reached, 0) + ways * comb(len(members), mines)
        states = after
        if len(states) > MOST_STATES:
            return None
    return sum(ways for state, ways in states.items() if _fits(a, boxes, state[-1]))


def _cases(a: Argument, boxes: Boxes) -> list[list[int]]:
    """The numbers of mines in each box that meet the hints; nothing if there are many cases."""
    found: list[list[int]] = []
    rows = list(boxes.items())
    left = [a.need(hint) for hint in a.hints]
    room = [len(a.blanks(hint)) for hint in a.hints]
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


def _tell_listing(a: Argument, boxes: Boxes, cases: list[list[int]]) -> list[Piece]:
    """All cases, one after the other."""
    row: list[Piece] = []
    for case in cases:
        row += ["; or ", *_tell_case(a, boxes, case)] if row else _tell_case(a, boxes, case)
    return row


def _tell_case(a: Argument, boxes: Boxes, case: list[int]) -> list[Piece]:
    """One case: the boxes that are full by their cells, the others by their number."""
    full: list[int] = []
    parts: list[list[Piece]] = []
    for number, members in zip(case, boxes.values(), strict=True):
        if number == len(members):
            full += members
        elif number:
            parts.append([f"{number} of ", a.these(members)])
    if full:
        sure = Point(
            tuple(sorted(full)),
            ", ".join(a.name(cell) for cell in sorted(full)),
            "this cell" if len(full) == 1 else f"these {len(full)} cells",
        )
        parts.insert(0, [sure])
    return [piece for i, part in enumerate(parts) for piece in ([", "] * bool(i) + part)]


def _otherwise(a: Argument) -> list[Piece] | None:
    """What follows, hint by hint, from the contrary, down to a hint that cannot be met.

    None where single hints do not lead there. Every hint is read, since a proof has none to spare.
    """
    values = {a.cell: not a.is_mine}
    links: list[list[Piece]] = []
    while True:
        forced = None
        for hint in a.hints:
            blanks = a.blanks(hint)
            open_blanks = [b for b in blanks if b not in values]
            lack = a.need(hint) - sum(values.get(b, False) for b in blanks)
            if not 0 <= lack <= len(open_blanks):
                return _ending(a, links, hint, lack, len(open_blanks))
            if open_blanks and lack in (0, len(open_blanks)) and forced is None:
                forced = hint, open_blanks, lack > 0
        if forced is None or a.mine_count:
            return None
        hint, cells, mines = forced
        values.update(dict.fromkeys(cells, mines))
        state = ("a mine" if mines else "free") if len(cells) == 1 else "mines" if mines else "free"
        links.append([a.point_at(hint), " would make ", a.these(cells), f" {state}"])


def _ending(a: Argument, links: list[list[Piece]], hint: int, lack: int, room: int) -> list[Piece]:
    text: list[Piece] = ["If ", a.point_at_cell(), f" were {'free' if a.is_mine else 'a mine'}, "]
    for link in links:
        text += [*link, "; "]
    wrong = (
        f" would have {counted(-lack, 'mine')} too many"
        if lack < 0
        else f" would lack {counted(lack - room, 'mine')}"
    )
    return [*text, *(["then "] if links else []), a.point_at(hint), f"{wrong}."]
