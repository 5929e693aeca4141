"""Windows, guests of a shared server, and profiles."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import PHONE
from tests.e2e.pages import audit, game_of, reveal, wait_until

pytestmark = pytest.mark.browser

BEGINNER = "#/play?size=5x5/3&tiling=square&rule=zero&seed=2"
# Whether a game in the list is open in a window.
IS_OPEN = """async (game) => {
  const { games } = await (await fetch("/api/games")).json();
  return games.find(({ id }) => id === game)?.open;
}"""


@pytest.fixture
def visit(new_page, shared):
    """Open the shared server as a new guest, by the invitation or another link."""

    def open_page(link=None, **options):
        return new_page(link or shared.invitation, **options)

    return open_page


def play(page, address):
    """Make a move, so that the game is in progress."""
    page.goto(address)
    game = game_of(page)
    reveal(page, 12)
    return game


def wait_until_open(page, game, expected):
    """Wait until the server lists a game as open in a window (true) or in none (false)."""
    # Not wait_for_function, which takes the promise of an asynchronous function as true.
    wait_until(
        page,
        lambda: page.evaluate(IS_OPEN, game) is expected,
        f"the game {game} to be open in a window: {expected}",
    )


def save_name(page, name):
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#toasts")).to_contain_text("Name saved.")


def make_link(page):
    page.get_by_role("button", name="Create a link").click()
    return page.get_by_label("Link to this profile").input_value()


def test_window_returns_to_its_own_game(new_page, server):
    first = new_page(BEGINNER)
    game = play(first, server.url + BEGINNER)
    # Another view and back, and a reload: the same game.
    first.goto(server.url + "#/statistics")
    expect(first.locator("h1")).to_have_text("Statistics")
    first.goto(server.url + "#/play")
    assert game_of(first) == game
    first.goto(server.url + "#/help")
    first.reload()
    with first.expect_request(re.compile("/open$")) as report:
        first.goto(server.url + "#/play")
    assert game_of(first) == game
    # Another browser or tab gets another game, once the window has reported this one.
    wait_until_open(first, game, expected=True)
    assert game_of(new_page("#/play")) != game
    tab = first.context.new_page()
    tab.goto(server.url)
    assert game_of(tab) != game
    # When the window is closed, the next one offers to continue its game, even if an earlier report
    # arrives after the one that it was closed.
    first.goto("about:blank")
    wait_until_open(tab, game, expected=False)
    late = report.value
    assert tab.request.post(late.url, data=late.post_data_json).ok
    third = new_page("#/play")
    third.get_by_role("link", name="Continue Square 5x5/3").click()
    expect(third).to_have_url(re.compile(f"#/play/{game}$"))
    # Its address still opens it, with a warning once the other window has reported it.
    wait_until_open(third, game, expected=True)
    tab.goto(f"{server.url}#/play/{game}")
    expect(tab.locator("#toasts")).to_contain_text("also open in another window")


def test_guests_have_their_own_games_and_the_link_leaves_the_address_bar(visit, shared):
    ann, bob = visit(), visit()
    for page in (ann, bob):
        game_of(page)
        assert "/enter/" not in page.url
        assert page.evaluate("document.cookie") == ""  # no script sees it
        assert page.evaluate("history.length") <= 3
    game = play(ann, shared.url + BEGINNER)
    count = (
        "fetch('/api/games').then((response) => response.json()).then(({ games }) => games.length)"
    )
    assert (ann.evaluate(count), bob.evaluate(count)) == (1, 0)
    bob.goto(f"{shared.url}#/play/{game}")
    expect(bob.locator(".stage-message")).to_contain_text("You have no game")


def test_invitation_on_another_site_works(visit, shared):
    elsewhere = visit("about:blank")
    # Another site for the browser, so the cookie is not sent with this request.
    elsewhere.route(
        "http://elsewhere.test/",
        lambda route: route.fulfill(
            content_type="text/html", body=f'<a href="{shared.invitation}">Sapper</a>'
        ),
    )
    elsewhere.goto("http://elsewhere.test/")
    elsewhere.get_by_text("Sapper").click()
    game_of(elsewhere)
    assert elsewhere.url.startswith(shared.url + "#/play/")


def test_without_an_invitation_nothing_is_served(visit, shared):
    answer = visit("about:blank").request.get(shared.url)
    assert (answer.status, answer.body()) == (403, b"")


def test_profile_has_a_name_and_moves_to_another_device(visit, shared):
    desk = visit()
    game = play(desk, shared.url + BEGINNER)
    with desk.expect_response(lambda answer: '"theme":"light"' in (answer.request.post_data or "")):
        desk.get_by_role("button", name=re.compile("^Theme")).click()
    expect(desk.locator("html")).to_have_attribute("data-theme", "light")
    desk.locator(".tool-link").click()
    save_name(desk, "Ann")
    link = make_link(desk)
    expect(desk.locator("svg.qr")).to_be_visible()
    assert audit(desk) == []
    phone = visit(link, **PHONE)
    game_of(phone)
    # The setting came along, and so did the game.
    expect(phone.locator("html")).to_have_attribute("data-theme", "light")
    phone.goto(f"{shared.url}#/play/{game}")
    expect(phone.locator('[data-cell="12"]')).not_to_have_attribute(
        "aria-label", re.compile("covered")
    )
    phone.goto(f"{shared.url}#/profile")
    expect(phone.get_by_label("Your name")).to_have_value("Ann")
    assert visit("about:blank").request.get(link).status == 403  # the link works once


def test_link_is_copied_where_plain_http_has_no_clipboard(visit, shared):
    page = visit()
    page.add_init_script("Object.defineProperty(Navigator.prototype, 'clipboard', { value: null })")
    page.goto(f"{shared.url}#/profile")
    page.reload()
    link = make_link(page)
    copy = page.get_by_role("button", name="Copy link")
    copy.click()
    expect(copy).to_have_text("Copied")
    expect(copy).to_be_focused()
    page.get_by_label("Your name").focus()
    page.keyboard.press("Control+V")
    expect(page.get_by_label("Your name")).to_have_value(link[:40])


def test_switching_profiles_needs_a_confirmation(visit, shared):
    ann, bob = visit(), visit()
    ann.goto(f"{shared.url}#/profile")
    save_name(ann, "Ann")
    link = make_link(ann)
    bob.goto(link)
    expect(bob.get_by_role("heading", name="Use the profile “Ann”")).to_be_visible()
    assert bob.url == f"{shared.url}#/profile"
    bob.get_by_role("button", name="Cancel").click()
    expect(bob.get_by_label("Your name")).to_have_value("")
    bob.goto(link)
    bob.get_by_role("button", name="Use it").click()
    game_of(bob)
    bob.goto(f"{shared.url}#/profile")
    expect(bob.get_by_label("Your name")).to_have_value("Ann")
    bob.goto(link)
    expect(bob.locator("[data-cell]").first).to_be_visible()  # the same profile: nothing to ask


def test_profile_is_exported_and_imported(visit, shared, tmp_path):
    ann, bob = visit(), visit()
    play(ann, shared.url + BEGINNER)
    ann.goto(f"{shared.url}#/profile")
    with ann.expect_download() as exported:
        ann.get_by_role("link", name="Export").click()
    file = tmp_path / "profile.json"
    exported.value.save_as(file)
    assert sum("game" in json.loads(line) for line in file.read_text().splitlines()) == 1
    bob.goto(f"{shared.url}#/profile")
    bob.get_by_label("Profile file").set_input_files(file)
    expect(bob.locator("#toasts")).to_contain_text("1 game and 0 results added")
    expect(bob.locator(".profile")).to_contain_text("1 game, 0 results")
    file.write_text("{")
    bob.get_by_label("Profile file").set_input_files(file)
    expect(bob.locator("#toasts")).to_contain_text("Not a file that Sapper exported")


def test_imported_settings_are_used_only_on_request(new_page, server, tmp_path):
    theme = "document.documentElement.dataset.theme"
    page = new_page("#/profile", wait=False)
    page.evaluate(
        "import('/static/lib/settings.js').then((one) => one.changeSetting('theme', 'dark'))"
    )
    page.reload()
    with page.expect_download() as exported:
        page.get_by_role("link", name="Export").click()
    file = tmp_path / "profile.json"
    exported.value.save_as(file)
    other = new_page("#/profile", wait=False)
    for choice, now in (("Keep mine", None), ("Use the file's settings", "dark")):
        other.get_by_label("Profile file").set_input_files(file)
        other.get_by_role("button", name=choice).click()
        expect(other.get_by_role("dialog")).to_have_count(0)
        if now:
            expect(other.locator("#toasts")).to_contain_text(
                "The settings of the file are now in use"
            )
        assert other.evaluate(theme) == now
    other.get_by_label("Profile file").set_input_files(file)
    expect(other.locator("#toasts")).to_contain_text("0 games and 0 results added")
    expect(other.get_by_role("dialog")).to_have_count(0)  # the settings are the same now


def test_sign_out_ends_access(visit, shared):
    page = visit()
    page.goto(f"{shared.url}#/profile")
    page.get_by_role("button", name="Sign out").click()
    with page.expect_response(shared.url) as answer:
        page.get_by_role("dialog").get_by_role("button", name="Sign out").click()
    assert answer.value.status == 403
