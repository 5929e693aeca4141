"""`sapper`: the group of all commands, and the one place that turns errors into exit statuses."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress

import click

from sapper.cli.commands import COMMAND_SECTIONS
from sapper.cli.groups import Group
from sapper.cli.streams import configure_streams
from sapper.errors import (
    IllegalMove,
    NotationError,
    OutputClosed,
    RulesError,
    SapperError,
    WrongType,
)

# What somebody typed may be thousands of digits long; an error is one line that can be read.
LONGEST = 500
# A number, or a size that begins with one; no option begins with a digit.
_NEGATIVE = re.compile(r"-\d.*", re.ASCII)
# What click says of words that no argument takes.
_EXTRA = re.compile(r"Got unexpected extra arguments? \((.*)\)", re.DOTALL)

BAD_INPUT = 2
NOT_POSSIBLE = 1


def _print_version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if not value or ctx.resilient_parsing:
        return
    from sapper import __version__
    from sapper.kernels import STATUS

    notes = {
        "compiled": "kernels compiled",
        "plain": "kernels as plain Python: slower, same answers",
        "stale": "kernels as plain Python: the compiled ones are older than their sources",
    }
    click.echo(f"sapper {__version__} ({notes[STATUS]})")
    ctx.exit()


WELCOME = """Sapper: Minesweeper played, solved, explained, made and measured, on any board.

Three things to try first:

  sapper demo             watch a hard game being solved, with reasons
  sapper play             play in the browser, with help that explains itself
  sapper watch expert     watch a solver at a board of your choice, move by move

sapper --help shows the rest."""


@click.group(
    cls=Group,
    sections=COMMAND_SECTIONS,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_version,
    help="Say which version runs, and whether its kernels are compiled.",
)
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Sapper plays, solves, explains, deals, prints and measures Minesweeper, on any board.

    A FILE may be - for standard input. Errors are one line; the exit status is 2 for bad input
    and 1 when a thing cannot be had. Each command's own --help ends with examples.
    """
    if ctx.invoked_subcommand is None:
        click.echo(WELCOME)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit; every error on purpose is one line on standard error."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; answers with the exit status."""
    configure_streams()
    try:
        status = cli.main(args=arguments, prog_name="sapper", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except (OutputClosed, BrokenPipeError):
        # The reader of our output went away, as `head` does; that is not an error of ours.
        _discard_output()
        return 0
    except click.exceptions.NoArgsIsHelpError as error:
        # A group of commands alone, as `sapper` alone: a question, and no mistake.
        click.echo(error.format_message())
        return 0
    except click.NoSuchOption as error:
        given = sys.argv[1:] if arguments is None else arguments
        negative = next((word for word in given if _NEGATIVE.fullmatch(word)), None)
        if negative is None:
            near = f" such as {error.possibilities[0]}" if error.possibilities else ""
            return _fail(f"expected an option{near}, got {error.option_name!r}", BAD_INPUT)
        return _fail(f"expected a number of at least 0, got {negative!r}", BAD_INPUT)
    except click.MissingParameter as error:
        what = error.param.get_error_hint(error.ctx) if error.param and error.ctx else "more"
        return _fail(f"expected {what}, got nothing", BAD_INPUT)
    except click.BadParameter as error:
        where = f"{error.param.opts[-1]}: " if isinstance(error.param, click.Option) else ""
        return _fail(f"{where}{error.message}", BAD_INPUT)
    except click.BadOptionUsage as error:
        return _fail(_option_usage_message(error), BAD_INPUT)
    except click.ClickException as error:
        return _fail(_click_message(error.format_message()), BAD_INPUT)
    except (NotationError, RulesError, IllegalMove, WrongType) as error:
        return _fail(str(error), BAD_INPUT)
    except SapperError as error:
        return _fail(str(error), NOT_POSSIBLE)
    except OSError as error:
        if error.filename is None:
            _discard_output()
        what, why = error.filename or "the output", error.strerror or error
        return _fail(f"cannot read or write {what}: {why}", BAD_INPUT)
    except MemoryError:
        return _fail("expected enough memory, got none left", NOT_POSSIBLE)
    except (click.Abort, KeyboardInterrupt):
        return _fail("stopped", 130)


def _option_usage_message(error: click.BadOptionUsage) -> str:
    """An option that lacks its value, or has one that it does not take."""
    if "does not take" in error.message:
        return f"expected {error.option_name} alone, got it with a value"
    return f"expected a value for {error.option_name}, got nothing"


def _click_message(message: str) -> str:
    """A message of click's own in our words: the one that is left is about words too many."""
    extra = _EXTRA.fullmatch(message)
    return message if extra is None else f"expected nothing more, got {extra[1]!r:.60}"


def _discard_output() -> None:
    """Let what could not be written go nowhere; else Python tries again, and fails, on its exit."""
    output = sys.__stdout__
    if output is not None and output is sys.stdout:
        os.dup2(os.open(os.devnull, os.O_WRONLY), output.fileno())


def _fail(message: str, status: int) -> int:
    line = " ".join(message.split())
    if len(line) > LONGEST:
        line = line[: LONGEST - 3] + "..."
    with suppress(OSError):  # where even that cannot be written, the status still tells
        click.echo(f"sapper: {line}", err=True)
    return status
