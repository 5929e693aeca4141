from dataclasses import dataclass

import pytest
from tests.error_messages import assert_refused

from sapper import DIFFICULTIES, PLAYERS, SOLVERS, TILINGS, NotationError, RulesError
from sapper.errors import UnknownName
from sapper.registry import Registry

REGISTRIES = {"tiling": TILINGS, "solver": SOLVERS, "player": PLAYERS, "difficulty": DIFFICULTIES}


@dataclass(frozen=True)
class Tree:
    name: str


def trees():
    return Registry("tree", (Tree("oak"), Tree("ash")))


def test_every_registry_finds_its_entries_and_lists_them_in_its_error():
    for kind, registry in REGISTRIES.items():
        assert [registry.find(name.upper()).name for name in registry] == list(registry.names)
        with pytest.raises(UnknownName) as refused:
            registry.find("oracle")
        assert str(refused.value) == f"no such {kind} 'oracle'; choose from {', '.join(registry)}"
        assert isinstance(refused.value, NotationError) and isinstance(refused.value, RulesError)


def test_value_that_is_neither_name_nor_entry_is_an_unknown_name():
    cases = [(value, "no such tree .*; choose from oak, ash") for value in (None, 3, ["oak"])]
    assert_refused(trees().find, cases, UnknownName)
    assert trees().find(Tree("elm")) == Tree("elm"), "an entry need not be in the registry"


def test_registry_is_a_mapping_with_entries_added_and_removed():
    registry = trees()
    assert list(registry) == ["oak", "ash"] and dict(registry)["oak"] == Tree("oak")
    assert registry.get("elm") is None and "elm" not in registry
    assert registry.index("ash") == 1
    registry.add(Tree("elm"), before="ash")
    registry.add(Tree("fir"))
    assert registry.names == ("oak", "elm", "ash", "fir")
    assert registry.remove("oak") == Tree("oak")
    assert repr(registry) == "<trees: elm, ash, fir>"
    with pytest.raises(RulesError, match="there is already a tree named 'fir'"):
        registry.add(Tree("fir"))
