import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from sapper.cli.output import write_atomically


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    target = tmp_path / "out"
    target.write_text("old")

    def fail(*_):
        raise OSError(28, "no space left")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="no space left"):
        write_atomically(str(target), "new")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_link_is_followed_and_stays(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_atomically(str(link), "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_pipe_is_written_to_and_stays(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as reader:
        text = reader.submit(pipe.read_text)
        write_atomically(str(pipe), "new")
        assert text.result(timeout=10) == "new"
    assert pipe.is_fifo()
