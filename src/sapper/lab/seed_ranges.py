"""Sets of seeds, as sorted lists of ranges that neither touch nor overlap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

# More ranges than this are abbreviated: an interrupted run may leave dozens of them.
MAX_LISTED = 3


def merge_ranges(ranges: Iterable[range]) -> list[range]:
    """Return the union of the ranges as the fewest ranges, ascending.

    >>> merge_ranges([range(5, 9), range(1, 3), range(3, 6)])
    [range(1, 9)]
    """
    merged: list[range] = []
    for seeds in sorted(filter(None, ranges), key=lambda seeds: seeds.start):
        if merged and seeds.start <= merged[-1].stop:
            merged[-1] = range(merged[-1].start, max(merged[-1].stop, seeds.stop))
        else:
            merged.append(seeds)
    return merged


def missing_ranges(wanted: range, present: Iterable[range]) -> Iterator[range]:
    """Yield the parts of *wanted* that are not in *present*, a result of `merge_ranges`.

    >>> list(missing_ranges(range(0, 10), [range(2, 4), range(8, 20)]))
    [range(0, 2), range(4, 8)]
    """
    start = wanted.start
    for seeds in present:
        if seeds.stop <= start:
            continue
        if seeds.start >= wanted.stop:
            break
        if seeds.start > start:
            yield range(start, seeds.start)
        start = seeds.stop
    if start < wanted.stop:
        yield range(start, wanted.stop)


def overlap(a: range, b: range) -> range:
    """Return the intersection of two ranges."""
    start = max(a.start, b.start)
    return range(start, max(start, min(a.stop, b.stop)))


def common_ranges(a: Iterable[range], b: Iterable[range]) -> list[range]:
    """Return the intersection of two sets of seeds.

    >>> common_ranges([range(0, 10)], [range(2, 4), range(8, 20)])
    [range(2, 4), range(8, 10)]
    """
    b = merge_ranges(b)
    return merge_ranges(overlap(x, y) for x in merge_ranges(a) for y in b)


def format_ranges(ranges: Sequence[range], *, short: bool = False) -> str:
    """Return the ranges as text; if *short*, more than MAX_LISTED are abbreviated.

    >>> format_ranges([range(1, 101), range(200, 201)])
    '1 to 100, 200'
    >>> format_ranges([range(k, k + 5) for k in range(0, 90, 10)], short=True)
    '0 to 84 with 8 gaps'
    """
    if short and len(ranges) > MAX_LISTED:
        return f"{ranges[0].start} to {ranges[-1].stop - 1} with {len(ranges) - 1} gaps"
    return ", ".join(
        f"{seeds[0]} to {seeds[-1]}" if len(seeds) > 1 else f"{seeds[0]}" for seeds in ranges
    )
