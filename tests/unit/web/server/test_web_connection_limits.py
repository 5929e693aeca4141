"""Connections without complete headers are closed."""

import asyncio
import socket
from types import SimpleNamespace

import pytest
import uvicorn

from sapper.web.app import create_app
from sapper.web.serve import server_config
from sapper.web.server import connection_limits

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
                server = uvicorn.Server(server_config(create_app(folder)))
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
        other, other_writer = await connect(port, COMPLETE)
        assert await status_of(other) == 200  # by now the first part has been read
        writer.write(COMPLETE[20:])
        status = await status_of(reader)
        for open_writer in (writer, other_writer):
            open_writer.close()
        return status

    assert run_with_server(scenario) == 200


@pytest.mark.parametrize(
    ("soft", "hard", "expected"), [(100, 300, 300), (100, -1, connection_limits.OPEN_FILES)]
)
def test_limit_of_open_files_is_raised_as_far_as_the_system_permits(
    monkeypatch, soft, hard, expected
):
    limits = [soft, hard]
    system = SimpleNamespace(
        RLIMIT_NOFILE="files",
        RLIM_INFINITY=-1,
        getrlimit=lambda kind: tuple(limits),
        setrlimit=lambda kind, values: limits.__setitem__(slice(None), values),
    )
    monkeypatch.setattr(connection_limits, "resource", system)
    connection_limits.raise_open_file_limit()
    assert limits == [expected, hard]
