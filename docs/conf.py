"""How the book is built: `make docs`, warnings are errors."""

import inspect

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
    "model": "Boards, positions, deals, games",
    "infer": "What follows from a position",
    "play": "Players and whole games",
    "generate": "Boards that keep a word",
    "lab": "Many games",
    "render": "Pictures",
    "errors": "Errors",
}


def write_reference(app, name, source):
    """Put the public names below the text of the page, chapter by chapter."""
    if name == "reference":
        homes = {name: home.split(".")[1] for name, home in sapper._HOMES.items()}
        for package, title in CHAPTERS.items():
            source[0] += f"\n## {title}\n"
            for name in (name for name, home in homes.items() if home == package):
                source[0] += directive(name, getattr(sapper, name))


def directive(name, what):
    """How one public name is written down."""
    if inspect.isclass(what):
        return f"\n```{{eval-rst}}\n.. autoclass:: sapper.{name}\n   :members:\n```\n"
    if inspect.isfunction(what):
        return f"\n```{{eval-rst}}\n.. autofunction:: sapper.{name}\n```\n"
    return f"\n```{{eval-rst}}\n.. py:data:: sapper.{name}\n\n   ``{what!r}``\n```\n"


def setup(app):
    """Let the reference be written when its page is read."""
    missing = {home.split(".")[1] for home in sapper._HOMES.values()} - set(CHAPTERS)
    if missing:
        raise ValueError(f"expected a chapter for every package, got none for {missing}")
    app.connect("source-read", write_reference)
