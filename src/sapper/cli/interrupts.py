"""Handling of Ctrl-C: exit while the program starts, raise KeyboardInterrupt in a command.

During the start KeyboardInterrupt is not used: an exception that is raised during an import may
leave a traceback, or be swallowed.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

INTERRUPTED = 130
"""The exit status after Ctrl-C."""
MESSAGE = "interrupted"


def exit_on_interrupt() -> None:
    """Exit with one line on Ctrl-C, unless the caller ignores or handles it."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _exit)


def raise_on_interrupt() -> None:
    """Raise KeyboardInterrupt on Ctrl-C again, after `exit_on_interrupt`."""
    if signal.getsignal(signal.SIGINT) is _exit:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def end_silently_on_interrupt() -> None:
    """End the process without a message on Ctrl-C while the interpreter shuts down."""
    if signal.getsignal(signal.SIGINT) in (_exit, signal.default_int_handler):
        signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def raise_on_termination() -> Iterator[None]:
    """Raise KeyboardInterrupt on SIGTERM and SIGHUP too, so that a command stops its workers."""
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    numbers = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    for number in numbers:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)


def _exit(signal_number: int, _: object) -> None:
    os.write(2, f"sapper: {MESSAGE}\n".encode())
    os._exit(INTERRUPTED)
