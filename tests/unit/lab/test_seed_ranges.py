"""Sets of seeds as ranges, against sets of numbers."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from sapper.lab.seed_ranges import MOST_TOLD, common, format_ranges_short, joined, missing, written

ranges = st.builds(lambda start, length: range(start, start + length), *[st.integers(0, 40)] * 2)
many = st.lists(ranges, max_size=6)


def numbers(spans):
    return {number for span in spans for number in span}


@given(many)
def test_joined_spans_are_sorted_apart_and_hold_the_same(spans):
    found = joined(spans)
    assert numbers(found) == numbers(spans)
    assert all(a.stop < b.start for a, b in pairwise(found))


@given(ranges, many)
def test_missing_is_what_is_wanted_and_not_held(wanted, held):
    assert numbers(missing(wanted, joined(held))) == set(wanted) - numbers(held)


@given(many, many)
def test_common_is_what_both_hold(a, b):
    assert numbers(common(a, b)) == numbers(a) & numbers(b)


def test_spans_are_written_as_people_read_them():
    assert written([range(1, 4), range(9, 10)]) == "1 to 3, 9"


def test_many_spans_are_told_by_their_ends():
    spans = [range(k, k + 2) for k in range(0, 10 * MOST_TOLD, 10)]
    assert format_ranges_short(spans) == written(spans)
    assert format_ranges_short([*spans, range(90, 99)]) == f"0 to 98 with {MOST_TOLD} gaps"
    assert format_ranges_short([]) == written([]) == ""
