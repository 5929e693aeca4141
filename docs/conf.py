"""Configuration of Sphinx for `make docs`, which treats warnings as errors."""

import inspect
import sys
from pathlib import Path

import sapper

sys.path.insert(0, str(Path(__file__).parents[1]))
from tools.reference_pages import CHAPTERS, public_names

project = "Sapper"
author = "The Sapper authors"
copyright = "2026, the Sapper authors"
release = sapper.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_heading_anchors = 4
# Examples are Python sessions or shell commands; nothing is guessed.
highlight_language = "none"

# Docstrings write code as `code`.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_typehints_format = "short"
python_display_short_literal_types = True

html_theme = "furo"
html_title = f"Sapper {release}"
html_copy_source = False


def write_reference(app, name, source):
    """Add signatures and members to each chapter of the page of the Python API."""
    if name == "reference":
        packages = public_names()
        head, *chapters = source[0].split("\n## ")
        for chapter, package in zip(chapters, CHAPTERS, strict=True):
            names = (name for name, its_package in packages.items() if its_package == package)
            details = "".join(directive(name, getattr(sapper, name)) for name in names)
            head += f"\n## {chapter}{details}"
        source[0] = head


def directive(name, value):
    """Return the directive that documents one public name."""
    if inspect.isclass(value):
        return f"\n```{{eval-rst}}\n.. autoclass:: sapper.{name}\n   :members:\n```\n"
    if inspect.isfunction(value):
        return f"\n```{{eval-rst}}\n.. autofunction:: sapper.{name}\n```\n"
    return f"\n```{{eval-rst}}\n.. py:data:: sapper.{name}\n\n   ``{value!r}``\n```\n"


def setup(app):
    """Connect the writer of the reference page."""
    missing = set(public_names().values()) - set(CHAPTERS)
    if missing:
        raise ValueError(f"expected a chapter for every package, got none for {missing}")
    app.connect("source-read", write_reference)
