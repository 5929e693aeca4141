"""`sapper`: the group of all commands, and the place that turns errors into exit statuses."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress

import click

from sapper.cli import interrupts
from sapper.cli.command_table import COMMAND_SECTIONS, COMPLETION_VARIABLE, Group
from sapper.cli.output import configure_streams
from sapper.errors import IllegalMove, NotationError, RulesError, SapperError, WrongType

# A value in an error message may be thousands of digits long.
MAX_MESSAGE_LENGTH = 500
# A negative number, or a size that begins with one: no option begins with a digit.
_NEGATIVE = re.compile(r"-\d.*", re.ASCII)
# click's message about arguments that the command does not take.
_EXTRA_ARGUMENTS = re.compile(r"Got unexpected extra arguments? \((.*)\)", re.DOTALL)

NOT_POSSIBLE, BAD_INPUT = 1, 2


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


WELCOME = """Sapper: play, solve, explain, generate, print and measure Minesweeper, on any board.

Three commands to try first:

  sapper demo             watch a hard game being solved, with reasons
  sapper play             play in the browser, with hints and explanations
  sapper watch expert     watch a solver play an Expert board, move by move

sapper --help lists all commands."""


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
    help="Print the version, and whether the kernels are compiled.",
)
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Play, solve, explain, generate, print and measure Minesweeper, on any board.

    A FILE may be - for standard input. An error is one line; the exit status is 2 for bad input,
    and 1 if the request is not possible. The --help of each command ends with examples.
    """
    if ctx.invoked_subcommand is None:
        click.echo(WELCOME)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit."""
    try:
        status = run(arguments)
        interrupts.end_silently_on_interrupt()
    except KeyboardInterrupt:  # after the command, or while its error is printed
        status = _fail(interrupts.MESSAGE, interrupts.INTERRUPTED)
    sys.exit(status)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status; print each error as one line."""
    configure_streams()
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        status = _invoke(list(arguments))
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # The reader closed the pipe, as `head` does; that is not an error.
        _discard_output()
        return 0
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return 0
    except click.ClickException as error:
        return _fail(_usage_message(error, arguments))
    except (NotationError, RulesError, IllegalMove, WrongType) as error:
        return _fail(str(error))
    except SapperError as error:
        return _fail(str(error), NOT_POSSIBLE)
    except OSError as error:
        if error.filename is None:
            _discard_output()
        file, reason = error.filename or "the output", error.strerror or error
        return _fail(f"cannot read or write {file}: {reason}")
    except MemoryError:
        return _fail("out of memory", NOT_POSSIBLE)
    except KeyboardInterrupt as error:
        if sys.stderr.isatty():
            click.echo(err=True)  # after the terminal's ^C
        note = f"; {error}" if str(error) else ""
        return _fail(interrupts.MESSAGE + note, interrupts.INTERRUPTED)


def _invoke(arguments: list[str]) -> int:
    """Run a command; unlike `cli.main`, let a closed pipe and Ctrl-C raise their exceptions."""
    instruction = os.environ.get(COMPLETION_VARIABLE)
    if instruction:
        from click.shell_completion import shell_complete

        return shell_complete(cli, {}, "sapper", COMPLETION_VARIABLE, instruction)
    try:
        with cli.make_context("sapper", arguments) as ctx:
            cli.invoke(ctx)
    except click.exceptions.Exit as request:  # --help and --version raise it
        return request.exit_code
    return 0


def _usage_message(error: click.ClickException, arguments: Sequence[str]) -> str:
    """Return click's error about the arguments as a message in the form of the other errors."""
    match error:
        case click.NoSuchOption():
            negative = next((word for word in arguments if _NEGATIVE.fullmatch(word)), None)
            if negative is not None:
                return f"expected a number of at least 0, got {negative!r}"
            suggestion = f"; did you mean {error.possibilities[0]}?" if error.possibilities else ""
            return f"no such option {error.option_name!r}{suggestion}"
        case click.MissingParameter() if error.param is not None:
            param = error.param
            if isinstance(param, click.Option):
                return f"missing option {param.opts[-1]}"
            return f"missing argument {param.metavar or (param.name or '').upper()}"
        case click.BadParameter():
            prefix = f"{error.param.opts[-1]}: " if isinstance(error.param, click.Option) else ""
            return f"{prefix}{error.message}"
        case click.BadOptionUsage():
            takes_none = "does not take" in error.message
            return f"{error.option_name} {'takes no value' if takes_none else 'needs a value'}"
    message = error.format_message()
    extra = _EXTRA_ARGUMENTS.fullmatch(message)
    return message if extra is None else f"unexpected argument {extra[1]!r:.60}"


def _discard_output() -> None:
    """Redirect standard output to the null device; else Python fails again when it flushes."""
    with suppress(OSError):  # a test has replaced it by a stream without a file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, status: int = BAD_INPUT) -> int:
    line = " ".join(message.split())
    if len(line) > MAX_MESSAGE_LENGTH:
        line = line[: MAX_MESSAGE_LENGTH - 3] + "..."
    with suppress(OSError):  # standard error may be full or closed: the status remains
        click.echo(f"sapper: {line}", err=True)
    return status
