"""The command `sapper analyse`."""

import json
from fractions import Fraction

import pytest
from tests.time_limits import assert_error_within

import sapper
from sapper.board.move import Move
from sapper.cli.commands.analyse import _guess_lines
from sapper.players.agents import Choice
from sapper.players.guess import Candidate, FiftyFifty, Guess
from sapper.players.registry import PLAYERS

POSITION = "mines: 2\n1##\n1##\n###\n"
GUESS = "mines: 2\n####\n1###\n"
END_GAME = "mines: 6\n.1###\n133##\n#3#2#\n#####\n"


@pytest.fixture
def analyse(run_on_text):
    """Return a function that runs the command and returns its JSON."""

    def call(text, *options):
        status, out, err = run_on_text("analyse", text, "--json", *options)
        assert (status, err) == (0, "")
        return json.loads(out)

    return call


def test_board_shows_probabilities_and_certain_cells(run_on_text):
    status, out, err = run_on_text("analyse", POSITION)
    assert (status, err) == (0, "")
    *board, empty, interior, safe, solutions = out.splitlines()
    assert [line.split() for line in board] == [
        ["1", "50", "#"],
        ["1", "50", "#"],
        ["safe", "safe", "#"],
    ]
    assert empty == ""
    assert interior == "interior (#): 33.3%, each of 3 cells"
    assert (safe, solutions) == ("safe: r3c1 r3c2", "solutions: 6")


def test_json_has_the_documented_keys(analyse):
    answer = analyse(POSITION)
    assert set(answer) == {"probabilities", "safe", "certain_mines", "ln_solutions", "solutions"}
    assert answer["probabilities"]["r1c2"] == 0.5
    assert (answer["certain_mines"], answer["safe"]) == ([], ["r3c1", "r3c2"])
    assert answer["solutions"] == "6"
    assert answer["ln_solutions"] == pytest.approx(1.791759469228055)


def test_fractions_and_values_are_exact(run_on_text, analyse):
    answer = analyse(POSITION, "--fractions", "--values")
    assert answer["probabilities"]["r1c3"] == "1/3"
    assert answer["probabilities"]["r3c1"] == "0"
    assert answer["values"]["r1c2"] == {"1": "1/6", "2": "1/3"}
    assert sum(analyse(POSITION, "--values")["values"]["r1c3"].values()) == pytest.approx(2 / 3)
    _, out, _ = run_on_text("analyse", POSITION, "--fractions", "--values")
    assert "r1c3 1/3" in out and "r1c2 1: 1/6, 2: 1/3" in out


def test_values_of_all_cells_share_one_budget(run_on_text):
    status, out, err = run_on_text("analyse", POSITION, "--values", "--json", "--seconds", "1e-9")
    assert (status, out) == (1, "")
    assert "values of 0 of 7 cells" in err


def test_without_a_mine_count_the_interior_is_null(run_on_text, analyse):
    answer = analyse("1##\n", "--values", "--fractions")
    assert answer["probabilities"] == {"r1c2": "1", "r1c3": None}
    assert answer["values"] == {"r1c2": None, "r1c3": None}
    assert "?" in run_on_text("analyse", "1##\n")[1]


def test_number_of_solutions_with_too_many_digits_is_null(run_on_text, analyse):
    text = "board: square 150x150\nmines: 6000\n" + ("#" * 150 + "\n") * 150
    answer = analyse(text)
    assert answer["solutions"] is None and answer["ln_solutions"] > 9300
    assert "solutions: about " in run_on_text("analyse", text)[1]


def test_svg_is_written_to_a_file_or_printed(run_on_text, tmp_path):
    assert run_on_text("analyse", POSITION, "--svg", "-")[1].startswith("<svg")
    target = tmp_path / "picture.svg"
    assert "solutions: 6" in run_on_text("analyse", POSITION, "--svg", str(target))[1]
    assert target.read_text().startswith("<svg")
    status, out, err = run_on_text("analyse", POSITION, "--json", "--svg", "-")
    assert (status, out) == (2, "") and err.startswith("sapper: --svg - and --json cannot")


def test_flags_are_ignored_unless_trusted(analyse):
    text = "mines: 1\nF1#\n"
    assert analyse(text)["probabilities"] == {"r1c1": 0.5, "r1c3": 0.5}
    trusted = analyse(text, "--trust-flags")
    assert trusted["probabilities"] == {"r1c1": 1.0, "r1c3": 0.0}
    assert (trusted["certain_mines"], trusted["safe"]) == (["r1c1"], ["r1c3"])


def test_exceeding_the_budget_exits_with_status_1(run_on_text):
    rows = ["#" * 41 if row % 2 == 0 else "#2" * 20 + "#" for row in range(41)]

    def error(seconds):
        status, out, err = run_on_text("analyse", "\n".join(rows), "--seconds", seconds)
        assert (status, out) == (1, "")
        return err

    assert_error_within(error, "400 numbers", 0.2)


def test_guess_of_a_player_as_text(run_on_text):
    status, out, _ = run_on_text("analyse", GUESS, "--guess", "careful")
    assert status == 0
    move, *candidates = out.splitlines()[-8:]
    assert move.startswith("careful: reveal r1c4: guess at 25% risk")
    assert candidates[0].startswith("  r1c4 25% risk") and len(candidates) == 7
    assert candidates[0].endswith("may show 1: 75%")
    _, out, _ = run_on_text("analyse", POSITION, "--guess", "careful")
    assert out.splitlines()[-1].startswith("careful: reveal r3c1: strategy 6")


def test_candidates_of_a_guess_are_listed_with_what_is_known_of_them():
    player = PLAYERS["patient"]
    candidates = (
        Candidate(0, 0.2, score=0.5),
        Candidate(1, 0.25, value=Fraction(2, 3)),
        Candidate(2, 0.3, relative_value=-0.0125),
        Candidate(3, 0.4, rate=0.649, error=0.0051, samples=1400),
        Candidate(5, 0.5, rate=0.7, error=0.1),
    )
    pairs = (FiftyFifty((0,), (1,), (), 0.25), FiftyFifty((2, 3), (5, 6), (7,), 0.125))
    guess = Guess(0, 1, 0.2, candidates=candidates, fifty_fifties=pairs)
    choice = Choice(Move("reveal", 0), guess)
    analysis = sapper.analyse(sapper.Position.parse(GUESS))
    lines = [line.split("; may show")[0] for line in _guess_lines(player, choice, analysis)]
    assert lines == [
        "patient: reveal r1c1: guess at 20% risk",
        "  r1c1 20% risk, score 0.5000",
        "  r1c2 25% risk, wins 2/3",
        "  r1c3 30% risk, -1.25 points",
        "  r1c4 40% risk, wins 64.9 ± 0.5% of 1,400 samples",
        "  r2c2 50% risk",
        "  50/50 of r1c1 or r1c2: 25%",
        "  50/50 of r1c3 r1c4 or r2c2 r2c3 if r2c4 are mines: 12.5%",
    ]


def test_guess_of_a_player_as_json(analyse):
    guess = analyse(GUESS, "--guess", "Careful")["guess"]
    assert guess["player"] == "careful" and guess["move"] == "reveal r1c4"
    assert guess["risk"] == pytest.approx(0.25) and not guess["certain"]
    assert guess["next_best"] == {"cell": "r2c4", "risk": pytest.approx(0.25)}
    guess = analyse(POSITION, "--guess", "careful")["guess"]
    assert (guess["certain"], guess["risk"], guess["next_best"]) == (True, 0.0, None)
    guess = analyse(GUESS, "--guess", "random")["guess"]
    assert not guess["certain"] and 0 < guess["risk"] < 1


def test_guess_in_an_end_game_has_its_exact_value(analyse):
    guess = analyse(END_GAME, "--guess", "thoughtful")["guess"]
    assert guess["move"] == "reveal r2c4" and guess["value"] == "8/11"
    assert (
        guess["reason"]
        == "riskier than r4c3, but wins more often: 72.7% against 63.6%; as good: r2c5"
    )
    best, *others = guess["candidates"]
    assert (best["cell"], best["value"]) == ("r2c4", "8/11")
    assert sum(best["values"].values()) == pytest.approx(9 / 11)
    assert [other["cell"] for other in others[:2]] == ["r2c5", "r4c3"]


def test_finished_game_has_no_guess_and_no_win_chance(run_on_text, analyse):
    options = "mines: 1\n1#\n", "--guess", "careful", "--win-chance"
    status, out, _ = run_on_text("analyse", *options)
    message = "nothing is left to reveal"
    assert status == 0 and out.endswith(f"\nwin chance: {message}\ncareful: {message}\n")
    answer = analyse(*options)
    assert answer["guess"] is answer["win_chance"] is None


def test_win_chance_is_that_of_the_library(run_on_text, analyse):
    text = "mines: 2\n1##\n###\n###\n"
    answer = analyse(text, "--win-chance", "--samples", 50, "--seed", 4)
    expected = sapper.win_chance(sapper.Position.parse(text), samples=50, seed=4)
    assert answer["win_chance"]["value"] == pytest.approx(expected.value)
    assert "\nwin chance: " in run_on_text("analyse", text, "--win-chance")[1]
    assert run_on_text("analyse", text, "--win-chance", "--samples", 1)[0] == 0
