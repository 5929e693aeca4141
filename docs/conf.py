"""Configuration of Sphinx for `make docs`, which treats warnings as errors."""

import ast
import inspect
from pathlib import Path

import click

import sapper
from sapper.cli.command_table import COMMAND_SECTIONS, LAB_COMMANDS
from sapper.cli.main import cli

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


def write_reference(app, name, source):
    """Add what the code says to the pages of the commands and of the Python API."""
    if name == "commands":
        source[0] += "".join(command_help())
    if name == "reference":
        source[0] += "".join(api_chapters())


def command_help():
    """Yield the help of every command."""
    top = click.Context(cli, info_name="sapper", terminal_width=88, max_content_width=88)
    yield help_text(cli, top)
    for section, commands in COMMAND_SECTIONS.items():
        yield f"\n## {section}\n"
        for name in commands:
            command = cli.get_command(top, name)
            context = click.Context(command, top, name)
            yield f"\n### {name}\n" + help_text(command, context)
            for other in LAB_COMMANDS if isinstance(command, click.Group) else ():
                inner = command.get_command(context, other)
                yield f"\n### {name} {other}\n"
                yield help_text(inner, click.Context(inner, context, other))


def help_text(command, context):
    """Return the help of a command as a block of text."""
    return f"\n```text\n{command.get_help(context)}\n```\n"


def api_chapters():
    """Yield a chapter for each package: the public names that its modules define."""
    stub = ast.parse(Path(sapper.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    packages = {node.module.partition(".")[0] for node in imports}
    if packages != set(CHAPTERS):
        raise ValueError(f"expected a chapter for each of {packages}, got {set(CHAPTERS)}")
    for package, title in CHAPTERS.items():
        yield f"\n## {title}\n"
        for node in imports:
            if node.module.partition(".")[0] == package:
                yield from (directive(alias.name) for alias in node.names)


def directive(name):
    """Return the directive that documents one public name."""
    value = getattr(sapper, name)
    if inspect.isclass(value):
        return f"\n```{{eval-rst}}\n.. autoclass:: sapper.{name}\n   :members:\n```\n"
    if inspect.isfunction(value):
        return f"\n```{{eval-rst}}\n.. autofunction:: sapper.{name}\n```\n"
    return f"\n```{{eval-rst}}\n.. py:data:: sapper.{name}\n\n   ``{value!r}``\n```\n"


def setup(app):
    """Connect the writer of the pages that come from the code."""
    app.connect("source-read", write_reference)
