"""The table of openings: its file, its symmetric images, and the moves and reasons of `shrewd`."""

import json
from dataclasses import replace

import numpy as np
import pytest
from tests.error_messages import assert_refused

import sapper
from sapper import PLAYERS, Unavailable
from sapper.board.position import FLAG, Position
from sapper.board.rules import Rules
from sapper.board.symmetries import symmetries
from sapper.cli.main import run
from sapper.formats import openings
from sapper.formats.openings import (
    Opening,
    bundled_openings,
    checksum,
    format_openings,
    openings_for,
    parse_openings,
    table_of,
)
from sapper.games.play_many import play_each
from sapper.players import shrewd
from sapper.players.guess import GuessFact
from sapper.players.player import StatePool

# A size that no other test uses: states of other boards may be kept from tests before.
SIZE = "10x7/12"
RULES = Rules.parse(SIZE, rule="safe")
BOARD = RULES.board
WITHOUT = PLAYERS.find("shrewd").with_settings({"openings": False})


def opening_of(numbers, move):
    """Return an opening with made-up results."""
    position = Position.of(BOARD, numbers, mines=RULES.mines)
    instead = sapper.advise(position, WITHOUT).reason.cell
    ln = sapper.analyse(position).ln_solutions
    return Opening(position, ln, BOARD.cell(move), instead, 0.5, 0.001, 0.49, 0.001, 0.002, 10_000)


@pytest.fixture
def table(monkeypatch):
    """Give the package a table for the board; return its openings."""
    rows = (
        opening_of({"r1c1": 1}, "r4c6"),
        opening_of({"r1c1": 2, "r1c10": 1}, "r7c4"),
        opening_of({"r1c1": 3}, "r3c8"),
    )
    monkeypatch.setattr(openings, "bundled_openings", lambda: {SIZE: rows})
    monkeypatch.setattr(shrewd, "_POOL", StatePool(shrewd.make_guesser_state))
    openings_for.cache_clear()
    yield rows
    openings_for.cache_clear()


def image_of(position, symmetry):
    marks = np.empty_like(position.marks)
    marks[list(symmetry)] = position.marks
    return Position(position.board, marks, position.mines)


@pytest.mark.plain
def test_symmetric_images_of_a_position_give_the_symmetric_move(table):
    for opening in table:
        for symmetry in symmetries(BOARD):
            position = image_of(opening.position, symmetry)
            guess = sapper.advise(position, "shrewd").reason
            assert guess.cell == symmetry[opening.move]
            assert guess.facts == (
                GuessFact("simulated", (symmetry[opening.instead],), 0.5, 0.49, 10_000),
            )


@pytest.mark.plain
def test_key_of_a_position_is_the_same_in_all_kernels(table):
    assert table[0].key == 9508447094617566527


def test_turning_the_table_off_gives_the_choice_without_it(table):
    for opening in table:
        assert sapper.advise(opening.position, "shrewd").reason.cell != opening.instead
        assert sapper.advise(opening.position, WITHOUT).reason.cell == opening.instead


@pytest.mark.plain
def test_flags_on_certain_mines_keep_the_move_and_other_flags_do_not(table):
    position = table[2].position
    mines = {BOARD.cell(name): FLAG for name in ("r1c2", "r2c1", "r2c2")}
    marked = position.with_marks(mines)
    assert sapper.advise(marked, "shrewd", trust_flags=True).reason.cell == table[2].move
    for wrong in (BOARD.cell("r7c1"), table[2].move):
        flagged = position.with_marks({**mines, wrong: FLAG})
        choices = [sapper.advise(flagged, p, trust_flags=True) for p in ("shrewd", WITHOUT)]
        assert choices[0] == choices[1] and choices[0].reason.cell != wrong
        # A flag that is not trusted is an opinion, and the position is that of the table.
        assert sapper.advise(flagged, "shrewd").reason.cell == table[2].move


def test_another_number_or_mine_count_is_another_position(table):
    for other in (
        Position(BOARD, table[0].position.marks, 13),
        table[0].position.with_marks({BOARD.cell("r4c4"): 2}),
        table[1].position.with_marks({BOARD.cell("r1c1"): 1}),
    ):
        assert sapper.advise(other, "shrewd") == sapper.advise(other, WITHOUT)


def test_games_reveal_the_move_of_the_table_and_go_on_as_without_it(table):
    games = play_each(RULES, "shrewd", 60, seed=1, first="r1c1")
    before = play_each(RULES, WITHOUT, 60, seed=1, first="r1c1")
    differs = (games != before).any(axis=1)
    layouts = [sapper.generate(RULES, seed, BOARD.cell("r1c1")).layout for seed in range(1, 61)]
    numbers = [int(layout.numbers[BOARD.cell("r1c1")]) for layout in layouts]
    # Only games that begin with a position of the table can differ.
    assert differs.any() and {numbers[i] for i in np.flatnonzero(differs)} <= {1, 2, 3}


def test_hint_gives_the_move_and_its_reason(table):
    hint = sapper.hint(table[0].position, 4)
    assert [move.cell for move in hint.moves] == [table[0].move]
    assert "in 10,000 simulated games from here it won more often than" in hint.text
    assert "by 1.00 points" in hint.text


def test_analyse_lists_the_measured_win_rates_of_a_move(table, tmp_path, capsys):
    path = tmp_path / "position.txt"
    path.write_text(str(table[0].position))
    assert run(["analyse", str(path), "--guess", "shrewd", "--json"]) == 0
    guess = json.loads(capsys.readouterr().out)["guess"]
    assert guess["move"] == "reveal r4c6"
    rows = [(row["cell"], row["win_chance"]) for row in guess["candidates"]]
    assert rows == [("r4c6", 0.5), (BOARD.name(table[0].instead), 0.49)]


def test_patient_trusts_the_table(table):
    settings = {"samples": 5, "interior": 1000}
    entry = PLAYERS.find("patient").with_settings(settings)
    assert sapper.advise(table[0].position, entry).reason.cell == table[0].move


def test_position_that_is_its_own_image_has_the_lowest_of_its_moves():
    board = Rules.parse("6x6/5").board
    position = Position.of(board, {"r1c1": 1}, mines=5)
    opening = Opening(position, 1.0, board.cell("r6c1"), board.cell("r1c6"), *[0.5] * 5, 100)
    images = {o.position: board.name(o.move) for o in table_of(board, [opening]).openings}
    assert len(images) == 4 and images[position] == "r1c6"


def test_boards_without_a_table_have_no_openings():
    for board in (Rules.parse("11x7/12").board, sapper.tiling("hexagonal", 10, 7)):
        assert openings_for(board).openings == () and openings_for(board).max_revealed == -1


def test_file_gives_back_the_openings(table):
    assert parse_openings(format_openings({SIZE: table})) == {SIZE: table}


def test_damaged_table_is_refused_in_one_line(table):
    text = format_openings({SIZE: table})
    content = json.loads(text)

    def changed(**values):
        boards = {SIZE: [{**content["boards"][SIZE][0], **values}]}
        return json.dumps({**content, "boards": boards, "sha256": checksum(boards)})

    cases = [
        ("", "expected a table of openings"),
        ("[]", "expected a table of openings"),
        (text[:-20], "expected a table of openings"),
        (text.replace("r4c6", "r4c7"), "expected an undamaged table, got a wrong checksum"),
        (text.replace("openings 1", "openings 2"), "expected 'sapper openings 1'"),
        (changed(move="r1c1"), "expected covered cells, got r1c1"),
        (changed(move="r1c99"), "expected a cell of"),
        (changed(rate=None), "expected a table of openings"),
    ]
    assert_refused(parse_openings, cases)


def test_damaged_table_of_the_package_is_reported_in_one_line(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(openings, "checksum", lambda boards: "")
    bundled_openings.cache_clear()
    openings_for.cache_clear()
    message = "openings.json: expected an undamaged table, got a wrong checksum"
    with pytest.raises(Unavailable, match=message):
        play_each(SIZE, "shrewd", 2)
    game = ["lab", "run", SIZE, "--player", "shrewd", "--games", "2"]
    assert run([*game, "--out", str(tmp_path / "a.db")]) == 1
    assert capsys.readouterr().err == f"sapper: {message}\n"
    bundled_openings.cache_clear()
    openings_for.cache_clear()


def test_openings_of_the_package_are_positions_without_a_certain_move():
    for size, rows in bundled_openings().items():
        for opening in rows:
            analysis = sapper.analyse(opening.position)
            assert analysis.ln_solutions == pytest.approx(opening.ln_solutions, abs=1e-9)
            assert not len(analysis.safe_cells) and analysis.probabilities[opening.move] < 1
            assert opening.position.mines == Rules.parse(size).mines
            # The rule of the study: at least three standard errors.
            assert opening.rate - opening.instead_rate >= 3 * opening.gain_error > 0
            replaced = replace(opening, move=opening.instead)
            assert replaced.key == opening.key
