"""The public names of the package."""

import builtins
import inspect
import subprocess
import sys
from functools import cached_property

import pytest

import sapper


def test_public_names_can_be_loaded_and_are_at_most_60():
    assert all(getattr(sapper, name) is not None for name in sapper.__all__)
    assert len(sapper.__all__) <= 60


def test_both_spellings_of_analyse_are_accepted():
    assert sapper.analyze is sapper.analyse


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="No sapper attribute chess"):
        _ = sapper.chess


def test_importing_the_package_loads_nothing_heavy():
    heavy = ("rich", "starlette", "reportlab", "pysat", "matplotlib", "click")
    code = f"import sapper, sys; sapper.Position; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def functions_of(value):
    """Return a public function, or the constructor and the methods of a public class."""
    if inspect.isfunction(value):
        yield value
    if inspect.isclass(value) and value.__module__.startswith("sapper"):
        for name, member in vars(value).items():
            member = getattr(member, "__func__", member)
            member = member.func if isinstance(member, cached_property) else member
            if inspect.isfunction(member) and (name == "__init__" or not name.startswith("_")):
                yield member


def test_no_parameter_of_a_public_function_shadows_a_builtin():
    for name in sapper.__all__:
        for function in functions_of(getattr(sapper, name)):
            assert not set(inspect.signature(function).parameters) & set(dir(builtins)), function
