"""`sapper read`, and pictures as the FILE of other commands."""

import io
import json
import sys

import pytest
from PIL import Image
from training.pictures.scenes import draw_board
from training.pictures.skins import Skin

from sapper.pictures import reading

ROWS = ["..1F##", ".12###", ".1####", ".112F#", "...12#", "....1F"]


@pytest.fixture(scope="module")
def screenshot(tmp_path_factory):
    """A file with a picture of ROWS."""
    board = draw_board(Skin(), ROWS, 24)
    picture = Image.new("RGB", (board.width + 50, board.height + 60), (236, 233, 216))
    picture.paste(board, (20, 30), board)
    path = tmp_path_factory.mktemp("pictures") / "screenshot.png"
    picture.save(path)
    return path


def test_read_prints_the_position_and_json_has_its_keys(sapper, screenshot, tmp_path):
    assert sapper("read", screenshot) == (0, "\n".join(ROWS) + "\n", "")
    status, out, _ = sapper("read", screenshot, "--json", "--mines", 6)
    data = json.loads(out)
    assert status == 0
    assert data["position"].split("\n") == ["mines: 6", *ROWS]
    assert (data["width"], data["height"], data["unsure"], data["notes"]) == (6, 6, [], [])
    assert 0.5 < data["confidence"] <= 1
    file = tmp_path / "position.txt"
    assert sapper("read", screenshot, "-o", file, "--size", "6x6")[:2] == (0, "")
    assert file.read_text().split() == ROWS


def test_impossible_mine_count_is_noted(sapper, screenshot):
    status, out, err = sapper("read", screenshot, "--mines", 2)
    assert (status, out.split("\n")[1:-1]) == (0, ROWS)
    assert err == "with 2 mines the position has no solution\n"


def test_unsure_cells_are_listed_with_alternatives(sapper, screenshot, monkeypatch):
    monkeypatch.setattr(reading, "MIN_SURE_CONFIDENCE", 1.1)
    status, out, err = sapper("read", screenshot)
    assert (status, out.split()) == (0, ROWS)
    assert err.startswith("36 cells unsure:\n  r1c1: . (") and "; may be " in err
    data = json.loads(sapper("read", screenshot, "--json")[1])
    assert data["unsure"][3]["read"] == "F"
    assert data["unsure"][3].keys() == {"cell", "read", "confidence", "alternatives"}


def test_other_commands_take_a_picture(sapper, screenshot, monkeypatch):
    status, out, _ = sapper("convert", screenshot, "--to", "json")
    assert status == 0 and json.loads(out)["flags"] == ["r1c4", "r4c5", "r6c6"]
    status, out, _ = sapper("analyse", screenshot, "--json")
    assert status == 0 and "r1c4" in json.loads(out)["probabilities"]
    stream = io.TextIOWrapper(io.BytesIO(screenshot.read_bytes()))
    monkeypatch.setattr(sys, "stdin", stream)
    assert sapper("convert", "-", "--to", "position") == (0, "\n".join(ROWS) + "\n", "")
    status, _, err = sapper("convert", screenshot, "--to", "picture")
    assert status == 2 and "can only be read" in err


def test_errors_are_reported_in_one_line(sapper, tmp_path):
    plain = tmp_path / "plain.png"
    Image.new("RGB", (200, 200), (9, 9, 9)).save(plain)
    assert sapper("read", plain) == (1, "", "sapper: no board found in the picture\n")
    assert sapper("analyse", plain)[0] == 1
    broken = tmp_path / "broken.png"
    broken.write_bytes(plain.read_bytes()[:60])
    status, _, err = sapper("read", broken)
    assert status == 2 and err.startswith("sapper: the picture cannot be decoded")
    assert sapper("read", tmp_path / "none.png")[0] == 2
    assert sapper("read", plain, "--size", "9by9")[2].startswith("sapper: expected a size")
