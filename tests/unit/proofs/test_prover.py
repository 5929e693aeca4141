import pytest

from sapper import Board, Position
from sapper.engine.budget import Budget, Limit
from sapper.errors import IllegalMove, NotationError, NotCertain, OutOfBudget
from sapper.proofs import proof_text, prover
from sapper.proofs.constraints import Constraints, initial_knowledge
from sapper.proofs.prover import explain, explain_all, find_contradiction

# The position that the human-like algorithm cannot solve (Slagle).
PAPER = Position.parse("#####\n#222#\n#2.2#\n#222#\n#####")

POSITIONS = {
    "paper": PAPER,
    "one number": Position.parse("#1#\n11#\n..."),
    "a number with its mines": Position.parse("F1#\n11#"),
    "pairs": Position.parse("######\n.1221."),
    "one-two": Position.parse("####\n1211"),
    "subset": Position.parse("1##\n1##\n###", mines=2),
    "count": Position.parse("1##\n1##\n###", mines=1),
    "count fills": Position.parse("1####", mines=4),
    "no mine left": Position.parse("####", mines=0),
    "count fills one": Position.parse("#1##", mines=2),
    "count beside a zero": Position.parse("0#\n##\n##", mines=2),
    "count beside zeros": Position.parse("#0#0##", mines=1),
    "count inside": Position.parse("#1#1#", mines=1),
    "hexagonal": Position.parse("board: hexagonal 4x3\nmines: 3\n###1\n#21.\n##1."),
    "torus": Position.parse("board: torus 4x4\n####\n#2##\n####\n#1##", mines=2),
    "graph": Position.of(
        Board.from_edges([("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("c", "e")]),
        {"a": 1, "c": 1},
        mines=1,
    ),
}


def test_proofs_in_words_match_the_golden_file(golden):
    lines = []
    for title, position in POSITIONS.items():
        for trust in (False, True) if len(position.flags) else (False,):
            lines.append(f"== {title}{', flags trusted' if trust else ''}")
            if position.board.tiling:
                lines.append(str(position))
            lines += [str(proof) for proof in explain_all(position, trust_flags=trust)] + [""]
    golden("proofs.txt", "\n".join(lines))


def test_cell_without_an_action_is_explained_by_its_certain_move():
    assert explain(PAPER, "r1c2") == explain(PAPER, "flag r1c2")
    assert explain(PAPER, "r1c1").move.action == "reveal"


def test_move_that_is_not_certain_is_refused_with_its_probability():
    position = POSITIONS["subset"]
    with pytest.raises(NotCertain, match=r"r1c2 .* is a mine with probability 50%$") as e:
        explain(position, "reveal r1c2")
    assert e.value.probability == 0.5
    with pytest.raises(NotCertain, match="r3c1 is certainly safe"):
        explain(position, "flag r3c1")
    with pytest.raises(NotCertain, match=r"r1c4 .* touches no number, and the mine count is unkn"):
        explain(Position.parse("1###"), "reveal r1c4")


@pytest.mark.parametrize(
    ("move", "error", "message"),
    [
        ("reveal r2c2", IllegalMove, "cannot explain r2c2: it is revealed and shows 2"),
        ("reveal r9c9", NotationError, "expected a cell of square 5x5, got 'r9c9'"),
        ("r6c1", NotationError, "expected a cell of square 5x5, got 'r6c1'"),
        ("chord r1c1", NotationError, "can only explain reveal and flag moves"),
        ("continue", NotationError, "can only explain reveal and flag moves"),
        ("jump r1c1", NotationError, "expected a move such as"),
        ("", NotationError, "expected a move such as"),
    ],
)
def test_moves_that_cannot_be_explained(move, error, message):
    with pytest.raises(error) as raised:
        explain(PAPER, move)
    assert message in str(raised.value)


def test_trusted_flags_are_known_mines_and_others_are_covered():
    position = Position.parse("F1#\n11#")
    assert explain(position, "reveal r1c3", trust_flags=True).numbers == ("r1c2",)
    with pytest.raises(IllegalMove, match="it is flagged, and flags are trusted"):
        explain(position, "flag r1c1", trust_flags=True)
    assert "r1c1" in [p.position.board.name(p.move.cell) for p in explain_all(position)]


def test_contradiction_says_what_is_wrong():
    for text, mines, line in [
        ("#FF", 1, "1 mine for 2 flags"),
        ("1#", 9, "9 mines for 1 covered cell"),
        ("1FF\nF##", None, "the 1 at r1c1 has 2 flags around it"),
        ("2F", None, "the 2 at r1c1 has only 1 covered cell around it"),
        ("1.#", None, "the 1 at r1c1 has no covered cell around it"),
        (".2#", None, "the 2 at r1c2 has only 1 covered cell around it"),
        ("#1#", 2, "the 1 at r1c2 and a mine count of 2 cannot both be right"),
        ("1#1F1", None, "the 1 at r1c1 and the 1 at r1c3 cannot both be right with these flags"),
    ]:
        found = find_contradiction(Position.parse(text, mines=mines), trust_flags=True)
        assert str(found) == f"impossible position: {line}"


def test_long_lists_are_shortened(monkeypatch):
    leaves = [f"l{i}" for i in range(20)]
    edges = [*(("p", leaf) for leaf in leaves), ("q", "l0"), ("q", "l1")]
    position = Position.of(Board.from_edges(edges), {"p": 19, "q": 1})
    assert explain(position, "flag l19").text == (
        "q allows only 1 mine in l0 and l1. p needs 19, so its other covered cells, "
        "l19, l2, l3, l4, l5, l6, l7 and 11 more, are mines."
    )
    monkeypatch.setattr(proof_text, "MAX_LISTED", 3)
    text = explain(PAPER, "reveal r1c3").text
    assert text.startswith("r2c2, r2c3 and 3 more allow only these mines: ")
    monkeypatch.setattr(proof_text, "MAX_STATES", 1)
    assert explain(PAPER, "r1c1").text.startswith("Many ways to place mines fit ")


def test_numbers_that_constrain_covered_cells_or_are_wrong_are_used():
    for text, cells, missing in [("F11#", [2], [1]), ("F1#", [1], [0]), ("F21#", [1, 2], [1, 1])]:
        position = Position.parse(text)
        constraints = Constraints.read(position, initial_knowledge(position, trust_flags=True))
        assert (constraints.cells.tolist(), constraints.missing.tolist()) == (cells, missing)


def test_proof_beyond_its_steps_is_irreducible_but_not_smallest(monkeypatch):
    monkeypatch.setattr(prover, "MAX_STEPS", 5)
    proofs = explain_all(PAPER)
    assert len(proofs) == 16
    not_smallest = [proof for proof in proofs if not proof.smallest]
    assert not_smallest
    for proof in not_smallest:
        for dropped in proof.number_cells:
            kept = [number for number in proof.number_cells if number != dropped]
            marks = {int(c): -1 for c in PAPER.revealed if int(c) not in kept}
            # Other numbers become covered cells here, so no additional move can be certain.
            with pytest.raises(NotCertain):
                explain(PAPER.with_marks(marks), proof.move)


def test_error_beyond_the_budget_has_the_proofs_so_far(monkeypatch):
    limit = Budget(seconds=60).start()
    find_proof = prover.Prover.proof
    found = []

    def proof(self, cell):
        if len(found) == 3:
            monkeypatch.setattr(Limit, "expired", True)
        found.append(cell)
        return find_proof(self, cell)

    monkeypatch.setattr(prover.Prover, "proof", proof)
    with pytest.raises(OutOfBudget, match="3 of 16 proofs found") as raised:
        explain_all(PAPER, budget=limit)
    assert len(raised.value.best) == 3
