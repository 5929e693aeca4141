import pytest
from starlette.testclient import TestClient

from sapper.web.server.app import create_app

BASE = "http://127.0.0.1:8765"


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "data"


@pytest.fixture
def client(folder):
    with TestClient(create_app(folder), base_url=BASE) as client:
        yield client


@pytest.fixture
def new_game(client):
    """Start a game and answer with what the page gets."""

    def start(**request):
        answer = client.post("/api/games", json=request)
        assert answer.status_code == 201, answer.text
        return answer.json()

    return start


@pytest.fixture
def move(client):
    """Make a move and answer with what the page gets."""

    def make(game, action, cell=None, **more):
        request = {"action": action, **more}
        if cell is not None:
            request["cell"] = cell
        answer = client.post(f"/api/games/{game['id']}/moves", json=request)
        assert answer.status_code == 200, answer.text
        return answer.json()

    return make
