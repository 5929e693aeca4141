"""Train networks: `python -m training round --round 1 --seconds 240`; see docs/how-to/train.md."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from dataclasses import replace
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
        ("check", "play games by a network or other players on the same layouts"),
        ("round", "build, data, fit and check: a whole round"),
        ("advantage", "measure what roll-outs gain at the guesses of games by patient"),
        ("choices", "record guesses with the win rates of their cells, for the weights of shrewd"),
        ("mix", "fit the weights of shrewd to recorded choices"),
        ("openings", "search better moves than those of shrewd in positions that recur"),
    ):
        _add_options(commands.add_parser(name, help=about), name)
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
    steps = {
        "build": [build],
        "data": [build, data],
        "fit": [fit_network],
        "check": [build, check_network],
        "round": [build, data, fit_network, check_network],
        "advantage": [build, measure_advantage],
        "choices": [build, record_choices],
        "mix": [fit_score_weights],
        "openings": [build, study_openings],
    }
    for step in steps[options.command]:
        step(options)


def _add_options(parser: argparse.ArgumentParser, name: str) -> None:
    add = parser.add_argument
    add("--folder", type=Path, default=FOLDER, help="folder of data and networks")
    add("--out", type=Path, help="also write networks, cards and the log here")
    add("--tiling", default="square")
    add("--workers", type=int, default=len(os.sched_getaffinity(0)))
    add("--round", type=int, default=1)
    add("--name", help="name of the network; default: round-N")
    if name in ("data", "round"):
        add("--seconds", type=float, default=240.0, help="time to generate data")
        add("--cycles", type=int, default=0, help="number of cycles; 0: until the time is up")
        add("--inside", help="network of the playouts; default: that of the previous round")
        add("--look-ahead", action="store_true", help="also record the two-move search")
        add("--top", type=int, default=6, help="number of best candidates to try at a guess")
        add("--most", type=int, default=11, help="number of candidates with random others")
        add("--opening-share", type=int, default=35, help="percentage of openings to record")
    if name == "choices":
        add("--seconds", type=float, default=600.0)
        add("--samples", type=int, default=40, help="roll-outs of each cell")
        add("--opening", type=float, default=0.35, help="share of openings that are recorded")
    if name == "advantage":
        add("--player", default="patient", help="with settings: patient:samples=200,interior=100")
        add("--seconds", type=float, default=600.0, help="CPU time of each worker")
        add("--samples", type=int, default=300, help="fresh samples of a changed guess")
        add("--line", nargs=3, default=["30x16/99", "safe", "r1c1"])
    if name in ("fit", "round"):
        add("--rounds", type=int, nargs="+", help="rounds whose data is fitted; default: this one")
        add("--start", help="continue from this network; 'none' starts from scratch")
        add("--first", type=int, default=64, help="width of the first hidden layer")
        add("--second", type=int, default=32, help="width of the second hidden layer")
        add("--scalars", type=int, default=20, help="number of scalar features")
        add("--epochs", type=float, default=12.0)
        add("--fit-seconds", type=float, default=90.0)
        add("--rate", type=float, help="learning rate; default: 0.002, or 0.001 with --start")
        add("--batch", type=int, default=4096)
        add("--engine", choices=("torch", "numpy"), default="torch")
    if name == "openings":
        add("--seconds", type=float, default=3600.0)
        add("--least", type=float, default=0.005, help="least share of games that meet a position")
        _add_line(parser)
    if name in ("check", "round"):
        add("--check-seconds", type=float, default=45.0)
        add("--check-games", type=int, default=10**6, help="maximum number of games per line")
        add("--against", nargs="*", default=["least probability"], help="players to compare with")
        add(
            "--players",
            nargs="+",
            metavar="PLAYER",
            help="players to compare with the first of them, instead of the network; "
            "settings follow a name: patient:samples=200,interior=100",
        )
        add("--images", type=int, default=1, help="symmetries averaged by the network")
        _add_line(parser)
        add("--seed", type=int, help="of the first game")


def _add_line(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--line",
        nargs=3,
        action="append",
        metavar=("SIZE", "RULE", "FIRST"),
        help="size, rule and first click of the games; may be repeated",
    )


def log_line(options: Any, text: str) -> None:
    """Print a line and add it to the log."""
    line = f"{time.strftime('%H:%M:%S', time.gmtime())} {text}"
    print(line, flush=True)
    for folder in filter(None, (options.folder, options.out)):
        with (folder / "log.txt").open("a") as log:
            log.write(line + "\n")


def build(options: Any) -> None:
    """Compile the kernels of this tree in place, unless a new process finds them compiled."""
    if _kernel_status() != "compiled":
        command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
        subprocess.run(command, cwd=ROOT, check=False)
    status = _kernel_status()
    log_line(options, f"kernels: {status}")
    if status != "compiled":
        raise SystemExit("the kernels could not be compiled; see the lines above")


def _kernel_status() -> str:
    command = [sys.executable, "-c", "import sapper.kernels as k; print(k.STATUS)"]
    return subprocess.check_output(command, text=True).strip()


def data(options: Any) -> None:
    """Generate the data of a round."""
    from training.data import Plan, make_data

    network = options.inside
    if network is None:
        before = options.folder / f"round-{options.round - 1}.network"
        network = str(before) if before.exists() else ""
    plan = Plan(
        options.round,
        options.tiling,
        "" if network == "none" else network,
        options.seconds,
        cycles=options.cycles,
        look_ahead=options.look_ahead,
        opening_share=options.opening_share,
        top=options.top,
        most=options.most,
    )
    log_line(options, f"data: {plan}")
    started = time.monotonic()
    positions = make_data(plan, _data_folder(options, options.round), options.workers)
    elapsed = time.monotonic() - started
    log_line(
        options, f"data: {positions:,} positions in {elapsed:.0f} s on {options.workers} workers"
    )


def _data_folder(options: Any, number: int) -> Path:
    folder: Path = options.folder / f"round-{number}"
    return folder


def fit_network(options: Any) -> None:
    """Fit a network and write it with its card."""
    from training.data import FIRST_SEED, SEEDS_PER_ROUND
    from training.fit import Settings, fit
    from training.positions import load
    from training.weights import read_weights, with_scalars

    name = options.name or f"round-{options.round}"
    rounds = options.rounds or [options.round]
    start = None
    if options.start != "none":
        before = options.folder / f"round-{options.round - 1}.network"
        path = Path(options.start) if options.start else before
        if options.start or before.exists():
            start = with_scalars(read_weights(path), options.scalars)
            sizes = start.first, start.second, start.scalars
            if sizes != (options.first, options.second, options.scalars):
                log_line(
                    options, f"fit: {path.name} has other sizes {sizes}: starting from scratch"
                )
                start = None
    positions = load([_data_folder(options, number) for number in rounds], options.scalars)
    log_line(
        options, f"fit {name}: {len(positions):,} positions, {len(positions.target):,} candidates"
    )
    settings = Settings(
        options.first,
        options.second,
        options.scalars,
        options.epochs,
        options.fit_seconds,
        options.batch,
        rate=options.rate or (2e-3 if start is None else 1e-3),
    )
    weights = fit(
        positions,
        options.tiling,
        settings,
        start,
        options.engine,
        lambda text: log_line(options, text),
    )
    plans = {
        str(number): json.loads((_data_folder(options, number) / "plan.json").read_text())
        for number in rounds
    }
    seeds = {str(number): FIRST_SEED + SEEDS_PER_ROUND * number for number in rounds}
    card = {**weights.card, "rounds": plans, "first seeds": seeds, "commit": _commit()}
    weights = replace(weights, card=card)
    for folder in filter(None, (options.folder, options.out)):
        (folder / f"{name}.network").write_bytes(weights.to_bytes())
        (folder / f"{name}.json").write_text(json.dumps(card, indent=1) + "\n")
    log_line(options, f"fit {name}: {len(weights.to_bytes()):,} bytes")


def _commit() -> str:
    command = ["git", "rev-parse", "HEAD"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return result.stdout.strip() or "unknown"


def check_network(options: Any) -> None:
    """Play games by the network or other players on the same layouts."""
    from training.check import FIRST_SEED, LINES, check

    name = options.name or f"round-{options.round}"
    path = Path(name) if "." in name else options.folder / f"{name}.network"
    rows = check(
        options.players or [*options.against, str(path)],
        options.check_seconds,
        options.workers,
        options.tiling,
        tuple(tuple(line) for line in options.line or LINES),
        images=options.images,
        max_games=options.check_games,
        seed=FIRST_SEED if options.seed is None else options.seed,
    )
    for row in rows:
        log_line(options, f"check: {json.dumps(row)}")
    stem = "players" if options.players else path.stem
    for folder in filter(None, (options.folder, options.out)):
        (folder / f"{stem}-check.json").write_text(json.dumps(rows, indent=1) + "\n")


def measure_advantage(options: Any) -> None:
    """Report what roll-outs gain over the first choices, by the size of the interior."""
    from training.advantage import measure

    line = tuple(options.line)
    for row in measure(line, options.player, options.seconds, options.workers, options.samples):
        log_line(options, f"advantage: {json.dumps(row)}")


def record_choices(options: Any) -> None:
    """Record guesses with the win rates of their cells."""
    from training import choices

    folder = options.folder / "choices"
    guesses = choices.record_choices(
        folder, options.seconds, options.workers, options.samples, options.opening
    )
    log_line(
        options,
        f"choices: {guesses:,} guesses in {options.seconds:.0f} s on {options.workers} workers",
    )


def fit_score_weights(options: Any) -> None:
    """Report the weights that fit the recorded choices, and their gain."""
    from training.shrewd_weights import report

    for line in report(options.folder / "choices"):
        log_line(options, f"mix: {line}")


def study_openings(options: Any) -> None:
    """Continue the study of the openings; write its table and its card."""
    from training.openings import LINES, Studies, card, table

    lines = [tuple(line) for line in options.line or LINES]
    studies = Studies(lines, options.folder / "openings.jsonl", options.least)
    for study in studies.run(options.seconds):
        log_line(options, f"openings: {json.dumps(study.summary())}")
    for folder in filter(None, (options.folder, options.out)):
        (folder / "openings.json").write_text(table(studies))
        text = json.dumps({**card(studies), "commit": _commit()}, indent=1)
        (folder / "openings-card.json").write_text(text + "\n")


if __name__ == "__main__":
    # Use the package of this tree, also in the workers, whether it is installed or not.
    sys.path.insert(0, str(ROOT / "src"))
    os.environ["PYTHONPATH"] = os.pathsep.join(
        [str(ROOT / "src"), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    )
    main()
