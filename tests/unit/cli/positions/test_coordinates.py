"""Cells can be found: rows and columns are numbered, wide boards are folded into panels."""

import re

import pytest

POSITION = "mines: 2\n1##\n1##\n###\n"
WIDE = "mines: 9\n1" + 39 * "#" + "\n" + 40 * "#" + "\n"
COMMANDS = ("probabilities", "solve", "show", "explain")


@pytest.mark.parametrize("command", COMMANDS)
def test_on_a_terminal_rows_and_columns_are_numbered(terminal, command):
    shown = terminal(command, "FILE", text=POSITION)
    assert shown.status == 0
    lines = shown.text.splitlines()
    assert lines[0].split() == ["1", "2", "3"]
    assert [line.split()[0] for line in lines[1:4]] == ["1", "2", "3"]


@pytest.mark.parametrize("command", COMMANDS)
def test_elsewhere_only_when_asked_for(ask, terminal, command):
    assert ask(command, POSITION)[1].splitlines()[0].split() != ["1", "2", "3"]
    assert ask(command, POSITION, "--coordinates")[1].splitlines()[0].split() == ["1", "2", "3"]
    off = terminal(command, "FILE", "--no-coordinates", text=POSITION).text
    assert off.splitlines()[0].split() != ["1", "2", "3"]


@pytest.mark.parametrize("command", ["probabilities", "show"])
def test_what_is_wider_than_the_terminal_is_folded_into_panels(terminal, command):
    shown = terminal(command, "FILE", text=WIDE, columns=50)
    picture = shown.text.partition("solutions")[0]
    assert max(map(len, picture.splitlines())) <= 50
    assert picture.count("\n\n") >= (4 if command == "probabilities" else 1)
    heads = re.findall(r"^ +(?:[0-9] *)+$", picture, re.M)
    assert len(heads) >= 2


def test_explain_shows_the_board_with_its_numbers_in_brackets(terminal):
    shown = terminal("explain", "FILE", "--cell", "r3c1", text=POSITION).text
    assert shown.splitlines()[:4] == ["   1 2 3", "1 [1]# #", "2 [1]# #", "3  # # #"]
    assert "reveal r3c1: " in shown
