"""Input of commands: graphs, several positions in a file, encodings, examples in the help."""

import json

import pytest

from sapper.cli.command_table import COMMAND_SECTIONS

GRAPH = {"edges": [["a", "b"], ["b", "c"], ["c", "d"], ["d", "e"]]}


@pytest.mark.parametrize("command", ["generate", "watch"])
def test_graph_with_its_mines_replaces_a_size(sapper, tmp_path, command):
    path = tmp_path / "graph.json"
    path.write_text(json.dumps(GRAPH))
    words = (command, "--board", path, "--rule", "safe", "--seed", 1)
    status, out, _ = sapper(*words, "2")
    assert status == 0
    if command == "generate":
        assert len(json.loads(out)["layout"]) == 2
    else:
        assert "reveal a: first click" in out
    path.write_text(json.dumps({**GRAPH, "mines": 2}))
    assert sapper(*words)[1] == out


def test_generated_layouts_can_be_graded_together(sapper, run_on_text):
    layouts = sapper("generate", "beginner", "--count", 5, "--seed", 1, "--json")[1]
    status, out, err = run_on_text("grade", layouts, "--json")
    assert (status, err) == (0, "")
    texts = [sapper("generate", "beginner", "--seed", seed)[1] for seed in range(1, 6)]
    assert out.splitlines() == [run_on_text("grade", text, "--json")[1].strip() for text in texts]
    assert run_on_text("grade", "\n".join(texts), "--json") == (0, out, "")


def test_several_positions_are_analysed_one_after_another(run_on_text):
    positions = ["1##", "mines: 1\n1#", '{"edges": [["a", "b"]], "numbers": {"a": 1}}']
    for separator, texts in (("\n\n", positions[:2]), ("\n", [positions[2]] * 3)):
        status, out, _ = run_on_text("analyse", separator.join(texts) + "\n", "--json")
        assert status == 0
        assert out == "".join(run_on_text("analyse", text, "--json")[1] for text in texts)
    out = run_on_text("analyse", "\n\n".join(positions[:2]))[1]
    assert out == "\n".join(run_on_text("analyse", text)[1] for text in positions[:2])
    status, _, err = run_on_text("analyse", "1#\n\n1#", "--svg", "-")
    assert (status, err) == (2, "sapper: --svg takes one position, got 2\n")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_file_may_have_any_unicode_encoding(sapper, tmp_path, encoding):
    file = tmp_path / "position.txt"
    file.write_bytes("mines: 2\r\n1##\r\n1##\r\n###\r\n".encode(encoding))
    assert sapper("convert", file, "--to", "position") == (0, "mines: 2\n1##\n1##\n###\n", "")


def test_saved_game_gives_its_last_position(run_on_text):
    game = "sapper: game 1\nboard: square 3x1\nlayout: r1c1\n\n0.000 reveal r1c2\n"
    status, out, err = run_on_text("convert", game, "--to", "position")
    assert (status, out) == (0, "mines: 1\n#1#\n")
    assert err == "position cannot express the moves\n"
    probabilities = json.loads(run_on_text("analyse", game, "--json")[1])["probabilities"]
    assert probabilities == {"r1c1": 0.5, "r1c3": 0.5}


@pytest.mark.parametrize(
    "command", ["show", "convert", "solve", "analyse", "explain", "hint", "grade"]
)
def test_help_shows_an_example_of_the_file(sapper, command):
    assert any(command in section for section in COMMAND_SECTIONS.values())
    status, out, _ = sapper(command, "--help")
    assert status == 0
    shown = "* . . *\n    . . c ." if command == "grade" else "mines: 2\n    1 # #\n    1 # #"
    assert shown in out


def test_game_in_the_help_can_be_reviewed(sapper, run_on_text):
    lines = sapper("review", "--help")[1].splitlines()
    start = next(n for n, line in enumerate(lines) if line.strip() == "sapper: game 1")
    game = "\n".join(line.strip() for line in lines[start : start + 8])
    assert run_on_text("review", game + "\n")[::2] == (0, "")
