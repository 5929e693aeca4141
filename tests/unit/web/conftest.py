"""One server of each kind for all tests in a process; its data are deleted after each test."""

import asyncio
from http.cookies import SimpleCookie

import pytest
from starlette.testclient import TestClient

from sapper.web.app import create_app
from sapper.web.features.play import OpenWindows
from sapper.web.features.watch import MAX_SESSIONS, WatchSessions
from sapper.web.live_games import Games
from sapper.web.server.auth import AuthTokens
from sapper.web.server.invitations import SharingOptions
from sapper.web.storage import database
from sapper.web.storage.store import Store

BASE = "http://127.0.0.1:8765"
DEFAULT_SYNCHRONOUS = database.SYNCHRONOUS
SHARING = SharingOptions(f"{BASE}/", invitation_token="an-invitation", owner_token="an-owner-link")


@pytest.fixture(scope="session", autouse=True)
def no_disk_sync():
    """Let commits return before they are on disk: no test simulates a power failure."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "SYNCHRONOUS", "off")
        yield


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "data"


@pytest.fixture
def run_with_store(folder):
    """Return a function that runs a coroutine function with a new store."""

    def run(scenario):
        async def open_and_run():
            store = Store(folder)
            try:
                return await scenario(store)
            finally:
                store.close()

        return asyncio.run(open_and_run())

    return run


@pytest.fixture(scope="session")
def server_folder(tmp_path_factory):
    """Return the folder of the server that `client` uses."""
    return tmp_path_factory.mktemp("server")


@pytest.fixture(scope="session")
def server(server_folder):
    with TestClient(create_app(server_folder), base_url=BASE) as client:
        yield client


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory):
    app = create_app(tmp_path_factory.mktemp("shared"), sharing=SHARING)
    with TestClient(app, base_url=BASE, follow_redirects=False) as client:
        yield client


def delete_data(client):
    """Delete everything that the server has stored or cached."""
    state = client.app.state
    store = state.games.store

    def delete(connection):
        for table in ("game", "event", "result", "document", "auth_token"):
            connection.execute(f"delete from {table}")

    client.portal.call(store.database.write, delete)
    state.games = Games(store)
    state.auth_tokens = AuthTokens(store.database)
    state.open_windows = OpenWindows()
    state.watch_sessions = WatchSessions(MAX_SESSIONS)
    client.cookies.clear()


@pytest.fixture
def client(server):
    """Return a client of an empty server."""
    yield server
    delete_data(server)


@pytest.fixture
def shared(shared_server):
    """Return a client of an empty shared server that is not signed in."""
    yield shared_server
    delete_data(shared_server)


@pytest.fixture
def new_game(client):
    """Return a function that starts a game and returns the response."""

    def start(**request):
        response = client.post("/api/games", json=request)
        assert response.status_code == 201, response.text
        return response.json()

    return start


@pytest.fixture
def move(client):
    """Return a function that makes a move and returns the response."""

    def make(game, action, cell=None, **fields):
        request = {"action": action, **fields}
        if cell is not None:
            request["cell"] = cell
        response = client.post(f"/api/games/{game['id']}/moves", json=request)
        assert response.status_code == 200, response.text
        return response.json()

    return make


class GuestClient:
    """A guest of a shared server, with its own cookies."""

    def __init__(self, client, path):
        self.client = client
        self.cookies = {}
        assert self.request("GET", path).status_code == 303

    def request(self, method, path, headers=None, **options):
        """Send a request with this guest's cookies and no others."""
        self.client.cookies.clear()
        pairs = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        headers = {"cookie": pairs, **(headers or {})}
        response = self.client.request(method, path, headers=headers, **options)
        new_cookies = SimpleCookie(response.headers.get("set-cookie", ""))
        self.cookies |= {name: morsel.value for name, morsel in new_cookies.items()}
        self.client.cookies.clear()
        return response


@pytest.fixture
def guest(shared):
    """Return a function that signs a guest in, with the invitation or another token."""
    return lambda token=SHARING.invitation_token: GuestClient(shared, f"/enter/{token}")
