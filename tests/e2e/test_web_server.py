"""`sapper serve` and `sapper play` as processes."""

import http.client
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest

from tests.time_limits import HANG_SECONDS


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
    deadline = time.monotonic() + 60
    while not (opened.exists() and opened.read_text()) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    process.wait(timeout=HANG_SECONDS)
    process.stdout.close()
    assert opened.read_text().strip() == address


def test_shared_server_prints_links_and_a_qr_code(tmp_path):
    options = ("--host", "0.0.0.0", "--name", "Desk.local")
    process = subprocess.Popen(
        (sys.executable, "-m", "sapper", "serve", "--port", "0", "--data", str(tmp_path), *options),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"},
    )
    own = process.stdout.readline().split()[3]
    others = process.stdout.readline().split()[2]
    port = own.split(":")[2].partition("/")[0]
    # Without a link there is no access; with one there is, also by the name.
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(f"http://127.0.0.1:{port}/api/games", timeout=HANG_SECONDS)
    for link, host in ((own, f"127.0.0.1:{port}"), (others, f"desk.local:{port}")):
        connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=HANG_SECONDS)
        connection.request("GET", "/enter/" + link.rpartition("/")[2], headers={"host": host})
        answer = connection.getresponse()
        assert (answer.status, answer.getheader("location")) == (303, "/entered")
        connection.close()
    process.send_signal(signal.SIGINT)
    rest, warning = process.stdout.read(), process.stderr.read()
    process.wait(timeout=HANG_SECONDS)
    process.stdout.close()
    process.stderr.close()
    assert own.startswith(f"http://127.0.0.1:{port}/enter/")
    assert others.startswith(f"http://desk.local:{port}/enter/")
    assert rest.split()[0] == "or"  # the IP address, for devices that cannot find the name
    assert "\u2588" in rest
    assert "plain HTTP" in warning
    assert "Traceback" not in warning
