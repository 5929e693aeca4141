"""`sapper lab run`: play a campaign, or continue one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from sapper.board.rules import Rules
from sapper.board.symmetries import outline_classes
from sapper.cli.groups import CommandWithLists, name_rows
from sapper.cli.input import rules_options
from sapper.cli.options import (
    WholeNumber,
    choice_option,
    file_option,
    json_option,
    parse_settings,
    seed_option,
    settings_option,
)
from sapper.cli.output import data_folder, print_json, print_note
from sapper.cli.workers import Workers, progress_bar, worker_options
from sapper.games.campaign import Campaign
from sapper.games.many import wilson
from sapper.lab.report import as_text, report_json, sentence
from sapper.lab.results import ResultFile
from sapper.lab.run import Progress, run_campaign
from sapper.lab.runners import RUNNERS, WorkerPool
from sapper.players.registry import PLAYERS

EVERY = "every"


@click.command(
    cls=CommandWithLists, lists={"Players": name_rows(PLAYERS), "Runners": name_rows(RUNNERS)}
)
@rules_options
@choice_option("--player", "Player", PLAYERS.names, required=True)
@settings_option
@click.option(
    "--first",
    metavar="CELL",
    help=f"First click, such as r3c5, or best, or {EVERY}: a campaign for each cell, but only one "
    "for cells that are mirror images. [default: the middle cell]",
)
@click.option(
    "--games",
    required=True,
    type=WholeNumber(1),
    metavar="N",
    help="How many games; their seeds are S, S + 1, ...",
)
@seed_option
@file_option("--out", type=click.Path(path_type=Path), help="Result file.")
@worker_options()
@json_option
def run(
    rules: Rules,
    player: str,
    settings: tuple[str, ...],
    first: str | None,
    games: int,
    seed: int | None,
    out: Path | None,
    workers: Workers,
    as_json: bool,
) -> None:
    """Let a player play many games on SIZE, and report how many it wins.

    SIZE is a level's name or WIDTHxHEIGHT/MINES. The games of a player on a board are a campaign,
    whose results are stored in FILE, or without --out in the user's data folder. Games that are
    already there are not played again: an interrupted run continues, and a larger --games adds
    games.
    """
    entry = PLAYERS.find(player).with_settings(parse_settings(settings))
    every_cell = first == EVERY
    campaigns = [Campaign.of(rules, entry, games, seed, first=None if every_cell else first)]
    if every_cell:
        # One first cell of each class of mirror images.
        groups = outline_classes(rules.board)
        campaigns = [replace(campaigns[0], first=group[0]) for group in groups]
    path = _default_file(campaigns) if out is None else out
    if path.exists():
        with ResultFile(path) as results:
            results.check_campaigns(campaigns)
    with (
        workers.pool(compiled=entry.compiled is not None) as pool,
        ResultFile(path, write=True) as results,
    ):
        try:
            for campaign in campaigns:
                _play(results, campaign, pool)
        except KeyboardInterrupt:
            note = f"finished games are in {path}, and the same command continues"
            raise KeyboardInterrupt(note) from None
        rows = [report_json(results.totals(campaign, campaign.seeds)) for campaign in campaigns]
    if as_json:
        print_json({"campaigns": rows} if every_cell else rows[0])
        return
    click.echo(as_text(rows) if every_cell else sentence(rows[0]))
    print_note(f"results in {path}")


def _play(results: ResultFile, campaign: Campaign, pool: WorkerPool) -> None:
    before = results.totals(campaign, campaign.seeds)
    first = campaign.rules.board.name(campaign.first)
    with progress_bar(f"{campaign.player} {first}", len(campaign.seeds)) as update:

        def show(now: Progress) -> None:
            games, wins = before.games + now.games, before.wins + now.wins
            low, high = wilson(wins, games)
            speed = now.games / max(now.seconds, 1e-9)
            update(games, f"{100 * low:.2f} to {100 * high:.2f}% won, {speed:,.0f} games/s")

        run_campaign(results, campaign, pool, show)


def _default_file(campaigns: list[Campaign]) -> Path:
    folder = data_folder() / "lab"
    folder.mkdir(parents=True, exist_ok=True)
    several = "-every-first-cell" if len(campaigns) > 1 else ""
    return folder / f"{campaigns[0].slug}{several}.sqlite"
