"""What more the commands take: sizes for one-click, graphs for deal and watch, many positions."""

import json

import pytest

from sapper.board.tilings import tiling
from sapper.cli.commands import COMMAND_SECTIONS
from sapper.formats.splitting import split_texts
from sapper.generators.paper_puzzles.make import paper_puzzle
from sapper.generators.paper_puzzles.rules import paper_puzzle_rules

CHAIN = {"edges": [["a", "b"], ["b", "c"], ["c", "d"], ["d", "e"]]}


@pytest.fixture
def chain(tmp_path):
    path = tmp_path / "chain.json"
    path.write_text(json.dumps(CHAIN))
    return path


def test_one_click_takes_a_size_as_everything_else_does_and_the_contests_form(sapper):
    answer = sapper("one-click", "7x4/12")
    assert answer == (0, "*******\n*****..\n.......\n......c\n", "")
    assert sapper("one-click", "4", "7", "12") == answer
    assert sapper("one-click", "7X4/12") == answer
    assert sapper("one-click", "Beginner", "--seed", 1)[0] == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("7x4",), "expected a size with mines such as 7x4/12, got '7x4'"),
        (("4", "7"), "M with --board FILE, or --batch FILE, got 4 7"),
        (("7x4/12", "3"), "or --batch FILE, got 7x4/12 3"),
        ((), "or --batch FILE, got nothing"),
    ],
)
def test_one_click_says_which_form_is_which(sapper, words, message):
    status, out, err = sapper("one-click", *words)
    assert (status, out) == (2, "")
    assert err.endswith(f"{message}\n")
    help_text = " ".join(sapper("one-click", "--help")[1].split())
    assert "7x4/12 and 4 7 12 are the same board" in help_text


@pytest.mark.parametrize("command", ["deal", "watch"])
def test_a_graph_may_stand_in_place_of_a_size(sapper, chain, command):
    wish = (command, "--board", chain, "--rule", "safe", "--seed", 1)
    status, out, _ = sapper(*wish, "2")
    assert status == 0
    if command == "deal":
        assert len(json.loads(out)["layout"]) == 2
    else:
        assert "reveal a: first click" in out
    chain.write_text(json.dumps({**CHAIN, "mines": 2}))
    assert sapper(*wish)[1] == out
    status, _, err = sapper(*wish, "--tiling", "torus", "2")
    assert (status, err) == (2, "sapper: expected --tiling or --board, got both\n")


@pytest.mark.parametrize("command", ["deal", "watch"])
def test_a_graph_without_its_mines_is_refused(sapper, chain, command):
    status, _, err = sapper(command, "--board", chain)
    assert status == 2 and "expected a number of mines beside --board or in " in err
    status, _, err = sapper(command, "9x9/10", "--board", chain)
    assert err == "sapper: expected a number of mines beside --board, got '9x9/10'\n"
    status, _, err = sapper(command)
    assert err == "sapper: expected a SIZE such as 30x16/99, or --board FILE, got neither\n"
    chain.write_text(json.dumps({**CHAIN, "mines": "2"}))
    status, _, err = sapper(command, "--board", chain)
    assert (status, err) == (2, "sapper: expected a number of mines, got '2'\n")


def test_layouts_that_deal_prints_can_be_graded_one_after_the_other(sapper, ask):
    layouts = sapper("deal", "beginner", "--count", 5, "--seed", 1, "--json")[1]
    status, out, err = ask("grade", layouts, "--json")
    assert (status, err) == (0, "")
    graded = [json.loads(line) for line in out.splitlines()]
    alone = [sapper("deal", "beginner", "--seed", seed)[1] for seed in range(1, 6)]
    assert graded == [json.loads(ask("grade", text, "--json")[1]) for text in alone]
    assert ask("grade", "\n".join(alone), "--json") == (0, out, "")


def test_positions_one_after_the_other_get_their_probabilities_one_after_the_other(ask):
    positions = ["1##", "mines: 1\n1#", '{"edges": [["a", "b"]], "numbers": {"a": 1}}']
    for joint, those in (("\n\n", positions[:2]), ("\n", [positions[2]] * 3)):
        status, out, _ = ask("probabilities", joint.join(those) + "\n", "--json")
        assert status == 0
        assert out == "".join(ask("probabilities", one, "--json")[1] for one in those)
    status, out, _ = ask("probabilities", "\n\n".join(positions[:2]))
    assert out == "\n".join(ask("probabilities", one)[1] for one in positions[:2])


def test_a_bad_position_among_many_is_refused(ask):
    assert ask("probabilities", "1##\n\n%\n")[0] == 2
    assert ask("probabilities", '{"edges": [["a", "b"]]}\n{"edges": \n')[0] == 2
    status, _, err = ask("probabilities", "1#\n\n1#", "--svg", "-")
    assert (status, err) == (2, "sapper: expected one position for --svg, got 2\n")


def test_a_header_may_stand_apart_from_its_rows():
    assert len(split_texts("mines: 1\n\n1#\n\nmines: 2\n\n##\n")) == 2


@pytest.mark.parametrize(
    "command", ["show", "convert", "solve", "probabilities", "explain", "hint", "grade"]
)
def test_the_help_of_a_command_that_reads_a_file_shows_one(sapper, command):
    assert any(command in registry for registry in COMMAND_SECTIONS.values())
    status, out, _ = sapper(command, "--help")
    assert status == 0
    shown = "* . . *\n    . . c ." if command == "grade" else "mines: 2\n    1 # #\n    1 # #"
    assert shown in out


def test_the_help_of_review_shows_a_game_and_that_game_can_be_reviewed(sapper, tmp_path):
    lines = sapper("review", "--help")[1].splitlines()
    start = next(n for n, line in enumerate(lines) if line.strip() == "sapper: game 1")
    game = "\n".join(line.strip() for line in lines[start : start + 8])
    (tmp_path / "game.txt").write_text(game + "\n")
    assert sapper("review", tmp_path / "game.txt")[::2] == (0, "")
    (tmp_path / "position.txt").write_text("mines: 1\n1#\n")
    assert sapper("review", tmp_path / "position.txt") == (
        *(2, ""),
        "sapper: expected a saved game, which begins 'sapper: game 1', got other text\n",
    )


def test_a_plain_table_without_any_mine_is_dealt_again():
    rules = paper_puzzle_rules(tiling("square", 4, 3), method="plain", mine_density=0.05)
    tables = [paper_puzzle(rules, seed) for seed in range(40)]
    assert all(len(table.mine_cells) for table in tables)
    assert max(table.tries for table in tables) > 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_file_may_be_of_any_unicode_encoding_that_shells_write(sapper, tmp_path, encoding):
    file = tmp_path / "position.txt"
    file.write_bytes("mines: 2\r\n1##\r\n1##\r\n###\r\n".encode(encoding))
    assert sapper("show", file, "--as", "position") == (0, "mines: 2\n1##\n1##\n###\n", "")
