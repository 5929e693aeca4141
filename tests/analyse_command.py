"""`sapper probabilities --json` on a position: what the page's overlays are held against."""

import json
import re
from typing import Any

from click.testing import CliRunner
from playwright.sync_api import Page

from sapper.board.position import Position
from sapper.cli.positions.analyse import probabilities
from sapper.render.probabilities import probability_overlays
from sapper.wording import percent_label

# What is read with a cell, and what the command says of it.
CERTAIN = {"certainly free": "free", "certainly a mine": "mine", "no probabilities": "?"}


def probabilities_of(position: str, *options: str) -> dict[str, Any]:
    """The answer of the command as an object."""
    result = CliRunner().invoke(probabilities, ["--json", *options, "-"], position)
    assert result.exit_code == 0, result.output
    answer: dict[str, Any] = json.loads(result.stdout)
    return answer


def labels_of(position: str) -> list[str]:
    """The probabilities of the command as an overlay writes them, in cell order."""
    return [percent_label(p) for p in probabilities_of(position)["probabilities"].values()]


def drawn_labels(position: str) -> list[str]:
    """The labels that a picture of the probabilities has, sorted: certain cells have signs instead."""
    position = Position.parse(position)
    shown = probability_overlays(position, probabilities_of(position)["probabilities"])[
        "labels"
    ].values()
    return sorted(label for label in shown if label not in ("free", "mine"))


def shown_labels(page: Page) -> list[str]:
    """The probabilities that are written over the board of a page, sorted."""
    labels: list[str] = page.locator(".over-label").all_text_contents()
    return sorted(label.removesuffix(" %") for label in labels)


def spoken_labels(page: Page) -> list[str]:
    """The probabilities that a reader hears with the cells, in cell order."""
    cells = page.locator("[data-cell]")
    spoken = cells.evaluate_all("cells => cells.map(cell => cell.getAttribute('aria-label'))")
    return [label for label in map(spoken_label, spoken) if label is not None]


def spoken_label(label: str) -> str | None:
    """The probabilities within the words of one cell, as `percent_label` writes them."""
    for words, short in CERTAIN.items():
        if words in label:
            return short
    found = re.search(r", mine (less than |more than )?([\d.]+) %", label)
    if found is None:
        return None
    return {"less than ": "<", "more than ": ">"}.get(found[1] or "", "") + found[2]
