"""`sapper completion`: what a shell runs to complete commands, options and names of files."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from sapper.cli.groups import CommandWithLists
from sapper.cli.options import complete_from
from sapper.errors import NotationError, unknown_name

# The file that a shell reads when it starts, and the line that lets it complete for good.
HOW = {
    "bash": ("~/.bashrc", 'eval "$(sapper completion bash)"'),
    "zsh": ("~/.zshrc", 'eval "$(sapper completion zsh)"'),
    "fish": ("~/.config/fish/config.fish", "sapper completion fish | source"),
}


@click.command(cls=CommandWithLists, lists={"For good, a line in": HOW.values()})
@click.argument("shell", shell_complete=complete_from(tuple(HOW)))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print what makes SHELL (bash, zsh, fish) complete sapper's commands and options."""
    if shell not in HOW:
        raise unknown_name("shell", shell, HOW)
    writer = get_completion_class(shell)
    if writer is None:  # pragma: no cover - click knows all three
        raise NotationError(f"expected a shell that click knows, got {shell!r:.60}")
    click.echo(writer(ctx.find_root().command, {}, "sapper", "_SAPPER_COMPLETE").source())
