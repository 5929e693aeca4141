"""Wrong types given to library functions: a SapperError of one line, never a stumble inside."""

import inspect

import pytest

import sapper
from sapper import Board, Budget, Game, Layout, Move, Position, Rules, SapperError, tiling
from sapper.engine.tracked import TrackedPosition
from sapper.games.campaign import Campaign
from sapper.generators.one_click.boards import count_one_click, is_one_click
from sapper.render.svg import board_svg, layout_svg, proof_svg
from sapper.solvers.human import HumanSolver

POSITION = Position.parse("mines: 2\n1##\n1##\n###")
LAYOUT = Layout.parse("*..\n..c\n...")
BOARD = tiling("square", 4, 3)
RULES = Rules.parse("4x4/2")
TABLE = sapper.paper_puzzle_rules(BOARD)
PUZZLE = sapper.puzzle_rules("one", size="6x6/7")
SAVED = sapper.GameSetup(RULES, 1).format()
# Of each function a call that works; each of its arguments is then replaced by something else.
CALLS = {
    sapper.tiling: ("square", 4, 3),
    sapper.deal: (RULES, 1),
    sapper.analyse: (POSITION,),
    sapper.analyse_many: ([POSITION],),
    sapper.sample: (POSITION, 3, 1),
    sapper.solve: (POSITION, "human"),
    sapper.explain: (POSITION, "reveal r3c1"),
    sapper.explain_all: (POSITION,),
    sapper.hint: (POSITION, 1),
    sapper.grade: (LAYOUT,),
    sapper.no_guess: (Rules.parse("5x5/2"), 1),
    sapper.review: (Game.from_layout(LAYOUT),),
    sapper.certify: (LAYOUT,),
    sapper.one_click: (BOARD, 3),
    is_one_click: (LAYOUT,),
    count_one_click: (BOARD, 3),
    sapper.check_paper_puzzle: (POSITION, Budget()),
    sapper.make_paper_puzzle: (TABLE, 1),
    sapper.puzzle_rules: ("one",),
    sapper.make_puzzle: (PUZZLE, 1),
    sapper.update_rating: (sapper.Rating(), [(sapper.Rating(), 1.0)]),
    sapper.probability_svg: (POSITION, {"r1c2": 0.5}),
    proof_svg: (POSITION, Move.parse("reveal r3c1", POSITION.board), [0, 3]),
    HumanSolver: (POSITION,),
    sapper.Session: (sapper.GameSetup(RULES, 1),),
    sapper.paper_puzzle_rules: (BOARD,),
    sapper.advise: (POSITION, "careful"),
    sapper.endgame: (POSITION,),
    sapper.perfect: (RULES,),
    sapper.play_many: (RULES, "careful"),
    sapper.watch: (LAYOUT, "exact"),
    sapper.draw: (POSITION,),
    board_svg: (BOARD,),
    sapper.position_svg: (POSITION,),
    layout_svg: (LAYOUT,),
    sapper.make_paper_puzzles: (TABLE, 1, 1),
    sapper.make_puzzles: (PUZZLE, 1, 1),
    sapper.GameSetup.parse: (SAVED,),
    sapper.Session.load: (SAVED,),
    sapper.Session(sapper.GameSetup(RULES, 1)).act: ("reveal r1c1",),
    Campaign.parse: (Campaign.of(RULES).text, range(1)),
    sapper.PLAYERS["thoughtful"].but: ({"blend": 0.5},),
    Position: (BOARD, [1] * 12, 3),
    Position.parse: ("1#",),
    Position.of: (BOARD, {"r1c1": 1}, ["r1c2"], 3),
    Layout: (BOARD, [0] * 12),
    Layout.parse: ("*.",),
    Rules: (BOARD, 3),
    Rules.parse: ("5x5/4",),
    Board.parse: ("square 3x3",),
    Board.from_edges: ([("a", "b")],),
    Move.parse: ("reveal r1c1", BOARD),
    Game: (BOARD, 3, lambda cell: LAYOUT),
    Game.from_layout: (LAYOUT,),
    Game.new: (RULES, 1),
    Game.from_layout(LAYOUT).play: ("reveal r1c2",),
    BOARD.cell: ("r1c1",),
    TrackedPosition: (POSITION,),
    Budget: (3, 1e9),
}
WRONG = [None, 5, 2.5, "1##", b"1##", [], {}, object(), True, 10**30]
EVERY = [
    pytest.param(call, arguments, place, id=f"{call.__qualname__}-{place}")
    for call, arguments in CALLS.items()
    for place in range(len(arguments))
]


def ask(call, arguments):
    """What a call answers; of one that makes things as they are asked for, the first."""
    answer = call(*arguments, **({"games": 2} if call is sapper.play_many else {}))
    return next(answer, None) if inspect.isgenerator(answer) else answer


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.__qualname__)
def test_the_call_itself_works(call):
    assert ask(call, CALLS[call]) is not None


@pytest.mark.parametrize(("call", "arguments", "place"), EVERY)
def test_an_argument_of_another_kind_is_taken_or_refused_in_one_line(call, arguments, place):
    refused = 0
    for wrong in WRONG:
        given = [*arguments[:place], wrong, *arguments[place + 1 :]]
        try:
            ask(call, given)
        except SapperError as error:
            refused += 1
            assert "\n" not in str(error) and "expected" in str(error)
    assert refused >= 3


SEARCHES = [
    *(sapper.analyse, sapper.solve, sapper.explain, sapper.explain_all, sapper.hint),
    *(sapper.advise, sapper.endgame, sapper.perfect, sapper.no_guess, sapper.check_paper_puzzle),
    *(
        sapper.grade,
        sapper.certify,
        sapper.analyse_many,
        sapper.play_many,
        sapper.make_paper_puzzle,
    ),
]


@pytest.mark.parametrize("call", SEARCHES, ids=lambda call: call.__name__)
def test_a_budget_that_is_none_is_refused(call):
    with pytest.raises(SapperError, match=r"^expected a budget, got 5$"):
        given = CALLS[call][:1] if call is sapper.check_paper_puzzle else CALLS[call]
        call(*given, budget=5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sapper.analyse("1##"), "expected a position, got '1##'"),
        (
            lambda: sapper.explain(POSITION, 6),
            "expected a move such as 'reveal r1c1', or a cell's name, got 6",
        ),
        (lambda: Position(BOARD, [1] * 12, "3"), "expected a mine count, got '3'"),
        (lambda: Position.of(BOARD, {"r1c1": "1"}), "expected a number, got '1'"),
        (lambda: Board.from_graph(5), "expected a graph with nodes and edges, got 5"),
        (lambda: sapper.TILINGS.add("hexagon"), "expected a tiling, got 'hexagon'"),
        (lambda: Game.replay(RULES, 1, 5), "expected moves, got 5"),
        (lambda: sapper.endgame(POSITION, nodes="all"), "expected a number of sets, got 'all'"),
        (lambda: sapper.one_click(BOARD, 3, seed="x"), "expected a seed, got 'x'"),
        (lambda: sapper.advise(POSITION, "random", seed="x"), "expected a seed, got 'x'"),
        (
            lambda: sapper.paper_puzzle_rules(BOARD, share="half"),
            "expected a share of mines, got 'half'",
        ),
        (
            lambda: sapper.update_rating(sapper.Rating(), [(sapper.Rating(), "won")]),
            "expected a score, got 'won'",
        ),
        (
            lambda: Campaign.of(RULES, "thoughtful", settings=5),
            "expected settings by name, got 5",
        ),
        (
            lambda: sapper.analyse_many([POSITION], threads="2"),
            "expected a number of threads, got '2'",
        ),
        (
            lambda: sapper.no_guess("5x5/2", three_bv=3),
            "expected two bounds of the 3BV, got 3",
        ),
        (
            lambda: sapper.no_guess("5x5/2", three_bv=(1, 2, 3)),
            "expected two bounds of the 3BV, got 3",
        ),
        (
            lambda: sapper.no_guess("5x5/2", three_bv=("1", 2)),
            "expected two bounds of the 3BV, got '1'",
        ),
        (
            lambda: sapper.paper_puzzle_rules(BOARD, open_set=(99,)),
            "expected a cell of square 4x3, got 99",
        ),
        (
            lambda: sapper.paper_puzzle_rules(BOARD, open_set=("r9c9",)),
            "expected a cell of square 4x3, got 'r9c9'",
        ),
    ],
)
def test_the_line_names_the_mistake(call, message):
    with pytest.raises(SapperError) as refusal:
        call()
    assert str(refusal.value) == message
