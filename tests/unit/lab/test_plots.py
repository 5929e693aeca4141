"""Plots: their texts, and reproducible bytes."""

import sys
from unittest.mock import Mock

import pytest

from sapper import Board, NotationError, Rules, Unavailable
from sapper.games.campaign import Campaign
from sapper.games.play_many import wilson
from sapper.lab.plots import FILE_FORMATS, PLOTS, _draw_by_first_cell, _draw_rates, draw_plot
from sapper.lab.results import CampaignTotals
from sapper.players.registry import PLAYERS

pytest.importorskip("matplotlib")


def totals(size="9x9/10", player="careful", first="r1c1", wins=60, settings=None):
    entry = PLAYERS.find(player).with_settings(settings or {})
    one = Campaign.of(size, entry, 100, 1, "safe", first)
    return CampaignTotals(one, (one.seeds,), wins, (50, 30, 20), 1.0, ("0.1.0",))


BY_MINES = [totals(f"9x9/{m}", p) for m in (5, 10, 15) for p in ("human", "careful")]
BY_FIRST = [totals(first=first, wins=50 + i) for i, first in enumerate(("r1c1", "r1c2", "r2c2"))]


def text_of(data):
    return data.decode().replace("\n", " ")


@pytest.fixture(autouse=True)
def svg_text(monkeypatch):
    """Keep text as text in the SVG, so that the tests can read it."""
    import matplotlib

    monkeypatch.setitem(matplotlib.rcParams, "svg.fonttype", "none")


@pytest.mark.parametrize(
    ("kind", "format"),
    [
        *((kind, "svg") for kind in PLOTS.names),
        *(("guesses", format) for format in FILE_FORMATS[1:]),
    ],
)
def test_plots_are_reproducible_in_every_format(kind, format):
    drawn = BY_FIRST if kind == "first" else BY_MINES
    data = draw_plot(drawn, format, kind)
    assert data.startswith({"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[format])
    assert draw_plot(drawn, format, kind) == data


def test_legend_names_what_differs_and_the_title_what_is_shared():
    text = text_of(draw_plot(BY_MINES, "svg"))
    assert "square 9x9, safe, r1c1" in text
    assert ">human<" in text and ">careful<" in text
    assert "mines (% of the cells)" in text
    assert "100 games each, seeds 1 to 100; bands are Wilson's 95% intervals" in text


def test_rates_are_drawn_in_percent_with_their_intervals():
    axes = Mock()
    _draw_rates(axes, BY_MINES, [60, 70] * 3, "won (%)")
    for hits, line, band in zip(
        (60, 70), axes.plot.call_args_list, axes.fill_between.call_args_list, strict=True
    ):
        densities = [100 * mines / 81 for mines in (5, 10, 15)]
        low, high = wilson(hits, 100)
        drawn = (*line.args, *band.args)
        expected = (densities, [hits] * 3, densities, [100 * low] * 3, [100 * high] * 3)
        for values, wanted in zip(drawn, expected, strict=True):
            assert list(values) == pytest.approx(wanted)
    assert [line.kwargs["label"] for line in axes.plot.call_args_list] == ["human", "careful"]


def test_first_cells_are_drawn_on_the_board_with_their_mirror_images():
    text = text_of(draw_plot(BY_FIRST, "svg"))
    assert "careful, square 9x9, 10 mines, safe" in text and "the star is the best" in text
    # Four corners, eight cells beside them, four diagonal ones.
    assert text.count('style="fill') >= 16


def test_star_is_in_the_middle_of_the_best_first_cell():
    axes = Mock()
    note = _draw_by_first_cell(axes, BY_FIRST)
    (star,) = axes.plot.call_args_list
    assert star.args == pytest.approx((1.5, 1.5)) and star.kwargs["marker"] == "*"
    low, high = wilson(50, 100)
    assert note == f"each within {50 * (high - low):.2g} points (95%); the star is the best"
    (cells,) = axes.add_collection.call_args.args
    # Four corners, eight cells beside them, four diagonal ones.
    assert sorted(cells.get_array()) == [50] * 4 + [51] * 8 + [52] * 4
    # Square cells, with the first row at the top.
    axes.set_aspect.assert_called_once_with("equal")
    axes.invert_yaxis.assert_called_once_with()


def test_one_campaign_shows_its_guesses():
    text = text_of(draw_plot([totals()], "svg"))
    assert "guesses in a game" in text and "careful: 0.70 per game" in text


def test_settings_are_part_of_the_legend():
    drawn = [totals(player="thoughtful", settings={"blend": blend}) for blend in (0.5, 0.8)]
    text = text_of(draw_plot(drawn, "svg"))
    assert "thoughtful blend=0.5" in text and ">thoughtful: " in text


def test_impossible_plots_are_refused():
    ring = Board.from_edges([(str(i), str((i + 1) % 9)) for i in range(9)])
    graph = [totals(Rules(ring, 2, "safe"), first=str(i)) for i in range(2)]
    for drawn, kind, message in (
        (BY_MINES, "first", "expected campaigns of one player on one board"),
        (graph, "first", "expected a board with outlines"),
        ([], None, "the files contain no games"),
        (BY_MINES, "pie", "no such plot"),
    ):
        with pytest.raises(NotationError, match=message):
            draw_plot(drawn, "svg", kind)
    with pytest.raises(NotationError, match="expected a picture in svg, png or pdf, got 'gif'"):
        draw_plot(BY_MINES, "gif")


def test_without_matplotlib_the_error_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(Unavailable, match=r"pip install 'sapper\[lab\]'"):
        draw_plot(BY_MINES, "svg")
