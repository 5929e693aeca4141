"""Replays of other programs: read in a separate process; errors have one line."""

import faulthandler
import json
import os
import random
import signal
import warnings
from pathlib import Path

import pytest
from tests.error_messages import assert_one_line
from tests.fuzz import mutate_bytes
from tests.sampling import cases

from sapper import Layout, NotationError, RulesError, Unavailable, review
from sapper.cli.main import run
from sapper.formats.binary import decode_file, is_replay
from sapper.formats.registry import parse_any
from sapper.games import replay_worker, replays
from sapper.games.replays import read_replay
from sapper.serialize.games import load_session

pytest.importorskip("ms_toollib")

# Written by ms_toollib: nine clicks on a board of 5x4, in the oldest and in the newest version.
EVF = {
    "version 0": (
        "008004050003100000000700015100000000313739343737333732393636343136350031373934373733373330"
        "30303132313600001020400200000000080008030000140008000804000028003800080500003d003800080200"
        "0051004800280300006b0048002802000080004800080300009400480008020000a800380038030000be003800"
        "38020000d300180028030000e700180028020000fb001800380300010f00180038020001250008003803000139"
        "0008003802000151002800280300016500280028ff"
    ),
    "version 4": (
        "0480000405000310000000070000017e58580006605652b7823a0006605652bd54c50000000000001020400000"
        "02000008000803790000000004170030000005140000000002150010002003140000000002440000ffe0031800"
        "0000000214fff000300315000000000216ffe0fff00314000000000214000000100314000000000214fff00000"
        "03140000000002140020fff0031700000000000000"
    ),
}
MOVES = ["reveal r1c1", "flag r1c4", "reveal r3c5", "reveal r1c5", "reveal r3c2", "reveal r4c2"]
MOVES += ["reveal r4c1", "reveal r3c3"]

# The files of other programs contain one game: tests/data/replays/README.md.
FOLDER = Path(__file__).parents[2] / "data" / "replays"
EVENTS = ["reveal r1c1", "flag r1c4", "reveal r1c5", "reveal r3c3", "reveal r4c1", "reveal r2c5"]
EVENTS += ["reveal r3c5"]
OTHERS = {kind: (FOLDER / f"won.{kind}").read_bytes() for kind in ("avf", "mvf", "rmv")}
FILES = {**OTHERS, **{name: bytes.fromhex(text) for name, text in EVF.items()}}

# A few of each file in the tests, ten thousand in all in `make check-long SUITE=replays`.
MUTATIONS = cases(20)


def test_times_of_moves_start_at_zero_and_never_go_back():
    rows = [[0, 1, -1]]
    moves = [(0, "reveal", 0, 0), (7, "flag", 0, 2), (5, "unflag", 0, 2), (9, "flag", 0, 2)]
    session = replays._session("evf", {"board": rows, "moves": moves}, 3)
    # The game is won by the first move, and the others are left out.
    assert [(e.milliseconds, e.text) for e in session.log] == [(0, "reveal r1c1")]
    moves = [(0, "flag", 0, 2), (7, "unflag", 0, 2), (5, "flag", 0, 2), (9, "reveal", 0, 0)]
    session = replays._session("evf", {"board": rows, "moves": moves}, 3)
    assert [event.milliseconds for event in session.log] == [0, 7, 7, 9]
    with pytest.raises(RulesError, match="at most 2 cells, got 3x1"):
        replays._session("evf", {"board": rows, "moves": moves}, 2)


def test_replay_is_read_as_a_session_with_its_moves():
    for text in EVF.values():
        session = read_replay(text)
        assert [event.text for event in session.log] == MOVES
        assert session.game.outcome == "won" and session.setup.rules.rule == "safe"
        times = [event.milliseconds for event in session.log]
        assert times == sorted(times) and 300 < times[-1] < 600


def test_replays_of_other_programs_are_read_move_by_move():
    for data in OTHERS.values():
        session = load_session(decode_file(data))
        assert session.setup.layout.mine_cells.tolist() == [3, 10, 19]
        assert [event.text for event in session.log] == EVENTS
        for number, event in enumerate(session.log):
            assert 500 * number <= event.milliseconds <= 500 * number + 20
        assert session.game.outcome == "won"
        assert review(session).moves[0].move_class == "certain"


@pytest.mark.parametrize("name", FILES)
def test_replay_converts_to_a_saved_game_with_its_rule(name, tmp_path, capsys):
    path, saved = tmp_path / "replay", tmp_path / "game.txt"
    path.write_bytes(FILES[name])
    assert run(["convert", str(path), "--to", "game", "-o", str(saved)]) == 0
    converted, replay = load_session(saved.read_text()), load_session(decode_file(FILES[name]))
    assert converted.log == replay.log and converted.setup == replay.setup
    assert review(converted) == review(replay)
    assert run(["convert", str(path), "--to", "mbf"]) == 0
    captured = capsys.readouterr()
    assert "mbf cannot express the moves" in captured.err
    assert Layout.parse(captured.out) == converted.game.layout


def test_commands_read_the_file_of_a_replay(tmp_path, capsys):
    path = tmp_path / "game.evf"
    path.write_bytes(bytes.fromhex(EVF["version 4"]))
    assert run(["review", str(path)]) == 0
    assert "\nwon after 7 reveals: 1 mistake," in capsys.readouterr().out
    assert run(["convert", str(path), "--to", "position"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "..1F1"


def test_broken_replay_is_refused_in_one_line_and_leaves_no_file(tmp_path, monkeypatch):
    for data, kind in [
        (b"*rmv" + bytes(80), "rmv"),
        (bytes(40) + b"RealTime", "avf"),
        (b"\x11\x4d" + b"\x05" * 100, "mvf"),
        (bytes.fromhex(EVF["version 0"])[:60], "evf"),
    ]:
        monkeypatch.chdir(tmp_path)
        with pytest.raises(NotationError, match=f"cannot read this {kind} replay"):
            load_session(decode_file(data))
        assert list(tmp_path.iterdir()) == []


def read_in_fork(kind, data):
    """Read a replay in a forked child: as safe as a new process, and a hundred times as fast."""
    read_end, write_end = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # fork in a process with threads
        child = os.fork()
    if child == 0:
        try:
            faulthandler.disable()
            signal.setitimer(signal.ITIMER_REAL, 2)
            replay_worker.limit_memory()
            answer = json.dumps(replay_worker.read_replay(kind, data)).encode()
            with os.fdopen(write_end, "wb") as pipe:
                pipe.write(answer)
        finally:
            os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end, "rb") as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    if not answer:
        raise NotationError("damaged")
    return json.loads(answer)


@pytest.mark.parametrize("name", FILES)
def test_mutated_replays_are_read_or_refused_in_one_line(name, tmp_path, monkeypatch):
    monkeypatch.setattr(replays, "run_worker", read_in_fork)
    monkeypatch.chdir(tmp_path)
    rng = random.Random(f"{name} {MUTATIONS}")
    read = 0
    for _ in range(MUTATIONS):
        try:
            text = decode_file(mutate_bytes(FILES[name], rng))
            if is_replay(text):
                read_replay(text)
                read += 1
            else:
                parse_any(text)
        except NotationError as error:
            assert_one_line(error)
    assert 0 < read < MUTATIONS


def test_board_beyond_the_limit_is_refused_before_it_is_built():
    large = (FOLDER / "large.rmv").read_bytes()
    with pytest.raises(RulesError, match="expected at most 20,000 cells, got 200x200"):
        load_session(decode_file(large), max_cells=20_000)


def test_library_that_does_not_answer_is_stopped(monkeypatch):
    monkeypatch.setattr(replays, "SECONDS", 0.001)
    with pytest.raises(NotationError, match=r"within 0.001 s$"):
        read_replay(EVF["version 0"])


def test_without_the_library_the_extra_is_named(monkeypatch):
    monkeypatch.setattr(replays, "LIBRARY", "no_such_library")
    with pytest.raises(Unavailable, match="cannot read replays: pip install"):
        read_replay(EVF["version 0"])
