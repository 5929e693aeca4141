"""The documentation is served if it has been built."""

from pathlib import Path

from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from sapper.web.page import DOCS, DOCS_HEADERS, Files


def client(folder):
    docs = Files(folder, DOCS_HEADERS, html=True)
    return TestClient(Starlette(routes=[Mount("/docs", docs)]))


def test_built_docs_are_served_with_their_own_policy(tmp_path):
    (tmp_path / "index.html").write_text("<h1>Sapper</h1>", encoding="utf-8")
    response = client(tmp_path).get("/docs/")
    assert (response.status_code, response.text) == (200, "<h1>Sapper</h1>")
    policy = response.headers["content-security-policy"]
    assert "script-src 'self' 'unsafe-inline'" in policy and "http" not in policy


def test_docs_are_served_from_the_folder_that_make_docs_writes():
    root = Path(__file__).parents[4]
    folder = DOCS.relative_to(root).as_posix()
    assert f"-b html docs {folder}\n" in (root / "Makefile").read_text(encoding="utf-8")


def test_missing_docs_are_404(tmp_path):
    assert client(tmp_path / "none").get("/docs/").status_code == 404
