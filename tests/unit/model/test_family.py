"""Families: one way to find a row, one error, two ways to go through them."""

from dataclasses import dataclass

import pytest

from sapper import PLAYERS, RUNGS, SOLVERS, TILINGS, NotationError, RulesError, UnknownName
from sapper.model.family import Family, FamilyByName

FAMILIES = {"tiling": TILINGS, "solver": SOLVERS, "player": PLAYERS, "rung": RUNGS}


@dataclass(frozen=True)
class Tree:
    name: str


def trees(kind=Family):
    return kind("tree", (Tree("oak"), Tree("ash")))


@pytest.mark.parametrize("kind", FAMILIES)
def test_every_family_finds_its_rows_and_says_what_it_has(kind):
    family = FAMILIES[kind]
    assert [family.find(name).name for name in family.names] == list(family.names)
    with pytest.raises(UnknownName) as refused:
        family.find("oracle")
    assert str(refused.value) == f"expected a {kind} ({', '.join(family.names)}), got 'oracle'"
    assert isinstance(refused.value, NotationError) and isinstance(refused.value, RulesError)


@pytest.mark.parametrize("given", [None, 3, ["oak"]])
def test_what_is_neither_name_nor_row_is_refused_like_an_unknown_name(given):
    with pytest.raises(UnknownName, match="expected a tree"):
        trees().find(given)


def test_rows_are_found_by_place_by_name_and_by_slice():
    family = trees()
    assert family[-1] is family["ash"] is family.find("ash")
    assert family[:1] == (Tree("oak"),)
    assert list(family) == [Tree("oak"), Tree("ash")]
    assert "oak" in family and Tree("ash") in family
    assert "elm" not in family and Tree("elm") not in family


def test_a_family_by_name_is_a_mapping():
    family = trees(FamilyByName)
    assert list(family) == ["oak", "ash"] and dict(family)["oak"] == Tree("oak")
    assert family.get("elm") is None


def test_a_row_that_is_no_member_is_passed_through():
    assert trees().find(Tree("elm")) == Tree("elm")


def test_rows_come_and_go_in_their_places():
    family = trees()
    family.add(Tree("elm"), before="ash")
    family.add(Tree("fir"))
    assert family.names == ("oak", "elm", "ash", "fir")
    assert family.remove("oak") == Tree("oak")
    assert repr(family) == "<trees: elm, ash, fir>"


def test_a_name_is_given_once():
    with pytest.raises(UnknownName, match="expected a tree of a new name, got 'oak' again"):
        trees().add(Tree("oak"))
