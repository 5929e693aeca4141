"""The public surface is one table, and everything in it is there."""

import ast
import builtins
import inspect
import subprocess
import sys
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

import sapper
from sapper.registry import RegistryBase


@pytest.mark.parametrize("name", sapper.__all__)
def test_every_public_name_can_be_had(name):
    assert getattr(sapper, name) is not None


def test_type_checkers_see_the_same_names():
    tree = ast.parse(Path(sapper.__file__).read_text())
    guarded = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {
        alias.name
        for node in ast.walk(guarded)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen | {"__version__"} == set(sapper.__all__)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'chess'"):
        _ = sapper.chess


def test_importing_the_package_loads_nothing_heavy():
    heavy = ("rich", "starlette", "reportlab", "pysat", "matplotlib", "click")
    code = f"import sapper, sys; sapper.Position; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


# What a public function gives back has a public name, so that a user can name it in annotations.


def public_members(name):
    """A public function, or the functions, properties and fields of a public class."""
    value = getattr(sapper, name)
    if inspect.isfunction(value):
        yield name, value, "return"
    if inspect.isclass(value) and value.__module__.startswith("sapper"):
        for field in inspect.get_annotations(value):
            if not field.startswith("_"):
                yield f"{name}.{field}", value, field
        for key, member in vars(value).items():
            if key.startswith("_"):
                continue
            if isinstance(member, classmethod | staticmethod):
                member = member.__func__
            elif isinstance(member, property):
                member = member.fget
            elif isinstance(member, cached_property):
                member = member.func
            if inspect.isfunction(member):
                yield f"{name}.{key}", member, "return"


def types_within(number):
    """The classes that an annotation names, those within generic ones included.

    What a function in a row of a family takes and gives concerns whoever writes one, not users.
    """
    if get_origin(number) is Callable:
        return
    if inspect.isclass(number) and get_origin(number) is None:
        yield number
    origin = get_origin(number)
    if inspect.isclass(origin):
        yield origin
    for part in get_args(number):
        if isinstance(part, list | tuple):
            for inner in part:
                yield from types_within(inner)
        elif origin is not Literal:
            yield from types_within(part)


@pytest.mark.parametrize("name", sapper.__all__)
def test_what_a_public_name_gives_back_has_a_public_name_too(name):
    for path, owner, key in public_members(name):
        numbers = get_type_hints(owner)
        for found in types_within(numbers.get(key)):
            if found.__module__.split(".")[0] == "sapper":
                assert getattr(sapper, found.__name__, None) is found, f"{path} gives {found!r}"


@pytest.mark.parametrize("name", sapper.__all__)
def test_the_rows_of_a_public_registry_have_a_public_type(name):
    value = getattr(sapper, name)
    if not inspect.isclass(value) and isinstance(value, RegistryBase):
        row = type(value.find(value.names[0]))
        assert getattr(sapper, row.__name__, None) is row


@pytest.mark.parametrize("name", sapper.__all__)
def test_no_parameter_of_a_public_function_shadows_a_builtin(name):
    value = getattr(sapper, name)
    functions = {path: owner for path, owner, key in public_members(name) if key == "return"}
    if inspect.isclass(value) and "__init__" in vars(value):
        functions[name] = value.__init__
    for path, function in functions.items():
        shadowed = set(inspect.signature(function).parameters) & set(dir(builtins))
        assert not shadowed, f"{path}: {shadowed}"
