"""Configuration of Sphinx for `make docs`, which treats warnings as errors."""

import ast
import inspect
from pathlib import Path

import sapper

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

# The packages of the public names, as chapters of the reference.
CHAPTERS = {
    "board": "Boards, positions, layouts",
    "formats": "Text formats",
    "engine": "Probabilities",
    "solvers": "Solvers",
    "proofs": "Proofs and difficulty",
    "players": "Players",
    "games": "Games, sessions, reviews",
    "generators": "Generators",
    "lab": "Measuring players",
    "pictures": "Reading screenshots",
    "render": "Drawings",
    "errors": "Errors",
}


def public_names():
    """Return the package of every public name, as the package's stub lists them."""
    stub = ast.parse(Path(sapper.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    return {alias.name: node.module.split(".")[0] for node in imports for alias in node.names}


def write_reference(app, name, source):
    """Append the public names to the reference page, one chapter for each package."""
    if name == "reference":
        homes = public_names()
        for package, title in CHAPTERS.items():
            source[0] += f"\n## {title}\n"
            for name in (name for name, home in homes.items() if home == package):
                source[0] += directive(name, getattr(sapper, name))


def directive(name, what):
    """Return the directive that documents one public name."""
    if inspect.isclass(what):
        return f"\n```{{eval-rst}}\n.. autoclass:: sapper.{name}\n   :members:\n```\n"
    if inspect.isfunction(what):
        return f"\n```{{eval-rst}}\n.. autofunction:: sapper.{name}\n```\n"
    return f"\n```{{eval-rst}}\n.. py:data:: sapper.{name}\n\n   ``{what!r}``\n```\n"


def setup(app):
    """Connect the writer of the reference page."""
    missing = set(public_names().values()) - set(CHAPTERS)
    if missing:
        raise ValueError(f"expected a chapter for every package, got none for {missing}")
    app.connect("source-read", write_reference)
