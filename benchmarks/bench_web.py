"""Load test of the server: moves per second, response times, memory, moves lost in a crash.

200 clients each play Expert over one connection, with a move about every half second: reveals,
flags, undos, continues after a loss, a new game after a win. Then the server is killed, and after a
restart it must still have every move that it confirmed.

    python -m benchmarks.bench_web [SECONDS] [GAMES] [MOVES_PER_SECOND]
"""

import asyncio
import json
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

import psutil
from tests.e2e.web_server import Server

COVERED, FLAG = -1, -2


class Connection:
    """A minimal HTTP client on one connection, which uses less CPU time than the server."""

    def __init__(self, port):
        self.port = port
        self.writer = None

    async def request(self, method, path, data=None):
        """Send a request; return the status and the JSON of the response."""
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        body = b"" if data is None else json.dumps(data).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{self.port}\r\n"
            f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
        )
        self.writer.write(head.encode() + body)
        status = int((await self.reader.readline()).split()[1])
        length = 0
        while (line := await self.reader.readline()) != b"\r\n":
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return status, json.loads(await self.reader.readexactly(length))


class Client:
    """A client that plays one game after another, and records every confirmed move."""

    def __init__(self, port, seed, pause):
        self.connection = Connection(port)
        self.random = random.Random(seed)
        self.pause = pause
        self.games = {}
        self.times = []
        self.errors = []

    async def play(self, deadline):
        """Make moves until the deadline."""
        await asyncio.sleep(self.random.random() * 4 * self.pause)  # spread the first requests
        await self.start_game()
        while time.perf_counter() < deadline:
            started = time.perf_counter()
            await self.move()
            elapsed = time.perf_counter() - started
            self.times.append(elapsed)
            await asyncio.sleep(max(0.0, self.pause * self.random.uniform(0.8, 1.2) - elapsed))
        self.connection.writer.close()

    async def start_game(self):
        """Start a new game."""
        status, game = await self.connection.request("POST", "/api/games", {"size": "expert"})
        assert status == 201, game
        self.id, self.marks, self.state = game["id"], game["marks"], game["state"]
        self.games[self.id] = []

    async def move(self):
        """Make a move, and record the response."""
        if self.state["outcome"] == "won":
            await self.start_game()
            return
        request = {"action": "continue", "after": self.state["events"]}
        if self.state["outcome"] == "playing":
            request |= self.choose()
        path = f"/api/games/{self.id}/moves"
        status, response = await self.connection.request("POST", path, request)
        if status != 200:
            self.errors.append((status, request, response))
            return
        self.games[self.id].append(request["action"])
        for cell, mark in zip(response["cells"], response["marks"], strict=True):
            self.marks[cell] = mark
        self.state = response["state"]

    def choose(self):
        """Choose a legal move, mostly a reveal."""
        roll = self.random.random()
        if roll < 0.1 and self.state["can_undo"]:
            return {"action": "undo"}
        flags = [cell for cell, mark in enumerate(self.marks) if mark == FLAG]
        if roll < 0.2 and flags:
            return {"action": "unflag", "cell": self.random.choice(flags)}
        covered = [cell for cell, mark in enumerate(self.marks) if mark == COVERED]
        if not covered:
            return {"action": "unflag", "cell": self.random.choice(flags)}
        action = "flag" if roll < 0.5 else "reveal"
        return {"action": action, "cell": self.random.choice(covered)}


async def sample_memory(process, deadline, samples):
    """Sample the resident memory of the server every few seconds, in MB."""
    while time.perf_counter() < deadline:
        await asyncio.sleep(2)
        samples.append(process.memory_info().rss / 2**20)


async def run_clients(server, seconds, games, rate):
    """Run all clients; return them, and samples of the memory of the server."""
    clients = [Client(server.port, seed, games / rate) for seed in range(games)]
    deadline = time.perf_counter() + seconds
    samples = []
    sampler = asyncio.create_task(sample_memory(psutil.Process(server.pid), deadline, samples))
    await asyncio.gather(*(client.play(deadline) for client in clients))
    await sampler
    return clients, samples


async def missing_moves(server, clients):
    """Return how many confirmed moves the server has lost or stored in another order."""
    connection = Connection(server.port)
    missing = 0
    for client in clients:
        for game, moves in client.games.items():
            _, shared = await connection.request("GET", f"/api/games/{game}/share")
            known = [row.split()[1] for row in shared["text"].split("\n\n")[-1].splitlines()]
            missing += sum(a != b for a, b in zip(moves, known, strict=False))
            missing += max(0, len(moves) - len(known))
    connection.writer.close()
    return missing


def main():
    """Run the load test and print its results."""
    defaults = ["60", "200", "400"]
    seconds, games, rate = map(float, [*sys.argv[1:], *defaults[len(sys.argv) - 1 :]])
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        clients, samples = asyncio.run(run_clients(server, seconds, int(games), rate))
        cpu = psutil.Process(server.pid).cpu_times()
        server.kill()
        server.start()
        lost = asyncio.run(missing_moves(server, clients))
        server.stop()
    times = sorted(elapsed for client in clients for elapsed in client.times)
    errors = [error for client in clients for error in client.errors]
    settled = samples[len(samples) // 3 :]
    print(f"{int(games)} games at once for {seconds:.0f} s, a move every {games / rate:.2f} s each")
    print(f"  moves answered      {len(times):8}   {len(times) / seconds:8.0f} per second")
    print(
        f"  median, 99th, worst {1000 * statistics.median(times):8.1f} ms"
        f" {1000 * times[len(times) * 99 // 100]:8.1f} ms {1000 * times[-1]:8.1f} ms"
    )
    print(f"  server CPU time     {1000 * (cpu.user + cpu.system) / len(times):8.2f} ms per move")
    print(f"  memory, MB          {settled[0]:8.1f} after a third, {settled[-1]:.1f} at the end")
    print(f"  errors              {len(errors):8}   {errors[:1] or ''}")
    print(f"  moves lost          {lost:8}")


if __name__ == "__main__":
    main()
