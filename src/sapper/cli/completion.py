"""`sapper completion`: what a shell runs to complete commands, options and names of files."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from sapper.errors import NotationError, unknown_name

# How each shell takes the text in for good.
HOW = {
    "bash": 'eval "$(sapper completion bash)" in ~/.bashrc',
    "zsh": 'eval "$(sapper completion zsh)" in ~/.zshrc',
    "fish": "sapper completion fish | source in ~/.config/fish/config.fish",
}


@click.command(epilog="For good: " + "; ".join(HOW.values()) + ".")
@click.argument("shell")
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print what makes SHELL (bash, zsh, fish) complete sapper's commands and options."""
    if shell not in HOW:
        raise unknown_name("a shell", shell, HOW)
    writer = get_completion_class(shell)
    if writer is None:  # pragma: no cover - click knows all three
        raise NotationError(f"expected a shell that click knows, got {shell!r:.60}")
    click.echo(writer(ctx.find_root().command, {}, "sapper", "_SAPPER_COMPLETE").source())
