"""The public names of Sapper and the modules that define them.

`sapper/__init__.py` reads this file to import a name when it is first used, and so do type
checkers. Types that are only returned are documented in their modules.
"""

from .board.board import Board as Board
from .board.layout import Layout as Layout
from .board.move import Move as Move
from .board.position import COVERED as COVERED
from .board.position import FLAG as FLAG
from .board.position import Position as Position
from .board.rules import LEVELS as LEVELS
from .board.rules import Rules as Rules
from .board.tilings import TILINGS as TILINGS
from .board.tilings import tiling as tiling
from .engine.analysis import Analysis as Analysis
from .engine.analysis import analyse as analyse
from .engine.analysis import analyze as analyze
from .engine.batch import analyse_many as analyse_many
from .engine.budget import Budget as Budget
from .engine.sampling import sample as sample
from .errors import Contradiction as Contradiction
from .errors import IllegalMove as IllegalMove
from .errors import NotationError as NotationError
from .errors import NotCertain as NotCertain
from .errors import OutOfBudget as OutOfBudget
from .errors import RulesError as RulesError
from .errors import SapperError as SapperError
from .errors import Unavailable as Unavailable
from .formats.registry import FORMATS as FORMATS
from .games.game import Game as Game
from .games.play_many import play_many as play_many
from .games.review import review as review
from .games.session import Session as Session
from .games.setup import GameSetup as GameSetup
from .games.watch import watch as watch
from .games.win_chance import win_chance as win_chance
from .generators.grading import grade as grade
from .generators.layouts import generate as generate
from .generators.no_guess import NoGuessOptions as NoGuessOptions
from .generators.one_click import one_click as one_click
from .generators.paper_puzzles.make import check_paper_puzzle as check_paper_puzzle
from .generators.paper_puzzles.make import paper_puzzle as paper_puzzle
from .generators.paper_puzzles.make import paper_puzzles as paper_puzzles
from .generators.paper_puzzles.rules import paper_puzzle_rules as paper_puzzle_rules
from .generators.puzzles import puzzle as puzzle
from .generators.puzzles import puzzle_rules as puzzle_rules
from .generators.puzzles import puzzles as puzzles
from .generators.ratings import Rating as Rating
from .generators.ratings import update_rating as update_rating
from .lab.runners import RUNNERS as RUNNERS
from .pictures.reading import read as read
from .players.endgame import endgame as endgame
from .players.hints import hint as hint
from .players.perfect import perfect as perfect
from .players.registry import PLAYERS as PLAYERS
from .players.registry import advise as advise
from .proofs.difficulty import DIFFICULTIES as DIFFICULTIES
from .proofs.prover import explain as explain
from .proofs.prover import explain_all as explain_all
from .render.svg import position_svg as position_svg
from .render.svg import probability_svg as probability_svg
from .render.text import draw as draw
from .solvers.registry import SOLVERS as SOLVERS
from .solvers.registry import solve as solve

__version__: str
