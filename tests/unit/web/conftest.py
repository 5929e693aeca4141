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
    """Start a game; return the answer."""

    def start(**request):
        answer = client.post("/api/games", json=request)
        assert answer.status_code == 201, answer.text
        return answer.json()

    return start


@pytest.fixture
def move(client):
    """Make a move; return the answer."""

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
    """Start a shared server with a client that is not signed in."""
    app = create_app(folder, sharing=SHARING)
    with TestClient(app, base_url=BASE, follow_redirects=False) as client:
        yield client


class GuestClient:
    """A guest of a shared server, with a browser."""

    def __init__(self, client, path):
        self.client = client
        self.cookies = {}
        assert self.ask("GET", path).status_code == 303

    def ask(self, method, path, headers=None, **more):
        """Send a request with this guest's cookies and no others."""
        self.client.cookies.clear()
        pairs = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        headers = {"cookie": pairs, **(headers or {})}
        answer = self.client.request(method, path, headers=headers, **more)
        given = SimpleCookie(answer.headers.get("set-cookie", ""))
        self.cookies |= {name: morsel.value for name, morsel in given.items()}
        self.client.cookies.clear()
        return answer


@pytest.fixture
def guest(shared):
    """Sign a guest in, by the invitation unless another token is given."""
    return lambda token=SHARING.invitation: GuestClient(shared, f"/enter/{token}")
