"""Train networks: `python -m training round --round 1 --seconds 240`; see docs/how-to/train.md."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "training"


def main(arguments: list[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, about in (
        ("build", "compile the kernels in place if necessary"),
        ("data", "generate a round of data"),
        ("fit", "fit a network to rounds of data"),
        ("check", "play games by a network, paired with other players"),
        ("round", "build, data, fit and check: a whole round"),
        ("choices", "record guesses with the win rates of their cells, for the weights of shrewd"),
        ("mix", "fit the weights of shrewd to recorded choices"),
    ):
        _options(commands.add_parser(name, help=about), name)
    given = parser.parse_args(arguments)
    given.folder.mkdir(parents=True, exist_ok=True)
    if given.out:
        given.out.mkdir(parents=True, exist_ok=True)
    steps = {
        "build": [build],
        "data": [build, data],
        "fit": [fit_network],
        "check": [build, check_network],
        "round": [build, data, fit_network, check_network],
        "choices": [build, record_choices],
        "mix": [fit_score_weights],
    }
    for step in steps[given.command]:
        step(given)


def _options(parser: argparse.ArgumentParser, name: str) -> None:
    add = parser.add_argument
    add("--folder", type=Path, default=FOLDER, help="where data and networks are kept")
    add("--out", type=Path, help="also put networks, cards and the log here")
    add("--tiling", default="square")
    add("--workers", type=int, default=len(os.sched_getaffinity(0)))
    add("--round", type=int, default=1)
    add("--name", help="what the network is called; round-N if not given")
    if name in ("data", "round"):
        add("--seconds", type=float, default=240.0, help="for making data")
        add(
            "--cycles",
            type=int,
            default=0,
            help="number of cycles; 0: until the time is up",
        )
        add("--inside", help="network of the playouts; that of the round before if not given")
        add("--extras", type=int, default=0, choices=(0, 1, 2))
    if name == "choices":
        add("--seconds", type=float, default=600.0)
        add("--samples", type=int, default=40, help="roll-outs of each cell")
        add("--opening", type=float, default=0.35, help="share of openings that are recorded")
    if name in ("fit", "round"):
        add("--rounds", type=int, nargs="+", help="rounds whose data is fitted; this one")
        add("--start", help="go on from this network; 'none' starts from scratch")
        add("--first", type=int, default=64)
        add("--second", type=int, default=32)
        add("--scalars", type=int, default=20)
        add("--epochs", type=float, default=12.0)
        add("--fit-seconds", type=float, default=90.0)
        add("--rate", type=float)
        add("--batch", type=int, default=4096)
        add("--engine", choices=("torch", "numpy"), default="torch")
    if name in ("check", "round"):
        add("--check-seconds", type=float, default=45.0)
        add("--check-games", type=int, default=10**6, help="the most games per line")
        add("--against", nargs="*", default=["least probability"], help="players to compare with")
        add("--images", type=int, default=1, help="symmetries averaged by the network")
        add(
            "--line",
            nargs=3,
            action="append",
            metavar=("SIZE", "RULE", "FIRST"),
            help="what is played; may be given several times",
        )
        add("--seed", type=int, help="of the first game")


def say(given: Any, text: str) -> None:
    """Print a line and add it to the log."""
    line = f"{time.strftime('%H:%M:%S', time.gmtime())} {text}"
    print(line, flush=True)
    for folder in filter(None, (given.folder, given.out)):
        with (folder / "log.txt").open("a") as log:
            log.write(line + "\n")


def build(given: Any) -> None:
    """Compile the kernels of this tree in place, unless a new process finds them compiled."""
    ask = [sys.executable, "-c", "import sapper.kernels as k; print(k.STATUS)"]
    state = subprocess.run(ask, capture_output=True, text=True, check=True).stdout.strip()
    if state != "compiled":
        command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
        subprocess.run(command, cwd=ROOT, check=False)
        state = subprocess.run(ask, capture_output=True, text=True, check=True).stdout.strip()
    say(given, f"kernels: {state}")
    if state != "compiled":
        raise SystemExit("the kernels could not be compiled; the lines above say why")


def data(given: Any) -> None:
    """Generate the data of a round."""
    from training.data import Plan, make_data

    inside = given.inside
    if inside is None:
        before = given.folder / f"round-{given.round - 1}.network"
        inside = str(before) if before.exists() else ""
    plan = Plan(
        *(given.round, given.tiling, "" if inside == "none" else inside, given.seconds),
        cycles=given.cycles,
        extras=given.extras,
    )
    say(given, f"data: {plan}")
    started = time.monotonic()
    positions = make_data(plan, _data_folder(given, given.round), given.workers)
    took = time.monotonic() - started
    say(given, f"data: {positions:,} positions in {took:.0f} s on {given.workers} workers")


def _data_folder(given: Any, number: int) -> Path:
    folder: Path = given.folder / f"round-{number}"
    return folder


def fit_network(given: Any) -> None:
    """Fit a network and write it with its card."""
    from sapper.players.networks import Weights, read_weights
    from training.data import FIRST_SEED, SEEDS_A_ROUND
    from training.fit import Settings, fit
    from training.positions import load

    name = given.name or f"round-{given.round}"
    rounds = given.rounds or [given.round]
    start = None
    if given.start != "none":
        before = given.folder / f"round-{given.round - 1}.network"
        path = Path(given.start) if given.start else before
        if given.start or before.exists():
            start = read_weights(path)
            sizes = start.first, start.second, start.scalars
            if sizes != (given.first, given.second, given.scalars):
                say(given, f"fit: {path.name} has other sizes {sizes}: starting from scratch")
                start = None
    positions = load([_data_folder(given, number) for number in rounds], given.scalars)
    say(given, f"fit {name}: {len(positions):,} positions, {len(positions.target):,} candidates")
    settings = Settings(
        *(given.first, given.second, given.scalars, given.epochs, given.fit_seconds, given.batch),
        rate=given.rate or (2e-3 if start is None else 1e-3),
    )
    made = fit(
        positions, given.tiling, settings, start, given.engine, lambda text: say(given, text)
    )
    plans = {
        str(number): json.loads((_data_folder(given, number) / "plan.json").read_text())
        for number in rounds
    }
    seeds = {str(number): FIRST_SEED + SEEDS_A_ROUND * number for number in rounds}
    card = {**made.card, "rounds": plans, "first seeds": seeds, "commit": _commit()}
    made = Weights(
        *(made.tiling, made.slots, made.first, made.second, made.scalars),
        *(made.arrays, made.shifts, card),
    )
    for folder in filter(None, (given.folder, given.out)):
        made.save(folder / f"{name}.network")
        (folder / f"{name}.json").write_text(json.dumps(card, indent=1) + "\n")
    say(given, f"fit {name}: {len(made.to_bytes()):,} bytes")


def _commit() -> str:
    found = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return found.stdout.strip() or "unknown"


def check_network(given: Any) -> None:
    """Play games by the network, paired with others."""
    from training.check import FIRST_SEED, LINES, check

    name = given.name or f"round-{given.round}"
    path = Path(name) if "." in name else given.folder / f"{name}.network"
    players = [*given.against, str(path)]
    rows = check(
        players,
        given.check_seconds,
        given.workers,
        given.tiling,
        tuple(tuple(line) for line in given.line or LINES),
        images=given.images,
        most=given.check_games,
        seed=FIRST_SEED if given.seed is None else given.seed,
    )
    for row in rows:
        say(given, f"check: {row}")
    for folder in filter(None, (given.folder, given.out)):
        (folder / f"{path.stem}-check.json").write_text(json.dumps(rows, indent=1) + "\n")


def record_choices(given: Any) -> None:
    """Record guesses with the win rates of their cells."""
    from training.choices import gather

    folder = given.folder / "choices"
    found = gather(folder, given.seconds, given.workers, given.samples, given.opening)
    say(given, f"choices: {found:,} guesses in {given.seconds:.0f} s on {given.workers} workers")


def fit_score_weights(given: Any) -> None:
    """Report the weights that fit the recorded choices, and their gain."""
    from training.mix import report

    for line in report(given.folder / "choices"):
        say(given, f"mix: {line}")


if __name__ == "__main__":
    # Use the package of this tree, also in the workers, whether it is installed or not.
    sys.path.insert(0, str(ROOT / "src"))
    os.environ["PYTHONPATH"] = os.pathsep.join(
        [str(ROOT / "src"), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    )
    main()
