"""A real server in its own process, for the browser tests and the load test."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

from tests.time_limits import HANG_SECONDS


class Server:
    """`sapper serve` on an unused port; it can be killed and started again on the same port.

    With a host it is shared: `invitation` is the link of its latest start.
    """

    def __init__(self, folder: Path, host: str | None = None):
        self.folder = folder
        self.options = () if host is None else ("--host", host)
        self.invitation = ""
        self.port = 0
        self.process: subprocess.Popen[str] | None = None
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def start(self) -> None:
        command = (sys.executable, "-m", "sapper", "serve")
        self.process = subprocess.Popen(
            (*command, "--port", str(self.port), "--data", str(self.folder), *self.options),
            stdout=subprocess.PIPE,
            text=True,
            stderr=subprocess.DEVNULL if self.options else None,  # the warning
            env={**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"},
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        assert found, f"the server did not start: {line!r}"
        self.port = int(found[1])
        if self.options:
            self.invitation = self.process.stdout.readline().split()[2]

    def kill(self) -> None:
        """Kill it with SIGKILL."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self._wait()

    def stop(self) -> None:
        """End it as Ctrl-C does."""
        assert self.process is not None
        self.process.send_signal(signal.SIGINT)
        assert self._wait() == 0

    def _wait(self) -> int:
        assert self.process is not None
        status = self.process.wait(timeout=HANG_SECONDS)  # it may be in the middle of an analysis
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.process = None
        return status
