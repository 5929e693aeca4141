"""`sapper convert`: other tools' formats, what they lose, and files of bytes."""

import json

import pytest

from sapper import FORMATS, Layout, Position


@pytest.fixture
def layout_file(tmp_path):
    path = tmp_path / "layout.txt"
    path.write_text("*..\n..c\n")
    return str(path)


def test_a_layout_goes_through_bytes_and_comes_back(sapper, layout_file, tmp_path):
    board = str(tmp_path / "board.mbf")
    status, _, told = sapper("convert", layout_file, "--to", "mbf", "-o", board)
    assert status == 0 and told == "mbf has no place for the click\n"
    assert (tmp_path / "board.mbf").read_bytes() == bytes([3, 2, 0, 1, 0, 0])
    assert sapper("convert", board, "--to", "layout") == (0, "*..\n...\n", "")


@pytest.mark.parametrize("name", [row.name for row in FORMATS.values() if Layout in row.kinds])
def test_the_json_of_every_format_has_its_text_or_hex(sapper, layout_file, name):
    _, printed, _ = sapper("convert", layout_file, "--to", name, "--json")
    answer = json.loads(printed)
    key = "hex" if FORMATS[name].binary else "text"
    assert answer["format"] == name and set(answer) == {"format", key}
    assert Layout.parse(answer[key]).mine_count == 1


def test_every_command_reads_a_link(sapper, tmp_path):
    path = tmp_path / "link.txt"
    path.write_text("?board=4x3x3&analysis=aeadaaadS2cSlblUl\n")
    position = Position.parse(path.read_text())
    assert sapper("show", path, "--as", "position")[1] == f"{position}\n"
    path.write_text("?board=4x1x1\n")
    assert json.loads(sapper("probabilities", path, "--json")[1])["probabilities"]["r1c1"] == 0.25


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x03\x02\x00\x09\x00\x00", "expected text, a board or a replay, got 6 other bytes"),
        (b"1#\xff", "expected UTF-8 text, got byte 2"),
        (b"3x3:9,9,u800", "expected a click on a board of 3x3, got 9,9"),
    ],
)
def test_a_broken_file_is_one_line_and_status_2(sapper, tmp_path, data, message):
    path = tmp_path / "broken"
    path.write_bytes(data)
    status, _, told = sapper("convert", path, "--to", "layout")
    assert status == 2 and message in told and told.count("\n") == 1


def test_an_unknown_format_is_refused(sapper, layout_file):
    status, _, told = sapper("convert", layout_file, "--to", "fen")
    assert status == 2 and "no such format" in told
