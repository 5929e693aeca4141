"""Worksheet options give the same puzzles from the command line, from the page and from a code."""

import json

import pytest
from tests.error_messages import assert_refused
from tests.unit.web.features.test_web_analyse import GRAPH

from sapper import NotationError
from sapper.generators.worksheet_codes import encode
from sapper.render.worksheet import SheetStyle
from sapper.serialize.worksheet_options import (
    WorksheetOptions,
    options_from_code,
    rules_from_options,
)
from sapper.serialize.worksheets import WRITERS, find_writer

OPTIONS = (
    {"size": "5x4", "difficulty": "two", "count": 2, "seed": 7},
    {"size": "6x5", "tiling": "hexagonal", "difficulty": "two", "or_easier": True, "seed": 3},
    {"size": "5x5", "open": "row", "mine_density": 0.3, "seed": 0},
    {"size": "4x3", "open_cells": "r1c1,r1c3,r2c2,r2c4,r3c1,r3c3", "seed": 5},
    {"board": GRAPH, "open_cells": "b", "seed": 3},
)
EXERCISES = (
    {"kind": "proof", "size": "6x5", "difficulty": "one", "count": 2, "seed": 7},
    {"kind": "probability", "size": "6x5", "tiling": "hexagonal", "mine_density": 0.2, "seed": 3},
)


def code_of(options):
    return encode(rules_from_options(options), options.count, options.seed)


def command_json(sapper, tmp_path, options):
    """Run `sapper worksheet` with these options and return its JSON."""
    words = []
    for key, value in options.items():
        if key == "board":
            (tmp_path / "graph.json").write_text(value)
            value = tmp_path / "graph.json"
        option = [] if key == "size" else [f"--{key.replace('_', '-')}"]
        words += [*option, *([] if value is True else [value])]
    status, out, err = sapper("worksheet", "--json", *words)
    assert status == 0, err
    return json.loads(out)


@pytest.mark.parametrize("options", OPTIONS)
def test_command_and_the_page_make_the_same_puzzles(sapper, tmp_path, client, options):
    expected = command_json(sapper, tmp_path, options)
    request = {**options, "seed": str(options["seed"])}
    answer = client.post("/api/worksheets", json=request).json()
    assert answer["code"] == expected["code"]
    for one, other in zip(expected["paper_puzzles"], answer["paper_puzzles"], strict=True):
        shared = one.keys() & other.keys() - {"seed"}
        assert {"difficulty", "reason", "unique_by", "tries"} <= shared
        assert {key: one[key] for key in shared} == {key: other[key] for key in shared}
        assert str(one["seed"]) == other["seed"]


@pytest.mark.parametrize("options", EXERCISES)
def test_command_and_the_page_make_the_same_exercises(sapper, client, options):
    made = client.post("/api/worksheets", json={**options, "seed": str(options["seed"])}).json()
    command = made["command"].split()[1:]
    assert sapper(*command)[1] == client.get(f"/api/worksheets/{made['token']}/sheet.txt").text
    assert (made["kind"], made["paper_puzzles"]) == (options["kind"], [])


def test_options_round_trip_through_their_code():
    for given in (*OPTIONS, *EXERCISES):
        options = WorksheetOptions(**given)
        resolved = options.resolved(rules_from_options(options))
        others = WorksheetOptions(board=options.board, open_cells=options.open_cells, title="mine")
        decoded = options_from_code(code_of(options), others)
        assert decoded == WorksheetOptions(**{**vars(resolved), "title": "mine"})
        assert rules_from_options(decoded) == rules_from_options(options)
        assert decoded.without_style == resolved.without_style


def test_code_for_a_graph_or_chosen_open_cells_needs_them_as_options(client):
    code = code_of(WorksheetOptions(size="4x3", open_cells=OPTIONS[3]["open_cells"]))
    with pytest.raises(NotationError, match="this code is for chosen open cells"):
        options_from_code(code, WorksheetOptions())
    response = client.post("/api/worksheets", json={"code": code})
    assert (response.status_code, "open cells" in response.text) == (400, True)
    code = code_of(WorksheetOptions(board=GRAPH, open_cells="b"))
    for other in (WorksheetOptions(), WorksheetOptions(board='{"edges": [["a", "b"]]}')):
        with pytest.raises(NotationError, match=r"this code is for (a|another) graph"):
            options_from_code(code, other)


def test_code_cannot_exceed_the_limits_of_the_page(client):
    for size, count, message in [("60x60", 1, "at most 2,500 cells"), ("4x3", 200, "100")]:
        code = code_of(WorksheetOptions(size=size, count=count))
        response = client.post("/api/worksheets", json={"code": code})
        assert response.status_code == 400
        assert message in response.json()["error"]


def test_impossible_style_is_refused():
    cases = [
        (style, r"no such paper|expected from 1 to 80 puzzles")
        for style in [{"paper": "a9"}, {"per_page": 0}, {"per_page": 81}]
    ]
    assert_refused(lambda style: SheetStyle(**style), cases)


def test_every_writer_is_found_by_its_suffix():
    found = [find_writer("set" + suffix.upper()) for suffix in WRITERS]
    assert found == list(WRITERS.values())
    for name in ("set.doc", "set", ""):
        with pytest.raises(NotationError, match=rf"in .pdf, .svg, .txt, got '{name}'"):
            find_writer(name)
