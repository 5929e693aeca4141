"""`sapper analyse`: safe cells, certain mines, and the mine probability of every covered cell."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import click

from sapper.board.position import Position
from sapper.cli.input import position_argument, read_positions
from sapper.cli.options import (
    CommandWithLists,
    Seed,
    WholeNumber,
    budget_options,
    choice_option,
    file_option,
    json_option,
    name_rows,
    parse_settings,
    settings_option,
    trust_flags_option,
)
from sapper.cli.output import (
    coordinates_option,
    draw_text,
    print_json,
    reject_svg_with_json,
    write_or_print,
)
from sapper.engine.analysis import Analysis
from sapper.engine.analysis import analyse as analyse_position
from sapper.engine.budget import Budget
from sapper.errors import IllegalMove, NotationError
from sapper.games.win_chance import add_win_chances
from sapper.games.win_chance import win_chance as estimate_win_chance
from sapper.games.win_estimates import MAX_SAMPLES, WinChance
from sapper.players.agents import Choice
from sapper.players.guess import Guess
from sapper.players.player import Player
from sapper.players.registry import PLAYERS, advise
from sapper.serialize.cells import BY_NAME, Json
from sapper.serialize.positions import (
    choice_json,
    exact_solutions,
    probabilities_json,
    solutions_json,
    values_json,
    win_chance_json,
)
from sapper.wording import count_text, percent

# Python refuses to print integers with more than 4,300 digits.
MAX_DIGITS = 4000
DEFAULT_SAMPLES = 1000
NOTHING_LEFT = "nothing is left to reveal"
# Longer numbers are rounded in the printed report.
MAX_DIGITS_SHOWN = 30


@dataclass(frozen=True)
class _Options:
    fractions: bool
    values: bool
    coordinates: bool | None
    budget: Budget
    samples: int
    seed: int


@click.command(cls=CommandWithLists, lists={"Players": name_rows(PLAYERS)})
@position_argument
@click.option("--fractions", is_flag=True, help="Show the probabilities as exact fractions.")
@click.option(
    "--values", is_flag=True, help="Show the probability of each number that a cell may have."
)
@trust_flags_option
@choice_option("--guess", "Show the move of a player", PLAYERS.names, metavar="PLAYER")
@settings_option
@click.option("--win-chance", is_flag=True, help="Estimate how often the game is won from here.")
@click.option(
    "--samples",
    type=WholeNumber(1, MAX_SAMPLES),
    metavar="N",
    help=f"Number of games for each estimate of a win chance. [default: {DEFAULT_SAMPLES}]",
)
@click.option(
    "--seed", type=Seed(), metavar="S", help="Seed of the layouts of these games. [default: 0]"
)
@file_option("--svg", help="Write a picture as SVG; - prints only the SVG.")
@coordinates_option
@budget_options()
@json_option
def analyse(
    file: str,
    fractions: bool,
    values: bool,
    trust_flags: bool,
    guess: str | None,
    settings: tuple[str, ...],
    win_chance: bool,
    samples: int | None,
    seed: int | None,
    svg: str | None,
    coordinates: bool | None,
    budget: Budget,
    as_json: bool,
) -> None:
    """Compute the mine probability of every covered cell in FILE, in percent, and what is certain.

    Certain cells are marked in words; the interior, where all cells have the same probability, is
    shown as # with one line below. With a mine count, all solutions of the position count equally;
    without one, all solutions of the frontier do, and the interior has no probability. A file may
    contain several positions; --json prints one line for each. Where nothing is left to reveal,
    there is no guess and no win chance (null in JSON).

    With --win-chance, a fast player finishes the game on random solutions, and its wins are
    counted; in an end game the chance of perfect play is exact. With --guess, the win chance of
    each candidate is estimated on the same solutions.
    """
    if guess is None and settings:
        raise NotationError("--set needs --guess PLAYER")
    reject_svg_with_json(svg, as_json)
    for name, value in (("--samples", samples), ("--seed", seed)):
        if value is not None and guess is None and not win_chance:
            raise NotationError(f"{name} needs --win-chance or --guess PLAYER")
    player = None if guess is None else PLAYERS.find(guess).with_settings(parse_settings(settings))
    positions = read_positions(file)
    if svg is not None and len(positions) > 1:
        raise NotationError(f"--svg takes one position, got {len(positions)}")
    options = _Options(
        fractions, values, coordinates, budget, samples or DEFAULT_SAMPLES, seed or 0
    )
    for i, position in enumerate(positions):
        analysis = analyse_position(position, trust_flags=trust_flags, budget=budget)
        choice = None if player is None else _choice(analysis, player, options)
        chance = _win_chance(analysis, options) if win_chance else None
        best = choice.move.cell if choice is not None and not choice.certain else None
        if svg is not None:
            from sapper.render.svg import probability_svg

            by_cell = analysis.probabilities.by_cell
            write_or_print(svg, probability_svg(position, by_cell, best=best))
            if svg == "-":
                return
        if as_json:
            answer = _analysis_json(analysis, options)
            if player is not None:
                answer["guess"] = choice and {
                    "player": player.name,
                    **choice_json(choice, position, BY_NAME, analysis),
                }
            if win_chance:
                answer["win_chance"] = chance and win_chance_json(chance)
            print_json(answer)
        else:
            lines = [*_report(analysis, options, best)]
            if win_chance:
                lines.append(f"win chance: {_win_chance_text(chance)}")
            if player is not None:
                lines += _guess_lines(player, choice, analysis)
            click.echo(("\n" if i else "") + "\n".join(lines))


def _choice(analysis: Analysis, player: Player, options: _Options) -> Choice | None:
    """Return the player's next reveal; None if nothing is left to reveal."""
    position, trust_flags = analysis.position, analysis.trust_flags
    try:
        choice = advise(position, player, trust_flags=trust_flags, budget=options.budget)
    except IllegalMove:
        return None
    if not isinstance(choice.reason, Guess):
        return choice
    guess = add_win_chances(
        choice.reason,
        position,
        samples=options.samples,
        seed=options.seed,
        trust_flags=trust_flags,
        budget=options.budget,
    )
    return replace(choice, reason=guess)


def _win_chance(analysis: Analysis, options: _Options) -> WinChance | None:
    """Return the win chance; None if nothing is left to reveal."""
    try:
        return estimate_win_chance(
            analysis.position,
            samples=options.samples,
            seed=options.seed,
            trust_flags=analysis.trust_flags,
            budget=options.budget,
        )
    except IllegalMove:
        return None


def _win_chance_text(chance: WinChance | None) -> str:
    if chance is None:
        return NOTHING_LEFT
    if chance.exact:
        return f"{percent(chance.value)} by perfect play, exactly {chance.fraction}"
    return (
        f"{percent(chance.value)} by {chance.player}, from {percent(chance.low)} to "
        f"{percent(chance.high)} ({count_text(chance.samples, 'sample')})"
    )


def _analysis_json(analysis: Analysis, options: _Options) -> Json:
    answer = {
        **probabilities_json(analysis, BY_NAME, fractions=options.fractions),
        **solutions_json(analysis, MAX_DIGITS),
    }
    if options.values:
        answer["values"] = dict(_values(analysis, options))
    return answer


def _values(analysis: Analysis, options: _Options) -> Iterator[tuple[str, Json | None]]:
    """Yield the values that each cell may show. The budget is for all cells together."""
    limit = options.budget.start()
    values = analysis.value_fractions if options.fractions else analysis.values
    for done, name in enumerate(analysis.probabilities):
        limit.check(f"values of {done} of {len(analysis.probabilities)} cells computed")
        yield name, values_json(values(name, budget=limit))


def _report(analysis: Analysis, options: _Options, best: int | None) -> Iterator[str]:
    from sapper.render.scene import probability_overlays, uniform_interior

    position, by_cell = analysis.position, analysis.probabilities.by_cell
    overlays = probability_overlays(position, by_cell, best, label_interior=False)
    yield draw_text(position, options.coordinates, **overlays)
    yield ""
    interior = uniform_interior(position, by_cell)
    p = by_cell[min(interior)] if interior else None
    if p is not None:
        yield f"interior (#): {percent(p)}, each of {len(interior)} cells"
    yield from certain_lines(position, analysis.safe_cells, analysis.certain_mine_cells)
    yield f"solutions: {_solution_count_text(analysis)}"
    if options.fractions:
        yield ""
        for name, value in analysis.fractions.items():
            yield f"{name} {'-' if value is None else value}"
    if options.values:
        yield ""
        for name, numbers in _values(analysis, options):
            probabilities = (
                f"{v}: {p if options.fractions else percent(p)}" for v, p in (numbers or {}).items()
            )
            yield f"{name} {', '.join(probabilities) or '-'}"


def certain_lines(position: Position, safe: Iterable[int], mines: Iterable[int]) -> Iterator[str]:
    """Yield the safe cells and the certain mines by name, a line each."""
    for title, cells in (("safe", safe), ("mines", mines)):
        names = position.names(cells)
        if names:
            yield f"{title}: {' '.join(names)}"


def _solution_count_text(analysis: Analysis) -> str:
    digits = analysis.ln_solutions / math.log(10)
    count = exact_solutions(analysis, MAX_DIGITS_SHOWN)
    if count is not None:
        return f"{count:,}"
    return f"about {10 ** (digits % 1):.3f}e{math.floor(digits)}"


def _guess_lines(player: Player, choice: Choice | None, analysis: Analysis) -> Iterator[str]:
    """Yield the player's move, then a line for each candidate and each 50/50."""
    if choice is None:
        yield f"{player.name}: {NOTHING_LEFT}"
        return
    yield f"{player.name}: {choice.text(analysis.position)}"
    if not isinstance(choice.reason, Guess):
        return
    cell_name = analysis.position.board.name
    for candidate in choice.reason.candidates:
        values = ", ".join(
            f"{v}: {percent(p)}" for v, p in (analysis.values(candidate.cell) or {}).items()
        )
        facts = [f"{percent(candidate.risk)} risk"]
        if candidate.score is not None:
            facts.append(f"score {candidate.score:.4f}")
        if candidate.value is not None:
            facts.append(f"wins {candidate.value}")
        if candidate.relative_value is not None:
            facts.append(f"{100 * candidate.relative_value:+.2f} points")
        if candidate.rate is not None and candidate.samples:
            facts.append(f"wins {candidate.rate_text} of {candidate.samples:,} samples")
        yield f"  {cell_name(candidate.cell)} {', '.join(facts)}; may show {values}"
    for fifty_fifty in choice.reason.fifty_fifties:
        one, other, enablers = (
            " ".join(map(cell_name, cells))
            for cells in (fifty_fifty.one, fifty_fifty.other, fifty_fifty.enablers)
        )
        condition = f" if {enablers} are mines" if enablers else ""
        yield f"  50/50 of {one} or {other}{condition}: {percent(fifty_fifty.chance)}"
