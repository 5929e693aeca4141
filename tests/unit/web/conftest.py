from http.cookies import SimpleCookie

import pytest
from starlette.testclient import TestClient

from sapper.web.app import create_app
from sapper.web.server.invitations import SharingOptions

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


SHARING = SharingOptions(f"{BASE}/", invitation="an-invitation", own="an-own-link")


@pytest.fixture
def shared(folder):
    """A client of a server that lets others in; it has not entered."""
    app = create_app(folder, sharing=SHARING)
    with TestClient(app, base_url=BASE, follow_redirects=False) as client:
        yield client


class GuestClient:
    """A person with a browser of their own at a shared server."""

    def __init__(self, client, path):
        self.client = client
        self.cookies = {}
        assert self.ask("GET", path).status_code == 303

    def ask(self, method, path, **more):
        """One request with this person's cookies and no other."""
        self.client.cookies.clear()
        pairs = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        answer = self.client.request(method, path, headers={"cookie": pairs}, **more)
        given = SimpleCookie(answer.headers.get("set-cookie", ""))
        self.cookies |= {name: morsel.value for name, morsel in given.items()}
        self.client.cookies.clear()
        return answer


@pytest.fixture
def visitor(shared):
    """Let a person in, by the invitation unless told otherwise."""
    return lambda token=SHARING.invitation: GuestClient(shared, f"/enter/{token}")
