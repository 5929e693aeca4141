"""Write the reference pages of the commands and of the Python API from the code.

python tools/reference_pages.py           write docs/commands.md and docs/reference.md
python tools/reference_pages.py --check   only compare; exit status 1 if a page is out of date
"""

import ast
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

import click

import sapper
from sapper.cli.command_table import COMMAND_SECTIONS, LAB_COMMANDS
from sapper.cli.main import cli
from sapper.registry import Registry

ROOT = Path(__file__).parents[1]
WIDTH = 88

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

# Descriptions of the constants, which have no docstrings.
CONSTANTS = {
    "COVERED": "The mark of a covered cell in `Position.marks`: -1.",
    "FLAG": "The mark of a flagged cell in `Position.marks`: -2.",
    "LEVELS": "The sizes of the levels by name.",
}


def commands_page() -> str:
    """Return the page of the commands: the help of each."""
    parts = [
        "# Commands",
        "Written by `python tools/reference_pages.py` from the help texts. "
        "[Quick start](quickstart.md) introduces the commands, and [formats](formats.md) "
        "describes the files.",
        _block(_help(cli, "sapper")),
    ]
    for section, commands in COMMAND_SECTIONS.items():
        parts.append(f"## {section}")
        for name in commands:
            command = cli.get_command(click.Context(cli), name)
            assert command is not None
            parts += [f"### {name}", _block(_help(command, f"sapper {name}"))]
            if isinstance(command, click.Group):
                for other in LAB_COMMANDS:
                    subcommand = command.get_command(click.Context(command), other)
                    assert subcommand is not None
                    full_name = f"{name} {other}"
                    parts += [f"### {full_name}", _block(_help(subcommand, f"sapper {full_name}"))]
    return "\n\n".join(parts) + "\n"


def _help(command: click.Command, name: str) -> str:
    settings = {**cli.context_settings, "terminal_width": WIDTH, "max_content_width": WIDTH}
    return command.get_help(click.Context(command, info_name=name, **settings))


def _block(text: str) -> str:
    return f"```text\n{text}\n```"


def reference_page() -> str:
    """Return the page of the Python API: a line for each public name."""
    parts = [
        "# Python API",
        "Written by `python tools/reference_pages.py` from the docstrings. All public names can be "
        "imported from the package: `sapper.analyse`, `sapper.Position`, and so on. Everything "
        "else may change between releases. `make docs` adds signatures and members.",
    ]
    packages = public_names()
    for package, title in CHAPTERS.items():
        rows = [_row(name) for name, its_package in packages.items() if its_package == package]
        parts.append(f"## {title}\n\n| name | what it is |\n| --- | --- |\n" + "\n".join(rows))
    return "\n\n".join(parts) + "\n"


def public_names() -> dict[str, str]:
    """Return the package of every public name, as the package's stub lists them."""
    stub = ast.parse(Path(sapper.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    return {
        alias.name: (node.module or "").split(".")[0] for node in imports for alias in node.names
    }


def _row(name: str) -> str:
    value = getattr(sapper, name)
    if isinstance(value, Registry):
        about = f"A registry: {', '.join(value.names)}."
    elif name in CONSTANTS:
        about = CONSTANTS[name]
    elif inspect.isfunction(value) and value.__name__ != name:
        about = f"The same as `{value.__name__}`."
    else:
        about = (inspect.getdoc(value) or "").partition("\n")[0]
    return f"| `{name}` | {about.replace('|', chr(92) + '|')} |"


PAGES = {"commands.md": commands_page, "reference.md": reference_page}


def outdated() -> Iterator[str]:
    """Yield the names of the pages that differ from the code."""
    for name, page in PAGES.items():
        path = ROOT / "docs" / name
        if not path.exists() or path.read_text(encoding="utf-8") != page():
            yield name


def main() -> int:
    """Write the pages, or check them."""
    if sys.argv[1:] == ["--check"]:
        names = list(outdated())
        for name in names:
            print(f"docs/{name} is out of date: run python tools/reference_pages.py")
        return bool(names)
    for name, page in PAGES.items():
        (ROOT / "docs" / name).write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
