"""The pictures of docs/how-it-works/one-click.md."""

import importlib.util
import re
from pathlib import Path

from sapper import Layout
from sapper.generators.one_click import is_one_click

PAGE = Path(__file__).parents[4] / "docs" / "how-it-works" / "one-click.md"


def load_script():
    spec = importlib.util.spec_from_file_location(
        "one_click_pictures", PAGE.parent / "one_click_pictures.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_page_shows_exactly_the_pictures_that_the_script_draws():
    shown = set(re.findall(r"pictures/(one-click-[a-z-]+\.svg)", PAGE.read_text()))
    assert shown == set(load_script().pictures())
    for name in shown:
        assert (PAGE.parent / "pictures" / name).read_text().startswith("<svg")


def test_openings_of_the_proof_are_won_by_their_click():
    openings = {name: Layout.parse(text) for name, text in load_script().OPENINGS.items()}
    sizes = {name: len(one.board) - one.mine_count for name, one in openings.items()}
    assert sizes == {"corner": 4, "edge": 6, "run": 8, "around": 8, "inner": 9}
    assert all(map(is_one_click, openings.values()))
