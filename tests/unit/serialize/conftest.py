"""Fixtures that run a command and the page on the same text."""

import json

import pytest
from tests.unit.cli.conftest import ask, sapper
from tests.unit.web.conftest import client, folder, move, new_game

__all__ = ["ask", "client", "folder", "move", "new_game", "sapper"]


@pytest.fixture
def command(ask):
    """Run a command on a text and return its JSON."""

    def call(name, text, *options):
        status, out, err = ask(name, text, "--json", *options)
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
