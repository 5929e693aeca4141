"""Families: one way to find a row, one error, two ways to go through them."""

from dataclasses import dataclass

import pytest

from sapper import DIFFICULTIES, PLAYERS, SOLVERS, TILINGS, NotationError, RulesError
from sapper.errors import UnknownName
from sapper.registry import Registry, RegistryByName

COMMAND_SECTIONS = {
    "tiling": TILINGS,
    "solver": SOLVERS,
    "player": PLAYERS,
    "difficulty": DIFFICULTIES,
}


@dataclass(frozen=True)
class Tree:
    name: str


def trees(kind=Registry):
    return kind("tree", (Tree("oak"), Tree("ash")))


@pytest.mark.parametrize("kind", COMMAND_SECTIONS)
def test_every_registry_finds_its_rows_and_says_what_it_has(kind):
    registry = COMMAND_SECTIONS[kind]
    assert [registry.find(name).name for name in registry.names] == list(registry.names)
    with pytest.raises(UnknownName) as refused:
        registry.find("oracle")
    assert str(refused.value) == f"expected a {kind} ({', '.join(registry.names)}), got 'oracle'"
    assert isinstance(refused.value, NotationError) and isinstance(refused.value, RulesError)


@pytest.mark.parametrize("given", [None, 3, ["oak"]])
def test_what_is_neither_name_nor_row_is_refused_like_an_unknown_name(given):
    with pytest.raises(UnknownName, match="expected a tree"):
        trees().find(given)


def test_rows_are_found_by_place_by_name_and_by_slice():
    registry = trees()
    assert registry[-1] is registry["ash"] is registry.find("ash")
    assert registry[:1] == (Tree("oak"),)
    assert list(registry) == [Tree("oak"), Tree("ash")]
    assert "oak" in registry and Tree("ash") in registry
    assert "elm" not in registry and Tree("elm") not in registry


def test_a_registry_by_name_is_a_mapping():
    registry = trees(RegistryByName)
    assert list(registry) == ["oak", "ash"] and dict(registry)["oak"] == Tree("oak")
    assert registry.get("elm") is None


def test_a_row_that_is_no_member_is_passed_through():
    assert trees().find(Tree("elm")) == Tree("elm")


def test_rows_come_and_go_in_their_places():
    registry = trees()
    registry.add(Tree("elm"), before="ash")
    registry.add(Tree("fir"))
    assert registry.names == ("oak", "elm", "ash", "fir")
    assert registry.remove("oak") == Tree("oak")
    assert repr(registry) == "<trees: elm, ash, fir>"


def test_a_name_is_given_once():
    with pytest.raises(UnknownName, match="expected a tree of a new name, got 'oak' again"):
        trees().add(Tree("oak"))
