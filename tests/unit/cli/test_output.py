"""Output: closed streams, pipes, encodings, and files that are written completely or not at all."""

import io
import json
import os
import stat
import subprocess
import sys
from threading import Thread

import pytest
from tests.time_limits import HANG_SECONDS

from sapper import __version__
from sapper.cli.output import write_atomically

CYRILLIC = '{"cells": ["й", "ж"], "edges": [["й", "ж"]], "numbers": {"й": 1}}'


def shell(command, text=""):
    """Run a command line under pipefail; return status, output as bytes, and standard error."""
    command = command.replace("sapper ", f"{sys.executable} -m sapper ")
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], input=text.encode(), capture_output=True
    )
    return done.returncode, done.stdout, done.stderr.decode()


@pytest.mark.parametrize(
    ("status", "note"),
    [
        ("compiled", "kernels compiled"),
        ("plain", "kernels as plain Python: slower, same answers"),
        ("stale", "kernels as plain Python: the compiled ones are older than their sources"),
    ],
)
def test_version_says_how_the_kernels_run(sapper, monkeypatch, status, note):
    monkeypatch.setattr("sapper.kernels.STATUS", status)
    assert sapper("--version") == (0, f"sapper {__version__} ({note})\n", "")


# Streams.


def test_answer_to_a_closed_output_is_an_error():
    message = "sapper: cannot read or write the output: Bad file descriptor\n"
    assert shell("sapper solve - --json >&-", "1##\n") == (2, b"", message)


def test_file_is_written_with_both_streams_closed(tmp_path):
    assert shell(f"sapper show - --svg {tmp_path}/picture.svg >&- 2>&-", "1##\n")[0] == 0
    assert (tmp_path / "picture.svg").read_text().startswith("<svg")


def test_full_and_closed_streams_give_no_traceback():
    assert shell("sapper generate nothing 2>/dev/full")[0] == 2
    message = "sapper: cannot read or write standard input: it is closed\n"
    assert shell("sapper show - <&-") == (2, b"", message)
    status, _, err = shell("sapper generate 5x5/1 --seed 1 >/dev/full")
    assert status == 2 and "Exception ignored" not in err
    assert err.splitlines()[-1].startswith("sapper: cannot read or write the output: ")


@pytest.mark.parametrize("command", ["generate beginner --count 3000 --json", "--help"])
def test_reader_that_closes_the_pipe_is_not_an_error(command):
    status, _, err = shell(f"sapper {command} 2>/dev/null | head -c 5")
    assert (status, err) == (0, "")


@pytest.mark.parametrize("encoding", ["cp1252", "utf-8"])
def test_names_that_the_encoding_lacks_are_escaped(run_on_text, monkeypatch, encoding):
    def encoded(command, text, *options):
        stdout = io.TextIOWrapper(io.BytesIO(), encoding)
        monkeypatch.setattr(sys, "stdout", stdout)
        status, _, err = run_on_text(command, text, *options)
        assert (status, err) == (0, "")
        return stdout.buffer.getvalue()

    for command in ("analyse", "show", "explain", "solve"):
        out = encoded(command, CYRILLIC)
        assert ("ж".encode() if encoding == "utf-8" else b"\\u0436") in out
    for name in ("ж", "\U0001f600"):
        out = encoded("analyse", CYRILLIC.replace("ж", name), "--json")
        assert json.loads(out.decode(encoding))["certain_mines"] == [name]


# Files.


def test_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    target = tmp_path / "out"
    target.write_text("old")

    def fail(*_):
        raise OSError(28, "no space left")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match=f"no space left.*{target}"):
        write_atomically(str(target), "new")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_link_and_the_mode_of_a_file_are_kept(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    target.chmod(0o600)
    link.symlink_to("target")
    write_atomically(str(link), "new")
    assert link.is_symlink() and target.read_text() == "new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_pipe_is_written_to_and_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    _, out, _ = shell(f"cd {tmp_path}; cat pipe & sapper show - --svg pipe; wait", "1#\n")
    assert out.startswith(b"<svg")
    assert (tmp_path / "pipe").is_fifo()


def test_file_name_may_have_255_characters(tmp_path):
    target = tmp_path / ("a" * 255)
    write_atomically(str(target), "new")
    assert target.read_text() == "new"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no named pipes in folders")
def test_named_pipe_is_written_to_directly(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received = []
    reader = Thread(target=lambda: received.append(pipe.read_text()), daemon=True)
    reader.start()
    write_atomically(str(pipe), "new")
    reader.join(timeout=HANG_SECONDS)
    assert received == ["new"] and stat.S_ISFIFO(pipe.stat().st_mode)
