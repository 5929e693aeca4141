"""The command line and the page side by side."""

import json

import pytest
from tests.unit.web.conftest import client, folder, move, new_game

from sapper.cli.main import run

__all__ = ["client", "folder", "move", "new_game"]


@pytest.fixture
def command(capsys, tmp_path):
    """Runs a command on a text and answers with its JSON."""

    def call(name, text, *options):
        file = tmp_path / "position.txt"
        file.write_text(text, encoding="utf-8")
        status = run([name, str(file), "--json", *options])
        out, err = capsys.readouterr()
        assert status == 0, err
        return json.loads(out)

    return call


@pytest.fixture
def page(client):
    """Asks the page about a text and answers with its JSON."""

    def call(path, text, **more):
        read = client.post("/api/position", json={"text": text}).json()
        position = {key: read[key] for key in ("board", "marks", "mines")}
        answer = client.post(path, json={**position, **more})
        assert answer.status_code == 200, answer.text
        return answer.json()

    return call
