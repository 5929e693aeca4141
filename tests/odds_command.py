"""`sapper odds --json` on a frame: what the page's overlays are held against."""

import json
from typing import Any

from click.testing import CliRunner

from sapper.cli.odds import odds


def odds_of(frame: str, *options: str) -> dict[str, Any]:
    """The answer of the command as an object."""
    result = CliRunner().invoke(odds, ["--json", *options, "-"], frame)
    assert result.exit_code == 0, result.output
    answer: dict[str, Any] = json.loads(result.stdout)
    return answer
