"""Wishes for a sheet: the same from options, from the form of the page and from a code."""

import json

import pytest
from tests.unit.web.views.test_web_analyse import GRAPH

from sapper.answers.wishes import Wish, of_code, rules_of
from sapper.answers.worksheets import WRITERS, Style, find_writer
from sapper.errors import NotationError, RulesError
from sapper.generate.tables.codes import encode

WISHES = (
    {"size": "5x4", "rung": "two", "count": 2, "seed": 7},
    {"size": "6x5", "tiling": "hexagonal", "rung": "two", "at_most": True, "seed": 3},
    {"size": "5x5", "open": "row", "mines_share": 0.3, "seed": 0},
    {"size": "4x3", "open_cells": "r1c1,r1c3,r2c2,r2c4,r3c1,r3c3", "seed": 5},
    {"board": GRAPH, "open_cells": "b", "seed": 3},
)


def code_of(wish):
    return encode(rules_of(wish), wish.count, wish.seed)


@pytest.fixture
def make(sapper, tmp_path):
    """Runs `sapper table` with a wish as its options and answers with its JSON."""

    def call(wish):
        words = []
        for key, value in wish.items():
            if key == "board":
                (tmp_path / "graph.json").write_text(value)
                value = tmp_path / "graph.json"
            option = [] if key == "size" else [f"--{key.replace('_', '-')}"]
            words += [*option, *([] if value is True else [value])]
        status, out, err = sapper("table", "--json", *words)
        assert status == 0, err
        return json.loads(out)

    return call


@pytest.mark.parametrize("wish", WISHES)
def test_the_command_and_the_page_make_the_same_tables(make, client, wish):
    told = make(wish)
    asked = {**wish, "seed": str(wish["seed"])}
    answer = client.post("/api/paper", json=asked).json()
    assert answer["code"] == told["code"]
    for one, other in zip(told["tables"], answer["tables"], strict=True):
        shared = one.keys() & other.keys() - {"seed"}
        assert {"rung", "why", "unique_by", "hints", "tries"} == shared
        assert {key: one[key] for key in shared} == {key: other[key] for key in shared}
        assert str(one["seed"]) == other["seed"]


@pytest.mark.parametrize("given", WISHES)
def test_a_code_makes_the_wish_again(given):
    wish = Wish(**given)
    settled = wish.settled(rules_of(wish))
    bare = Wish(board=wish.board, open_cells=wish.open_cells, title="mine")
    again = of_code(code_of(wish), bare)
    assert again == Wish(**{**vars(settled), "title": "mine"})
    assert rules_of(again) == rules_of(wish)
    assert again.tables == settled.tables


def test_own_open_cells_have_to_come_with_the_code(client):
    code = code_of(Wish(size="4x3", open_cells=WISHES[3]["open_cells"]))
    with pytest.raises(NotationError, match="expected the open cells of this code"):
        of_code(code, Wish())
    answer = client.post("/api/paper", json={"code": code})
    assert (answer.status_code, "open cells of this code" in answer.text) == (400, True)


def test_another_graph_is_not_that_of_the_code():
    code = code_of(Wish(board=GRAPH, open_cells="b"))
    for other in (Wish(), Wish(board='{"edges": [["a", "b"]]}')):
        with pytest.raises(NotationError, match="expected the graph of this code"):
            of_code(code, other)


@pytest.mark.parametrize(
    ("size", "count", "says"),
    [("60x60", 1, "at most 2,500 cells"), ("4x3", 200, "from 1 to 100 tables")],
)
def test_a_code_does_not_lead_past_the_limits_of_the_page(client, size, count, says):
    answer = client.post("/api/paper", json={"code": code_of(Wish(size=size, count=count))})
    assert answer.status_code == 400
    assert says in answer.json()["error"]


@pytest.mark.parametrize("look", [{"paper": "a9"}, {"per_page": 0}, {"per_page": 81}])
def test_a_look_that_cannot_be_printed_is_refused(look):
    with pytest.raises((NotationError, RulesError), match=r"expected .*, got "):
        Style(**look)


def test_every_writer_is_found_by_its_suffix():
    found = [find_writer("set" + suffix.upper()) for suffix in WRITERS]
    assert found == list(WRITERS.values())
    for name in ("set.doc", "set", ""):
        with pytest.raises(NotationError, match=rf"expected a file .pdf, .svg, .txt, got '{name}'"):
            find_writer(name)
