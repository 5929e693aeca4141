"""Sapper: a Minesweeper toolkit that plays, solves, explains, deals, prints and measures.

Names are loaded when they are first used, so that importing the package stays quick.
"""

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

# Where each public name lives; docs and the test of the public surface read this table.
_HOMES: dict[str, str] = {
    "Board": "sapper.model.board",
    "Family": "sapper.model.family",
    "FamilyByName": "sapper.model.family",
    "TILINGS": "sapper.model.tilings",
    "Tiling": "sapper.model.tilings",
    "tiling": "sapper.model.tilings",
    "LEVELS": "sapper.model.rules",
    "Rule": "sapper.model.rules",
    "Rules": "sapper.model.rules",
    "BLANK": "sapper.model.frame",
    "FLAG": "sapper.model.frame",
    "Frame": "sapper.model.frame",
    "Layout": "sapper.model.layout",
    "Deal": "sapper.model.deal",
    "deal": "sapper.model.deal",
    "FORMATS": "sapper.model.formats",
    "Format": "sapper.model.formats",
    "Move": "sapper.model.move",
    "Dealer": "sapper.model.game",
    "Game": "sapper.model.game",
    "Outcome": "sapper.model.game",
    "Cancel": "sapper.infer.budget",
    "Limit": "sapper.infer.budget",
    "Analysis": "sapper.infer.odds.analysis",
    "Odds": "sapper.infer.odds.analysis",
    "analyse": "sapper.infer.odds.analysis",
    "analyse_many": "sapper.infer.odds.analysis",
    "sample": "sapper.play.samples",
    "Session": "sapper.play.session",
    "Start": "sapper.play.start",
    "Event": "sapper.play.session",
    "Result": "sapper.play.session",
    "Moment": "sapper.play.session",
    "Review": "sapper.play.review",
    "Judged": "sapper.play.review",
    "Luck": "sapper.play.review",
    "Missed": "sapper.play.review",
    "review": "sapper.play.review",
    "Budget": "sapper.infer.budget",
    "HumanSolver": "sapper.infer.slagle.human",
    "SOLVERS": "sapper.infer.solvers",
    "Solver": "sapper.infer.solvers",
    "GameSolver": "sapper.infer.solvers",
    "Deduction": "sapper.infer.solution",
    "Solution": "sapper.infer.solution",
    "solve": "sapper.infer.solvers",
    "Proof": "sapper.infer.proofs.prove",
    "explain": "sapper.infer.proofs.prove",
    "explain_all": "sapper.infer.proofs.prove",
    "RUNGS": "sapper.infer.ladder.rungs",
    "Rung": "sapper.infer.ladder.rungs",
    "Nudge": "sapper.infer.proofs.nudges",
    "Weighing": "sapper.infer.proofs.nudges",
    "Follow": "sapper.infer.proofs.follows",
    "Point": "sapper.infer.proofs.sentences",
    "nudge": "sapper.play.nudging",
    "Grade": "sapper.generate.grade",
    "grade": "sapper.generate.grade",
    "NoGuess": "sapper.generate.no_guess.make",
    "NoGuessRules": "sapper.generate.no_guess.make",
    "no_guess": "sapper.generate.no_guess.make",
    "Assured": "sapper.generate.no_guess.certificate",
    "Certificate": "sapper.generate.no_guess.certificate",
    "certify": "sapper.generate.no_guess.certificate",
    "OneClick": "sapper.generate.one_click.boards",
    "one_click": "sapper.generate.one_click.boards",
    "is_one_click": "sapper.generate.one_click.boards",
    "count_one_click": "sapper.generate.one_click.boards",
    "Table": "sapper.generate.tables.make",
    "TableRules": "sapper.generate.tables.make",
    "Verdict": "sapper.generate.tables.make",
    "check_table": "sapper.generate.tables.make",
    "make_table": "sapper.generate.tables.make",
    "make_tables": "sapper.generate.tables.make",
    "table_rules": "sapper.generate.tables.make",
    "Puzzle": "sapper.generate.puzzles.make",
    "PuzzleRules": "sapper.generate.puzzles.make",
    "Rating": "sapper.generate.puzzles.glicko",
    "make_puzzle": "sapper.generate.puzzles.make",
    "make_puzzles": "sapper.generate.puzzles.make",
    "puzzle_rules": "sapper.generate.puzzles.make",
    "rated": "sapper.generate.puzzles.glicko",
    "PLAYERS": "sapper.play.players",
    "Player": "sapper.play.players",
    "Mind": "sapper.play.rounds",
    "Choice": "sapper.play.rounds",
    "Guess": "sapper.play.guess",
    "Why": "sapper.play.rounds",
    "advise": "sapper.play.players",
    "Campaign": "sapper.play.games.campaign",
    "ThoughtfulSettings": "sapper.play.thoughtful.settings",
    "LearnedSettings": "sapper.play.learned.settings",
    "PlayerSettings": "sapper.play.settings",
    "PatientSettings": "sapper.play.patient.settings",
    "ShrewdSettings": "sapper.play.shrewd.settings",
    "Weighed": "sapper.play.guess",
    "FiftyFifty": "sapper.play.guess",
    "Endgame": "sapper.play.endgame.frames",
    "Part": "sapper.play.endgame.frames",
    "endgame": "sapper.play.endgame.frames",
    "Perfect": "sapper.play.endgame.perfect",
    "perfect": "sapper.play.endgame.perfect",
    "GamesTally": "sapper.play.games.tally",
    "play_many": "sapper.play.games.many",
    "play_each": "sapper.play.games.many",
    "Step": "sapper.play.watch",
    "Tally": "sapper.play.watch",
    "watch": "sapper.play.watch",
    "draw": "sapper.render.text",
    "board_svg": "sapper.render.svg",
    "frame_svg": "sapper.render.svg",
    "layout_svg": "sapper.render.svg",
    "odds_svg": "sapper.render.svg",
    "proof_svg": "sapper.render.svg",
    "RUNNERS": "sapper.lab.runners",
    "Runner": "sapper.lab.runners",
    "SapperError": "sapper.errors",
    "NotationError": "sapper.errors",
    "RulesError": "sapper.errors",
    "UnknownName": "sapper.errors",
    "WrongKind": "sapper.errors",
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
        WrongKind,
    )
    from sapper.generate.grade import Grade, grade
    from sapper.generate.no_guess.certificate import Assured, Certificate, certify
    from sapper.generate.no_guess.make import NoGuess, NoGuessRules, no_guess
    from sapper.generate.one_click.boards import OneClick, count_one_click, is_one_click, one_click
    from sapper.generate.puzzles.glicko import Rating, rated
    from sapper.generate.puzzles.make import (
        Puzzle,
        PuzzleRules,
        make_puzzle,
        make_puzzles,
        puzzle_rules,
    )
    from sapper.generate.tables.make import (
        Table,
        TableRules,
        Verdict,
        check_table,
        make_table,
        make_tables,
        table_rules,
    )
    from sapper.infer.budget import Budget, Cancel, Limit
    from sapper.infer.ladder.rungs import RUNGS, Rung
    from sapper.infer.odds.analysis import Analysis, Odds, analyse, analyse_many
    from sapper.infer.proofs.follows import Follow
    from sapper.infer.proofs.nudges import Nudge, Weighing
    from sapper.infer.proofs.prove import Proof, explain, explain_all
    from sapper.infer.proofs.sentences import Point
    from sapper.infer.slagle.human import HumanSolver
    from sapper.infer.solution import Deduction, Solution
    from sapper.infer.solvers import SOLVERS, GameSolver, Solver, solve
    from sapper.lab.runners import RUNNERS, Runner
    from sapper.model.board import Board
    from sapper.model.deal import Deal, deal
    from sapper.model.family import Family, FamilyByName
    from sapper.model.formats import FORMATS, Format
    from sapper.model.frame import BLANK, FLAG, Frame
    from sapper.model.game import Dealer, Game, Outcome
    from sapper.model.layout import Layout
    from sapper.model.move import Move
    from sapper.model.rules import LEVELS, Rule, Rules
    from sapper.model.tilings import TILINGS, Tiling, tiling
    from sapper.play.endgame.frames import Endgame, Part, endgame
    from sapper.play.endgame.perfect import Perfect, perfect
    from sapper.play.games.campaign import Campaign
    from sapper.play.games.many import play_each, play_many
    from sapper.play.games.tally import GamesTally
    from sapper.play.guess import FiftyFifty, Guess, Weighed
    from sapper.play.learned.settings import LearnedSettings
    from sapper.play.nudging import nudge
    from sapper.play.patient.settings import PatientSettings
    from sapper.play.players import PLAYERS, Player, advise
    from sapper.play.review import Judged, Luck, Missed, Review, review
    from sapper.play.rounds import Choice, Mind, Why
    from sapper.play.samples import sample
    from sapper.play.session import Event, Moment, Result, Session
    from sapper.play.settings import PlayerSettings
    from sapper.play.shrewd.settings import ShrewdSettings
    from sapper.play.start import Start
    from sapper.play.thoughtful.settings import ThoughtfulSettings
    from sapper.play.watch import Step, Tally, watch
    from sapper.render.svg import board_svg, frame_svg, layout_svg, odds_svg, proof_svg
    from sapper.render.text import draw
