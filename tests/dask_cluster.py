"""A Dask cluster of separate processes, for tests."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src"


class Cluster:
    """A scheduler and workers in separate processes, which can be killed and restarted."""

    def __init__(self, workers: int, source: Path = SOURCE):
        self.port = _free_port()
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.workers: list[subprocess.Popen[bytes]] = []
        self.scheduler = self._start_scheduler()
        self.add_workers(workers, source)

    def _start_scheduler(self) -> subprocess.Popen[bytes]:
        return _dask("scheduler", "--host", "127.0.0.1", "--port", str(self.port))

    def add_workers(self, count: int, source: Path = SOURCE) -> None:
        """Start more workers, with the sapper of a source folder."""
        for _ in range(count):
            options = (self.address, "--nthreads", "1", "--no-nanny")
            self.workers.append(_dask("worker", *options, source=source))

    def restart_scheduler(self) -> None:
        """Kill the scheduler and start another at the same address."""
        _kill(self.scheduler)
        self.scheduler = self._start_scheduler()

    def kill_worker(self) -> None:
        """Kill the oldest worker, with SIGKILL."""
        _kill(self.workers.pop(0))

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        for process in (self.scheduler, *self.workers):
            _kill(process)


def _dask(what: str, *options: str, source: Path = SOURCE) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.dask_{what}", *options, "--no-dashboard"],
        env={**os.environ, "PYTHONPATH": str(source)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _kill(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


def _free_port() -> int:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port: int = unused.getsockname()[1]
        return port


def other_version(folder: Path) -> Path:
    """Return a folder with a sapper that differs only in its version."""
    package = folder / "sapper"
    package.mkdir()
    for path in (SOURCE / "sapper").iterdir():
        if path.name != "__init__.py":
            (package / path.name).symlink_to(path)
    text = (SOURCE / "sapper" / "__init__.py").read_text(encoding="utf-8")
    changed = text.replace('__version__ = "', '__version__ = "9.')
    (package / "__init__.py").write_text(changed, encoding="utf-8")
    return folder


def no_lab(folder: Path) -> Path:
    """Return a folder with a sapper without a lab."""
    (folder / "sapper").mkdir()
    (folder / "sapper" / "__init__.py").write_text('__version__ = "0.0.1"\n', encoding="utf-8")
    return folder
