"""Half-open connections while others play, on this machine: how long a move takes beside them.

Some players play Expert as in `bench_web.py`. Meanwhile a process of its own keeps so many
connections open that have sent a part of a head and go on a byte at a time, and opens each one
anew a second after the server has hung up.

    python benchmarks/bench_half_open.py [SECONDS] [CONNECTIONS] [PLAYERS]
"""

import asyncio
import heapq
import itertools
import multiprocessing
import selectors
import socket
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.bench_web import Player, resident_megabytes
from tests.e2e.web_server import Server

from sapper.web.server.connection_limits import raise_open_file_limit

HALF = b"POST /api/games HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: "


def press(port, size, seconds, figures):
    """Keep *size* half-open connections until the time is up; it costs little itself."""
    raise_open_file_limit()
    ready = selectors.DefaultSelector()
    order = itertools.count()
    now = time.monotonic()
    until = now + seconds
    # What is to be done when: a new connection (None), or a byte more on one.
    due = [(now + k / size, next(order), None) for k in range(size)]
    heapq.heapify(due)
    opened = most = 0
    while (now := time.monotonic()) < until:
        while due and due[0][0] <= now:
            _, _, line = heapq.heappop(due)
            if line is None:
                line = socket.socket()
                line.setblocking(False)
                line.connect_ex(("127.0.0.1", port))
                ready.register(line, selectors.EVENT_READ)
                heapq.heappush(due, (now + 0.05, next(order), line))
                opened += 1
                most = max(most, len(ready.get_map()))
                continue
            if line.fileno() < 0:
                continue
            try:
                line.send(HALF)
            except BlockingIOError:
                pass
            except OSError:
                hang_up(line, ready, due, now, order)
                continue
            heapq.heappush(due, (now + 1, next(order), line))
        for key, _ in ready.select(max(0.0, min(0.05, due[0][0] - now if due else 0.05))):
            try:
                over = key.fileobj.recv(100) == b""
            except BlockingIOError:
                over = False
            except OSError:
                over = True
            if over:
                hang_up(key.fileobj, ready, due, now, order)
    figures["opened"], figures["most"] = opened, most


def hang_up(line, ready, due, now, order):
    """Close a connection, and open another one in a second."""
    ready.unregister(line)
    line.close()
    heapq.heappush(due, (now + 1, next(order), None))


async def load(server, seconds, connections, games, figures):
    """A quarter of the time in peace, then with the crowd."""
    until = time.perf_counter() + seconds * 1.25
    players = [Player(server.port, seed, 0.5) for seed in range(games)]
    playing = [asyncio.create_task(player.play(until)) for player in players]
    await asyncio.sleep(seconds * 0.25)
    pressed = time.perf_counter()
    crowd = multiprocessing.get_context("spawn").Process(
        target=press, args=(server.port, connections, until - pressed - 1, figures)
    )
    crowd.start()
    await asyncio.gather(*playing)
    memory = resident_megabytes(server.pid)
    crowd.join()
    return players, pressed, memory


def line(name, times):
    """One line of the table, in milliseconds."""
    times = sorted(1000 * spent for spent in times)
    return (
        f"  {name:10} {len(times):6} moves, median {statistics.median(times):6.1f}"
        f"  99th {times[len(times) * 99 // 100]:6.1f}  worst {times[-1]:6.1f} ms"
    )


def main():
    """Print the table."""
    seconds, connections, games = (
        float(sys.argv[k]) if len(sys.argv) > k else usual
        for k, usual in ((1, 60), (2, 2000), (3, 40))
    )
    with tempfile.TemporaryDirectory() as folder, multiprocessing.Manager() as manager:
        figures = manager.dict()
        server = Server(Path(folder))
        story = load(server, seconds, int(connections), int(games), figures)
        players, pressed, memory = asyncio.run(story)
        server.stop()
        figures = dict(figures)
    times = [pair for player in players for pair in player.times]
    errors = [error for player in players for error in player.errors]
    print(f"{int(connections)} half-open connections for {seconds:.0f} s, {int(games)} players")
    print(line("in peace", [spent for at, spent in times if at < pressed]))
    print(line("with them", [spent for at, spent in times if at >= pressed]))
    print(f"  open at once {figures['most']}, in all {figures['opened']}, server {memory:.0f} MB")
    print(f"  errors {len(errors)} {errors[:1] or ''}")


if __name__ == "__main__":
    main()
