import importlib
import json
import os
import stat
import subprocess
import sys

import pytest

from sapper.errors import RulesError

# The package holds the command under the name of its module.
deal_module = importlib.import_module("sapper.cli.boards.generate")


def test_a_deal_prints_its_layout_and_reports_its_seed(sapper):
    status, out, err = sapper("deal", "5x3/4", "--seed", 1)
    assert (status, out, err) == (0, "*....\n*.c.*\n*....\n", "seed 1\n")


def test_a_fresh_seed_is_reported_and_gives_the_deal_again(sapper):
    _, out, err = sapper("deal", "9x9/10")
    assert sapper("deal", "9x9/10", "--seed", err.split()[1])[1] == out


def test_deal_i_of_a_count_has_the_seed_plus_i(sapper):
    _, out, _ = sapper("deal", "beginner", "--seed", 7, "--count", 3, "--json")
    layouts = json.loads(out)["layouts"]
    assert [one["seed"] for one in layouts] == [7, 8, 9]
    for one in layouts:
        _, text, _ = sapper("deal", "beginner", "--seed", one["seed"])
        assert one["text"] == text
        assert one["first"] == "r5c5"
        assert one["three_bv"] > 0


def test_every_option_of_a_deal_is_obeyed(sapper):
    _, out, _ = sapper(
        *(
            "deal",
            "6x4/5",
            "--tiling",
            "hexagonal",
            "--seed",
            3,
            "--first",
            "r1c2",
            "--rule",
            "safe",
        )
    )
    header, *rows = out.splitlines()
    assert header == "layout: hexagonal 6x4"
    assert rows[0][1] == "c"
    assert sum(row.count("*") for row in rows) == 5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["deal", "5x5/25"], "expected from 0 to 24 mines on square 5x5, got 25"),
        (["deal", "5x5/17"], "expected at most 16 mines"),
        (["deal", "0x5/0"], "expected a square board of at least 1x1, got 0x5"),
        (["deal", "5x5/-1"], "expected a size"),
        (["deal", "5x5"], "expected a size with mines"),
        (["deal", "2x9/1", "--tiling", "torus"], "expected a torus board of at least 3x3, got 2x9"),
        (["deal", "5x5/1", "--tiling", "cubic"], "no such tiling"),
        (["deal", "5x5/1", "--first", "r6c1"], "expected a cell of square 5x5, got 'r6c1'"),
        (["deal", "99999x99999/1"], "expected at most"),
        (["deal", "5x5/1", "--rule", "kind"], "no such rule"),
        (["deal", "5x5/1", "--seed", "-3"], "expected a seed"),
        (["deal", "5x5/1", "--seed", "1e3"], "expected a seed"),
        (["deal", "5x5/1", "--seed", str(2**64 - 1), "--count", "2"], "expected seeds below"),
        (["deal", "5x5/1", "--count", "0"], "--count"),
        (["deal"], "expected a SIZE such as 30x16/99, or --board FILE, got neither"),
        (["show"], "expected 'FILE', got nothing"),
        (["convert", "f"], "expected '--to', got nothing"),
        (["fly"], "no such command 'fly'"),
        (["deal", "5x5/1", "--fast"], "--fast"),
        (["show", "no/such/file"], "cannot read or write no/such/file"),
        (["show", "."], "cannot read or write"),
    ],
)
def test_bad_input_is_one_line_and_status_two(sapper, arguments, message):
    status, out, err = sapper(*arguments)
    assert status == 2
    assert out == ""
    assert err.startswith("sapper: ")
    assert err.count("\n") == 1
    assert message in err


def test_show_draws_positions_and_layouts(sapper, tmp_path):
    position, layout = tmp_path / "position", tmp_path / "layout"
    position.write_text("mines: 2\n1##\n1##\n###\n")
    layout.write_text("*..\n..c\n")
    for file in (position, layout):
        status, out, err = sapper("show", file)
        assert (status, err) == (0, "")
        assert len(out.splitlines()) >= 2


def test_show_writes_svg_whole_or_not_at_all(sapper, tmp_path):
    position = tmp_path / "position"
    position.write_text("1##\n")
    assert sapper("show", position, "--svg", tmp_path / "a.svg")[0] == 0
    assert (tmp_path / "a.svg").read_text().startswith("<svg")
    assert sapper("show", position, "--svg", "-")[1].startswith("<svg")
    status, _, err = sapper("show", position, "--svg", tmp_path / "no" / "a.svg")
    assert (status, err.count("\n")) == (2, 1)
    position.write_text("1x#\n")
    status, _, err = sapper("show", position, "--svg", tmp_path / "b.svg")
    assert (status, (tmp_path / "b.svg").exists()) == (2, False)
    assert "line 1, cell 2" in err
    assert not list(tmp_path.glob(".*"))


def test_text_that_is_not_utf8_is_refused(sapper, tmp_path):
    (tmp_path / "bytes").write_bytes(b"1#\xff\n")
    status, _, err = sapper("show", tmp_path / "bytes")
    assert status == 2
    assert "expected UTF-8 text, got byte 2" in err


def test_the_version_says_how_the_kernels_run():
    command = [sys.executable, "-m", "sapper", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("sapper 0.2.0 (kernels ")
    plain = subprocess.run(
        command, capture_output=True, text=True, check=True, env={"SAPPER_PLAIN": "1"}
    )
    assert "plain Python" in plain.stdout


def test_a_pipe_that_closes_early_is_no_error():
    done = subprocess.run(
        f"{sys.executable} -m sapper deal 300x300/9000 --seed 1 --count 20 | head -n 1",
        shell=True,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0
    assert "Traceback" not in done.stderr


def shell(line, **options):
    line = line.replace("sapper ", f"{sys.executable} -m sapper ")
    return subprocess.run(line, shell=True, capture_output=True, text=True, **options)


def test_a_pipe_is_written_to_and_not_replaced(tmp_path):
    (tmp_path / "position").write_text("1#\n")
    os.mkfifo(tmp_path / "pipe")
    done = shell("cat pipe & sapper show position --svg pipe; wait", cwd=tmp_path)
    assert done.stdout.startswith("<svg")
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


def test_a_link_and_the_mode_of_a_file_are_kept(sapper, tmp_path):
    (tmp_path / "position").write_text("1#\n")
    (tmp_path / "real.svg").write_text("old")
    (tmp_path / "real.svg").chmod(0o600)
    (tmp_path / "link.svg").symlink_to("real.svg")
    assert sapper("show", tmp_path / "position", "--svg", tmp_path / "link.svg")[0] == 0
    assert (tmp_path / "link.svg").is_symlink()
    assert (tmp_path / "real.svg").read_text().startswith("<svg")
    assert stat.S_IMODE((tmp_path / "real.svg").stat().st_mode) == 0o600


def test_a_file_may_have_the_longest_name_there_is(sapper, tmp_path):
    (tmp_path / "position").write_text("1#\n")
    target = tmp_path / ("a" * 255)
    assert sapper("show", tmp_path / "position", "--svg", target)[0] == 0
    assert target.read_text().startswith("<svg")


def test_closed_and_full_streams_are_one_line_and_no_traceback(tmp_path):
    done = shell("sapper show - <&-")
    assert (done.returncode, done.stderr) == (
        2,
        "sapper: cannot read or write standard input: it is closed\n",
    )
    done = shell("sapper deal 5x5/1 --seed 1 >/dev/full")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("sapper: cannot read or write the output: ")
    assert "Exception ignored" not in done.stderr
    done = shell("sapper deal 5x5/1 --seed 1 >&-")
    assert (done.returncode, done.stderr) == (0, "seed 1\n")


def test_bad_rules_print_nothing_as_json_either(sapper):
    status, out, err = sapper("deal", "3x3/1", "--json", "--count", 5)
    assert (status, out, err.count("\n")) == (2, "", 1)


def test_many_deals_as_json_are_printed_as_they_come(monkeypatch, sapper):
    # Not one list in memory: a failure at the third deal comes after two were printed.
    real = deal_module.deal_one

    def failing(rules, seed, first):
        if seed == 3:
            raise RulesError("expected luck, got none")
        return real(rules, seed, first)

    monkeypatch.setattr(deal_module, "deal_one", failing)
    _, out, _ = sapper("deal", "5x5/1", "--json", "--seed", 1, "--count", 5)
    assert out.count('"seed"') == 2


def test_a_position_is_written_in_another_format(sapper, tmp_path):
    file = tmp_path / "position.txt"
    file.write_text("mines: 1\n1#F")
    assert sapper("show", file, "--as", "jsminesweeper") == (0, "3x1x1\n1HF\n", "")
    file.write_text("3x1x1\n1HF")
    assert sapper("show", file, "--as", "position") == (0, "mines: 1\n1#F\n", "")
    status, _, err = sapper("show", file, "--as", "fen")
    assert status == 2 and err.startswith("sapper: no such format ")


def test_a_saved_game_is_shown_as_it_stands(sapper, tmp_path):
    file = tmp_path / "game.txt"
    file.write_text("sapper: game 1\nboard: square 3x1\nlayout: r1c1\n\n0.000 reveal r1c2\n")
    assert sapper("show", file, "--as", "position") == (0, "mines: 1\n#1#\n", "")
    assert json.loads(sapper("probabilities", file, "--json")[1])["probabilities"] == {
        "r1c1": 0.5,
        "r1c3": 0.5,
    }
