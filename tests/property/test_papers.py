"""What Slagle proves, as properties: on every tiling and on random graphs, without the count.

The largest degree of the board stands where the paper has 8.
"""

from itertools import combinations

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.oracle import naive
from tests.strategies import frames, graph_boards, tiling_boards, true_frames

from sapper import Board, Budget, Contradiction, Frame, HumanSolver, solve
from sapper.infer.slagle.backtrack import Backtracking, backtrack, fronts
from sapper.infer.slagle.brute import brute, brute_board
from sapper.infer.slagle.compiled import quick_moves
from sapper.infer.slagle.strategies import read_hint

BUDGET = Budget()
SMALL = st.one_of(tiling_boards(3), graph_boards(9))


def small_frames(of=true_frames):
    """Frames of few enough blanks for every set of them to be looked at."""
    return of(SMALL).filter(lambda frame: len(frame.blanks) <= 10)


def certain(placements, scope):
    """What lies in all of the placements and what in none."""
    return (
        frozenset(scope).intersection(*placements),
        frozenset(scope).difference(*placements),
    )


def answer(frame, solver):
    try:
        solution = solve(frame, solver)
    except Contradiction:
        return "contradiction"
    return solution.flag_cells.tolist(), solution.reveal_cells.tolist()


@settings(max_examples=300)
@given(small_frames())
def test_the_three_versions_yield_the_satisfactory_placements_once_each(frame):
    all_of_board = naive.satisfactory(frame)
    of_perimeter = [p for p in all_of_board if p <= set(frame.perimeter.tolist())]
    for version, expected in (
        (brute_board, all_of_board),
        (brute, of_perimeter),
        (backtrack, of_perimeter),
    ):
        found = list(version(frame, BUDGET))
        assert len(found) == len(set(found))
        assert set(found) == set(expected)


@settings(max_examples=300)
@given(small_frames())
def test_the_versions_agree_and_the_human_finds_a_part(frame):
    flag, reveal = answer(frame, "brute-board")
    assert answer(frame, "brute") == answer(frame, "backtrack") == (flag, reveal)
    human = solve(frame, "human")
    assert set(human.flag_cells) <= set(flag)
    assert set(human.reveal_cells) <= set(reveal)
    hybrid = solve(frame, "hybrid")
    expected = (human.flag, human.reveal) if human else (frame.names(flag), frame.names(reveal))
    assert (hybrid.flag, hybrid.reveal) == expected


@settings(max_examples=200)
@given(small_frames(frames))
def test_any_frame_is_answered_alike_or_refused_alike(frame):
    first = answer(frame, "brute-board")
    assert answer(frame, "brute") == answer(frame, "backtrack") == first
    impossible = not naive.satisfactory(frame)
    for solver in ("brute-board", "human", "hybrid"):
        assert (answer(frame, solver) == "contradiction") == impossible


@settings(max_examples=200)
@given(small_frames(frames))
def test_the_hints_that_a_contradiction_names_cannot_be_met_together(frame):
    for solver in ("human", "backtrack"):
        try:
            solve(frame, solver)
        except Contradiction as error:
            hints = [read_hint(frame, name) for name in error.hints]
            assert hints
            assert not list(Backtracking(hints, BUDGET))


@given(frames())
def test_a_clash_that_the_human_runs_into_is_one(frame):
    try:
        HumanSolver(frame).moves()
    except Contradiction:
        assert answer(frame, "hybrid") == "contradiction"


@given(small_frames())
def test_lemma_a_satisfactory_placement_stays_so_within_the_perimeter(frame):
    perimeter = set(frame.perimeter.tolist())
    placements = set(naive.satisfactory(frame))
    assert all(placement & perimeter in placements for placement in placements)


@given(small_frames())
def test_claim_1_certain_moves_are_those_of_the_perimeters_placements(frame):
    perimeter = frozenset(frame.perimeter.tolist())
    everywhere = naive.satisfactory(frame)
    within = [p for p in everywhere if p <= perimeter]
    flag, reveal = certain(everywhere, frame.blanks.tolist())
    # 1: a flag is certain if and only if it is in each placement within the perimeter.
    assert flag == frozenset(frame.blanks.tolist()).intersection(*within)
    # 2: a reveal is certain if and only if it is in the perimeter and in none of them.
    assert reveal == perimeter.difference(*within)
    # 3: certain moves occur only in the perimeter.
    assert flag | reveal <= perimeter


@given(small_frames(), st.randoms())
def test_claim_2_every_call_holds_what_the_hints_before_it_allow_and_all_of_that(frame, random):
    fringe = [hint for front in fronts(frame) for hint in front]
    random.shuffle(fringe)
    search = Backtracking(fringe, BUDGET)
    calls = [(k, frozenset(placement)) for k, placement in search.calls()]
    for k in range(len(fringe) + 1):
        before = fringe[:k]
        held = [placement for call, placement in calls if call == k]
        near = sorted(set().union(*(hint.blanks for hint in before)))
        allowed = [
            frozenset(chosen)
            for size in range(len(near) + 1)
            for chosen in combinations(near, size)
            if all(len(hint.blanks.intersection(chosen)) == hint.need for hint in before)
        ]
        # OnlySatisfactory(k) and AllSatisfactory(k), and none of them twice.
        assert sorted(map(sorted, held)) == sorted(map(sorted, allowed))
    assert len(calls) == search.looked == search.forecast(10**9)
    assert len(calls) <= (len(fringe) + 1) * 2 ** len(search.scope)


@given(true_frames())
def test_claim_3_fringe_and_perimeter_bound_each_other_by_the_largest_degree(frame):
    degree = int(frame.board.neighbour_counts.max())
    assert len(frame.perimeter) <= degree * len(frame.fringe)
    assert len(frame.fringe) <= degree * len(frame.perimeter)


@given(small_frames(), st.randoms())
def test_renaming_the_cells_renames_the_answers_and_changes_none(frame, random):
    order = list(frame.board.cells)
    random.shuffle(order)
    cell_of = {name: cell for cell, name in enumerate(frame.board.names)}
    names = [frame.board.names[cell] for cell in order]
    edges = [(frame.board.names[a], frame.board.names[b]) for a, b in frame.board.edges()]
    renamed = Frame(
        Board.from_edges(edges, names), [int(frame.marks[cell_of[name]]) for name in names]
    )
    for solver in ("human", "brute", "backtrack"):
        ours, theirs = solve(frame, solver), solve(renamed, solver)
        assert set(ours.flag) == set(theirs.flag)
        assert set(ours.reveal) == set(theirs.reveal)


@settings(max_examples=200)
@given(true_frames())
def test_what_the_compiled_twin_finds_is_certain(frame):
    assume(len(frame.perimeter) <= 14)
    found = quick_moves(frame)
    exhaustive = solve(frame, "backtrack")
    assert set(found.flag_cells) <= set(exhaustive.flag_cells)
    assert set(found.reveal_cells) <= set(exhaustive.reveal_cells)
