"""A Dask cluster of separate processes, for tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

SOURCE = Path(__file__).parents[1] / "src"


class Cluster:
    """A scheduler and workers in separate processes, which can be killed and restarted."""

    def __init__(self, folder: Path, workers: int):
        self._file = folder / "scheduler.json"
        self.workers: list[subprocess.Popen[bytes]] = []
        self._start_scheduler(port=0)
        self.add_workers(workers)

    def _start_scheduler(self, port: int) -> None:
        self._file.unlink(missing_ok=True)
        options = ("--host", "127.0.0.1", "--port", str(port), "--scheduler-file", str(self._file))
        self.scheduler = _start_dask("scheduler", *options)
        while not (self._file.exists() and self._file.read_text(encoding="utf-8")):
            assert self.scheduler.poll() is None, "the scheduler did not start"
            time.sleep(0.02)
        self.address = str(json.loads(self._file.read_text(encoding="utf-8"))["address"])

    def add_workers(self, count: int) -> None:
        """Start more workers."""
        options = (self.address, "--nthreads", "1", "--no-nanny")
        self.workers += [_start_dask("worker", *options) for _ in range(count)]

    def restart_scheduler(self) -> None:
        """Kill the scheduler and start another at the same address."""
        _kill(self.scheduler)
        self._start_scheduler(urlsplit(self.address).port or 0)

    def kill_worker(self) -> None:
        """Kill the oldest worker, with SIGKILL."""
        _kill(self.workers.pop(0))

    def close(self) -> None:
        """Kill all processes."""
        for process in (self.scheduler, *self.workers):
            _kill(process)


def _start_dask(command: str, *options: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.dask_{command}", *options, "--no-dashboard"],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _kill(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
