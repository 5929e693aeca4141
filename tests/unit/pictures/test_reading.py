"""Positions read from pictures that are drawn here, in skins that training never draws."""

import io
import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw
from PIL.Image import Palette
from threadpoolctl import threadpool_info, threadpool_limits
from training.pictures.measure import held_out_scenes, held_out_skins, measure, summary
from training.pictures.scenes import draw_board
from training.pictures.skins import Skin

import sapper
from sapper import Unavailable
from sapper.board.tilings import tiling
from sapper.pictures import boards, network, reading
from sapper.pictures.lattice import Lattice

ROWS = [
    "...1####",
    "...1F###",
    "...13F##",
    "11..113#",
    "#21...2#",
    "2#11123#",
    "######F#",
    "1F######",
]
PICTURE_COUNT = int(os.environ.get("SAPPER_PICTURES", "0"))
CLASSIC = Skin(line_width=0.06, font="5x7")


def screenshot(rows=ROWS, skin=CLASSIC, size=24, margin=30, colour=(240, 240, 240)):
    """Return a picture of a board with some space around it."""
    board = draw_board(skin, rows, size)
    picture = Image.new("RGB", (board.width + 2 * margin, board.height + 2 * margin), colour)
    picture.paste(board, (margin, margin), board)
    return picture


def rows_of(found):
    """Return the rows of a reading, without headers."""
    return [row for row in str(found.position).split("\n") if ":" not in row]


def test_matrix_products_run_in_one_thread_while_a_picture_is_read(monkeypatch):
    def threads():
        return {library["num_threads"] for library in threadpool_info()}

    def classify(pixels):
        seen.append(threads())
        return network.classify(pixels)

    seen, picture = [], screenshot()
    monkeypatch.setattr(boards, "classify", classify)
    with threadpool_limits(2, "blas"):
        sapper.read(picture)
        assert threads() == {2}
    assert seen and all(each == {1} for each in seen)


def test_a_classic_board_is_read_and_located():
    found = sapper.read(screenshot())
    assert rows_of(found) == ROWS
    assert found.unsure == () and found.confidence > 0.9
    assert (found.lattice.columns, found.lattice.rows) == (8, 8)
    assert (found.lattice.left, found.lattice.top) == pytest.approx((30, 30), abs=2.5)
    assert repr(found).startswith("<Reading of square 8x8, confidence ")


def test_the_mine_count_and_the_size_can_be_given():
    found = sapper.read(screenshot(), mines=12, size=(8, 8))
    assert found.position.mines == 12 and rows_of(found) == ROWS
    with pytest.raises(sapper.RulesError, match="65 mines do not fit on the 8x8 cells"):
        sapper.read(screenshot(), mines=65)
    with pytest.raises(sapper.RulesError, match="at least 1x1"):
        sapper.read(screenshot(), size=(0, 4))


def test_mines_of_a_lost_game_are_flags_and_question_marks_are_covered():
    lost = [row.replace("F", "*") for row in ROWS]
    lost[0] = "...1?###"
    assert rows_of(sapper.read(screenshot(lost))) == ROWS


def test_a_cut_board_is_read_as_far_as_it_is_in_view():
    picture = screenshot(size=30)
    # Columns one and eight are out of view, and a fifth of the second.
    cut = picture.crop((66, 0, 240, picture.height))
    assert rows_of(sapper.read(cut)) == [row[1:7] for row in ROWS]


def test_numbers_that_need_mines_beyond_the_picture_are_left_as_they_are():
    # A quarter of the first column is in view. Each number of the second is possible by itself.
    rows = ["#1...", "221..", "##1..", "F21..", "21...", "#1..."]
    picture = screenshot(rows, size=30).crop((53, 0, 210, 240))
    assert rows_of(sapper.read(picture)) == [row[1:] for row in rows]


def test_a_cell_under_a_tooltip_is_unsure_or_follows_from_the_rules():
    picture = screenshot(size=28)
    draw = ImageDraw.Draw(picture)
    draw.rectangle(
        (30 + 28 * 6 - 6, 30 + 6, 30 + 28 * 8 - 2, 30 + 28 * 2 - 4), fill=(255, 255, 180)
    )
    found = sapper.read(picture)
    hidden = {(y, x) for y in (0, 1) for x in (6, 7)}
    wrong = {(y, x) for y in range(8) for x in range(8) if rows_of(found)[y][x] != ROWS[y][x]}
    unsure = {divmod(item.cell, 8) for item in found.unsure_cells}
    assert wrong <= unsure | hidden and not wrong - hidden


def test_a_smaller_board_beside_the_largest_is_noted():
    picture = screenshot(size=26)
    wide = Image.new("RGB", (picture.width + 180, picture.height), (240, 240, 240))
    wide.paste(picture)
    wide.paste(
        screenshot([row[:5] for row in ROWS[:5]], size=20, margin=10), (picture.width + 20, 60)
    )
    found = sapper.read(wide)
    assert rows_of(found) == ROWS
    assert any("another board of 5x5 cells" in note for note in found.notes)


def test_two_equal_boards_do_not_become_one():
    picture = screenshot(size=26)
    both = Image.new("RGB", (2 * picture.width + 60, picture.height), (240, 240, 240))
    both.paste(picture)
    both.paste(picture, (picture.width + 60, 0))
    found = sapper.read(both)
    assert rows_of(found) == ROWS
    assert any("another board of 8x8 cells" in note for note in found.notes)


def test_a_wrong_flag_makes_only_the_cells_around_its_number_unsure():
    rows = ["...1F###", *ROWS[1:]]
    found = sapper.read(screenshot(rows))
    assert rows_of(found) == rows
    assert 0 < len(found.unsure) <= 9 and "r2c4" in found.unsure


def test_cells_that_are_not_square_are_read():
    picture = screenshot()
    found = sapper.read(picture.resize((picture.width, round(picture.height * 1.3))))
    assert rows_of(found) == ROWS
    assert found.lattice.height / found.lattice.width == pytest.approx(1.3, abs=0.01)


def test_characters_without_lines_between_them_are_read():
    colours = dict.fromkeys(range(9), (210, 220, 230))
    skin = Skin(cover="clear", open="clear", badge="#", badge_colour=(120, 130, 140))
    terminal = replace(skin, font="default", colours=colours, zero_mark=".", flag="letter")
    found = sapper.read(screenshot(skin=terminal, size=20, colour=(20, 22, 30)))
    assert rows_of(found) == ROWS


def test_large_pictures_are_read_at_a_smaller_size():
    picture = screenshot().resize((756, 756))
    wide = Image.new("RGB", (2600, 1700), (90, 110, 140))
    wide.paste(picture, (1500, 700))
    assert rows_of(sapper.read(wide)) == ROWS


@pytest.mark.parametrize(
    "picture",
    [
        Image.new("RGB", (300, 200), (120, 90, 200)),
        Image.fromarray(np.random.default_rng(1).integers(0, 256, (200, 300, 3)).astype(np.uint8)),
    ],
    ids=["one colour", "noise"],
)
def test_a_picture_without_a_board_is_refused(picture):
    with pytest.raises(Unavailable, match="no board found in the picture"):
        sapper.read(picture)


@pytest.mark.parametrize(
    ("mark", "confidences", "plausible"),
    [
        (1, [0.4] * 5 + [0.99] * 4, False),
        (1, [0.4] * 4 + [0.99] * 5, True),
        (-1, [0.9] * 2 + [0.99] * 7, False),  # no numbers: a crossword, a chessboard
        (-1, [0.9] * 1 + [0.99] * 8, True),
        (0, [0.9] * 2 + [0.99] * 7, False),  # a zero is no number
    ],
)
def test_a_board_is_plausible_if_most_of_its_cells_are(mark, confidences, plausible):
    position = sapper.Position(tiling("square", 3, 3), [-1] * 8 + [mark])
    lattice = Lattice(0, 0, 20, 20, 3, 3)
    found = reading.Reading(position, 0.5, (), tuple(confidences), (), lattice)
    assert reading._is_plausible(found) == plausible


def test_numbers_that_violate_the_rules_everywhere_are_not_a_board():
    sudoku = ["".join(str(1 + (3 * y + y // 3 + x) % 8) for x in range(9)) for y in range(9)]
    with pytest.raises(Unavailable, match="no board found"):
        sapper.read(screenshot(sudoku))


def test_a_board_in_a_dithered_jpeg_is_found():
    stream = io.BytesIO()
    picture = screenshot(size=20, margin=150, colour=(100, 140, 90))
    picture.convert("P", palette=Palette.WEB).convert("RGB").save(stream, "JPEG", quality=75)
    assert rows_of(sapper.read(stream.getvalue())) == ROWS


def test_a_contradiction_that_only_the_engine_sees_is_found():
    # Each number is possible by itself: the middle one needs both mines, the others one each.
    assert reading._conflict(np.array([[9, 9, 9], [1, 3, 1]], np.int8))
    assert not reading._conflict(np.array([[9, 9, 9], [1, 2, 1]], np.int8))


def test_held_out_skins_are_read():
    # `make check-long SUITE=pictures` reads 200 pictures.
    results = [measure(scene)[1] for _, scene in held_out_scenes(range(PICTURE_COUNT or 3))]
    assert sum(r.size_correct for r in results) >= 0.85 * len(results), summary(results)
    sure = np.concatenate([r.correct[r.is_sure] for r in results])
    assert sure.mean() >= 0.99, summary(results)


def test_there_are_forty_held_out_skins_of_many_kinds():
    skins = held_out_skins()
    assert len(skins) == 40
    assert len({(skin.cover, skin.open) for skin in skins}) > 12


def test_known_size_may_be_a_single_cell_but_not_less():
    white = Image.new("RGB", (200, 200), "white")
    with pytest.raises(sapper.RulesError, match="expected a size of at least 1x1, got 0x3"):
        sapper.read(white, size=(0, 3))
    with pytest.raises(Unavailable):
        sapper.read(white, size=(1, 3))


def golden_pictures():
    """Return pictures by name, drawn without fonts of the system."""
    picture = screenshot()
    return {
        "small": screenshot(size=15),
        "stretched": picture.resize((picture.width, round(picture.height * 1.3))),
        "cut": screenshot(size=30).crop((66, 0, 240, 300)),
        "wrong flag": screenshot(["...1F###", *ROWS[1:]]),
        "pale": screenshot(skin=replace(CLASSIC, line_width=0.02), size=21, margin=9),
    }


GOLDEN_READINGS = Path(__file__).parents[2] / "golden/readings.json"


@pytest.mark.parametrize("name", golden_pictures())
def test_reading_equals_the_golden_one(name, request):
    found = sapper.read(golden_pictures()[name])
    place = found.lattice
    reading = {
        "rows": rows_of(found),
        "place": [round(x, 1) for x in (place.left, place.top, place.width, place.height)],
        "confidence": [round(value, 2) for value in found.cell_confidence],
        "notes": list(found.notes),
    }
    if request.config.getoption("--regenerate"):
        stored = json.loads(GOLDEN_READINGS.read_text()) if GOLDEN_READINGS.exists() else {}
        GOLDEN_READINGS.write_text(json.dumps(stored | {name: reading}, indent=1) + "\n")
    expected = json.loads(GOLDEN_READINGS.read_text())[name]
    assert (reading["rows"], reading["notes"]) == (expected["rows"], expected["notes"])
    assert reading["place"] == pytest.approx(expected["place"], abs=0.2)
    assert reading["confidence"] == pytest.approx(expected["confidence"], abs=0.02)
