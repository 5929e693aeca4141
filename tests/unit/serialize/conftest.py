"""Fixtures that run a command and the page on the same text."""

import json

import pytest
from tests.unit.cli.conftest import run_on_text, sapper
from tests.unit.web.conftest import client, move, new_game, no_disk_sync, server, server_folder

__all__ = [
    "client",
    "move",
    "new_game",
    "no_disk_sync",
    "run_on_text",
    "sapper",
    "server",
    "server_folder",
]


@pytest.fixture
def command(run_on_text):
    """Run a command on a text and return its JSON."""

    def call(name, text, *options):
        status, out, err = run_on_text(name, text, "--json", *options)
        assert status == 0, err
        return json.loads(out)

    return call


@pytest.fixture
def page(client):
    """Send a text to the page and return its JSON."""

    def call(path, text, **more):
        read = client.post("/api/position", json={"text": text}).json()
        position = {key: read[key] for key in ("board", "marks", "mines")}
        answer = client.post(path, json={**position, **more})
        assert answer.status_code == 200, answer.text
        return answer.json()

    return call
