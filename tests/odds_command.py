"""`sapper odds --json` on a frame: what the page's overlays are held against."""

import json
from typing import Any

from click.testing import CliRunner
from playwright.sync_api import Page

from sapper.cli.positions.odds import odds
from sapper.percent import percent_label


def odds_of(frame: str, *options: str) -> dict[str, Any]:
    """The answer of the command as an object."""
    result = CliRunner().invoke(odds, ["--json", *options, "-"], frame)
    assert result.exit_code == 0, result.output
    answer: dict[str, Any] = json.loads(result.stdout)
    return answer


def labels_of(frame: str) -> list[str]:
    """The odds of the command as an overlay writes them, in cell order."""
    return [percent_label(p) for p in odds_of(frame)["odds"].values()]


def shown_labels(page: Page) -> list[str]:
    """The odds that are written over the board of a page, in cell order."""
    labels: list[str] = page.locator(".over-label").all_text_contents()
    return labels


def spoken_labels(page: Page) -> list[str]:
    """The odds that a reader hears with the cells, in cell order."""
    cells = page.locator("[data-cell]")
    spoken = cells.evaluate_all("cells => cells.map(cell => cell.getAttribute('aria-label'))")
    found = [label.partition(", mine ")[2] for label in spoken]
    return [label.replace("below ", "<").replace("above ", ">") for label in found if label]
