"""The numbers and premises of hints prove their moves, by an independent search."""

import itertools
import random
from collections import Counter
from collections.abc import Iterator

import pytest

import sapper
from sapper import FLAG, TILINGS, Position
from sapper.serialize.cells import BY_INDEX
from sapper.serialize.positions import hint_json
from tests.oracle.naive_hints import proves
from tests.sampling import cases

# Mines on 8x8 for which all difficulties occur.
MINES = {"square": 14, "torus": 13, "hexagonal": 16, "triangular": 9, "triangular-edge": 20}


def positions(kind: str, seeds: Iterator[int]) -> Iterator[Position]:
    """Yield positions of games that follow the hints, with random flags, some of them wrong."""
    rules = sapper.Rules.parse(f"8x8/{MINES[kind]}", kind, "zero")
    for seed in seeds:
        rng = random.Random(seed)
        game = sapper.Game.new(rules, seed)
        game.play(f"reveal {rules.board.name(rules.board.middle)}")
        while not game.over:
            yield with_random_flags(game, rng)
            hint = sapper.hint(game.position, 4)
            if not hint.certain:
                covered = game.position.covered.tolist()
                safe = [c for c in covered if not game.layout.mine_mask[c]]
                game.play(sapper.Move("reveal", rng.choice(safe)))
            elif hint.moves[0].action == "reveal":
                game.play(hint.moves[0])
            else:
                for move in hint.moves:
                    game.play(move)


def with_random_flags(game: sapper.Game, rng: random.Random) -> Position:
    """Return a game's position with some mines flagged; one in ten has a random flag too."""
    covered = game.position.covered.tolist()
    mines = [c for c in covered if game.layout.mine_mask[c]]
    flags = rng.sample(mines, rng.randint(0, len(mines)))
    if rng.random() < 0.1:
        flags.append(rng.choice(covered))
    return game.position.with_marks(dict.fromkeys(flags, FLAG))


def check_hint(position: Position) -> str | None:
    """Check the JSON of a hint, as the page gets it; return its difficulty, or None for a guess."""
    hint = hint_json(sapper.hint(position, 3), BY_INDEX)
    if not hint["certain"]:
        return None
    marks, board = position.marks.tolist(), position.board
    known = [premise["cell"] for premise in hint["premises"]]
    total = position.mines if hint["uses_mine_count"] else None
    assert hint["moves"]
    for move in hint["moves"]:
        is_mine = move["action"] == "flag"
        assert proves(board, marks, hint["numbers"], known, total, move["cell"], is_mine), hint
        # A correct flag is not a move; a wrong one is removed.
        assert (marks[move["cell"]] == FLAG) == (move["action"] == "unflag")
    for premise in hint["premises"]:
        cell, is_mine = premise["cell"], premise["is"] == "mine"
        total = position.mines if premise["uses_mine_count"] else None
        assert premise["flagged"] == (marks[cell] == FLAG)
        assert proves(board, marks, premise["numbers"], (), total, cell, is_mine), premise
    if any(marks[c] == FLAG for c in sapper.analyse(position).safe_cells.tolist()):
        assert hint["wrong_flag"] and hint["moves"][0]["action"] == "unflag"
    return str(hint["difficulty"])


@pytest.mark.parametrize("kind", TILINGS)
def test_numbers_and_premises_of_hints_prove_the_moves(kind):
    seen: Counter[str] = Counter()
    for position in positions(kind, itertools.count(1)):
        difficulty = check_hint(position)
        # At least a tenth of the hints are of another difficulty than the most frequent one.
        if difficulty is not None and seen[difficulty] < cases(18):
            seen[difficulty] += 1
        if seen.total() == cases(20):
            break
