"""Fixtures that run a command and the page on the same text."""

import json

import pytest
from tests.unit.cli.conftest import run_on_text, sapper
from tests.unit.web.conftest import client, move, new_game, no_disk_sync, server, server_folder

# Fixtures of other folders that pytest finds here because they are imported.
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
    """Return a function that runs a command on a text and returns its JSON."""

    def call(name, text, *options):
        status, out, err = run_on_text(name, text, "--json", *options)
        assert status == 0, err
        return json.loads(out)

    return call


@pytest.fixture
def page(client):
    """Return a function that posts the position of a text to a path and returns its JSON."""

    def call(path, text, **fields):
        parsed = client.post("/api/position", json={"text": text}).json()
        position = {key: parsed[key] for key in ("board", "marks", "mines")}
        response = client.post(path, json={**position, **fields})
        assert response.status_code == 200, response.text
        return response.json()

    return call
