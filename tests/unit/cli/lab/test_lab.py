"""`sapper lab`."""

import csv
import io
import sqlite3
import sys

import pytest

from sapper import Board, Rules, play_many

RUN = ("lab", "run", "beginner", "--player", "human", "--rule", "safe", "--first", "r1c1")
SEEDED = (*RUN, "--seed", 1)


@pytest.fixture
def result_file(sapper, tmp_path):
    """Create a result file of 200 games."""
    path = tmp_path / "human.sqlite"
    assert sapper(*SEEDED, "--games", 200, "--out", path)[0] == 0
    return path


def test_run_as_json_has_the_documented_keys(run_json, tmp_path):
    row = run_json(*SEEDED, "--games", 300, "--out", tmp_path / "r")
    tally = play_many("beginner", "human", 300, 1, "safe", "r1c1")
    low, high = tally.interval
    assert (row["games"], row["wins"], row["guesses"]) == (300, tally.wins, tally.guesses)
    assert (row["win_rate"], row["low"], row["high"]) == (tally.win_rate, low, high)
    assert (row["size"], row["rule"], row["first"]) == ("9x9/10", "safe", "r1c1")
    assert (row["player"], row["seed"], row["settings"]) == ("human", 1, {})
    assert row["seconds"] > 0 and row["seeds"] == [[1, 300]]


def test_run_prints_the_win_rate_and_where_the_results_are(sapper, tmp_path):
    status, out, err = sapper(*SEEDED, "--games", 300, "--out", tmp_path / "r")
    assert status == 0 and err == f"results in {tmp_path / 'r'}\n"
    assert out.startswith("human on square 9x9/10 safe r1c1: ") and "seeds 1 to 300" in out
    assert "of 300 games won" in out


GRAPH = '{"edges": [["a","b"],["b","c"],["c","d"],["d","e"],["e","a"],["a","c"]], "mines": 1}'


def test_campaign_on_a_graph_has_the_results_of_play_many(run_json, sapper, tmp_path):
    board, result_file = tmp_path / "graph.json", tmp_path / "r"
    board.write_text(GRAPH)
    arguments = ("lab", "run", 2, "--board", board, "--player", "careful", "--rule", "safe")
    arguments = (*arguments, "--first", "b", "--games", 200, "--seed", 1)
    row = run_json(*arguments, "--out", result_file)
    tally = play_many(Rules(Board.parse(GRAPH), 2, "safe"), "careful", 200, 1, first="b")
    assert (row["wins"], row["size"], row["tiling"]) == (tally.wins, "graph of 5 cells/2", None)
    _, out, _ = sapper("lab", "report", result_file)
    assert out.splitlines()[1].startswith("graph of 5 cells/2  safe  b ")
    without_size = f"lab run --board {board} --player careful --games 20 --seed 1".split()
    assert "on graph of 5 cells/1 zero a: " in sapper(*without_size, "--out", tmp_path / "s")[1]
    status, _, problem = sapper("lab", "run", "--player", "careful", "--games", 20)
    assert status == 2 and "missing SIZE such as 30x16/99, or --board FILE" in problem


def test_campaign_is_continued_or_reported_in_part(run_json, result_file):
    for games in (350, 120):
        row = run_json(*SEEDED, "--games", games, "--out", result_file)
        tally = play_many("beginner", "human", games, 1, "safe", "r1c1")
        assert (row["games"], row["wins"], row["guesses"]) == (games, tally.wins, tally.guesses)
    assert [row["games"] for row in run_json("lab", "report", result_file)["campaigns"]] == [350]


def test_empty_file_of_a_run_that_has_just_begun_is_used(run_json, tmp_path):
    path = tmp_path / "r"
    path.touch()
    assert run_json(*RUN, "--games", 5, "--out", path)["games"] == 5


def test_without_a_file_results_are_stored_in_the_data_folder(run_json, tmp_path, monkeypatch):
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *names, **more: str(tmp_path))
    first = run_json(*RUN, "--games", 20)
    second = run_json(*RUN, "--games", 20)
    assert first["seed"] != second["seed"]
    (stored,) = (tmp_path / "lab").iterdir()
    assert run_json("lab", "report", stored)["campaigns"][0]["games"] == 40


def test_report_as_text_markdown_and_csv(run_json, sapper, result_file, tmp_path):
    other = tmp_path / "careful.sqlite"
    sapper(*SEEDED, "--player", "careful", "--games", 50, "--out", other)
    _, out, _ = sapper("lab", "report", result_file, other)
    head, human, careful = out.splitlines()
    assert head.split()[:4] == ["board", "rule", "first", "player"]
    assert "human" in human and "1 to 200" in human and "careful" in careful
    (row,) = run_json("lab", "report", result_file)["campaigns"]
    low, high = (f"{100 * row[end]:.2f}" for end in ("low", "high"))
    guesses, speed = f"{row['guesses'] / 200:.2f}", f"{200 / row['seconds']:,.0f}"
    assert {f"{100 * row['wins'] / 200:.2f}", low, high, guesses, speed} <= set(human.split())
    _, out, _ = sapper("lab", "report", result_file, other, "--markdown")
    assert [line.count("|") for line in out.splitlines()] == [11] * 4
    _, out, _ = sapper("lab", "report", result_file, other, "--csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [(row["player"], row["games"], row["seeds"]) for row in rows] == [
        ("human", "200", "1 to 200"),
        ("careful", "50", "1 to 50"),
    ]


def test_files_are_merged(run_json, sapper, result_file, tmp_path):
    sapper(*RUN, "--seed", 101, "--games", 200, "--out", tmp_path / "b")
    (row,) = run_json("lab", "merge", result_file, tmp_path / "b", "-o", tmp_path / "c")[
        "campaigns"
    ]
    tally = play_many("beginner", "human", 300, 1, "safe", "r1c1")
    assert (row["games"], row["wins"], row["guesses"]) == (300, tally.wins, tally.guesses)
    other = tmp_path / "other"
    other.write_text("text")
    status, _, err = sapper("lab", "merge", result_file, tmp_path / "b", "-o", other)
    assert status == 2 and "exists and is not one of the inputs" in err
    assert other.read_text() == "text"


def test_players_are_compared_on_the_same_layouts(run_json, sapper, result_file, tmp_path):
    other = tmp_path / "careful.sqlite"
    sapper(*SEEDED, "--player", "careful", "--games", 300, "--out", other)
    row = run_json("lab", "compare", result_file, other)
    assert row["games"] == 200 == row["both"] + row["only_a"] + row["only_b"] + row["neither"]
    assert row["gain"] == (row["only_b"] - row["only_a"]) / 200
    assert row["low"] < row["gain"] < row["high"] and 0 < row["p_value"] <= 1
    assert "decision" not in row
    row = run_json("lab", "compare", result_file, other, "--sprt", 5)
    assert row["decision"] == "b is better"
    assert row["played"] >= 2 * row["games"]
    assert row["saved"] == 2 * row["fixed_size"] - row["played"]
    _, out, _ = sapper("lab", "compare", result_file, other, "--sprt", 5)
    assert "b is better" in out and "a test of fixed size needs" in out
    first, second, layouts, gain, _ = out.splitlines()
    assert first.startswith("a: human on square 9x9/10 safe r1c1")
    assert second.startswith("b: careful on square 9x9/10 safe r1c1")
    assert layouts.startswith(f"{row['games']:,} layouts: both won ")
    assert gain.startswith("b gains +") and ", p = " in gain


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--games", 0), "--games: expected a whole number of at least 1, got '0'"),
        (("--games", 5, "--player", "chess"), "no such player"),
        (("--games", 5, "--runner", "ray"), "no such runner"),
        (("--games", 5, "--first", "r99c1"), "expected a cell"),
        (("--games", 5, "--scheduler", "tcp://x:1"), "expected the runner dask with a scheduler"),
    ],
)
def test_bad_input_is_reported_in_one_line_and_creates_no_file(
    sapper, tmp_path, arguments, message
):
    path = tmp_path / "r"
    status, out, err = sapper(*SEEDED, *arguments, "--out", path)
    assert (status, out) == (2, "") and err.startswith(f"sapper: {message}")
    assert err.count("\n") == 1 and not path.exists()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        ("pragma user_version = 7", "has version 7 of the format"),
        ("update shard set games = zeroblob(400)", "is damaged: a shard does not agree with"),
    ],
)
def test_damaged_file_or_one_of_another_version_is_refused(sapper, result_file, damage, message):
    with sqlite3.connect(result_file) as changed:
        changed.execute(damage)
    before = result_file.read_bytes()
    for command in ((*SEEDED, "--games", 5, "--out"), ("lab", "report")):
        status, _, err = sapper(*command, result_file)
        assert status == 2 and message in err and err.count("\n") == 1
    assert result_file.read_bytes() == before


def test_file_of_another_campaign_is_refused(sapper, result_file):
    before = result_file.read_bytes()
    status, _, err = sapper(*SEEDED, "--rule", "zero", "--games", 5, "--out", result_file)
    assert status == 2 and "expected results of human on square 9x9/10 zero r1c1" in err
    assert result_file.read_bytes() == before


def test_missing_folder_is_reported_in_one_line(sapper, tmp_path):
    status, _, err = sapper(*SEEDED, "--games", 5, "--out", tmp_path / "none" / "r")
    assert status == 2 and err.endswith("no such folder\n") and err.count("\n") == 1


def test_every_first_cell_is_played_once_per_class_of_mirror_images(run_json, sapper, tmp_path):
    path = tmp_path / "r"
    command = ("lab", "run", "4x3/2", "--player", "human", "--rule", "safe", "--seed", 1)
    rows = run_json(*command, "--first", "every", "--games", 20, "--out", path)["campaigns"]
    assert [row["first"] for row in rows] == ["r1c1", "r1c2", "r2c1", "r2c2"]
    assert run_json(*command, "--first", "r1c2", "--games", 20, "--out", path) == rows[1]
    assert sapper(*command, "--first", "r1c4", "--games", 20, "--out", path)[0] == 2


def test_results_are_plotted(sapper, result_file, tmp_path):
    assert sapper("lab", "plot", result_file, "-o", tmp_path / "p.SVG") == (0, "", "")
    assert (tmp_path / "p.SVG").read_text().startswith("<?xml")
    status, _, err = sapper("lab", "plot", result_file, "-o", tmp_path / "p.gif")
    assert (status, err) == (2, "sapper: expected a picture in svg, png or pdf, got 'gif'\n")
    status, _, err = sapper("lab", "plot", result_file, "-o", tmp_path / "p.svg", "--kind", "pie")
    assert status == 2 and "no such plot" in err


def test_without_dask_the_error_says_how_to_install_it(sapper, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    status, _, err = sapper(*SEEDED, "--games", 5, "--runner", "dask", "--out", tmp_path / "r")
    assert status == 1 and err.endswith("pip install 'sapper[lab]'\n") and err.count("\n") == 1
    assert not (tmp_path / "r").exists()


def test_settings_are_stored_and_reported(run_json, sapper, tmp_path):
    path = tmp_path / "r"
    command = (*SEEDED, "--player", "thoughtful", "--games", 5, "--out", path)
    row = run_json(*command, "--set", "blend=0.5", "--set", "coin_tosses=false")
    assert row["label"] == "thoughtful blend=0.5 coin_tosses=False"
    assert row["settings"]["blend"] == 0.5 and row["settings"]["nodes"] > 1000
    assert "thoughtful blend=0.5 coin_tosses=False" in sapper("lab", "report", path)[1]
    assert sapper(*command)[0] == 2
    for setting, message in (
        ("blend", "expected a setting such as NAME=VALUE"),
        ("weight=1", "no such setting"),
        ("blend=[1]", "blend: expected a number"),
    ):
        status, _, err = sapper(*command, "--set", setting)
        assert status == 2 and err.startswith(f"sapper: {message}"), err


def test_options_without_effect_are_refused(sapper, result_file):
    error = sapper("lab", "compare", result_file, result_file, "--games", 5)
    assert error == (2, "", "sapper: --games needs --sprt\n")
    status, _, err = sapper("lab", "report", result_file, "--csv", "--markdown")
    assert (status, err) == (2, "sapper: --markdown, --csv and --json cannot be combined\n")
