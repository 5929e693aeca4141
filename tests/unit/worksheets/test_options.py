"""Options make the same worksheet by the command, on the page and from a link, or are refused."""

import shlex
from urllib.parse import parse_qsl

import pytest
from tests.unit.web.features.test_web_analyse import GRAPH

from sapper import NotationError
from sapper.worksheets.files import WRITERS, find_writer

WORKSHEETS = (
    {"size": "5x4", "difficulty": "two", "count": 2, "seed": "7"},
    {"size": "6x5", "tiling": "hexagonal", "difficulty": "two", "or_easier": True, "seed": "3"},
    {"size": "5x5", "open": "row", "mine_density": 0.3, "seed": "0", "title": "Ö & /?#"},
    {"size": "4x3", "open_cells": "r1c1,r1c3,r2c2,r2c4,r3c1,r3c3", "seed": "5", "solutions": False},
    {"board": GRAPH, "open_cells": "b", "seed": str(2**64 - 1)},
    {"size": "6x5", "kind": "proof", "difficulty": "one", "count": 2, "address": "http://a.org/"},
    {"size": "6x5", "kind": "probability", "tiling": "hexagonal", "mine_density": 0.2},
)


def post(client, options):
    return client.post("/api/worksheets", json=options)


@pytest.mark.parametrize("options", WORKSHEETS)
def test_command_and_link_of_the_page_make_the_same_worksheet(
    sapper, client, tmp_path, monkeypatch, options
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "board.json").write_text(GRAPH)
    made = post(client, options).json()
    text = client.get(f"/api/worksheets/sheet.txt?{made['query']}").text
    status, out, _ = sapper(*shlex.split(made["command"])[1:])
    assert (status, out) == (0, text)
    start, _, query = made["link"].partition("?")
    assert start == "#/print"
    assert post(client, dict(parse_qsl(query))).json() == made


# What no surface accepts: options, and a part of the message.
REFUSED = (
    ({}, "missing size such as 9x10"),
    ({"size": "9"}, "expected a size"),
    ({"size": "9x9/10"}, "without mines"),
    ({"size": "1x1"}, "leaves no cells to find"),
    ({"size": "5x5", "board": GRAPH}, "cannot be combined with a size"),
    ({"board": GRAPH, "open": "row"}, "on a graph"),
    ({"board": "{"}, "JSON"),
    ({"size": "5x5", "kind": "essay"}, "no such kind of worksheet 'essay'"),
    ({"size": "5x5", "kind": "proof", "open": "row"}, "--open is not for"),
    ({"size": "5x5", "kind": "proof", "mine_density": 0.9}, "no exercises on this board"),
    ({"size": "5x5", "difficulty": "count"}, "a paper puzzle has no mine count"),
    ({"size": "5x5", "or_easier": True}, "'or easier' needs a difficulty"),
    ({"size": "5x5", "open": "row", "open_cells": "r1c1"}, "cannot be combined"),
    ({"size": "5x5", "open_cells": "r9c9"}, "'r9c9'"),
    ({"size": "5x5", "mine_density": 1.5}, "from 0.001 to 0.999"),
    ({"size": "5x5", "paper": "a5"}, "no such paper"),
    ({"size": "5x5", "address": "school"}, "expected an address"),
    ({"size": "5x5", "seed": "-1"}, "expected a seed"),
    ({"size": "2x2", "method": "varied"}, "same numbers as another"),
    ({"size": "2x2", "count": 3}, "there is only 1 paper puzzle of square 2x2"),
)


@pytest.fixture(params=["command", "page"])
def error_of(request, sapper, client, tmp_path):
    """Return a function that gives the one-line message with which a surface refuses options."""

    def by_command(options):
        words = []
        for name, value in options.items():
            if name == "board":
                (tmp_path / "board.json").write_text(value)
                value = tmp_path / "board.json"
            words += [] if name == "size" else [f"--{name.replace('_', '-')}"]
            words += [] if value is True else [value]
        status, out, err = sapper("worksheet", *words)
        assert status in (1, 2) and out == "" and err.startswith("sapper: ")
        return err.removesuffix("\n")

    def by_page(options):
        response = post(client, options)
        assert response.status_code in (400, 422, 503)
        return response.json()["error"]

    return by_command if request.param == "command" else by_page


@pytest.mark.parametrize(("options", "message"), REFUSED)
def test_impossible_options_are_refused_in_one_line(error_of, options, message):
    error = error_of(options)
    assert message in error and "\n" not in error


def test_every_writer_is_found_by_its_suffix():
    found = [find_writer("set" + suffix.upper()) for suffix in WRITERS]
    assert found == list(WRITERS.values())
    for name in ("set.doc", "set", ""):
        with pytest.raises(NotationError, match=rf"in .pdf, .svg, .txt, got '{name}'"):
            find_writer(name)
