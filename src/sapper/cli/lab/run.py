"""`sapper lab run`: plays a campaign, or goes on with one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from sapper.cli.groups import CommandWithLists, name_rows
from sapper.cli.input import read_rules
from sapper.cli.number_types import WholeNumber
from sapper.cli.options import (
    board_option,
    choice_option,
    file_option,
    json_option,
    rule_option,
    seed_option,
    size_argument,
    tiling_option,
)
from sapper.cli.output import data_folder, print_json, print_note
from sapper.cli.player_settings import read_settings, settings_option
from sapper.cli.workers import WorkerOptions, progress_bar, worker_options_decorator
from sapper.games.campaign import Campaign
from sapper.games.tally import wilson
from sapper.lab.report import as_text, describe, sentence
from sapper.lab.results import ResultFile
from sapper.lab.run import Progress, run_campaign
from sapper.lab.runners import RUNNERS, WorkerPool
from sapper.lab.symmetry import classes
from sapper.players.registry import PLAYERS

EVERY = "every"


@click.command(
    cls=CommandWithLists, lists={"Players": name_rows(PLAYERS), "Runners": name_rows(RUNNERS)}
)
@size_argument
@board_option
@choice_option("--player", "Who plays", PLAYERS.names, required=True)
@settings_option
@rule_option
@click.option(
    "--first",
    metavar="CELL",
    help="The first click, such as r3c5, or best, or "
    f"{EVERY}: all cells, mirrored ones once. [the middle cell]",
)
@tiling_option
@click.option(
    "--games", required=True, type=WholeNumber(1), metavar="N", help="How many; seeds S, S + 1, ..."
)
@seed_option
@file_option("--out", type=click.Path(path_type=Path), help="Where results are kept.")
@worker_options_decorator
@json_option
def run(
    size: str | None,
    board: str | None,
    player: str,
    chosen: tuple[str, ...],
    rule: str | None,
    first: str | None,
    tiling: str | None,
    games: int,
    seed: int | None,
    out: Path | None,
    worker_options: WorkerOptions,
    as_json: bool,
) -> None:
    """Play a campaign of SIZE, a level's name or WIDTHxHEIGHT/MINES, or on any graph.

    Games that FILE holds already are not played again, so a run that was stopped goes on, and
    more games can be asked for. Without --out the results are kept in the user's data folder.
    """
    cell = None if first == EVERY else first
    settings = read_settings(chosen)
    rules = read_rules(size, board, tiling, rule)
    one = Campaign.of(rules, player, games, seed, first=cell, settings=settings)
    PLAYERS.find(player).check_settings(one.settings)
    campaigns = [one] if first != EVERY else _every_first(one)
    path = _default_file(campaigns) if out is None else out
    if path.exists():
        with ResultFile(path) as results:
            results.expect(campaigns)
    compiled = PLAYERS.find(player).twin is not None
    with (
        worker_options.worker_pool(compiled=compiled) as workers,
        ResultFile(path, write=True) as results,
    ):
        try:
            for campaign in campaigns:
                _play(results, campaign, workers)
        except KeyboardInterrupt:
            print_note(f"what is done is kept in {path}; the same command goes on")
            raise
        rows = [describe(results.sums(one, one.seeds)) for one in campaigns]
    if as_json:
        print_json(rows[0] if first != EVERY else {"campaigns": rows})
        return
    click.echo(sentence(rows[0]) if first != EVERY else as_text(rows))
    print_note(f"results in {path}")


def _every_first(one: Campaign) -> list[Campaign]:
    """A campaign for each first cell that is unlike the others."""
    return [replace(one, first=group[0]) for group in classes(one.rules.board)]


def _play(results: ResultFile, campaign: Campaign, workers: WorkerPool) -> None:
    before = results.sums(campaign, campaign.seeds)
    where = campaign.rules.board.name(campaign.first)
    with progress_bar(f"{campaign.player} {where}", len(campaign.seeds)) as update:

        def say(now: Progress) -> None:
            done = before.games + now.games
            update(done, _running(done, before.wins + now.wins, now))

        run_campaign(results, campaign, workers, say)


def _running(games: int, wins: int, now: Progress) -> str:
    low, high = wilson(wins, games)
    speed = now.games / max(now.seconds, 1e-9)
    return f"{100 * low:.2f} to {100 * high:.2f} % won, {speed:,.0f} games/s"


def _default_file(campaigns: list[Campaign]) -> Path:
    folder = data_folder() / "lab"
    folder.mkdir(parents=True, exist_ok=True)
    several = "-every-first-cell" if len(campaigns) > 1 else ""
    return folder / f"{campaigns[0].subject}{several}.sqlite"
