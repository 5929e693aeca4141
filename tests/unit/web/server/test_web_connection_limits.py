"""Idle and half-sent connections do not block active ones."""

import asyncio
import socket
from types import SimpleNamespace

import pytest

from sapper.web.app import create_app
from sapper.web.server import connection_limits
from sapper.web.server.connection_limits import HeaderTimeoutProtocol, Server

INCOMPLETE = b"POST /api/games HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: "
COMPLETE = b"GET /api/menu HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"


@pytest.fixture
def run_with_server(folder, monkeypatch):
    """Return a function that runs a coroutine function with the port of a real server."""
    # Too long to be reached by accident on a busy machine.
    monkeypatch.setattr(connection_limits, "HEADER_TIMEOUT", 60)

    def run(scenario):
        async def serve_and_run():
            with socket.socket() as listener:
                listener.bind(("127.0.0.1", 0))
                server = Server(create_app(folder), listener)
                serving = asyncio.create_task(server.serve([listener]))
                while not server.started:
                    await asyncio.sleep(0.01)
                try:
                    return await asyncio.wait_for(scenario(listener.getsockname()[1]), 60)
                finally:
                    server.should_exit = True
                    await serving

        return asyncio.run(serve_and_run())

    return run


async def connect(port, data=b""):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(data)
    return reader, writer


async def status_of(reader):
    line = await reader.readline()
    return int(line.split()[1])


async def is_closed(reader):
    """Wait until the server closes the connection; return whether it sent no response."""
    try:
        return await reader.read() == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize("sent", [b"", INCOMPLETE])
def test_connection_without_complete_headers_is_closed(run_with_server, monkeypatch, sent):
    monkeypatch.setattr(connection_limits, "HEADER_TIMEOUT", 0.1)

    async def scenario(port):
        reader, writer = await connect(port, sent)
        closed = await is_closed(reader)
        writer.close()
        return closed

    assert run_with_server(scenario)
    assert not HeaderTimeoutProtocol.waiting


def test_sending_bytes_does_not_restart_the_timer(run_with_server, monkeypatch):
    monkeypatch.setattr(connection_limits, "HEADER_TIMEOUT", 0.2)

    async def scenario(port):
        reader, writer = await connect(port, INCOMPLETE)
        closed = asyncio.create_task(is_closed(reader))
        while not closed.done():
            writer.write(b"x")
            await asyncio.sleep(0.05)
        writer.close()
        return closed.result()

    assert run_with_server(scenario)


def test_incomplete_second_request_is_closed_too(run_with_server, monkeypatch):
    async def scenario(port):
        reader, writer = await connect(port, COMPLETE)
        assert await status_of(reader) == 200
        monkeypatch.setattr(connection_limits, "HEADER_TIMEOUT", 0.1)
        writer.write(INCOMPLETE)
        while await reader.read(65536):
            pass
        writer.close()

    run_with_server(scenario)


def test_headers_may_arrive_in_two_parts(run_with_server):
    async def scenario(port):
        reader, writer = await connect(port, COMPLETE[:20])
        while not HeaderTimeoutProtocol.waiting:
            await asyncio.sleep(0.01)
        writer.write(COMPLETE[20:])
        status = await status_of(reader)
        writer.close()
        return status, len(HeaderTimeoutProtocol.waiting)

    assert run_with_server(scenario) == (200, 0)


def test_oldest_waiting_connections_are_closed_and_requests_are_answered(
    run_with_server, monkeypatch
):
    monkeypatch.setattr(connection_limits, "MAX_WAITING", 10)

    async def scenario(port):
        active, active_writer = await connect(port, COMPLETE)
        assert await status_of(active) == 200
        waiting = [await connect(port, INCOMPLETE) for _ in range(40)]
        oldest, newest = waiting[0][0], waiting[-1][0]
        assert await is_closed(oldest)
        while len(HeaderTimeoutProtocol.waiting) > 10:
            await asyncio.sleep(0.01)
        active_writer.write(COMPLETE)  # a connection with a complete request is not closed
        reader, writer = await connect(port, COMPLETE)
        status = await status_of(reader)
        for _, other in (*waiting, (None, active_writer), (None, writer)):
            other.close()
        return status, newest.at_eof()

    assert run_with_server(scenario) == (200, False)


def test_too_many_concurrent_requests_are_503(client, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(connection_limits, "MAX_REQUESTS", 0)
        response = client.get("/api/menu")
        assert response.status_code == 503
        assert response.json() == {"error": "the server is too busy; try again"}
        patch.setattr(connection_limits, "MAX_REQUESTS", 1)
        assert client.get("/api/menu").status_code == 200
    assert client.get("/api/menu").status_code == 200


@pytest.mark.parametrize(
    ("hard", "soft"), [(-1, connection_limits.MAX_OPEN_FILES), (300, 300), (10**9, None)]
)
def test_limit_of_open_files_is_raised_as_far_as_the_system_permits(monkeypatch, hard, soft):
    limits = [100, hard]
    system = SimpleNamespace(
        RLIMIT_NOFILE="files",
        RLIM_INFINITY=-1,
        getrlimit=lambda kind: tuple(limits),
        setrlimit=lambda kind, values: limits.__setitem__(slice(None), values),
    )
    monkeypatch.setattr(connection_limits, "resource", system)
    assert connection_limits.open_file_limit() == 100
    connection_limits.raise_open_file_limit()
    expected = connection_limits.MAX_OPEN_FILES if soft is None else soft
    assert limits == [expected, hard]
    assert connection_limits.open_file_limit() == expected


def test_without_a_limit_of_the_system_the_limit_of_open_files_is_fixed(monkeypatch):
    monkeypatch.setattr(connection_limits, "resource", None)
    connection_limits.raise_open_file_limit()
    assert connection_limits.open_file_limit() == connection_limits.MAX_OPEN_FILES
