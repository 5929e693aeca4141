"""`sapper probabilities`: the exact probability of a mine for every covered cell."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import click

from sapper.board.position import Position
from sapper.cli.drawing import coordinates_option, draw_position
from sapper.cli.groups import CommandWithLists, name_rows
from sapper.cli.input import position_argument, read_positions
from sapper.cli.options import budget_options, choice_option, file_option, json_option
from sapper.cli.output import print_json, write_or_print
from sapper.cli.player_settings import read_settings, settings_option
from sapper.engine.analysis import Analysis, analyse
from sapper.engine.budget import Budget
from sapper.errors import IllegalMove, NotationError
from sapper.players.agents import Choice
from sapper.players.guess import Guess
from sapper.players.registry import PLAYERS, Player, advise
from sapper.serialize.analysis import (
    exact_solutions,
    probabilities_json,
    solutions_json,
    values_json,
)
from sapper.serialize.cells import BY_NAME, Json
from sapper.serialize.moves import choice_json, why_not
from sapper.wording import percent

# A number of more digits than this is not printed; Python itself would refuse a few more.
MAX_DIGITS = 4000
FEW_DIGITS = 30


@click.command(cls=CommandWithLists, lists={"Players": name_rows(PLAYERS)})
@position_argument
@click.option("--fractions", is_flag=True, help="Give the probabilities as exact fractions.")
@click.option(
    "--numbers", is_flag=True, help="Give the probability of each number a cell may show."
)
@click.option("--trust-flags", is_flag=True, help="Take flags for mines, not for opinions.")
@choice_option(
    "--guess", "Name the reveal that a player would make", PLAYERS.names, metavar="PLAYER"
)
@settings_option
@file_option("--svg", help="Write the picture as SVG there; - prints it alone.")
@coordinates_option
@budget_options()
@json_option
def probabilities(
    file: str,
    fractions: bool,
    numbers: bool,
    trust_flags: bool,
    guess: str | None,
    chosen: tuple[str, ...],
    svg: str | None,
    coordinates: bool | None,
    budget: Budget,
    as_json: bool,
) -> None:
    """Find the exact probabilities of a mine, in percent, for every covered cell of the position in FILE.

    What is certain is written as a word; the interior, where all probabilities are the same, has one label.
    With a mine count every solution counts alike; without one, every satisfactory
    solution of the frontier does, and the interior has no probabilities. Several positions may stand one
    after the other; each is answered, with --json a line each.
    """
    player = None if guess is None else PLAYERS.find(guess).but(read_settings(chosen))
    if player is None and chosen:
        raise NotationError("expected --guess PLAYER with --set, got none")
    positions = read_positions(file)
    if svg is not None and len(positions) > 1:
        raise NotationError(f"expected one position for --svg, got {len(positions)}")
    for number, position in enumerate(positions):
        click.echo("\n" if number and not as_json and svg != "-" else "", nl=False)
        _one(position, fractions, numbers, trust_flags, player, svg, coordinates, budget, as_json)


def _one(
    position: Position,
    fractions: bool,
    numbers: bool,
    trust_flags: bool,
    player: Player | None,
    svg: str | None,
    coordinates: bool | None,
    budget: Budget,
    as_json: bool,
) -> None:
    """Answer one position."""
    analysis = analyse(position, trust_flags=trust_flags, budget=budget)
    choice = None if player is None else _choice(position, player, trust_flags, budget)
    best = choice.move.cell if choice is not None and not choice.certain else None
    if svg is not None:
        write_or_print(svg, draw_svg(analysis, best))
        if svg == "-":
            return
    if as_json:
        answer = _answer(analysis, fractions, numbers, budget)
        if player is not None:
            told = choice and choice_json(choice, position, BY_NAME, analysis)
            answer["guess"] = told and {"player": player.name, **told}
        print_json(answer)
    else:
        click.echo(_report(analysis, fractions, numbers, budget, coordinates, best))
        if player is not None:
            click.echo(
                f"{player.name}: {choice.text(position) if choice else 'nothing is left to reveal'}"
            )
            for line in _weighed(choice, analysis) if choice else ():
                click.echo(line)


def _answer(analysis: Analysis, fractions: bool, numbers: bool, budget: Budget) -> Json:
    """The answer as the JSON object that scripts rely on."""
    found = {
        **probabilities_json(analysis, BY_NAME, fractions=fractions),
        **solutions_json(analysis, MAX_DIGITS),
    }
    if numbers:
        found["numbers"] = dict(_numbers(analysis, fractions, budget))
    return found


def _choice(position: Position, player: Player, trust_flags: bool, budget: Budget) -> Choice | None:
    """The player's next reveal, if there is anything left to reveal."""
    try:
        return advise(position, player, trust_flags=trust_flags, budget=budget)
    except IllegalMove:
        return None


def _weighed(choice: Choice, analysis: Analysis) -> Iterator[str]:
    """What stands behind a guess: a line for each candidate and each fifty-fifty."""
    if not isinstance(choice.why, Guess):
        return
    name = analysis.position.board.name
    for one in choice.why.candidates:
        against = (
            "" if one is choice.why.candidates[0] else f": {why_not(choice.why.candidates[0], one)}"
        )
        may_show = analysis.values(one.cell) or {}
        numbers = ", ".join(f"{v}: {percent(p)}" for v, p in may_show.items())
        score = "" if one.score is None else f", score {one.score:.4f}"
        value = "" if one.value is None else f", wins {one.value}"
        worth = "" if one.worth is None else f", {100 * one.worth:+.2f} points"
        rate = "" if one.rate is None else f", wins {one.rate_text} of {one.samples:,} samples"
        told_of = f"{percent(one.risk)} risk{score}{value}{worth}{rate}{against}"
        yield f"  {name(one.cell)} {told_of}; may show {numbers}"
    for fifty in choice.why.fifty_fifties:
        sides = " or ".join(" ".join(map(name, side)) for side in (fifty.one, fifty.other))
        needs = f" once {' '.join(map(name, fifty.enablers))} are mines" if fifty.enablers else ""
        yield f"  fifty-fifty of {sides}{needs}: {percent(fifty.chance)}"


def draw_svg(analysis: Analysis, best: int | None = None) -> str:
    """The position with the probabilities in its cells, and a position around the best guess."""
    from sapper.render.svg import probability_svg

    return probability_svg(analysis.position, analysis.probabilities, best=best)


def _numbers(
    analysis: Analysis, fractions: bool, budget: Budget
) -> Iterator[tuple[str, Json | None]]:
    """What each cell may show. Every cell is a search of its own; the budget is for all of them."""
    limit = budget.start()
    numbers = analysis.value_fractions if fractions else analysis.values
    for done, name in enumerate(analysis.probabilities):
        limit.check(f"the numbers of {done} of {len(analysis.probabilities)} cells by then")
        found = numbers(name, budget=limit)
        yield name, values_json(found)


def _report(
    analysis: Analysis,
    fractions: bool,
    numbers: bool,
    budget: Budget,
    coordinates: bool | None,
    best: int | None,
) -> str:
    from sapper.render.probabilities import probability_overlays, uniform_interior

    position = analysis.position
    lines = [
        draw_position(
            position, coordinates, **probability_overlays(position, analysis.probabilities, best)
        ),
        "",
    ]
    by_cell = {position.board.cell(name): p for name, p in analysis.probabilities.items()}
    inside = uniform_interior(position, by_cell)
    p = by_cell[min(inside)] if inside else None
    if p is not None:
        lines.append(f"interior {percent(p)}, each of {len(inside)} cells")
    for action, names in (("flag", analysis.flag), ("reveal", analysis.reveal)):
        if names:
            lines.append(f"{action} {' '.join(names)}")
    lines.append(f"solutions {_count_text(analysis)}")
    if fractions:
        lines += ["", *(f"{name} {_shown(value)}" for name, value in analysis.fractions.items())]
    if numbers:
        lines.append("")
        for name, found in _numbers(analysis, fractions, budget):
            shown = ", ".join(
                f"{v}: {p if fractions else percent(p)}" for v, p in (found or {}).items()
            )
            lines.append(f"{name} {shown or '-'}")
    return "\n".join(lines)


def _shown(value: Fraction | None) -> str:
    return "-" if value is None else str(value)


def _count_text(analysis: Analysis) -> str:
    digits = analysis.ln_solutions / math.log(10)
    count = exact_solutions(analysis, FEW_DIGITS)
    if count is not None:
        return f"{count:,}"
    return f"about {10 ** (digits % 1):.3f}e{math.floor(digits)}"
