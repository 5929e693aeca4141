"""Sets of seeds as ranges, against sets of integers."""

from itertools import chain, pairwise

from hypothesis import given
from hypothesis import strategies as st

from sapper.lab.shards import (
    MAX_LISTED,
    common_ranges,
    format_ranges,
    merge_ranges,
    missing_ranges,
)

ranges = st.builds(range, *[st.integers(0, 40)] * 2)
many = st.lists(ranges, max_size=6)


def seeds(ranges):
    return set(chain.from_iterable(ranges))


@given(many)
def test_merged_ranges_are_sorted_and_apart(ranges):
    merged = merge_ranges(ranges)
    assert seeds(merged) == seeds(ranges)
    assert all(a.stop < b.start for a, b in pairwise(merged))


@given(ranges, many)
def test_missing_ranges_are_the_difference(wanted, present):
    assert seeds(missing_ranges(wanted, merge_ranges(present))) == set(wanted) - seeds(present)


@given(many, many)
def test_common_ranges_are_the_intersection(a, b):
    assert seeds(common_ranges(a, b)) == seeds(a) & seeds(b)


def test_many_ranges_are_abbreviated():
    listed = [range(k, k + 2) for k in range(0, 10 * MAX_LISTED, 10)]
    assert format_ranges(listed, short=True) == format_ranges(listed)
    assert format_ranges([*listed, range(90, 99)], short=True) == f"0 to 98 with {MAX_LISTED} gaps"
    assert format_ranges([], short=True) == format_ranges([]) == ""
