"""The book beside the page: served where it is built, 404 where it is not."""

from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from sapper.web.server.docs_files import DocsFiles


def client(folder):
    return TestClient(Starlette(routes=[Mount("/book", DocsFiles(folder))]))


def test_a_book_that_is_built_is_served_with_a_policy_of_its_own(tmp_path):
    (tmp_path / "index.html").write_text("<h1>Sapper</h1>", encoding="utf-8")
    answer = client(tmp_path).get("/book/")
    assert (answer.status_code, answer.text) == (200, "<h1>Sapper</h1>")
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self' 'unsafe-inline'" in policy and "http" not in policy


def test_without_a_book_nothing_is_there(tmp_path):
    assert client(tmp_path / "none").get("/book/").status_code == 404
