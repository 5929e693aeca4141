"""Sapper: a Minesweeper toolkit that plays, solves, explains, deals, prints and measures.

Names are loaded when they are first used, so that importing the package stays quick.
"""

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

# Where each public name lives; docs and the test of the public surface read this table.
_HOMES: dict[str, str] = {
    "Board": "sapper.board.board",
    "Registry": "sapper.registry",
    "RegistryByName": "sapper.registry",
    "TILINGS": "sapper.board.tilings",
    "Tiling": "sapper.board.tilings",
    "tiling": "sapper.board.tilings",
    "LEVELS": "sapper.board.rules",
    "Rule": "sapper.board.rules",
    "Rules": "sapper.board.rules",
    "COVERED": "sapper.board.position",
    "FLAG": "sapper.board.position",
    "Position": "sapper.board.position",
    "Layout": "sapper.board.layout",
    "GeneratedLayout": "sapper.board.random_layout",
    "deal": "sapper.board.random_layout",
    "FORMATS": "sapper.formats.registry",
    "Format": "sapper.formats.registry",
    "Move": "sapper.board.move",
    "LayoutSource": "sapper.games.game",
    "Game": "sapper.games.game",
    "Outcome": "sapper.games.game",
    "Cancel": "sapper.engine.budget",
    "Limit": "sapper.engine.budget",
    "Analysis": "sapper.engine.analysis",
    "Probabilities": "sapper.engine.analysis",
    "analyse": "sapper.engine.analysis",
    "analyse_many": "sapper.engine.analysis",
    "sample": "sapper.games.samples",
    "Session": "sapper.games.session",
    "GameSetup": "sapper.games.setup",
    "SessionEvent": "sapper.games.session",
    "GameResult": "sapper.games.session",
    "HistoryEntry": "sapper.games.session",
    "Review": "sapper.games.review",
    "ReviewedMove": "sapper.games.review",
    "Luck": "sapper.games.review",
    "MissedCell": "sapper.games.review",
    "review": "sapper.games.review",
    "Budget": "sapper.engine.budget",
    "HumanSolver": "sapper.solvers.human",
    "SOLVERS": "sapper.solvers.registry",
    "Solver": "sapper.solvers.registry",
    "IncrementalSolver": "sapper.solvers.registry",
    "Deduction": "sapper.solvers.result",
    "SolverResult": "sapper.solvers.result",
    "solve": "sapper.solvers.registry",
    "Proof": "sapper.proofs.prover",
    "explain": "sapper.proofs.prover",
    "explain_all": "sapper.proofs.prover",
    "DIFFICULTIES": "sapper.proofs.difficulty",
    "Difficulty": "sapper.proofs.difficulty",
    "Hint": "sapper.proofs.hints",
    "HintCandidate": "sapper.proofs.hints",
    "Premise": "sapper.proofs.premises",
    "CellRef": "sapper.sentences",
    "hint": "sapper.players.hints",
    "Grade": "sapper.generators.grading",
    "grade": "sapper.generators.grading",
    "NoGuessLayout": "sapper.generators.no_guess",
    "NoGuessOptions": "sapper.generators.no_guess",
    "no_guess": "sapper.generators.no_guess",
    "CertificateStep": "sapper.generators.certificates",
    "Certificate": "sapper.generators.certificates",
    "certify": "sapper.generators.certificates",
    "OneClickResult": "sapper.generators.one_click.boards",
    "one_click": "sapper.generators.one_click.boards",
    "is_one_click": "sapper.generators.one_click.boards",
    "count_one_click": "sapper.generators.one_click.boards",
    "PaperPuzzle": "sapper.generators.paper_puzzles.make",
    "PaperPuzzleRules": "sapper.generators.paper_puzzles.make",
    "PaperPuzzleCheck": "sapper.generators.paper_puzzles.make",
    "check_paper_puzzle": "sapper.generators.paper_puzzles.make",
    "make_paper_puzzle": "sapper.generators.paper_puzzles.make",
    "make_paper_puzzles": "sapper.generators.paper_puzzles.make",
    "paper_puzzle_rules": "sapper.generators.paper_puzzles.make",
    "Puzzle": "sapper.generators.puzzles.make",
    "PuzzleRules": "sapper.generators.puzzles.make",
    "Rating": "sapper.generators.puzzles.glicko",
    "make_puzzle": "sapper.generators.puzzles.make",
    "make_puzzles": "sapper.generators.puzzles.make",
    "puzzle_rules": "sapper.generators.puzzles.make",
    "update_rating": "sapper.generators.puzzles.glicko",
    "PLAYERS": "sapper.players.registry",
    "Player": "sapper.players.registry",
    "Agent": "sapper.players.agents",
    "Choice": "sapper.players.agents",
    "Guess": "sapper.players.guess",
    "Why": "sapper.players.agents",
    "advise": "sapper.players.registry",
    "Campaign": "sapper.games.campaign",
    "ThoughtfulSettings": "sapper.players.thoughtful_settings",
    "LearnedSettings": "sapper.players.learned_settings",
    "PlayerSettings": "sapper.players.settings",
    "PatientSettings": "sapper.players.patient_settings",
    "ShrewdSettings": "sapper.players.shrewd_settings",
    "Candidate": "sapper.players.guess",
    "FiftyFifty": "sapper.players.guess",
    "Endgame": "sapper.players.endgame.solve",
    "Part": "sapper.players.endgame.solve",
    "endgame": "sapper.players.endgame.solve",
    "Perfect": "sapper.players.endgame.perfect",
    "perfect": "sapper.players.endgame.perfect",
    "GamesTally": "sapper.games.tally",
    "play_many": "sapper.games.many",
    "play_each": "sapper.games.many",
    "WatchStep": "sapper.games.watch",
    "MoveTally": "sapper.games.watch",
    "watch": "sapper.games.watch",
    "draw": "sapper.render.text",
    "board_svg": "sapper.render.svg",
    "position_svg": "sapper.render.svg",
    "layout_svg": "sapper.render.svg",
    "probability_svg": "sapper.render.svg",
    "proof_svg": "sapper.render.svg",
    "RUNNERS": "sapper.lab.runners",
    "Runner": "sapper.lab.runners",
    "SapperError": "sapper.errors",
    "NotationError": "sapper.errors",
    "RulesError": "sapper.errors",
    "UnknownName": "sapper.errors",
    "WrongType": "sapper.errors",
    "IllegalMove": "sapper.errors",
    "Contradiction": "sapper.errors",
    "NotCertain": "sapper.errors",
    "OutOfBudget": "sapper.errors",
    "Unavailable": "sapper.errors",
}

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'sapper' has no attribute {name!r}")
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


if TYPE_CHECKING:
    from sapper.board.board import Board
    from sapper.board.layout import Layout
    from sapper.board.move import Move
    from sapper.board.position import COVERED, FLAG, Position
    from sapper.board.random_layout import GeneratedLayout, deal
    from sapper.board.rules import LEVELS, Rule, Rules
    from sapper.board.tilings import TILINGS, Tiling, tiling
    from sapper.engine.analysis import Analysis, Probabilities, analyse, analyse_many
    from sapper.engine.budget import Budget, Cancel, Limit
    from sapper.errors import (
        Contradiction,
        IllegalMove,
        NotationError,
        NotCertain,
        OutOfBudget,
        RulesError,
        SapperError,
        Unavailable,
        UnknownName,
        WrongType,
    )
    from sapper.formats.registry import FORMATS, Format
    from sapper.games.campaign import Campaign
    from sapper.games.game import Game, LayoutSource, Outcome
    from sapper.games.many import play_each, play_many
    from sapper.games.review import Luck, MissedCell, Review, ReviewedMove, review
    from sapper.games.samples import sample
    from sapper.games.session import GameResult, HistoryEntry, Session, SessionEvent
    from sapper.games.setup import GameSetup
    from sapper.games.tally import GamesTally
    from sapper.games.watch import MoveTally, WatchStep, watch
    from sapper.generators.certificates import Certificate, CertificateStep, certify
    from sapper.generators.grading import Grade, grade
    from sapper.generators.no_guess import NoGuessLayout, NoGuessOptions, no_guess
    from sapper.generators.one_click.boards import (
        OneClickResult,
        count_one_click,
        is_one_click,
        one_click,
    )
    from sapper.generators.paper_puzzles.make import (
        PaperPuzzle,
        PaperPuzzleCheck,
        PaperPuzzleRules,
        check_paper_puzzle,
        make_paper_puzzle,
        make_paper_puzzles,
        paper_puzzle_rules,
    )
    from sapper.generators.puzzles.glicko import Rating, update_rating
    from sapper.generators.puzzles.make import (
        Puzzle,
        PuzzleRules,
        make_puzzle,
        make_puzzles,
        puzzle_rules,
    )
    from sapper.lab.runners import RUNNERS, Runner
    from sapper.players.agents import Agent, Choice, Why
    from sapper.players.endgame.perfect import Perfect, perfect
    from sapper.players.endgame.solve import Endgame, Part, endgame
    from sapper.players.guess import Candidate, FiftyFifty, Guess
    from sapper.players.hints import hint
    from sapper.players.learned_settings import LearnedSettings
    from sapper.players.patient_settings import PatientSettings
    from sapper.players.registry import PLAYERS, Player, advise
    from sapper.players.settings import PlayerSettings
    from sapper.players.shrewd_settings import ShrewdSettings
    from sapper.players.thoughtful_settings import ThoughtfulSettings
    from sapper.proofs.difficulty import DIFFICULTIES, Difficulty
    from sapper.proofs.hints import Hint, HintCandidate
    from sapper.proofs.premises import Premise
    from sapper.proofs.prover import Proof, explain, explain_all
    from sapper.registry import Registry, RegistryByName
    from sapper.render.svg import board_svg, layout_svg, position_svg, probability_svg, proof_svg
    from sapper.render.text import draw
    from sapper.sentences import CellRef
    from sapper.solvers.human import HumanSolver
    from sapper.solvers.registry import SOLVERS, IncrementalSolver, Solver, solve
    from sapper.solvers.result import Deduction, SolverResult
