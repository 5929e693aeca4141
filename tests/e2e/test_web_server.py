"""`sapper web` and `sapper play` as processes of their own."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request

from tests.e2e.web_server import Server


def fetch(url, data=None):
    body = None if data is None else json.dumps(data).encode()
    request = urllib.request.Request(url, body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def test_a_game_goes_on_after_the_server_was_killed(tmp_path):
    server = Server(tmp_path)
    game = fetch(server.url + "api/games", {"size": "expert", "seed": "1"})
    moves = server.url + f"api/games/{game['id']}/moves"
    fetch(moves, {"action": "reveal", "cell": 200, "after": 0})
    fetch(moves, {"action": "flag", "cell": 0, "after": 1})
    before = fetch(server.url + f"api/games/{game['id']}")
    server.kill()
    server.start()
    after = fetch(server.url + f"api/games/{game['id']}")
    assert after["marks"] == before["marks"]
    assert after["state"]["events"] == 2
    process = server.process
    server.stop()
    assert process.returncode == 0


def test_play_opens_the_browser_at_the_page(tmp_path):
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}\n')
    browser.chmod(0o755)
    process = subprocess.Popen(
        (sys.executable, "-m", "sapper", "play", "--port", "0", "--data", str(tmp_path / "data")),
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "BROWSER": f"{browser} %s", "PYTHONUNBUFFERED": "1"},
    )
    address = process.stdout.readline().split()[3]
    deadline = time.monotonic() + 15
    while not opened.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    process.wait(timeout=15)
    process.stdout.close()
    assert opened.read_text().strip() == address
