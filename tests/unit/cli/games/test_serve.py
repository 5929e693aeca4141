"""Errors and warnings of `sapper serve`; tests/e2e/test_web_server.py starts it."""

import io
import socket

import pytest

from sapper.web import serve as serving
from sapper.web.serve import ServerAddresses


def test_port_in_use_is_reported_in_one_line(sapper, tmp_path):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        status, out, err = sapper("serve", "--port", port, "--data", tmp_path)
    assert (status, out) == (1, "")
    assert err.startswith(f"sapper: cannot listen on '127.0.0.1' port {port}: ")
    assert err.count("\n") == 1


def test_data_folder_below_a_file_is_bad_input(sapper, tmp_path):
    (tmp_path / "file").write_text("")
    status, _, err = sapper("serve", "--port", 0, "--data", tmp_path / "file" / "below")
    assert status == 2
    assert err.startswith("sapper: cannot read or write ")


def test_file_that_is_not_a_database_is_not_changed(sapper, tmp_path):
    (tmp_path / "games.sqlite").write_text("not a database" * 100)
    status, _, err = sapper("serve", "--port", 0, "--data", tmp_path)
    assert status == 2
    assert "file is not a database" in err
    assert (tmp_path / "games.sqlite").read_text().startswith("not a database")


def test_address_of_another_machine_is_reported_in_one_line(sapper, tmp_path):
    status, _, err = sapper("serve", "--host", "203.0.113.9", "--port", 0, "--data", tmp_path)
    assert status == 1 and err.count("\n") == 1
    assert err.startswith("sapper: cannot listen on '203.0.113.9' port 0: ")


def test_serving_others_prints_a_warning(sapper, tmp_path, monkeypatch):
    def serve(folder, *, announce, **_):
        others = ("http://203.0.113.9:1/enter/others",)
        announce(ServerAddresses("http://127.0.0.1:1/enter/own", others))

    monkeypatch.setattr("sapper.web.serve.serve", serve)
    status, out, err = sapper("serve", "--host", "203.0.113.9", "--data", tmp_path)
    warning, *more = err.splitlines()
    assert status == 0 and "Others open  http://203.0.113.9:1/enter/others" in out
    assert warning.startswith("warning: listening on 203.0.113.9: anyone")
    assert any("plain HTTP" in line for line in more)
    # The QR code needs characters that some terminals lack.
    for encoding in ("utf-8", "ascii"):
        stdout = io.TextIOWrapper(io.BytesIO(), encoding)
        monkeypatch.setattr("sys.stdout", stdout)
        assert sapper("serve", "--host", "203.0.113.9", "--data", tmp_path)[0] == 0
        stdout.flush()
        printed = stdout.buffer.getvalue().decode(encoding)
        assert "Others open" in printed and ("\u2588" in printed) is (encoding == "utf-8")


def test_invalid_name_or_name_without_host_is_bad_input(sapper, tmp_path):
    status, out, err = sapper("serve", "--host", "127.0.0.1", "--name", "a b", "--data", tmp_path)
    assert (status, out) == (2, "")
    assert err.splitlines()[-1].startswith("sapper: expected a name such as laptop.local, got ")
    assert sapper("serve", "--name", "laptop.local") == (2, "", "sapper: --name needs --host\n")


@pytest.fixture
def served(tmp_path, monkeypatch):
    """Return a function that serves until an interrupt, and returns what it announced and did."""

    def serve(**options):
        done, announced = [], []

        class Server:
            def __init__(self, config):
                pass

            def run(self, sockets):
                done.append(f"run on {len(sockets)} socket")
                raise KeyboardInterrupt

        monkeypatch.setattr(serving.uvicorn, "Server", Server)
        monkeypatch.setattr(serving, "raise_open_file_limit", lambda: done.append("limit"))
        serving.serve(tmp_path, port=0, announce=announced.append, **options)
        (addresses,) = announced
        return addresses, done

    return serve


def test_server_runs_with_a_raised_file_limit_until_it_is_interrupted(served):
    addresses, done = served()
    assert done == ["limit", "run on 1 socket"]
    assert addresses.address.startswith("http://127.0.0.1:") and addresses.invitations == ()


def test_addresses_of_a_shared_server_are_links_by_name_and_by_address(served):
    addresses, _ = served(host="127.0.0.1", name="laptop.local")
    assert addresses.address.startswith("http://127.0.0.1:")
    assert "/enter/" in addresses.address
    by_name, by_address = addresses.invitations
    assert by_name.startswith("http://laptop.local:")
    assert by_address.startswith("http://127.0.0.1:")
    assert by_name.rpartition("/")[2] == by_address.rpartition("/")[2]
    assert by_address != addresses.address
