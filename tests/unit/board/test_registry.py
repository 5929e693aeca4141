from dataclasses import dataclass

import pytest

from sapper import DIFFICULTIES, PLAYERS, SOLVERS, TILINGS, NotationError, RulesError
from sapper.errors import UnknownName
from sapper.registry import Registry

REGISTRIES = {"tiling": TILINGS, "solver": SOLVERS, "player": PLAYERS, "difficulty": DIFFICULTIES}


@dataclass(frozen=True)
class Tree:
    name: str


def trees():
    return Registry("tree", (Tree("oak"), Tree("ash")))


@pytest.mark.parametrize("kind", REGISTRIES)
def test_every_registry_finds_its_entries_and_lists_them_in_its_error(kind):
    registry = REGISTRIES[kind]
    assert [registry.find(name.upper()).name for name in registry] == list(registry.names)
    with pytest.raises(UnknownName) as refused:
        registry.find("oracle")
    assert str(refused.value) == f"no such {kind} 'oracle'; choose from {', '.join(registry)}"
    assert isinstance(refused.value, NotationError) and isinstance(refused.value, RulesError)


@pytest.mark.parametrize("given", [None, 3, ["oak"]])
def test_value_that_is_neither_name_nor_entry_is_an_unknown_name(given):
    with pytest.raises(UnknownName, match=r"no such tree .*; choose from oak, ash"):
        trees().find(given)


def test_registry_is_a_mapping():
    registry = trees()
    assert list(registry) == ["oak", "ash"] and dict(registry)["oak"] == Tree("oak")
    assert registry.get("elm") is None and "elm" not in registry
    assert registry.index("ash") == 1
    assert Registry("tree", (Tree("oak"),)).names == ("oak",)


def test_entry_that_is_not_in_the_registry_is_returned_unchanged():
    assert trees().find(Tree("elm")) == Tree("elm")


def test_entries_are_added_and_removed():
    registry = trees()
    registry.add(Tree("elm"), before="ash")
    registry.add(Tree("fir"))
    assert registry.names == ("oak", "elm", "ash", "fir")
    assert registry.remove("oak") == Tree("oak")
    assert repr(registry) == "<trees: elm, ash, fir>"


def test_name_that_is_taken_is_refused():
    with pytest.raises(RulesError, match="there is already a tree named 'oak'"):
        trees().add(Tree("oak"))
