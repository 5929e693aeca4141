"""The Dockerfile, as far as it can be checked without Docker."""

import json
import re
from pathlib import Path

from sapper.cli.main import run

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "Dockerfile").read_text(encoding="utf-8")


def instructions():
    """Return the instructions and their arguments; continued lines are joined."""
    joined = re.sub(r"\\\n\s*", "", TEXT)
    lines = [line for line in joined.splitlines() if line and not line.startswith("#")]
    return [tuple(line.split(maxsplit=1)) for line in lines]


def arguments_of(name):
    return [arguments for instruction, arguments in instructions() if instruction == name]


def test_image_is_built_in_two_stages_and_runs_without_root():
    names = [name for name, _ in instructions()]
    assert set(names) == {
        *("FROM", "RUN", "WORKDIR", "COPY", "USER", "VOLUME", "EXPOSE", "ENTRYPOINT"),
    }
    assert names.count("FROM") == 2 and names[0] == "FROM"
    assert names.index("USER") < names.index("ENTRYPOINT")
    assert arguments_of("COPY")[1].startswith("--from=build /wheels")
    assert f"useradd --create-home {arguments_of('USER')[0]}" in arguments_of("RUN")[-1]


def test_python_of_the_image_is_supported():
    version = re.search(r"FROM python:(3\.\d+)-slim AS build", TEXT)[1]
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f"cp{version.replace('.', '')}-*" in project


def test_entry_point_serves_the_page_on_the_exposed_port(monkeypatch, tmp_path):
    program, *words = json.loads(arguments_of("ENTRYPOINT")[0])
    (volume,), (port,) = arguments_of("VOLUME"), arguments_of("EXPOSE")
    assert (program, words[words.index("--data") + 1]) == ("sapper", volume)
    served = []
    monkeypatch.setattr("sapper.web.serve.serve", lambda *_, **options: served.append(options))
    words[words.index("--data") + 1] = str(tmp_path)
    assert run([*words, "--name", "192.168.1.20"]) == 0
    assert (served[0]["host"], served[0]["port"]) == ("0.0.0.0", int(port))
