"""`sapper completion`: shell completion of commands, options and file names."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from sapper.cli.command_table import COMPLETION_VARIABLE
from sapper.cli.options import CommandWithLists, complete_from
from sapper.errors import unknown_name

# The start-up file of each shell, and the line to add there.
SHELLS = {
    "bash": ("~/.bashrc", 'eval "$(sapper completion bash)"'),
    "zsh": ("~/.zshrc", 'eval "$(sapper completion zsh)"'),
    "fish": ("~/.config/fish/config.fish", "sapper completion fish | source"),
}


@click.command(
    cls=CommandWithLists, lists={"To enable it permanently, add a line to": SHELLS.values()}
)
@click.argument("shell", shell_complete=complete_from(tuple(SHELLS)))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script for SHELL: bash, zsh or fish."""
    if shell not in SHELLS:
        raise unknown_name("shell", shell, SHELLS)
    completion_class = get_completion_class(shell)
    assert completion_class is not None  # click supports all three
    script = completion_class(ctx.find_root().command, {}, "sapper", COMPLETION_VARIABLE)
    click.echo(script.source())
