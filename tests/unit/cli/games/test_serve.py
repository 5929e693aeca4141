"""What `sapper web` refuses before it serves; that it serves is shown end to end."""

import socket

import pytest

from sapper.web.serve import ServerAddresses


def test_a_port_in_use_is_said_in_one_line(sapper, tmp_path):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        status, out, err = sapper("web", "--port", port, "--data", tmp_path)
    assert (status, out) == (1, "")
    assert err.startswith(f"sapper: cannot listen on '127.0.0.1' port {port}: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("port", ["-1", "65536", "x"])
def test_a_port_that_is_none_is_bad_input(sapper, port):
    status, out, err = sapper("web", "--port", port)
    assert (status, out) == (2, "")
    assert err.startswith("sapper: ")


def test_a_folder_that_is_a_file_is_bad_input(sapper, tmp_path):
    (tmp_path / "file").write_text("")
    status, _, err = sapper("web", "--port", 0, "--data", tmp_path / "file" / "below")
    assert status == 2
    assert err.startswith("sapper: cannot read or write ")


def test_a_file_of_something_else_is_left_alone(sapper, tmp_path):
    (tmp_path / "games.sqlite").write_text("my letters, not your games" * 100)
    status, _, err = sapper("web", "--port", 0, "--data", tmp_path)
    assert status == 2
    assert "file is not a database" in err
    assert (tmp_path / "games.sqlite").read_text().startswith("my letters")


def test_an_address_of_another_machine_is_one_line(sapper, tmp_path):
    status, _, err = sapper("web", "--host", "203.0.113.9", "--port", 0, "--data", tmp_path)
    assert status == 1 and err.count("\n") == 1
    assert err.startswith("sapper: cannot listen on '203.0.113.9' port 0: ")


def test_letting_others_in_is_warned_of(sapper, tmp_path, monkeypatch):
    def listening(folder, *, say, **_):
        say(ServerAddresses("http://127.0.0.1:1/enter/own", ("http://203.0.113.9:1/enter/others",)))

    monkeypatch.setattr("sapper.web.serve.serve", listening)
    status, out, err = sapper("web", "--host", "203.0.113.9", "--data", tmp_path)
    warning, *more = err.splitlines()
    assert status == 0 and "Others open  http://203.0.113.9:1/enter/others" in out
    assert warning.startswith("warning: listening on 203.0.113.9: everybody")
    assert any("plain HTTP" in line for line in more)


@pytest.mark.parametrize("name", ["two words", "-x.local", "a..b", "x" * 64, "10.0.0.1", ""])
def test_a_name_that_is_none_is_bad_input(sapper, tmp_path, name):
    status, out, err = sapper("web", "--host", "127.0.0.1", "--name", name, "--data", tmp_path)
    assert (status, out) == (2, "")
    assert err.splitlines()[-1].startswith("sapper: expected a name such as laptop.local, got ")


def test_a_name_without_host_is_bad_input(sapper):
    status, out, err = sapper("web", "--name", "laptop.local")
    assert (status, out) == (2, "")
    assert "expected --host with --name" in err
