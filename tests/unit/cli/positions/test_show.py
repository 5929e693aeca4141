"""`sapper show` and `sapper convert`, coordinates, and boards wider than the terminal."""

import json
import re

import pytest

from sapper import FORMATS, Layout, Position

POSITION = "mines: 2\n1##\n1##\n###\n"
LAYOUT = "*..\n..c\n"
WIDE = "mines: 9\n1" + 39 * "#" + "\n" + 40 * "#" + "\n"
COMMANDS = ("analyse", "solve", "show", "explain")


def test_show_draws_positions_and_layouts(run_on_text, tmp_path):
    for text in (POSITION, LAYOUT):
        status, out, err = run_on_text("show", text)
        assert (status, err) == (0, "") and len(out.splitlines()) >= 2
    assert run_on_text("show", POSITION, "--svg", tmp_path / "a.svg")[0] == 0
    assert (tmp_path / "a.svg").read_text().startswith("<svg")
    assert run_on_text("show", POSITION, "--svg", "-")[1].startswith("<svg")


def test_show_prints_other_formats(run_on_text):
    assert run_on_text("convert", "mines: 1\n1#F", "--to", "jsminesweeper") == (
        0,
        "3x1x1\n1HF\n",
        "",
    )
    assert run_on_text("convert", "3x1x1\n1HF", "--to", "position") == (0, "mines: 1\n1#F\n", "")


@pytest.mark.parametrize("command", COMMANDS)
def test_rows_and_columns_are_numbered_on_a_terminal(run_on_text, terminal, command):
    def is_numbered(text):
        return text.splitlines()[0].split() == ["1", "2", "3"]

    shown = terminal(command, "FILE", text=POSITION)
    assert shown.status == 0 and is_numbered(shown.text)
    assert [line.split()[0] for line in shown.text.splitlines()[1:4]] == ["1", "2", "3"]
    assert not is_numbered(terminal(command, "FILE", "--no-coordinates", text=POSITION).text)
    assert not is_numbered(run_on_text(command, POSITION)[1])
    assert is_numbered(run_on_text(command, POSITION, "--coordinates")[1])


@pytest.mark.parametrize("command", ["analyse", "show"])
def test_board_wider_than_the_terminal_is_split_into_panels(terminal, command):
    shown = terminal(command, "FILE", text=WIDE, columns=50)
    picture = shown.text.partition("solutions")[0]
    assert max(map(len, picture.splitlines())) <= 50
    assert picture.count("\n\n") >= (4 if command == "analyse" else 1)
    assert len(re.findall(r"^ +(?:[0-9] *)+$", picture, re.M)) >= 2


def test_explain_draws_the_numbers_of_a_proof_in_brackets(terminal):
    shown = terminal("explain", "FILE", "--cell", "r3c1", text=POSITION).text
    assert shown.splitlines()[:4] == ["   1 2 3", "1 [1]# #", "2 [1]# #", "3  # # #"]
    assert "reveal r3c1: " in shown


# convert


@pytest.fixture
def layout_file(tmp_path):
    path = tmp_path / "layout.txt"
    path.write_text(LAYOUT)
    return path


def test_layout_survives_a_binary_format(sapper, layout_file, tmp_path):
    board = tmp_path / "board.mbf"
    status, _, note = sapper("convert", layout_file, "--to", "mbf", "-o", board)
    assert (status, note) == (0, "mbf cannot express the click\n")
    assert board.read_bytes() == bytes([3, 2, 0, 1, 0, 0])
    assert sapper("convert", board, "--to", "layout") == (0, "*..\n...\n", "")


@pytest.mark.parametrize(
    "name", [entry.name for entry in FORMATS.values() if Layout in entry.result_types]
)
def test_convert_as_json_has_text_or_hex(sapper, layout_file, name):
    answer = json.loads(sapper("convert", layout_file, "--to", name, "--json")[1])
    key = "hex" if FORMATS[name].binary else "text"
    assert answer["format"] == name and set(answer) == {"format", key}
    assert Layout.parse(answer[key]).mine_count == 1


def test_link_can_be_read(run_on_text):
    link = "?board=4x3x3&analysis=aeadaaadS2cSlblUl\n"
    assert run_on_text("convert", link, "--to", "position")[1] == f"{Position.parse(link)}\n"
    answer = json.loads(run_on_text("analyse", "?board=4x1x1\n", "--json")[1])
    assert answer["probabilities"]["r1c1"] == 0.25


@pytest.mark.parametrize(
    "data", [b"\x03\x02\x00\x09\x00\x00", b"1#\xff", b"3x3:9,9,u800"], ids=["mbf", "utf", "tatham"]
)
def test_damaged_file_is_bad_input(sapper, tmp_path, data):
    path = tmp_path / "damaged"
    path.write_bytes(data)
    status, out, err = sapper("convert", path, "--to", "layout")
    assert (status, out, err.count("\n")) == (2, "", 1)


def test_game_is_made_from_a_layout_but_not_from_a_position(run_on_text):
    assert run_on_text("convert", LAYOUT, "--to", "game")[1].startswith(
        "sapper: game 1\nboard: square 3x2"
    )
    status, _, err = run_on_text("convert", POSITION, "--to", "game")
    assert (status, err.count("\n")) == (2, 1) and "not from a position" in err
    assert "no such format 'fen'" in run_on_text("convert", LAYOUT, "--to", "fen")[2]
