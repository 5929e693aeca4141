"""A shared server: no access without the link, and separate profiles for all guests."""

import hmac
import re

from starlette.routing import Mount
from starlette.testclient import TestClient
from tests.unit.web.conftest import SHARING

from sapper.web.app import ROUTES, create_app
from sapper.web.server import invitations
from sapper.web.server.invitations import InvitationGrant, Invitations
from sapper.web.server.security import SECURITY_HEADERS
from sapper.web.storage import store

EVERY_ROUTE = sorted(
    {
        (method, re.sub(r"\{[^}]+\}", "1", route.path))
        for route in ROUTES
        if not isinstance(route, Mount)
        for method in route.methods
    }
    | {("GET", "/static/main.js"), ("GET", "/nothing"), ("POST", "/"), ("GET", "/enter/")}
    | {("GET", "/enter/1"), ("HEAD", f"/enter/{SHARING.invitation_token}"), ("POST", "/enter/1")}
)


def assert_forbidden(response):
    """Check that a response is 403 and empty, with the security headers and no cookie."""
    assert (response.status_code, response.content) == (403, b"")
    assert "set-cookie" not in response.headers
    assert SECURITY_HEADERS.items() <= dict(response.headers).items()


def test_every_route_is_403_without_the_token(shared):
    assert len(EVERY_ROUTE) > 50
    for method, path in EVERY_ROUTE:
        body = {"json": {}} if method == "POST" else {}
        assert_forbidden(
            shared.request(method, path, headers={"cookie": "sapper-8765=guess"}, **body)
        )
    for headers in ({}, {"cookie": "sapper-8765="}, {"host": "evil.example"}, {"host": ""}):
        assert_forbidden(shared.get("/", headers=headers))


def test_tokens_are_compared_in_constant_time(shared, guest, monkeypatch):
    comparisons = []

    def compare(given, stored):
        comparisons.append((given, stored))
        return original(given, stored)

    original = hmac.compare_digest
    monkeypatch.setattr(hmac, "compare_digest", compare)
    assert_forbidden(shared.get("/enter/guess"))
    # Links to profiles, which other tests may have issued, are compared too.
    expected = {
        (b"guess", token.encode()) for token in (SHARING.invitation_token, SHARING.owner_token)
    }
    assert expected <= set(comparisons)
    user = guest()
    comparisons.clear()
    assert user.request("GET", "/api/games").status_code == 200
    assert len(comparisons) == 1


def test_link_signs_in_and_redirects(shared):
    response = shared.get(f"/enter/{SHARING.invitation_token}")
    assert (response.status_code, response.headers["location"]) == (303, "/entered")
    assert response.headers["referrer-policy"] == "no-referrer"
    assert response.headers["cache-control"] == "no-store"
    cookie = response.headers["set-cookie"].lower()
    assert cookie.startswith("sapper-8765=")
    for attribute in ("httponly", "samesite=strict", "path=/", "max-age="):
        assert attribute in cookie
    assert "secure" not in cookie  # plain HTTP: the browser would not keep it
    response = shared.get("/entered")
    assert (response.status_code, response.headers["location"]) == (303, "/")
    page = shared.get("/")
    assert page.status_code == 200
    assert SHARING.invitation_token not in page.text
    assert shared.get("/static/main.js").status_code == 200


def test_missing_cookie_reloads_once(shared):
    response = shared.get("/entered")
    assert response.status_code == 403
    assert response.text == '<!doctype html><meta http-equiv="refresh" content="0;url=/">'
    assert_forbidden(shared.get("/"))


def test_opening_the_link_again_keeps_the_profile(guest):
    ann = guest()
    game = ann.request("POST", "/api/games", json={"size": "beginner"}).json()
    again = ann.request("GET", f"/enter/{SHARING.invitation_token}")
    assert (again.status_code, again.headers["location"]) == (303, "/")
    assert ann.request("GET", f"/api/games/{game['id']}").status_code == 200
    # With a cookie an expired link opens the page too.
    assert ann.request("GET", "/enter/old").headers["location"] == "/"


def test_guests_have_separate_data(guest):
    ann, bob = guest(), guest()
    game = ann.request("POST", "/api/games", json={"text": "*.."}).json()
    path = f"/api/games/{game['id']}"
    for action, cell in (("flag", 2), ("reveal", 0)):
        ann.request("POST", f"{path}/moves", json={"action": action, "cell": cell})
    ann.request("POST", "/api/settings", json={"value": {"theme": "dark"}})
    ann.request("POST", "/api/profile", json={"name": " Ann  Lee "})
    assert [row["id"] for row in ann.request("GET", "/api/games").json()["games"]] == [game["id"]]
    assert ann.request("GET", "/api/statistics").json()["results"] == 1
    profile = {"shared": True, "name": "Ann Lee", "games": 1, "results": 1}
    assert ann.request("GET", "/api/profile").json() == profile
    assert bob.request("GET", "/api/games").json() == {"games": []}
    assert bob.request("GET", "/api/statistics").json()["results"] == 0
    assert bob.request("GET", "/api/settings").json() == {"value": None}
    assert bob.request("GET", "/api/profile").json()["name"] == ""
    requests = [("GET", suffix) for suffix in ("", "/mines", "/share", "/board")]
    requests += [("POST", suffix) for suffix in ("/resume", "/moves", "/probabilities", "/open")]
    for method, suffix in requests:
        body = {"action": "undo", "window": "w"} if method == "POST" else None
        response = bob.request(method, path + suffix, json=body)
        assert response.status_code == 404, suffix
        assert response.json()["error"] == f"you have no game '{game['id']}'"
    assert bob.request("POST", "/api/games", json={"repeat": game["id"]}).status_code == 404
    response = bob.request("POST", "/api/position", json={"game": game["id"]})
    assert response.status_code == 404
    bob.request("DELETE", "/api/statistics")
    assert ann.request("GET", "/api/statistics").json()["results"] == 1


def test_oldest_games_of_a_guest_are_deleted(guest, client, monkeypatch):
    monkeypatch.setattr(store, "MAX_GUEST_GAMES", 2)
    ann = guest()
    layout = {"text": "*..\n..."}
    games = [ann.request("POST", "/api/games", json=layout).json()["id"] for _ in range(3)]
    statuses = [ann.request("GET", f"/api/games/{game}").status_code for game in games]
    assert statuses == [404, 200, 200]
    ann.request("POST", f"/api/games/{games[1]}/moves", json={"action": "reveal", "cell": 0})
    # games[1] was changed last, so games[2] is deleted before it.
    for _ in range(2):
        ann.request("POST", "/api/games", json={})
    assert ann.request("GET", f"/api/games/{games[1]}").status_code == 404
    assert ann.request("GET", "/api/statistics").json()["results"] == 1
    local_games = [client.post("/api/games", json={}).json()["id"] for _ in range(3)]
    assert all(client.get(f"/api/games/{game}").status_code == 200 for game in local_games)


def test_profile_survives_a_restart(guest, shared):
    ann = guest()
    game = ann.request("POST", "/api/games", json={"size": "beginner"}).json()
    folder = shared.app.state.games.store.database.path.parent
    restarted = create_app(folder, sharing=invitations.SharingOptions("http://x/"))
    with TestClient(restarted, base_url=shared.base_url) as other:
        assert other.get("/api/games").status_code == 403
        for name, value in ann.cookies.items():
            other.cookies.set(name, value)
        assert other.get(f"/api/games/{game['id']}").status_code == 200


def test_owner_link_works_on_this_machine_only(folder):
    with TestClient(create_app(folder), base_url="http://127.0.0.1:8765") as unshared:
        game = unshared.post("/api/games", json={"size": "beginner"}).json()
    app = create_app(folder, sharing=SHARING)
    for client, status in ((("192.168.1.7", 50000), 403), (("127.0.0.1", 50000), 303)):
        with TestClient(
            app, base_url="http://127.0.0.1:8765", client=client, follow_redirects=False
        ) as browser:
            assert browser.get(f"/enter/{SHARING.owner_token}").status_code == status
            game_status = browser.get(f"/api/games/{game['id']}").status_code
            assert game_status == (200 if status == 303 else 403)


def test_profile_can_be_transferred_to_another_device_once(guest, shared):
    ann = guest()
    game = ann.request("POST", "/api/games", json={"size": "beginner"}).json()
    transfer = ann.request("POST", "/api/profile/link", json={}).json()
    assert transfer["link"].startswith("http://127.0.0.1:8765/enter/")
    assert transfer["seconds"] == 600
    assert len(transfer["qr"]) == len(transfer["qr"][0]) and set("".join(transfer["qr"])) == {
        "0",
        "1",
    }
    token = transfer["link"].rpartition("/")[2]
    assert_forbidden(shared.get(f"/enter/{token}", headers={"sec-purpose": "prefetch"}))
    phone = guest(token)
    assert phone.request("GET", f"/api/games/{game['id']}").status_code == 200
    assert phone.cookies != ann.cookies
    assert_forbidden(shared.get(f"/enter/{token}"))  # the link works once


def test_expired_profile_link_is_refused():
    now = [0.0]
    links = Invitations(SHARING, clock=lambda: now[0])
    token = links.create_token("ann")
    now[0] = invitations.LINK_SECONDS - 1
    assert links.find(token, is_local=False) == InvitationGrant("ann")
    now[0] = invitations.LINK_SECONDS
    assert links.find(token, is_local=False) is None


def test_oldest_profile_links_are_dropped_beyond_the_limit(monkeypatch):
    monkeypatch.setattr(invitations, "MAX_LINKS", 2)
    links = Invitations(SHARING)
    tokens = [links.create_token("ann") for _ in range(4)]
    grants = [links.find(token, is_local=False) for token in tokens]
    assert grants == [None, None, InvitationGrant("ann"), InvitationGrant("ann")]


def test_switching_profiles_needs_a_confirmation(guest):
    ann, bob = guest(), guest()
    ann.request("POST", "/api/profile", json={"name": "Ann"})
    bob.request("POST", "/api/profile", json={"name": "Bob"})
    token = ann.request("POST", "/api/profile/link", json={}).json()["link"].rpartition("/")[2]
    response = bob.request("GET", f"/enter/{token}")
    assert (response.status_code, response.headers["location"]) == (303, f"/#/profile?take={token}")
    assert bob.request("GET", "/api/profile").json()["name"] == "Bob"
    preview = bob.request("POST", "/api/profile/preview", json={"token": token})
    assert preview.json()["name"] == "Ann"
    old = dict(bob.cookies)
    assert bob.request("POST", "/api/profile/switch", json={"token": token}).json()["name"] == "Ann"
    assert bob.request("GET", "/api/profile").json()["name"] == "Ann"
    again = ann.request("POST", "/api/profile/switch", json={"token": token})
    assert again.status_code == 404
    assert "has been used or has expired" in again.json()["error"]
    bob.cookies = old
    assert_forbidden(bob.request("GET", "/api/profile"))


def test_sign_out_invalidates_the_cookie(guest):
    ann = guest()
    old = dict(ann.cookies)
    assert ann.request("POST", "/api/profile/sign-out", json={}).json() == {}
    assert_forbidden(ann.request("GET", "/"))
    ann.cookies = old
    assert_forbidden(ann.request("GET", "/"))


def test_unshared_server_has_one_owner_and_no_links(client):
    profile = {"shared": False, "name": "", "games": 0, "results": 0}
    assert client.get("/api/profile").json() == profile
    for action in ("link", "switch", "preview", "sign-out"):
        response = client.post(f"/api/profile/{action}", json={"token": "x"})
        assert response.status_code == 503
        assert "--host" in response.json()["error"]
    assert client.get("/enter/x").status_code == 404


def test_settings_are_stored_and_must_be_an_object(client):
    assert client.post("/api/settings", json={"value": {"chord": False}}).json() == {}
    assert client.get("/api/settings").json() == {"value": {"chord": False}}
    for request in ({}, {"value": 1}, {"value": None}):
        assert client.post("/api/settings", json=request).status_code == 400
    response = client.post("/api/profile", json={"name": "x" * 41})
    assert "at most 40 characters" in response.json()["error"]


def test_token_is_not_in_the_database(guest, shared):
    (token,) = guest().cookies.values()
    for file in shared.app.state.games.store.database.path.parent.iterdir():
        assert token.encode() not in file.read_bytes()


def test_loading_the_page_renews_the_cookie(guest):
    ann = guest()
    (token,) = ann.cookies.values()
    assert f"={token}; " in ann.request("GET", "/").headers["set-cookie"]
    assert "set-cookie" not in ann.request("GET", "/api/games").headers


def test_invisible_characters_are_removed_from_names(client):
    for given, name in (("  A  b ", "A b"), ("\u202eA\u0000 b", "A b"), ("<b>", "<b>"), ("", "")):
        assert client.post("/api/profile", json={"name": given}).json()["name"] == name
