"""The exceptions that Sapper raises.

SapperError
├── NotationError(ValueError)   text that cannot be read
├── RulesError(ValueError)      impossible rules, or a board that cannot be made
│   └── FieldError              a wrong value in a form of the page
├── UnknownName                 an unknown tiling, solver, ...: a NotationError and a RulesError
├── WrongType(TypeError)        an argument of the wrong type
├── IllegalMove(ValueError)     a move that is not possible in this game
├── Contradiction               a position without any solution
├── NotCertain                  a move that cannot be proved
├── OutOfBudget                 a search that stopped at its limit
├── Conflict                    a game that was changed by another window
├── NotFound                    a game, puzzle, lesson or link that does not exist
│   └── WatchedGameNotFound     a watched game that is no longer stored
├── Unavailable                 a board that does not exist, or a missing extra
└── WorkersLost                 workers or a scheduler that have disappeared

A message is one line in lower case that states the problem and the offending value.
"""

from collections.abc import Iterable
from typing import Any

from sapper.sentences import Sentence


def did_you_mean(word: object, names: Iterable[str]) -> str:
    """Return the end of an error message that suggests a similar name, or an empty string.

    >>> did_you_mean("carful", ["random", "careful"]), did_you_mean("x", ["random", "careful"])
    ("; did you mean 'careful'?", '')
    """
    from difflib import get_close_matches  # only needed for errors

    matches = get_close_matches(word.lower(), names, 1) if isinstance(word, str) else []
    return f"; did you mean {matches[0]!r}?" if matches else ""


class SapperError(Exception):
    """The base class of all exceptions of Sapper."""


class NotationError(SapperError, ValueError):
    """Text that cannot be read."""


class RulesError(SapperError, ValueError):
    """Impossible rules, or a board that cannot be made."""


class FieldError(RulesError):
    """A wrong value in a form of the page, with the name of its field."""

    def __init__(self, field: str, message: str):
        super().__init__(message)
        self.field = field


class UnknownName(NotationError, RulesError):  # noqa: N818
    """A name that is not in its registry."""


def unknown_name(noun: str, name: object, names: Iterable[str]) -> UnknownName:
    """Return the error for a name that is not among *names*; *noun* says what they name.

    >>> str(unknown_name("rule", "sade", ["any", "safe"]))
    "no such rule 'sade'; did you mean 'safe'?"
    >>> str(unknown_name("rule", "never", ["any", "safe"]))
    "no such rule 'never'; choose from any, safe"
    """
    known = tuple(names)
    help_text = did_you_mean(name, known) or f"; choose from {', '.join(known)}"
    return UnknownName(f"no such {noun} {name!r:.60}{help_text}")


class WrongType(SapperError, TypeError):  # noqa: N818
    """An argument of the wrong type."""


class IllegalMove(SapperError, ValueError):  # noqa: N818
    """A move that is not possible in this game."""


class Contradiction(SapperError):  # noqa: N818
    """A position that has no solution.

    `number_cells` are cells whose numbers contradict each other, together with the mine count if
    `uses_mine_count`. `sentence` is the message with references to cells, for a view of the board.
    """

    def __init__(
        self,
        message: str,
        number_cells: tuple[int, ...] = (),
        uses_mine_count: bool = False,
        sentence: Sentence = (),
    ):
        super().__init__(message)
        self.number_cells = number_cells
        self.uses_mine_count = uses_mine_count
        self.sentence = sentence or (message,)


class NotCertain(SapperError):  # noqa: N818
    """A move that cannot be proved; `probability` is the probability of a mine in its cell."""

    def __init__(self, message: str, probability: float | None = None):
        super().__init__(message)
        self.probability = probability


class OutOfBudget(SapperError):  # noqa: N818
    """A search that was stopped by its time or memory limit.

    `best` is the best result so far. `problem` is the message without *remedy*, which names the
    option or the argument that raises the limit.
    """

    def __init__(self, problem: str, best: Any = None, remedy: str = ""):
        super().__init__(f"{problem}; {remedy}" if remedy else problem)
        self.problem = problem
        self.best = best


class Unavailable(SapperError):  # noqa: N818
    """A board that does not exist, or an extra that is not installed."""


class WorkersLost(SapperError):  # noqa: N818
    """Workers that have disappeared, or their scheduler."""


class Conflict(SapperError):  # noqa: N818
    """A game that was changed by another window, or by another server on the same file."""


class NotFound(SapperError):  # noqa: N818
    """A game, puzzle, lesson, document or link that does not exist, or no longer."""


class WatchedGameNotFound(NotFound):
    """A watched game that is no longer stored."""
