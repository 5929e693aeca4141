"""The files of the page, and the script that combines its modules."""

import json
import re
import shutil
from pathlib import PurePosixPath

import pytest

from sapper.errors import SapperError
from sapper.render.palette import contrast, dark, light
from sapper.web import page
from sapper.web.page import STATIC

TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
FONT = "/static/fonts/figtree.woff2"


def urls_of(html: str) -> list[str]:
    return re.findall(r'(?:href|src)="(/[^"]+)"', html)


def test_every_file_is_part_of_the_page(client):
    loaded = urls_of(client.get("/").text)
    script, styles = (next(path for path in loaded if suffix in path) for suffix in (".js", ".css"))
    files = {path for path in loaded if path.startswith("/static/")}
    files |= set(client.get("/page.js.map").json()["sources"])
    sheet = client.get(styles).text
    for file in STATIC.glob("css/*.css"):
        assert file.read_text(encoding="utf-8") in sheet
        files.add(f"/static/css/{file.name}")
    assert sheet.startswith(":root{--")  # the palette
    assert "export" not in re.findall(r"^\w+", client.get(script).text, re.MULTILINE)
    existing = {f"/static/{file.relative_to(STATIC).as_posix()}" for file in STATIC.rglob("*.*")}
    assert existing - {"/static/index.html", "/static/fonts/OFL.txt"} == files


@pytest.mark.parametrize(
    "path", ["/page.js", "/page.css", "/static/main.js", "/static/icon.svg", FONT]
)
def test_files_are_served_with_their_type(client, path):
    response = client.get(path)
    assert response.headers["content-type"].partition(";")[0] == TYPES[PurePosixPath(path).suffix]
    policy = response.headers["content-security-policy"]
    assert "script-src 'self';" in policy and "font-src 'self';" in policy


@pytest.mark.parametrize(("theme", "palette"), [(0, light), (1, dark)])
def test_colours_of_the_page_have_enough_contrast(theme, palette):
    sheet = (STATIC / "css" / "base.css").read_text(encoding="utf-8")
    pairs = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", sheet)
    colours = {role: pair[theme] for role, *pair in pairs}
    assert FONT in sheet
    for number in range(1, 13):
        assert contrast(palette(f"number-{number}"), colours["revealed"]) >= 4.5
    for background in ("page", "surface"):
        for text in ("ink", "faint", "accent", "good", "bad"):
            assert contrast(colours[text], colours[background]) >= 4.5
    assert contrast(colours["on-accent"], colours["accent"]) >= 4.5
    for covered in ("covered", "covered-odd"):
        assert contrast(colours["ink"], colours[covered]) >= 4.5
        assert contrast(colours["flag"], colours[covered]) >= 3
        assert contrast(colours["revealed"], colours[covered]) >= 1.8


def test_only_versioned_urls_are_cached_permanently(client):
    script = next(path for path in urls_of(client.get("/").text) if "page.js" in path)
    assert "immutable" in client.get(script).headers["cache-control"]
    for path in ("/", "/page.js", "/page.js?v=other"):
        assert client.get(path).headers["cache-control"] == "no-cache"


def test_unchanged_static_file_is_not_sent_again(client):
    first = client.get("/static/lib/api.js")
    again = client.get("/static/lib/api.js", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert first.headers["cache-control"] == again.headers["cache-control"] == "no-cache"


def test_changed_file_is_sent_after_a_reload(client, monkeypatch, tmp_path):
    folder = shutil.copytree(STATIC, tmp_path / "static")
    monkeypatch.setattr(page, "STATIC", folder)
    before = client.get("/").text
    assert client.get("/").text == before
    (folder / "css" / "play.css").write_text("body { color: red }", encoding="utf-8")
    after = client.get("/").text
    assert after != before
    styles = next(path for path in urls_of(after) if "page.css" in path)
    assert "body { color: red }" in client.get(styles).text


def test_modules_become_functions_after_those_they_import(tmp_path):
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "one.js").write_text("export const one = 1;\nexport class Two {}\n")
    (tmp_path / "two.js").write_text(
        'import * as all from "./lib/one.js";\nexport async function two() { return all.one; }\n'
    )
    (tmp_path / "main.js").write_text(
        'import { Two, one as first } from "./lib/one.js";\nimport { two } from "./two.js";\n'
    )
    code, mapping = page.combine_modules(tmp_path, "main.js")
    assert code.splitlines() == [
        *("const $lib_one = (() => {", "const one = 1;", "class Two {}"),
        *("return { one, Two };", "})();"),
        *("const $two = (() => {", "const all = $lib_one;"),
        *("async function two() { return all.one; }", "return { two };", "})();"),
        *("const $main = (() => {", "const { Two, one: first } = $lib_one;"),
        *("const { two } = $two;", "return {  };", "})();"),
    ]
    assert json.loads(mapping)["sources"] == [
        f"/static/{name}" for name in ("lib/one.js", "two.js", "main.js")
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('import one from "./other.js";', "cannot combine main.js"),
        ('import "./other.js";', "cannot combine main.js"),
        ("export default 1;", "cannot combine main.js"),
        ("export let one = 1;", "cannot combine main.js"),
        ('import { one } from "./main.js";', "import each other: main.js, main.js"),
    ],
)
def test_modules_that_cannot_be_combined_are_refused(tmp_path, text, problem):
    (tmp_path / "main.js").write_text(text)
    with pytest.raises(SapperError, match=problem):
        page.combine_modules(tmp_path, "main.js")
