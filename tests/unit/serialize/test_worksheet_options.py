"""Wishes for a sheet: the same from options, from the form of the page and from a code."""

import json

import pytest
from tests.unit.web.features.test_web_analyse import GRAPH

from sapper.errors import NotationError, RulesError
from sapper.generators.paper_puzzles.codes import encode
from sapper.serialize.worksheet_options import (
    WorksheetOptions,
    options_from_code,
    rules_from_options,
)
from sapper.serialize.worksheets import WRITERS, SheetStyle, find_writer

WORKSHEET_OPTIONS = (
    {"size": "5x4", "difficulty": "two", "count": 2, "seed": 7},
    {"size": "6x5", "tiling": "hexagonal", "difficulty": "two", "or_easier": True, "seed": 3},
    {"size": "5x5", "open": "row", "mine_density": 0.3, "seed": 0},
    {"size": "4x3", "open_cells": "r1c1,r1c3,r2c2,r2c4,r3c1,r3c3", "seed": 5},
    {"board": GRAPH, "open_cells": "b", "seed": 3},
)


def code_of(options):
    return encode(rules_from_options(options), options.count, options.seed)


@pytest.fixture
def make(sapper, tmp_path):
    """Runs `sapper worksheet` with a wish as its options and answers with its JSON."""

    def call(options):
        words = []
        for key, value in options.items():
            if key == "board":
                (tmp_path / "graph.json").write_text(value)
                value = tmp_path / "graph.json"
            option = [] if key == "size" else [f"--{key.replace('_', '-')}"]
            words += [*option, *([] if value is True else [value])]
        status, out, err = sapper("table", "--json", *words)
        assert status == 0, err
        return json.loads(out)

    return call


@pytest.mark.parametrize("options", WORKSHEET_OPTIONS)
def test_the_command_and_the_page_make_the_same_tables(make, client, options):
    told = make(options)
    asked = {**options, "seed": str(options["seed"])}
    answer = client.post("/api/paper", json=asked).json()
    assert answer["code"] == told["code"]
    for one, other in zip(told["tables"], answer["tables"], strict=True):
        shared = one.keys() & other.keys() - {"seed"}
        assert {"difficulty", "reason", "unique_by", "numbers", "tries"} == shared
        assert {key: one[key] for key in shared} == {key: other[key] for key in shared}
        assert str(one["seed"]) == other["seed"]


@pytest.mark.parametrize("given", WORKSHEET_OPTIONS)
def test_a_code_makes_the_wish_again(given):
    options = WorksheetOptions(**given)
    resolved = options.resolved(rules_from_options(options))
    bare = WorksheetOptions(board=options.board, open_cells=options.open_cells, title="mine")
    again = options_from_code(code_of(options), bare)
    assert again == WorksheetOptions(**{**vars(resolved), "title": "mine"})
    assert rules_from_options(again) == rules_from_options(options)
    assert again.tables == resolved.tables


def test_own_open_cells_have_to_come_with_the_code(client):
    code = code_of(WorksheetOptions(size="4x3", open_cells=WORKSHEET_OPTIONS[3]["open_cells"]))
    with pytest.raises(NotationError, match="expected the open cells of this code"):
        options_from_code(code, WorksheetOptions())
    answer = client.post("/api/paper", json={"code": code})
    assert (answer.status_code, "open cells of this code" in answer.text) == (400, True)


def test_another_graph_is_not_that_of_the_code():
    code = code_of(WorksheetOptions(board=GRAPH, open_cells="b"))
    for other in (WorksheetOptions(), WorksheetOptions(board='{"edges": [["a", "b"]]}')):
        with pytest.raises(NotationError, match="expected the graph of this code"):
            options_from_code(code, other)


@pytest.mark.parametrize(
    ("size", "count", "says"),
    [("60x60", 1, "at most 2,500 cells"), ("4x3", 200, "from 1 to 100 tables")],
)
def test_a_code_does_not_lead_past_the_limits_of_the_page(client, size, count, says):
    answer = client.post(
        "/api/paper", json={"code": code_of(WorksheetOptions(size=size, count=count))}
    )
    assert answer.status_code == 400
    assert says in answer.json()["error"]


@pytest.mark.parametrize("look", [{"paper": "a9"}, {"per_page": 0}, {"per_page": 81}])
def test_a_look_that_cannot_be_printed_is_refused(look):
    with pytest.raises((NotationError, RulesError), match=r"expected .*, got "):
        SheetStyle(**look)


def test_every_writer_is_found_by_its_suffix():
    found = [find_writer("set" + suffix.upper()) for suffix in WRITERS]
    assert found == list(WRITERS.values())
    for name in ("set.doc", "set", ""):
        with pytest.raises(NotationError, match=rf"expected a file .pdf, .svg, .txt, got '{name}'"):
            find_writer(name)
