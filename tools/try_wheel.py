"""Try a wheel as a stranger would: an empty environment, no compiler, no network, every door once.

python tools/try_wheel.py dist/sapper-0.2.0-*.whl
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.request
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
POSITION = "mines: 2\n1##\n1##\n###\n"


def main(wheel: str) -> None:
    """Install the wheel and try it; the first failure ends it."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        sapper = install(Path(wheel).resolve(), home)
        environment = {"PATH": str(sapper.parent), "HOME": folder, "LANG": "C.UTF-8"}

        def run(*words: str, text: str = "") -> str:
            done = subprocess.run(
                [str(sapper), *words],
                input=text,
                env=environment,
                cwd=folder,
                timeout=300,
                capture_output=True,
                text=True,
            )
            if done.returncode:
                raise SystemExit(f"sapper {' '.join(words)}: {done.stderr}")
            return done.stdout

        for attempt in (say_version, ask_probabilities, print_sheet, run_campaign):
            print(f"  {attempt(run, home)}")
        print(f"  {play_by_http(sapper, environment, home)}")
    print(f"{Path(wheel).name} works")


def install(wheel: Path, home: Path) -> Path:
    """Install the wheel into an environment from downloaded files, and return its `sapper`."""
    files = ROOT / "build" / "wheelhouse"
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    constraints = ["--constraint", str(ROOT / "constraints.txt")]
    subprocess.run([*pip, "download", *constraints, "--dest", files, wheel], check=True)
    venv.create(home / "env", with_pip=False)
    python = home / "env" / "bin" / "python"
    offline = ["--no-index", "--find-links", str(files), "--only-binary", ":all:"]
    subprocess.run([*pip, "--python", python, "install", *offline, wheel], check=True)
    return python.with_name("sapper")


def say_version(run, home):
    """Return the kernels must have come along, compiled; Cython must not be needed."""
    version = run("--version").strip()
    assert "kernels compiled" in version, version
    packages = {path.name.lower() for path in home.glob("env/lib/*/site-packages/*")}
    assert "cython" not in packages, "the wheel brought Cython along"
    return version


def ask_probabilities(run, home):
    """Exact probabilities of a position."""
    answer = json.loads(run("probabilities", "-", "--json", text=POSITION))
    assert answer["probabilities"]["r1c2"] == 0.5, answer
    return "probabilities: r1c2 0.5"


def print_sheet(run, home):
    """Make a worksheet as PDF."""
    run("table", "6x6", "--seed", "1", "--count", "2", "-o", "sheet.pdf")
    data = (home / "sheet.pdf").read_bytes()
    assert data.startswith(b"%PDF"), data[:20]
    return f"sheet.pdf: {len(data):,} bytes"


def run_campaign(run, home):
    """Run a small campaign."""
    said = run(
        *("lab", "run", "9x9/10", "--player", "careful", "--games", "2000"),
        *("--seed", "1", "--out", "a.db"),
    )
    assert "2,000 games won" in said, said
    return said.splitlines()[0]


def play_by_http(sapper: Path, environment: dict[str, str], home: Path) -> str:
    """Make the first click of a game on the page."""
    words = [str(sapper), "web", "--port", "0", "--data", str(home / "games")]
    server = subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        address = re.search(r"http://[\w.:]+", server.stdout.readline())[0]
        game = post(f"{address}/api/games", {"size": "beginner", "seed": 1})
        answer = post(
            f"{address}/api/games/{game['id']}/moves",
            {"action": "reveal", "cell": 40, "after": game["state"]["events"]},
        )
        return f"page: one click opened {len(answer['cells'])} cells"
    finally:
        server.terminate()
        server.wait(timeout=30)


def post(url: str, data: dict[str, object]) -> dict:
    """Return the answer of the server."""
    body = json.dumps(data).encode()
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


if __name__ == "__main__":
    os.umask(0o077)
    main(sys.argv[1])
