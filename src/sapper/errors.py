"""Everything that Sapper raises on purpose.

SapperError
├── NotationError(ValueError)   text that cannot be read
├── RulesError(ValueError)      rules that cannot be dealt
├── UnknownName                 of a tiling, solver, player, ...; both of the above
├── WrongType(TypeError)        a value of another kind than a function takes
├── IllegalMove(ValueError)     not possible in this game
├── Contradiction               no solution
├── NotCertain                  asked to prove what does not follow
├── OutOfBudget                 a search stopped at its limit
├── Conflict                    somebody else has moved in this game
├── GameNotFound                  a game that is not kept here
│   └── WatchedGameNotFound             a watched game that is not kept any more
├── OutputClosed                  nobody reads the output of a command any more
└── Unavailable                 a thing that cannot be had: no such board, a missing extra

A message is one line in lower case: what was expected, then what came.
"""

from collections.abc import Iterable
from typing import Any


def nearest(word: object, names: Iterable[str]) -> str:
    """What an error says at its end where a word looks like a mistyped name, else nothing.

    >>> nearest("carful", ["random", "careful"]), nearest("perfect", ["random", "careful"])
    ('; did you mean careful?', '')
    """
    from difflib import get_close_matches  # not needed before something is wrong

    near = get_close_matches(word.lower(), names, 1) if isinstance(word, str) else []
    return f"; did you mean {near[0]}?" if near else ""


class SapperError(Exception):
    """The root of everything that Sapper raises on purpose."""


class NotationError(SapperError, ValueError):
    """Text that cannot be read."""


class RulesError(SapperError, ValueError):
    """Rules that cannot be dealt, or a board that cannot be made."""


class UnknownName(NotationError, RulesError):  # noqa: N818
    """A name that its family does not have; a bad word of a text and of rules alike."""


def unknown_name(kind: str, word: object, names: Iterable[str]) -> UnknownName:
    """The error for a word that is none of the *names*, with the near one where there is one.

    >>> str(unknown_name("a rule", "sade", ["any", "safe"]))
    "expected a rule (any, safe), got 'sade'; did you mean safe?"
    """
    known = tuple(names)
    return UnknownName(
        f"expected {kind} ({', '.join(known)}), got {word!r:.60}{nearest(word, known)}"
    )


class WrongType(SapperError, TypeError):  # noqa: N818
    """A value of another kind than a function takes, such as text for a position."""


class IllegalMove(SapperError, ValueError):  # noqa: N818 - named as players would say it
    """A move that is not possible in this game."""


class Contradiction(SapperError):  # noqa: N818
    """A position without any solution; `numbers` names cells that cannot all be met."""

    def __init__(self, message: str, numbers: tuple[str, ...] = (), uses_mine_count: bool = False):
        super().__init__(message)
        self.numbers = numbers
        self.uses_mine_count = uses_mine_count


class NotCertain(SapperError):  # noqa: N818
    """Asked to prove a move that does not follow from the position; `probability` are those of its cell."""

    def __init__(self, message: str, probability: float | None = None):
        super().__init__(message)
        self.probability = probability


class OutOfBudget(SapperError):  # noqa: N818
    """A search that stopped at its limit; `best` is the best that it had found, if anything."""

    def __init__(self, message: str, best: Any = None):
        super().__init__(message)
        self.best = best


class OutputClosed(SapperError):  # noqa: N818
    """Nobody reads the output of a command any more, as after `head`."""


class Unavailable(SapperError):  # noqa: N818
    """A thing that cannot be had: no such board exists, or an extra is not installed."""


class Conflict(SapperError):  # noqa: N818 - what happened, as a word
    """Somebody else has moved in this game: another page, or another server on the same file."""


class GameNotFound(SapperError):  # noqa: N818 - what the player hears
    """A game that is not in the store."""


class WatchedGameNotFound(GameNotFound):
    """A watched game that is not kept any more."""
