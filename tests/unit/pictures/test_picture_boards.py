"""Which of several boards in a picture is read; the search for one board is replaced here."""

import numpy as np
import pytest
from PIL import Image
from tests.unit.pictures.test_picture_rules import log_probabilities

from sapper import Unavailable
from sapper.pictures import boards
from sapper.pictures.boards import FoundBoard
from sapper.pictures.edges import Edges
from sapper.pictures.lattice import Lattice

PICTURE = Image.new("RGB", (400, 300), "white")
EDGES = Edges(np.asarray(PICTURE))
COVERED = ["######"] * 6
"""All cells look like cells of a board."""
GAP = ["##--##"] * 6
"""Two columns look as if they were outside the board."""


def found(rows=COVERED, left=10.0, top=20.0, quality=0.8, size=20):
    joint = log_probabilities(*rows)
    lattice = Lattice(left, top, size, size, len(rows[0]), len(rows))
    return FoundBoard(lattice, joint, joint, np.zeros((0, 0, 3), np.uint8), quality)


@pytest.fixture
def search(monkeypatch):
    """Replace the search for a board: the results in order, and a list of its arguments."""

    def replace(*results):
        calls, remaining = [], list(results)

        def find_board(picture, max_pixels, size, max_candidates, min_share):
            calls.append((picture.size, max_pixels, size, max_candidates, min_share))
            return (remaining.pop(0) if remaining else None), EDGES

        monkeypatch.setattr(boards, "_find_board", find_board)
        return calls

    return replace


def test_an_unclear_board_without_a_gap_is_kept(search):
    calls, unclear = search(), found()
    assert boards._board_in_half(PICTURE, unclear, None) is unclear
    assert calls == []


@pytest.mark.parametrize("turned", [False, True])
def test_an_unclear_board_with_a_gap_is_replaced_by_a_clear_one_in_a_half(search, turned):
    rows = list(map("".join, zip(*GAP, strict=True))) if turned else GAP
    places = {}
    for half in range(4):
        clear = found(["####"] * 4, quality=0.995)
        calls = search(*[None] * half, clear)
        board = boards._board_in_half(PICTURE, found(rows), None)
        places[half] = (board.lattice.left, board.lattice.top)
        assert board.quality == 0.995 and board.lattice.columns == 4
        sizes = [call[0] for call in calls]
        assert sizes == [(200, 300), (200, 300), (400, 150), (400, 150)][: half + 1]
    # The left, the right, the upper and the lower half.
    assert places == {0: (10, 20), 1: (210, 20), 2: (10, 20), 3: (10, 170)}


@pytest.mark.parametrize(
    ("rows", "quality"),
    [(["####"] * 4, 0.98), (["###"] * 4, 0.995)],  # not clear; no more than a third of the cells
)
def test_a_small_or_unclear_board_in_a_half_does_not_replace_the_whole(search, rows, quality):
    unclear = found(GAP)
    calls = search(*[found(rows, quality=quality)] * 4)
    assert boards._board_in_half(PICTURE, unclear, None) is unclear
    assert len(calls) == 4


@pytest.mark.parametrize(
    ("cell", "other", "expected"),
    [
        (46, found(quality=0.95), []),  # 276 * 276 pixels are more than 0.6 of the picture
        (44, found(quality=0.95), [0.95]),
        (44, found(quality=0.85), []),
        (44, None, []),
    ],
)
def test_a_second_board_is_searched_where_the_first_leaves_space(search, cell, other, expected):
    calls = search(other)
    first = Lattice(10, 20, cell, cell, 6, 6)
    assert [board.quality for board in boards._other_boards(PICTURE, first)] == expected
    assert len(calls) == (cell == 44)


def test_the_first_board_is_covered_in_the_search_for_a_second(monkeypatch):
    seen = []

    def find_board(picture, *_):
        seen.append(np.asarray(picture))
        return None, EDGES

    monkeypatch.setattr(boards, "_find_board", find_board)
    boards._other_boards(PICTURE, Lattice(10, 20, 20, 30, 5, 4))
    grey = (seen[0] == 128).all(axis=2)
    expected = np.zeros((300, 400), bool)
    expected[20:140, 10:110] = True
    assert np.array_equal(grey, expected)
    assert (np.asarray(PICTURE) == 255).all()


@pytest.mark.parametrize(
    ("size", "searched"),
    [
        ((400, 300), [2_100_000, 30_000]),  # half the size
        ((2000, 1500), [2_100_000, 4_000_000, 525_000]),
        ((5000, 4000), [2_100_000, 525_000]),
    ],
)
def test_pictures_are_searched_at_several_sizes_and_for_unusual_lattices(search, size, searched):
    calls = search()
    with pytest.raises(Unavailable, match="no board found in the picture"):
        boards.find_boards(Image.new("RGB", size), (9, 9))
    assert [call[1] for call in calls] == [*searched, 525_000]
    assert {call[2] for call in calls} == {(9, 9)}
    assert [call[3:] for call in calls] == [(14, 0.5)] * len(searched) + [(None, 0.9)]


def test_the_first_board_that_is_found_is_returned_with_another(search):
    clear, other = found(quality=0.95), found(quality=0.97)
    calls = search(None, clear, other)
    assert boards.find_boards(PICTURE) == [clear, other]
    assert len(calls) == 3


def test_an_unclear_board_is_replaced_by_one_of_a_half(search):
    search(found(GAP), found(["####"] * 4, quality=0.995), None)
    (board,) = boards.find_boards(PICTURE)
    assert board.quality == 0.995


@pytest.mark.parametrize(("quality", "accepted"), [(0.974, False), (0.976, True)])
def test_a_board_on_an_unusual_lattice_must_be_clear(search, quality, accepted):
    search(None, None, found(quality=quality))
    if accepted:
        assert [board.quality for board in boards.find_boards(PICTURE)] == [quality]
    else:
        with pytest.raises(Unavailable, match="no board found"):
            boards.find_boards(PICTURE)


def test_hexagons_are_named_as_the_reason(search, monkeypatch):
    search()
    monkeypatch.setattr(boards, "is_staggered", lambda edges: edges is EDGES)
    with pytest.raises(Unavailable, match="the cells seem to be hexagons"):
        boards.find_boards(PICTURE)
