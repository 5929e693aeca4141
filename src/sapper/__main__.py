"""The entry point of the command `sapper`, also as `python -m sapper`."""

from sapper.cli import interrupts

interrupts.exit_on_interrupt()


def main() -> None:
    """Run the command line and exit."""
    # Imported here, so that Ctrl-C during the import is handled.
    from sapper.cli.main import main as run_command

    run_command()


if __name__ == "__main__":
    main()
