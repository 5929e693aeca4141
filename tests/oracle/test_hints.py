"""The numbers and premises of hints prove their moves, by an independent search."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

import sapper
from sapper.board.position import COVERED, FLAG, Position
from sapper.board.tilings import TILINGS, tiling
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.serialize.cells import BY_INDEX
from sapper.serialize.moves import hint_json
from tests.oracle.naive_hints import proves

# Mines on 8x8 for which all difficulties occur.
MINES = {"square": 14, "torus": 13, "hexagonal": 16, "triangular": 9, "triangular-edge": 20}


def positions(kind: str, seeds: Iterator[int]) -> Iterator[Position]:
    """Positions of games played by hints, with flags of which some are wrong."""
    rules = sapper.Rules.parse(f"8x8/{MINES[kind]}", kind, "zero")
    for seed in seeds:
        rng = random.Random(seed)
        game = sapper.Game.new(rules, seed)
        game.play(f"reveal {rules.board.name(rules.board.middle)}")
        while not game.over:
            yield flagged(game, rng)
            found = sapper.hint(game.position, 4)
            safe = [c for c in game.board.cells if game.position.marks[c] == COVERED]
            safe = [c for c in safe if not game.layout.mine_mask[c]]
            if found.certain and all(move.action == "flag" for move in found.moves):
                for move in found.moves:
                    game.play(move)
            elif found.certain:
                game.play(found.moves[0])
            else:
                game.play(f"reveal {game.board.name(rng.choice(safe))}")


def flagged(game: sapper.Game, rng: random.Random) -> Position:
    """The position of a game with some of its mines flagged; one time in ten a flag is wrong."""
    covered = game.position.covered.tolist()
    mines = [c for c in covered if game.layout.mine_mask[c]]
    flags = rng.sample(mines, rng.randint(0, len(mines)))
    if rng.random() < 0.1:
        flags.append(rng.choice(covered))
    return game.position.with_marks(dict.fromkeys(flags, FLAG))


def check(position: Position) -> str | None:
    """Check a hint as the page gets it; return its difficulty, or None for a guess."""
    found = hint_json(sapper.hint(position, 3), BY_INDEX)
    if not found["certain"]:
        return None
    marks, board = position.marks.tolist(), position.board
    known = [one["cell"] for one in found["premises"]]
    total = position.mines if found["uses_mine_count"] else None
    assert found["moves"]
    for move in found["moves"]:
        is_mine = move["action"] == "flag"
        assert proves(board, marks, found["numbers"], known, total, move["cell"], is_mine), found
        # A correct flag is not a move; a wrong one is removed.
        assert (marks[move["cell"]] == FLAG) == (move["action"] == "unflag")
    for one in found["premises"]:
        total = position.mines if one["uses_mine_count"] else None
        assert one["flagged"] == (marks[one["cell"]] == FLAG)
        assert proves(board, marks, one["numbers"], (), total, one["cell"], one["is"] == "mine"), (
            one
        )
    if any(marks[c] == FLAG for c in sapper.analyse(position).safe_cells.tolist()):
        assert found["wrong_flag"] and found["moves"][0]["action"] == "unflag"
    difficulty: str = found["difficulty"]
    return difficulty


def check_many(kind: str, hints: int, first_seed: int, max_per_difficulty: int) -> Counter[str]:
    """Check *hints* hints; at most *max_per_difficulty* of one difficulty are counted."""
    seen: Counter[str] = Counter()
    for position in positions(kind, iter(range(first_seed, first_seed + 10_000))):
        difficulty = check(position)
        if difficulty is not None and seen[difficulty] < max_per_difficulty:
            seen[difficulty] += 1
        if seen.total() == hints:
            return seen
    raise AssertionError("too few games")


@pytest.mark.parametrize("kind", TILINGS)
def test_numbers_and_premises_of_hints_prove_the_moves(kind):
    check_many(kind, 20, first_seed=1, max_per_difficulty=18)


@pytest.mark.slow
def test_numbers_and_premises_of_a_thousand_hints_prove_the_moves():
    seen: Counter[str] = Counter()
    for kind in TILINGS:
        # Here no two numbers share two covered cells, so nearly all steps need one number.
        most = 180 if kind == "triangular-edge" else 110
        counts = check_many(kind, 200, first_seed=100, max_per_difficulty=most)
        print(kind, dict(counts))  # noqa: T201 - figures for the developer
        seen += counts
    print("in all", dict(seen))  # noqa: T201
    assert seen.total() == 1000
    assert set(seen) == {difficulty.name for difficulty in DIFFICULTIES.values()}


def test_the_reference_refuses_incomplete_proofs():
    board = tiling("square", 3, 3)
    marks = [1, -1, -1, 1, -1, -1, -1, -1, -1]
    assert proves(board, marks, (0, 3), (), None, 6, is_mine=False)
    assert not proves(board, marks, (3,), (), None, 6, is_mine=False)
    assert not proves(board, marks, (0, 3), (), None, 6, is_mine=True)
    assert proves(board, marks, (3,), (1,), None, 6, is_mine=False)
