"""The registry of kinds of worksheets."""

from sapper.registry import Registry
from sapper.worksheets.paper_puzzles import PAPER_PUZZLES
from sapper.worksheets.probabilities import PROBABILITIES
from sapper.worksheets.proofs import PROOFS

WORKSHEET_KINDS = Registry("kind of worksheet", (PAPER_PUZZLES, PROOFS, PROBABILITIES))
