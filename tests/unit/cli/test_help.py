"""Help, suggestions for mistyped names, and shell completion."""

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import BashComplete
from training.pictures.scenes import draw_board
from training.pictures.skins import Skin

from sapper.cli.command_table import COMMAND_SECTIONS, LAB_COMMANDS
from sapper.cli.main import cli
from sapper.lab.runners import RUNNERS
from sapper.players.registry import PLAYERS
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.solvers.registry import SOLVERS

COMMANDS = {name: row for section in COMMAND_SECTIONS.values() for name, row in section.items()}
SERVERS = ("play", "serve")
EXAMPLES = [
    line
    for name, row in {**COMMANDS, **LAB_COMMANDS}.items()
    if name not in SERVERS
    for line in row.examples
]
GAME = """sapper: game 1
board: square 9x9
mines: 10
rule: zero
seed: 7

0.000 reveal r5c5
1.250 reveal r1c1
"""


@pytest.fixture
def example_files(tmp_path, monkeypatch):
    """Create the files that the examples use, and change to their folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "position.txt").write_text("mines: 2\n1##\n1##\n###\n", encoding="utf-8")
    (tmp_path / "layout.txt").write_text("*..*\n..c.\n", encoding="utf-8")
    (tmp_path / "game.txt").write_text(GAME, encoding="utf-8")
    board = draw_board(Skin(), ["..1F##", ".12###", ".1####", ".112F#", "...12#", "....1F"], 24)
    board.save(tmp_path / "screenshot.png")
    return tmp_path


@pytest.fixture
def example_results(example_files, sapper):
    """Create the result files that the examples use."""
    short_run = ("--games", 20, "--rule", "zero", "--out")
    sapper("lab", "run", "9x9/10", "--player", "careful", "--seed", 1, *short_run, "a.db")
    sapper("lab", "run", "9x9/10", "--player", "careful", "--seed", 21, *short_run, "a2.db")
    sapper("lab", "run", "9x9/10", "--player", "random", "--seed", 1, *short_run, "b.db")


@pytest.mark.parametrize("line", EXAMPLES)
def test_every_example_runs(line, sapper, request, monkeypatch):
    request.getfixturevalue("example_results" if "lab" in line else "example_files")
    out = ""
    for part in line.split(" | "):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(out.encode())))
        status, out, err = sapper(*shlex.split(part)[1:])
        assert (status, err.startswith("sapper:")) == (0, False), err
    assert out or " -o " in line or "--svg" in line


@pytest.mark.parametrize("line", [line for name in SERVERS for line in COMMANDS[name].examples])
def test_examples_that_start_the_server_are_accepted(line, example_files, sapper, monkeypatch):
    calls = []
    monkeypatch.setattr("sapper.web.serve.serve", lambda *folder, **options: calls.append(options))
    assert sapper(*shlex.split(line)[1:]) == (0, "", "")
    (options,) = calls
    assert options["port"] == (9000 if "9000" in line else None)
    assert options["open_browser"] == ("play" in line)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_ends_with_its_examples(name, sapper):
    status, out, _ = sapper(name, "--help")
    assert status == 0
    ending = "".join(f"    {line}\n" for line in COMMANDS[name].examples)
    assert out.endswith(f"  Examples:\n{ending}")


def test_overview_lists_every_command_in_its_section(sapper):
    status, out, _ = sapper("--help")
    assert status == 0 and "..." not in out.partition("Options:")[2]
    for title, rows in COMMAND_SECTIONS.items():
        section = out.partition(f"\n{title}:\n")[2].partition("\n\n")[0]
        assert [line.split()[0] for line in section.splitlines()[:-1]] == list(rows)
        assert "Example: sapper" in section.splitlines()[-1]
    assert max(map(len, out.splitlines())) <= 80


def test_overview_imports_no_command():
    code = (
        "import sys; from sapper.cli.main import run as r; r(['-h']); print('numpy' in sys.modules)"
    )
    completed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert completed.stdout.endswith("False\n")


def test_group_without_a_command_lists_its_commands(sapper):
    status, out, err = sapper("lab")
    assert (status, err) == (0, "") and all(f"\n  {name} " in out for name in LAB_COMMANDS)


def test_sapper_without_arguments_suggests_three_commands(sapper):
    status, out, err = sapper()
    suggested = [line.split("  ")[1] for line in out.splitlines() if line.startswith("  sapper")]
    assert (status, err, len(suggested)) == (0, "", 3)
    assert {line.split()[1] for line in suggested} < set(COMMANDS)


@pytest.mark.parametrize(
    ("line", "nearest"),
    [
        ("analys", "analyse"),
        ("Solve", "solve"),
        ("lab rum", "run"),
        ("generate exprt", "expert"),
        ("generate 9x9/10 --tiling hexagonl", "hexagonal"),
        ("generate 9x9/10 --rule sade", "safe"),
        ("watch 9x9/10 --player carful", "careful"),
        ("watch 9x9/10 --solver hybird", "hybrid"),
        ("watch 9x9/10 --player thoughtful --set bland=1", "blend"),
        ("generate 9x9/10 --no-guess --difficulty thre", "three"),
        ("generate 9x9/10 --no-guess --method swap", "swaps"),
        ("generate 9x9/10 --jobs 2 --runner thread", "threads"),
        ("one-click 5x5/10 --method brut", "brute"),
        ("worksheet 5x4 --open rows", "row"),
        ("worksheet 5x4 --method plan", "plain"),
        ("worksheet 5x4 --difficulty tow", "two"),
        ("worksheet 5x4 --paper leter", "letter"),
        ("completion zhs", "zsh"),
    ],
)
def test_mistyped_name_suggests_the_nearest(sapper, line, nearest):
    status, _, err = sapper(*line.split())
    assert status == 2 and err.endswith(f"; did you mean {nearest!r}?\n") and err.count("\n") == 1


def test_unknown_name_without_a_similar_one(sapper):
    assert sapper("xyz")[::2] == (2, "sapper: no such command 'xyz'; see sapper --help\n")
    message = "sapper: no such shell 'tcsh'; choose from bash, zsh, fish\n"
    assert sapper("completion", "tcsh")[::2] == (2, message)


def test_analyze_is_accepted_for_analyse(run_on_text):
    assert run_on_text("analyze", "1##", "--json") == run_on_text("analyse", "1##", "--json")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script_is_printed_for_each_shell(sapper, shell):
    status, out, err = sapper("completion", shell)
    assert (status, err) == (0, "")
    assert "sapper" in out and "_SAPPER_COMPLETE" in out


def test_bash_completes_with_the_printed_script():
    command = Path(sys.executable).with_name("sapper")
    if shutil.which("bash") is None or not command.exists():
        pytest.skip("bash or the sapper command is not installed")
    script = """
        eval "$(sapper completion bash)"
        COMP_WORDS=(sapper watch expert --player th) COMP_CWORD=4
        _sapper_completion sapper
        echo "${COMPREPLY[@]}"
    """
    environment = {**os.environ, "PATH": f"{command.parent}:{os.environ['PATH']}"}
    completed = subprocess.run(
        ["bash", "--norc", "-c", script], env=environment, capture_output=True, text=True
    )
    assert (completed.returncode, completed.stdout, completed.stderr) == (0, "thoughtful\n", "")


@pytest.mark.parametrize(
    ("typed", "last", "offered"),
    [
        ([], "ana", "analyse"),
        ([], "comp", "completion"),
        (["lab"], "r", "run"),
        (["analyse"], "--fr", "--fractions"),
        (["generate"], "exp", "expert"),
        (["generate", "--tiling"], "hex", "hexagonal"),
        (["watch", "--player"], "th", "thoughtful"),
        (["solve", "--solver"], "", "backtrack"),
        (["worksheet", "--difficulty"], "t", "two"),
        (["convert", "--to"], "jsm", "jsm-link"),
        (["lab", "run", "--runner"], "d", "dask"),
        (["completion"], "z", "zsh"),
    ],
)
def test_commands_and_options_are_completed(typed, last, offered):
    items = BashComplete(cli, {}, "sapper", "_SAPPER_COMPLETE").get_completions(typed, last)
    assert offered in [item.value for item in items]


@pytest.mark.parametrize(
    "typed",
    ["analyse", "review", "show --svg", "generate --board", "worksheet -o", "lab report"],
)
def test_file_names_are_completed_by_the_shell(typed):
    completion = BashComplete(cli, {}, "sapper", "_SAPPER_COMPLETE")
    items = completion.get_completions(typed.split(), "fr")
    assert [item.type for item in items] == ["file"]


@pytest.mark.parametrize(
    ("words", "rows"),
    [
        (["watch"], {**SOLVERS, **PLAYERS}),
        (["analyse"], PLAYERS),
        (["solve"], SOLVERS),
        (["grade"], DIFFICULTIES),
        (["lab", "run"], {**PLAYERS, **RUNNERS}),
    ],
)
def test_help_lists_the_values_of_an_option(sapper, words, rows):
    _, out, _ = sapper(*words, "--help")
    for row in rows.values():
        assert re.search(rf"^  {row.name} +{re.escape(row.about[:30])}", out, re.M)
