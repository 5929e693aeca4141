"""`sapper analyse --json` on a position: what the page's overlays are compared with."""

import json
import re
from typing import Any

from click.testing import CliRunner
from playwright.sync_api import Page

from sapper.board.position import Position
from sapper.cli.commands.analyse import analyse
from sapper.render.scene import probability_overlays
from sapper.wording import percent_label

# What a screen reader reads for a certain cell, and the label of the command.
CERTAIN = {"certainly safe": "safe", "certainly a mine": "mine", "probability unknown": "?"}


def probabilities_of(position: str, *options: str) -> dict[str, Any]:
    """Return the JSON of the command."""
    result = CliRunner().invoke(analyse, ["--json", *options, "-"], position)
    assert result.exit_code == 0, result.output
    answer: dict[str, Any] = json.loads(result.stdout)
    return answer


def labels_of(position: str) -> list[str]:
    """Return the probabilities of the command as overlay labels, in cell order."""
    return [percent_label(p) for p in probabilities_of(position)["probabilities"].values()]


def drawn_labels(text: str) -> list[str]:
    """Return the labels of a picture, sorted; certain cells have signs instead."""
    probabilities = probabilities_of(text)["probabilities"]
    labels = probability_overlays(Position.parse(text), probabilities)["labels"].values()
    return sorted(label for label in labels if label not in ("safe", "mine"))


def shown_labels(page: Page) -> list[str]:
    """Return the probabilities shown on the board of a page, sorted."""
    labels: list[str] = page.locator(".over-label").all_text_contents()
    return sorted(label.removesuffix("%") for label in labels)


def spoken_labels(page: Page) -> list[str]:
    """Return the probabilities in the accessible names of the cells, in cell order."""
    cells = page.locator("[data-cell]")
    spoken = cells.evaluate_all("cells => cells.map(cell => cell.getAttribute('aria-label'))")
    return [label for label in map(spoken_label, spoken) if label is not None]


def spoken_label(label: str) -> str | None:
    """Return the probability in the accessible name of a cell, as `percent_label` writes it."""
    for words, short in CERTAIN.items():
        if words in label:
            return short
    match = re.search(r", mine (less than |more than |)([\d.]+) ?%", label)
    if match is None:
        return None
    return {"less than ": "<", "more than ": ">", "": ""}[match[1]] + match[2]
