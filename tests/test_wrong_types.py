"""Arguments of the wrong type that would otherwise give a wrong answer or crash a kernel."""

import math

import pytest

import sapper
from sapper import Board, Budget, Layout, Position, Rules, tiling
from sapper.engine.tracked import TrackedPosition
from sapper.errors import SapperError, WrongType

POSITION = Position.parse("mines: 2\n1##\n1##\n###")
BOARD = tiling("square", 4, 3)
RULES = Rules.parse("4x4/2")
MARK = "expected a number, FLAG or SAFE"


@pytest.mark.parametrize("wrong", [2.5, 3.0, "3", True])
@pytest.mark.parametrize(
    "call",
    [
        lambda n: tiling("square", n, 3),
        lambda n: tiling("square", 4, n),
        lambda n: Position(BOARD, [1] * 12, n),
        lambda n: Position.of(BOARD, {"r1c1": n}),
        lambda n: POSITION.with_marks({0: n}),
        lambda n: Rules(BOARD, n),
        lambda n: sapper.Game.new(RULES, n),
        lambda n: sapper.sample(POSITION, n),
        lambda n: sapper.sample(POSITION, 3, n),
        lambda n: sapper.advise(POSITION, "random", seed=n),
        lambda n: sapper.analyse_many([POSITION], threads=n),
        lambda n: sapper.play_many(RULES, games=n),
    ],
)
def test_number_that_is_not_an_integer_is_refused(call, wrong):
    with pytest.raises(WrongType, match=r"^expected an? .*, got .*$"):
        call(wrong)


@pytest.mark.parametrize("wrong", [2.5, True, None, ("r1c1",)])
def test_cell_that_is_neither_name_nor_integer_is_refused(wrong):
    with pytest.raises(WrongType, match="expected a cell of square 4x3, got"):
        BOARD.cell(wrong)
    with pytest.raises(SapperError, match="expected"):
        Layout.parse("*..").position([wrong])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Position(BOARD, [1.5] * 12), "expected numbers from 0 to 12, got 1.5"),
        (lambda: Board.from_edges(["ab"]), "expected an edge as two names, got 'ab'"),
        (lambda: Board.from_graph(5), "expected a graph with nodes and edges, got 5"),
        (lambda: Layout.parse("*..").position("r1c2"), "expected cells of square 3x1, got 'r1c2'"),
        (lambda: sapper.TILINGS.add("hexagon"), "expected a tiling, got 'hexagon'"),
        (lambda: sapper.analyse(POSITION, budget=5), "expected a budget, got 5"),
        (lambda: Budget("3"), "expected seconds, got '3'"),
        (lambda: Budget(True), "expected seconds, got True"),
        (lambda: Budget(memory=math.inf), "expected memory above 0 bytes and finite, got inf"),
        (lambda: TrackedPosition(POSITION, budget=5), "expected a budget, got 5"),
        (lambda: TrackedPosition(POSITION).update({1: 2**40}), f"{MARK}, got {2**40}"),
    ],
)
def test_message_names_the_wrong_value(call, message):
    with pytest.raises(SapperError) as refusal:
        call()
    assert str(refusal.value) == message


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (sapper.analyse, "a position"),
        (sapper.solve, "a position"),
        (lambda wrong: sapper.explain(wrong, "r1c1"), "a position"),
        (lambda wrong: sapper.explain(POSITION, wrong), "a move such as 'reveal r1c1'"),
        (sapper.explain_all, "a position"),
        (sapper.hint, "a position"),
        (sapper.advise, "a position"),
        (sapper.endgame, "a position"),
        (sapper.win_chance, "a position"),
        (lambda wrong: sapper.sample(wrong, 1), "a position"),
        (lambda wrong: sapper.analyse_many([wrong]), "a position"),
        (sapper.analyse_many, "positions"),
        (TrackedPosition, "a position"),
        (sapper.check_paper_puzzle, "a position"),
        (sapper.grade, "a layout"),
        (lambda wrong: sapper.one_click(wrong, 2), "a board"),
        (sapper.paper_puzzle_rules, "a board"),
        (lambda wrong: sapper.paper_puzzle(wrong, 1), "rules of a paper puzzle"),
        (lambda wrong: next(sapper.paper_puzzles(wrong, 1, 1)), "rules of a paper puzzle"),
        (lambda wrong: sapper.puzzle(wrong, 1), "rules of a puzzle"),
        (lambda wrong: next(sapper.puzzles(wrong, 1, 1)), "rules of a puzzle"),
        (sapper.review, "a game or a session"),
        (lambda wrong: list(sapper.watch(wrong, "human")), "a game or a layout"),
        (sapper.Session, "the setup of a game"),
        (lambda wrong: sapper.Game.new(RULES, 1).play(wrong), "a move such as 'reveal r1c1'"),
    ],
)
def test_value_of_another_type_is_refused(call, expected):
    with pytest.raises(WrongType, match=rf"^expected {expected}.*, got 2\.5$"):
        call(2.5)
