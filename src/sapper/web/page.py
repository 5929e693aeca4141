"""Serve the page: one script, one style sheet, static files and the documentation.

Loading the modules one by one would be slow, so they are bundled: in memory, and again after a
change, so that there is no build step. A source map shows the modules in the browser's developer
tools.
"""

from __future__ import annotations

import hashlib
import json
import posixpath
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from sapper.errors import SapperError
from sapper.web.boards import palette_css

STATIC = Path(__file__).parent / "static"
# `make docs` writes them there; an installed package has none.
DOCS = Path(__file__).parents[3] / "build" / "docs"

MAIN = "main.js"
REVALIDATE = "no-cache"
IMMUTABLE = "private, max-age=31536000, immutable"

# The documentation's theme has inline scripts and styles; nothing is loaded from other sites.
DOCS_POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)

_STYLESHEET = re.compile(r' *<link rel="stylesheet" href="/static/([^"]+)">\n')
_SCRIPT = f'src="/static/{MAIN}"'
_IMPORT = re.compile(r'import (?:\* as (\w+)|\{ ([^}]+) \}) from "(\.[^"]+)";(?: *//.*)?')
_LONG_IMPORT = re.compile(r"^(import \{)([^}]+)(\} from [^\n]+)", re.MULTILINE)
_EXPORT = re.compile(r"export ((?:async )?function|const|class) (\w+)")
_VLQ = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


@dataclass(frozen=True)
class Bundle:
    """The page and the two files that it loads."""

    html: str
    script: str
    source_map: str
    styles: str
    version: str
    """A hash of the files, which is part of their URLs."""


async def page(request: Request) -> Response:
    """Return the page."""
    bundle = await _current_bundle()
    return Response(bundle.html, media_type="text/html", headers={"cache-control": REVALIDATE})


async def script(request: Request) -> Response:
    """Return all modules as one script."""
    bundle = await _current_bundle()
    return _versioned_response(request, bundle, bundle.script, "text/javascript")


async def source_map(request: Request) -> Response:
    """Return the source map of the script."""
    bundle = await _current_bundle()
    return _versioned_response(request, bundle, bundle.source_map, "application/json")


async def styles(request: Request) -> Response:
    """Return the palette and all style sheets."""
    bundle = await _current_bundle()
    return _versioned_response(request, bundle, bundle.styles, "text/css")


class PageFiles(StaticFiles):
    """The files of the page; the browser revalidates them on every load."""

    # The media types of the operating system may be wrong, and because of the nosniff header the
    # browser would not run a script of another type.
    TYPES = MappingProxyType(
        {
            ".js": "text/javascript; charset=utf-8",
            ".css": "text/css; charset=utf-8",
            ".svg": "image/svg+xml",
            ".woff2": "font/woff2",
        }
    )

    def __init__(self) -> None:
        super().__init__(directory=STATIC)

    def file_response(self, full_path: Any, *arguments: Any, **options: Any) -> Response:
        """Return a file, or 304 if the browser has it."""
        response = super().file_response(full_path, *arguments, **options)
        response.headers["cache-control"] = REVALIDATE
        media_type = self.TYPES.get(Path(full_path).suffix)
        if media_type is not None and response.status_code == 200:
            response.headers["content-type"] = media_type
        return response


class DocsFiles(StaticFiles):
    """The files of the documentation, or 404 if it has not been built."""

    def __init__(self, folder: Path = DOCS) -> None:
        super().__init__(directory=folder, html=True, check_dir=False)

    async def check_config(self) -> None:
        """Accept a missing folder."""

    def file_response(self, *arguments: Any, **options: Any) -> Response:
        """Return a file with the documentation's own content security policy."""
        response = super().file_response(*arguments, **options)
        response.headers["content-security-policy"] = DOCS_POLICY
        response.headers["cache-control"] = REVALIDATE
        return response


ROUTES = [
    Route("/", page),
    Route("/page.js", script),
    Route("/page.js.map", source_map),
    Route("/page.css", styles),
    Mount("/static", PageFiles()),
    Mount("/docs", DocsFiles()),
]


def make_bundle() -> Bundle:
    """Combine the files of the page."""
    html = (STATIC / "index.html").read_text(encoding="utf-8")
    sheets = _STYLESHEET.findall(html)
    css = [palette_css(), *((STATIC / name).read_text(encoding="utf-8") for name in sheets)]
    code, mapping = combine_modules(STATIC, MAIN)
    version = hashlib.sha256("\0".join((html, code, *css)).encode()).hexdigest()[:12]
    link = f'  <link rel="stylesheet" href="/page.css?v={version}">\n'
    html = _STYLESHEET.sub("", html.replace("</head>", f"{link}</head>"))
    return Bundle(
        html=html.replace(_SCRIPT, f'src="/page.js?v={version}"'),
        script=f"{code}//# sourceMappingURL=/page.js.map?v={version}\n",
        source_map=mapping,
        styles="\n".join(css),
        version=version,
    )


def combine_modules(folder: Path, main: str) -> tuple[str, str]:
    """Return a module and everything that it imports as one script, and its source map.

    Each module becomes a function that returns its exports, and is called after the functions of
    the modules that it imports. Circular imports are refused.
    """
    lines: list[str] = []
    origins: list[tuple[str, int] | None] = []  # for each line: its module and line number there

    def add(line: str, origin: tuple[str, int] | None = None) -> None:
        lines.append(line)
        origins.append(origin)

    for name, text in _in_import_order(folder, main).items():
        exports = []
        add(f"const {_exports_variable(name)} = (() => {{")
        for line_number, line in enumerate(text.splitlines()):
            if export := _EXPORT.match(line):
                exports.append(export[2])
                line = line.removeprefix("export ")
            elif _is_import(line):
                line = _import_as_assignment(name, line)
            elif line.startswith("export"):
                raise SapperError(f"cannot combine {name}: {line!r:.60}")
            add(line, (name, line_number))
        add(f"return {{ {', '.join(exports)} }};")
        add("})();")
    return "\n".join((*lines, "")), _source_map(origins)


def _is_import(line: str) -> bool:
    return re.match(r"import\b(?!\()", line) is not None


def _on_one_line(match: re.Match[str]) -> str:
    """Return a long import as one line, and empty lines so that line numbers stay the same."""
    names = " ".join(match[2].split()).removesuffix(",")
    return f"{match[1]} {names} {match[3]}" + "\n" * match[2].count("\n")


def _parse_import(module: str, line: str) -> tuple[str, re.Match[str]]:
    match = _IMPORT.fullmatch(line)
    if match is None:
        raise SapperError(f"cannot combine {module}: {line!r:.60}")
    return posixpath.normpath(posixpath.join(posixpath.dirname(module), match[3])), match


def _import_as_assignment(module: str, line: str) -> str:
    """Return an import as an assignment from the exports of the other module."""
    other, match = _parse_import(module, line)
    names = match[1] or f"{{ {match[2].replace(' as ', ': ')} }}"
    return f"const {names} = {_exports_variable(other)};"


def _exports_variable(module: str) -> str:
    """Return the name of the variable that holds a module's exports; no module uses $ names."""
    return "$" + re.sub(r"\W", "_", module.removesuffix(".js"))


def _in_import_order(folder: Path, main: str) -> dict[str, str]:
    """Return the texts of the modules, each after those that it imports."""
    texts: dict[str, str] = {}
    path: list[str] = []

    def visit(name: str) -> None:
        if name in path:
            raise SapperError(f"modules import each other: {', '.join((*path, name))}")
        if name in texts:
            return
        path.append(name)
        text = _LONG_IMPORT.sub(_on_one_line, (folder / name).read_text(encoding="utf-8"))
        for line in text.splitlines():
            if _is_import(line):
                visit(_parse_import(name, line)[0])
        path.pop()
        texts[name] = text

    visit(main)
    return texts


def _source_map(origins: list[tuple[str, int] | None]) -> str:
    """Return a map from lines to lines, as in ECMA-426."""
    sources = list(dict.fromkeys(origin[0] for origin in origins if origin is not None))
    number_of = {name: number for number, name in enumerate(sources)}
    mappings = []
    last = 0, 0
    for origin in origins:
        if origin is None:
            mappings.append("")
            continue
        current = number_of[origin[0]], origin[1]
        deltas = (0, current[0] - last[0], current[1] - last[1], 0)
        mappings.append("".join(map(_vlq, deltas)))
        last = current
    urls = [f"/static/{name}" for name in sources]
    return json.dumps({"version": 3, "sources": urls, "mappings": ";".join(mappings)})


def _vlq(number: int) -> str:
    """Encode a number as the base 64 VLQ of source maps, lowest bits first."""
    rest = abs(number) << 1 | (number < 0)
    digits = ""
    while True:
        rest, digit = rest >> 5, rest & 31
        digits += _VLQ[digit | 32 if rest else digit]
        if not rest:
            return digits


def _versioned_response(
    request: Request, bundle: Bundle, content: str, media_type: str
) -> Response:
    """Return a file; the browser may cache it permanently if the URL has its version."""
    current = request.query_params.get("v") == bundle.version
    headers = {"cache-control": IMMUTABLE if current else REVALIDATE}
    return Response(content, media_type=media_type, headers=headers)


async def _current_bundle() -> Bundle:
    return await to_thread.run_sync(lambda: _cached_bundle(_modification_times()))


def _modification_times() -> tuple[tuple[str, int], ...]:
    """Return when each file was last changed."""
    return tuple(sorted((str(file), file.stat().st_mtime_ns) for file in STATIC.rglob("*.*")))


@lru_cache(maxsize=1)
def _cached_bundle(modified: tuple[tuple[str, int], ...]) -> Bundle:
    return make_bundle()
