"""The page speaks to players: one table of words, and no word of the library beside it."""

import re
from pathlib import Path

import pytest
from tests.page_texts import texts_of, unsaid_words

from sapper.board.position import Position
from sapper.board.rules import RULES
from sapper.engine.analysis import analyse
from sapper.engine.budget import Budget
from sapper.errors import Contradiction, OutOfBudget
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.serialize.page_words import (
    DIFFICULTY,
    FIRST_CLICK,
    UNSAID,
    WORDS,
    difficulty,
    error_on_page,
    on_page,
)
from sapper.web.app import STATIC

GLOSSARY = Path(__file__).parents[4] / "docs" / "glossary.md"
MODULES = sorted(file.relative_to(STATIC).as_posix() for file in STATIC.rglob("*.js"))


@pytest.mark.parametrize("module", MODULES)
def test_no_text_of_a_module_has_a_word_of_the_library(module):
    said = {text: unsaid_words(text) for text in texts_of(STATIC / module)}
    assert {text: words for text, words in said.items() if words} == {}


def test_texts_are_found_and_words_in_them_are_noticed(tmp_path):
    file = tmp_path / "toy.js"
    file.write_text(
        '// a number\nmake("p", { class: "covered cell", text: "Two covered cells" }, `A ${number} number`);'
    )
    assert list(texts_of(file)) == ["Two covered cells", "A … number"]
    assert unsaid_words("Two covered cells on a Front") == ["covered", "Front"]


def test_the_page_itself_is_without_them():
    assert unsaid_words((STATIC / "index.html").read_text(encoding="utf-8")) == []


def sentences(value) -> list[str]:
    """All texts in an answer."""
    if isinstance(value, dict):
        return [text for one in value.values() for text in sentences(one)]
    if isinstance(value, list):
        return [text for one in value for text in sentences(one)]
    return [value] if isinstance(value, str) else []


@pytest.mark.parametrize("path", ["/api/menu", "/api/worksheets"])
def test_the_menus_are_without_them(client, path):
    assert [text for text in sentences(client.get(path).json()) if unsaid_words(text)] == []


def test_the_glossary_shows_the_table():
    rows = [line.split("|")[1:-1] for line in GLOSSARY.read_text(encoding="utf-8").splitlines()[4:]]
    shown = {row[0].strip(): row[3].strip() for row in rows if len(row) > 3}
    for word in WORDS:
        if word != "solution":
            assert shown[word].partition(":")[0] == WORDS[word]
    assert shown["difficulty"].partition(": ")[2] == ", ".join(DIFFICULTY.values())


def test_every_unsaid_word_is_turned_into_one_that_is_said():
    for word in UNSAID:
        if word in WORDS:
            assert unsaid_words(on_page(f"A {word} and {word}s.")) == []
            assert on_page(word.capitalize())[0].isupper()


def test_the_tables_have_a_row_for_each_difficulty_and_rule():
    assert list(DIFFICULTY) == list(DIFFICULTIES)
    assert set(FIRST_CLICK) == set(RULES)
    assert difficulty("two") == "two numbers"


@pytest.mark.parametrize(
    ("rows", "mines", "line"),
    [
        ("3#\n##", None, None),
        ("4#\n##", None, "the number at r1c1 cannot be right with what is around it: change it"),
        ("##\n12", None, "the numbers at r2c1 and r2c2 cannot all be right: change one of them"),
        ("#1#", 2, "the number at r1c2 cannot be right for this number of mines: "),
        ("##", 3, "the number of mines cannot be right: change it, or leave it empty"),
    ],
)
def test_a_contradiction_is_told_with_the_way_out(rows, mines, line):
    try:
        analyse(Position.parse(rows, mines=mines))
    except Contradiction as error:
        assert line is not None
        assert error_on_page(error).startswith(line)
    else:
        assert line is None


@pytest.mark.parametrize(
    ("got", "way_out"),
    [
        ("no proof by then", "open or flag what you are sure of"),
        ("no table by then", "try another size"),
        ("no board without a guess by then", "try fewer mines"),
    ],
)
def test_a_budget_is_told_with_the_way_out(got, way_out):
    error = Budget(seconds=1).start().error(got)
    assert isinstance(error, OutOfBudget)
    assert way_out in error_on_page(error)
    assert not re.search("budget|expected|seconds", error_on_page(error))
