"""`sapper generate` and `sapper grade`."""

import importlib
import json
import re

import pytest
from tests.time_limits import assert_error_within

from sapper import DIFFICULTIES, Layout, Rules, RulesError, Session, generate, grade
from sapper.games.setup import GameSetup
from sapper.generators.layouts import LAYOUT_GENERATORS


def test_layout_is_printed_with_its_seed_on_standard_error(sapper):
    answer = sapper("generate", "5x3/4", "--seed", 1)
    assert answer == (0, "*....\n*.c.*\n*....\n", "seed 1\n")


def test_random_seed_is_reported_and_gives_the_layout_again(sapper):
    _, out, err = sapper("generate", "9x9/10")
    assert sapper("generate", "9x9/10", "--seed", err.split()[1])[1] == out


def test_layouts_of_a_count_have_consecutive_seeds(sapper, run_json):
    command = ("generate", "beginner", "--seed", 7, "--count", 3)
    layouts = run_json(*command)["layouts"]
    assert sapper(*command, "--json")[1].count("\n") == 1  # one line, for streams of JSON
    assert [layout["seed"] for layout in layouts] == [7, 8, 9]
    for layout in layouts:
        assert layout["text"] == sapper("generate", "beginner", "--seed", layout["seed"])[1]
        assert layout["first"] == "r5c5" and layout["3bv"] > 0


def test_layout_has_the_given_tiling_first_click_and_mines(sapper):
    line = "generate 6x4/5 --tiling hexagonal --seed 3 --first r1c2 --rule safe"
    header, *rows = sapper(*line.split())[1].splitlines()
    assert header == "layout: hexagonal 6x4"
    assert rows[0][1] == "c"
    assert sum(row.count("*") for row in rows) == 5


def test_layouts_as_json_are_printed_as_soon_as_each_is_generated(monkeypatch, sapper):
    # An error at the third layout occurs after the first two were printed.
    module = importlib.import_module("sapper.cli.commands.generate")

    def fail_at_seed_3(rules, seed, first):
        if seed == 3:
            raise RulesError("test")
        return generate(rules, seed, first)

    monkeypatch.setattr(module, "generate_layout", fail_at_seed_3)
    _, out, _ = sapper("generate", "5x5/1", "--json", "--seed", 1, "--count", 5)
    assert out.count('"seed"') == 2


# No-guess boards.


def test_no_guess_layout_as_json_has_method_difficulty_and_certificate(run_json):
    command = ("generate", "9x9/10", "--no-guess", "--seed", 5, "--count", 2)
    plain = run_json(*command)["layouts"]
    certified = run_json(*command, "--certificate")["layouts"]
    for seed, short, long in zip((5, 6), plain, certified, strict=True):
        board = generate("9x9/10", seed, no_guess=True)
        assert Layout.parse(short["text"]) == board.layout
        assert short["method"] == board.method
        assert short["difficulty"] == grade(board.layout).difficulty
        steps = long.pop("certificate")
        assert long == short and steps
        for step in steps:
            assert list(step) == ["reveal", "flag", "difficulty", "numbers", "uses_mine_count"]
            assert step["uses_mine_count"] == (step["difficulty"] == "count")


def test_certificate_as_text_has_a_line_for_each_step(sapper):
    status, out, err = sapper("generate", "5x5/4", "--no-guess", "--seed", 4, "--certificate")
    assert (status, err) == (0, "seed 4\n")
    assert out.splitlines() == [
        "....*",
        ".....",
        "..c.*",
        ".....",
        "...**",
        "1. flag r5c4 (one: r4c3)",
        "2. flag r1c5; reveal r4c5 (two: r2c4, r3c4)",
        "3. flag r3c5 (two: r1c4, r2c4)",
        "4. flag r5c5; reveal r2c5 (two: r3c4, r4c4)",
    ]


@pytest.mark.parametrize(
    "line, message",
    [
        ("9x9/0 --difficulty two", "no no-guess board with difficulty 'two': these rules have"),
        ("9x9/2 --3bv 99-99", "stopped after"),
        ("2x9/7 --rule safe", "stopped after"),
    ],
)
def test_search_that_finds_no_board_exits_with_status_1(sapper, line, message):
    def error(seconds):
        words = ("generate", *line.split(), "--no-guess", "--seed", 1, "--seconds", seconds)
        status, out, err = sapper(*words)
        assert (status, out) == (1, "") and err.count("\n") == 1
        return err

    assert_error_within(error, f"^{re.escape(f'sapper: {message}')}", 0.2)


def test_watched_no_guess_game_is_won_without_a_guess(sapper):
    status, out, err = sapper("watch", "9x9/12", "--no-guess", "--seed", 3, "--plain")
    assert (status, err) == (0, "seed 3\n")
    assert out.splitlines()[-1].startswith("won after ")
    assert "guess" not in out


@pytest.mark.parametrize("options", ["--solver exact", "--player careful"])
def test_watch_exits_with_status_1_if_no_layout_is_found(sapper, options):
    line = f"watch 2x9/7 --rule safe --no-guess --plain {options} --seed 1 --seconds 0.2"
    status, out, err = sapper(*line.split())
    assert (status, out) == (1, "") and err.startswith("sapper: stopped after 0.2 s: ")


@pytest.mark.parametrize("generator", LAYOUT_GENERATORS)
@pytest.mark.parametrize("command", ["show", "explain"])
def test_saved_game_of_every_generator_can_be_read(run_on_text, command, generator):
    setup = GameSetup(Rules.parse("9x9/10"), 5, generator)
    session = Session(setup)
    session.act("reveal r3c4")
    assert run_on_text(command, session.save()) == run_on_text(command, str(session.position))


# Grading.


def test_grade_reports_difficulty_cells_and_guesses(run_on_text):
    layout = "*....\n..c..\n....*\n"
    status, out, _ = run_on_text("grade", layout, "--json")
    answer = json.loads(out)
    assert status == 0
    assert list(answer) == ["difficulty", "revealed_by_difficulty", "guesses"]
    assert list(answer["revealed_by_difficulty"]) == list(DIFFICULTIES)
    assert run_on_text("grade", layout)[1].startswith(
        f"difficulty {answer['difficulty']}, 0 guesses\n"
    )
