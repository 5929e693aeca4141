"""What the page calls things: one table turns the words of the library into those of players.

The library says number, covered cell, solution, difficulty; a player says number, covered cell, way to place the
mines, difficulty. Sentences are made once, in the library's words, and pass through `on_page` on
their way to the page. `docs/glossary.md` shows the same table in its last column; a test holds the
two together, and another walks all texts of the page for words that are not said there.
"""

from __future__ import annotations

import re

from sapper.errors import Contradiction, OutOfBudget, WatchedGameNotFound
from sapper.proofs.difficulty import DIFFICULTIES

WORDS: dict[str, str] = {
    "number": "number",
    "covered": "covered cell",
    "solution": "way to place the mines",
    "position": "position",
    "front": "group",
    "difficulty": "difficulty_text",
    "hint": "help",
    "frontier": "covered cells beside numbers",
    "interior": "covered cells away from numbers",
    "frontier_numbers": "numbers beside covered cells",
}
"""The library's word, and the page's; both in the singular."""

PLURALS = {
    "way to place the mines": "ways to place the mines",
    "difficulty_text": "difficulties",
    "help": "help",
}
"""The page's words that do not take an s at their end."""

UNSAID = (
    *(word for word in WORDS if word != "solution"),
    "satisfactory",
)
"""What is never said on the page; their plurals neither."""

DIFFICULTY: dict[str, str] = {
    "one": "one number",
    "two": "two numbers",
    "three": "three numbers",
    "four": "four or more numbers",
    "count": "counting mines",
}
"""How hard a step is, in a player's words."""

FIRST_CLICK: dict[str, str] = {
    "zero": "first click opens an area",
    "safe": "first click is not a mine",
    "any": "first click may be a mine",
}
"""What the rules promise of the first click."""

# A search that ran out of its budget: what it was about, what is said of it, and the way out.
_TOO_LONG = (
    (
        re.compile(r"\b(table|share of mines)\b"),
        "no such puzzle was found in the time there is: "
        "try another size, fewer mines or another difficulty",
    ),
    (
        re.compile(r"\b(layouts?|boards?|deals?|no-guess)\b"),
        "no such board was found in the time there is: "
        "try fewer mines, a larger board, or allow guesses",
    ),
    (
        re.compile(""),
        "this position takes too long to work out: "
        "open or flag what you are sure of, and ask again",
    ),
)


def on_page(text: str) -> str:
    """A sentence of the library in the words of the page.

    >>> on_page("No covered cell is certainly free; numbers r1c1 and r1c2 leave 2 solutions.")
    'No covered cell is certainly free; numbers r1c1 and r1c2 leave 2 ways to place the mines.'
    """
    return _SAID.sub(lambda found: _spelled(found[0]), text)


def difficulty_text(difficulty: str) -> str:
    """How hard a step of this difficulty is; a difficulty of one's own goes by its label."""
    return DIFFICULTY.get(difficulty) or DIFFICULTIES.find(difficulty).label


def error_on_page(error: Exception) -> str:
    """The line for an error: what is wrong in a player's words, and the way out where there is one.

    >>> error_on_page(Contradiction("expected ...", ("r1c1", "r1c2")))
    'the numbers at r1c1 and r1c2 cannot all be right: change one of them'
    """
    if isinstance(error, Contradiction):
        return str(error)
    if isinstance(error, OutOfBudget):
        return next(line for about, line in _TOO_LONG if about.search(str(error)))
    if isinstance(error, WatchedGameNotFound):
        return "this game is not watched any more: press Watch to begin it anew"
    return on_page(str(error))


def _spelled(word: str) -> str:
    one = word.lower() in WORDS
    page = WORDS[word.lower() if one else word.lower().removesuffix("s")]
    page = page if one else PLURALS.get(page, f"{page}s")
    return page[0].upper() + page[1:] if word[0].isupper() else page


# The longest first, so that a solution is not taken for a solution.
_SAID = re.compile(
    rf"\b(?:{'|'.join(sorted(WORDS, key=len, reverse=True))})s?\b(?!-)", re.IGNORECASE
)
