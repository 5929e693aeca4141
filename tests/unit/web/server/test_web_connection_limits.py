"""Idle and half-sent connections do not block active ones."""

import asyncio
import socket
import time

import pytest
from starlette.testclient import TestClient

from sapper.web.app import create_app
from sapper.web.server import connection_limits
from sapper.web.server.connection_limits import HeaderTimeoutProtocol, Server

USUAL = connection_limits.HEADER_TIMEOUT  # what a test has shortened ends long before
HALF = b"POST /api/games HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: "
WHOLE = b"GET /api/menu HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"


@pytest.fixture
def at_server(folder):
    """Run a story beside a real server on a free port of this machine."""

    def run(story):
        async def whole():
            with socket.socket() as listener:
                listener.bind(("127.0.0.1", 0))
                server = Server(create_app(folder), listener)
                serving = asyncio.create_task(server.serve([listener]))
                while not server.started:
                    await asyncio.sleep(0.01)
                try:
                    return await asyncio.wait_for(story(listener.getsockname()[1]), 20)
                finally:
                    server.should_exit = True
                    await serving

        return asyncio.run(whole())

    return run


async def connect(port, data=b""):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(data)
    return reader, writer


async def status_of(reader):
    line = await reader.readline()
    return int(line.split()[1])


async def ended(reader):
    """Whether the other side hung up without a word."""
    try:
        return await reader.read() == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize("sent", [b"", HALF])
def test_a_head_that_does_not_come_ends_the_connection_after_a_while(at_server, monkeypatch, sent):
    monkeypatch.setattr(connection_limits, "HEADER_TIMEOUT", 0.3)

    async def story(port):
        started = time.monotonic()
        reader, writer = await connect(port, sent)
        over = await ended(reader)
        writer.close()
        return over, time.monotonic() - started

    over, took = at_server(story)
    assert over and 0.25 < took < USUAL
    assert not HeaderTimeoutProtocol.waiting


def test_a_byte_now_and_then_gains_no_time(at_server, monkeypatch):
    monkeypatch.setattr(connection_limits, "HEADER_TIMEOUT", 0.4)

    async def story(port):
        started = time.monotonic()
        reader, writer = await connect(port, HALF)
        over = asyncio.create_task(ended(reader))
        while not over.done() and time.monotonic() - started < 5:
            writer.write(b"x")
            await asyncio.sleep(0.05)
        writer.close()
        return over.done(), time.monotonic() - started

    over, took = at_server(story)
    assert over and took < USUAL


def test_a_second_half_head_on_a_kept_connection_ends_too(at_server, monkeypatch):
    monkeypatch.setattr(connection_limits, "HEADER_TIMEOUT", 0.3)

    async def story(port):
        reader, writer = await connect(port, WHOLE)
        assert await status_of(reader) == 200
        writer.write(HALF)
        started = time.monotonic()
        while await reader.read(65536):
            pass
        writer.close()
        return time.monotonic() - started

    assert at_server(story) < USUAL


def test_a_head_in_two_pieces_is_a_head(at_server):
    async def story(port):
        reader, writer = await connect(port, WHOLE[:20])
        await asyncio.sleep(0.1)
        writer.write(WHOLE[20:])
        status = await status_of(reader)
        writer.close()
        return status, len(HeaderTimeoutProtocol.waiting)

    assert at_server(story) == (200, 0)


def test_the_oldest_that_wait_make_room_and_who_asks_is_answered(at_server, monkeypatch):
    monkeypatch.setattr(connection_limits, "MAX_WAITING", 10)

    async def story(port):
        asking, voice = await connect(port, WHOLE)
        assert await status_of(asking) == 200
        lines = [await connect(port, HALF) for _ in range(40)]
        while len(HeaderTimeoutProtocol.waiting) > 10 or not await_closed(lines[0]):
            await asyncio.sleep(0.01)
        voice.write(WHOLE)  # a connection that has asked before is no stranger
        newcomer, writer = await connect(port, WHOLE)
        status = await status_of(newcomer)
        first, last = lines[0][0], lines[-1][0]
        over = await ended(first), last.at_eof()
        for _, other in (*lines, (None, voice), (None, writer)):
            other.close()
        return status, over

    def await_closed(line):
        return line[0].at_eof() or line[0].exception() is not None

    assert at_server(story) == (200, (True, False))


def test_too_many_concurrent_requests_are_503(folder, monkeypatch):
    with TestClient(create_app(folder), base_url="http://127.0.0.1") as client:
        assert client.get("/api/menu").status_code == 200
        monkeypatch.setattr(connection_limits, "MAX_REQUESTS", 0)
        answer = client.get("/api/menu")
        assert answer.status_code == 503
        assert answer.json() == {"error": "the server is too busy; try again"}
        monkeypatch.undo()
        assert client.get("/api/menu").status_code == 200
