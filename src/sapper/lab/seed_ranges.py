"""Sets of seeds as sorted ranges that neither touch nor overlap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def joined(ranges: Iterable[range]) -> list[range]:
    """The ranges as few as possible, ascending.

    >>> joined([range(5, 9), range(1, 3), range(3, 6)])
    [range(1, 9)]
    """
    found: list[range] = []
    for one in sorted((one for one in ranges if one), key=lambda one: one.start):
        if found and one.start <= found[-1].stop:
            found[-1] = range(found[-1].start, max(found[-1].stop, one.stop))
        else:
            found.append(one)
    return found


def missing(wanted: range, held: Iterable[range]) -> Iterator[range]:
    """What is wanted and not held, ascending; *held* is as `joined` gives it.

    >>> list(missing(range(0, 10), [range(2, 4), range(8, 20)]))
    [range(0, 2), range(4, 8)]
    """
    start = wanted.start
    for one in held:
        if one.stop <= start:
            continue
        if one.start >= wanted.stop:
            break
        if one.start > start:
            yield range(start, one.start)
        start = one.stop
    if start < wanted.stop:
        yield range(start, wanted.stop)


def common(a: Iterable[range], b: Iterable[range]) -> list[range]:
    """What both hold.

    >>> common([range(0, 10)], [range(2, 4), range(8, 20)])
    [range(2, 4), range(8, 10)]
    """
    both = (range(max(x.start, y.start), min(x.stop, y.stop)) for x in joined(a) for y in joined(b))
    return joined(both)


# More spans than this are told by their ends: a run that was stopped may leave dozens.
MOST_TOLD = 3


def format_ranges_short(spans: Iterable[range]) -> str:
    """Spans of seeds as people want to read them: many are told by their ends.

    >>> format_ranges_short([range(1, 101), range(200, 201)])
    '1 to 100, 200'
    >>> format_ranges_short(range(k, k + 5) for k in range(0, 90, 10))
    '0 to 84 with 8 gaps'
    """
    found = list(spans)
    if len(found) <= MOST_TOLD:
        return written(found)
    return f"{found[0].start} to {found[-1].stop - 1} with {len(found) - 1} gaps"


def written(spans: Iterable[range]) -> str:
    """Spans of seeds, every one.

    >>> written([range(1, 101), range(200, 201)])
    '1 to 100, 200'
    """
    return ", ".join(
        f"{one.start} to {one.stop - 1}" if len(one) > 1 else f"{one.start}" for one in spans
    )
