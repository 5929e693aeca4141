"""Smoke test of a wheel: install it without compiler and network, and use each interface once.

python tools/try_wheel.py dist/sapper-*.whl
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
    """Install the wheel and run every check; stop at the first failure."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        sapper = install(Path(wheel).resolve(), home)
        environment = {"PATH": str(sapper.parent), "HOME": folder, "LANG": "C.UTF-8"}

        def run(*arguments: str, text: str = "") -> str:
            result = subprocess.run(
                [str(sapper), *arguments],
                input=text,
                env=environment,
                cwd=folder,
                timeout=300,
                capture_output=True,
                text=True,
            )
            if result.returncode:
                raise SystemExit(f"sapper {' '.join(arguments)}: {result.stderr}")
            return result.stdout

        for check in (check_version, check_analysis, check_worksheet, check_campaign):
            print(f"  {check(run, home)}")
        print(f"  {check_page(sapper, environment, home)}")
    print(f"{Path(wheel).name} works")


def install(wheel: Path, home: Path) -> Path:
    """Install the wheel into a new environment, and return the path of its `sapper` command.

    pip downloads the dependencies first; the installation itself uses no network.
    """
    files = ROOT / "build" / "wheelhouse"
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    constraints = ["--constraint", str(ROOT / "constraints.txt")]
    subprocess.run([*pip, "download", *constraints, "--dest", files, wheel], check=True)
    venv.create(home / "env", with_pip=False)
    python = home / "env" / "bin" / "python"
    offline = ["--no-index", "--find-links", str(files), "--only-binary", ":all:"]
    subprocess.run([*pip, "--python", python, "install", *offline, wheel], check=True)
    return python.with_name("sapper")


def check_version(run, home):
    """Check that the wheel contains compiled kernels and does not need Cython."""
    version = run("--version").strip()
    assert "kernels compiled" in version, version
    packages = {path.name.lower() for path in home.glob("env/lib/*/site-packages/*")}
    assert "cython" not in packages, "the wheel depends on Cython"
    return version


def check_analysis(run, home):
    """Analyse a position."""
    answer = json.loads(run("analyse", "-", "--json", text=POSITION))
    assert answer["probabilities"]["r1c2"] == 0.5, answer
    return "analyse: r1c2 has probability 0.5"


def check_worksheet(run, home):
    """Make a worksheet as PDF."""
    run("worksheet", "6x6", "--seed", "1", "--count", "2", "-o", "worksheet.pdf")
    data = (home / "worksheet.pdf").read_bytes()
    assert data.startswith(b"%PDF"), data[:20]
    return f"worksheet.pdf: {len(data):,} bytes"


def check_campaign(run, home):
    """Run a small campaign."""
    output = run(
        *("lab", "run", "9x9/10", "--player", "careful", "--games", "2000"),
        *("--seed", "1", "--out", "a.db"),
    )
    assert "2,000 games won" in output, output
    return output.splitlines()[0]


def check_page(sapper: Path, environment: dict[str, str], home: Path) -> str:
    """Start the server and make the first click of a game over HTTP."""
    command = [str(sapper), "serve", "--port", "0", "--data", str(home / "games")]
    server = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
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
    """Post JSON and return the response."""
    body = json.dumps(data).encode()
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)


if __name__ == "__main__":
    os.umask(0o077)
    main(sys.argv[1])
