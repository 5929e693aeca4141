"""Replays of other programs: read in a process of their own; a broken one is one line."""

import os
import random

import pytest

from sapper import NotationError, Unavailable, review
from sapper.answers import replays
from sapper.answers.replays import read_replay
from sapper.answers.saved_games import load_session
from sapper.cli.main import run
from sapper.model.formats.binary import text_of

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

# A process each: a few in the tests, ten thousand in `make check-replays`.
MUTATIONS = int(os.environ.get("SAPPER_REPLAYS", "8"))


@pytest.mark.parametrize("text", EVF.values(), ids=EVF)
def test_a_replay_is_played_again(text):
    session = read_replay(text)
    assert [event.what for event in session.log] == MOVES
    assert session.game.outcome == "won" and session.start.rules.rule == "safe"
    assert review(session).moves[0].kind == "certain"
    times = [event.at for event in session.log]
    assert times == sorted(times) and 300 < times[-1] < 600


def test_commands_read_the_file_of_a_replay(tmp_path, capsys):
    path = tmp_path / "game.evf"
    path.write_bytes(bytes.fromhex(EVF["version 4"]))
    assert run(["review", str(path)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("won after 7 reveals: 1 mistake,")
    assert run(["show", str(path), "--as", "frame"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "..1F1"


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"*rmv" + bytes(80), "rmv"),
        (bytes(40) + b"RealTime", "avf"),
        (b"\x11\x4d" + b"\x05" * 100, "mvf"),
        (bytes.fromhex(EVF["version 0"])[:60], "evf"),
    ],
)
def test_a_broken_replay_is_one_clear_line(data, kind):
    with pytest.raises(NotationError, match=f"expected a whole {kind} replay, got one"):
        load_session(text_of(data))


def test_mutations_of_a_replay_are_a_session_or_one_clear_line():
    dice = random.Random(MUTATIONS)
    for _ in range(MUTATIONS):
        data = bytearray(bytes.fromhex(dice.choice(list(EVF.values()))))
        for _ in range(dice.randint(1, 3)):
            data[dice.randrange(3, len(data))] = dice.choice([0, 255, dice.randrange(256)])
        try:
            load_session(text_of(bytes(data)))
        except NotationError as error:
            assert "expected" in str(error) and "\n" not in str(error)


def test_a_library_that_does_not_end_is_stopped(monkeypatch):
    monkeypatch.setattr(replays, "SECONDS", 0.001)
    with pytest.raises(NotationError, match="got one without an end"):
        read_replay(EVF["version 0"])


def test_without_the_library_the_extra_is_named(monkeypatch):
    monkeypatch.setattr(replays, "LIBRARY", "no_such_library")
    with pytest.raises(Unavailable, match="expected the extra 'replay'"):
        read_replay(EVF["version 0"])
