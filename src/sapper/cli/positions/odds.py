"""`sapper odds`: the exact probability of a mine for every blank."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import click

from sapper.answers.moves import choice_json, why_not
from sapper.answers.odds import exact_placements, numbers_json, odds_json, placements_json
from sapper.answers.spelling import BY_NAME, Json
from sapper.cli.groups import Listing, described
from sapper.cli.options import budget_options, file_option, json_option, name_option
from sapper.cli.pictures import coordinates_option, picture
from sapper.cli.reading import frame_argument, read_frames
from sapper.cli.settings import read_settings, settings_option
from sapper.cli.writing import print_json, write_or_print
from sapper.errors import IllegalMove, NotationError
from sapper.infer.budget import Budget
from sapper.infer.odds.analysis import Analysis, analyse
from sapper.model.frame import Frame
from sapper.percent import percent
from sapper.play.guess import Guess
from sapper.play.players import PLAYERS, Player, advise
from sapper.play.rounds import Choice

# A number of more digits than this is not printed; Python itself would refuse a few more.
MOST_DIGITS = 4000
FEW_DIGITS = 30


@click.command(cls=Listing, lists={"Players": described(PLAYERS)})
@frame_argument
@click.option("--fractions", is_flag=True, help="Give the odds as exact fractions.")
@click.option(
    "--numbers", is_flag=True, help="Give the probability of each number a cell may show."
)
@click.option("--trust-flags", is_flag=True, help="Take flags for mines, not for opinions.")
@name_option("--guess", "Name the reveal that a player would make", PLAYERS.names, metavar="PLAYER")
@settings_option
@file_option("--svg", help="Write the picture as SVG there; - prints it alone.")
@coordinates_option
@budget_options()
@json_option
def odds(
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
    """Find the exact odds of a mine, in percent, for every blank of the frame in FILE.

    What is certain is written as a word; the interior, where all odds are the same, has one label.
    With a mine count every satisfactory placement counts alike; without one, every satisfactory
    placement of the perimeter does, and the interior has no odds. Several frames may stand one
    after the other; each is answered, with --json a line each.
    """
    player = None if guess is None else PLAYERS.find(guess).but(read_settings(chosen))
    if player is None and chosen:
        raise NotationError("expected --guess PLAYER with --set, got none")
    frames = read_frames(file)
    if svg is not None and len(frames) > 1:
        raise NotationError(f"expected one frame for --svg, got {len(frames)}")
    for number, frame in enumerate(frames):
        click.echo("\n" if number and not as_json and svg != "-" else "", nl=False)
        _one(frame, fractions, numbers, trust_flags, player, svg, coordinates, budget, as_json)


def _one(
    frame: Frame,
    fractions: bool,
    numbers: bool,
    trust_flags: bool,
    player: Player | None,
    svg: str | None,
    coordinates: bool | None,
    budget: Budget,
    as_json: bool,
) -> None:
    """Answer one frame."""
    analysis = analyse(frame, trust_flags=trust_flags, budget=budget)
    choice = None if player is None else _choice(frame, player, trust_flags, budget)
    best = choice.move.cell if choice is not None and not choice.certain else None
    if svg is not None:
        write_or_print(svg, draw_svg(analysis, best))
        if svg == "-":
            return
    if as_json:
        answer = _answer(analysis, fractions, numbers, budget)
        if player is not None:
            told = choice and choice_json(choice, frame, BY_NAME, analysis)
            answer["guess"] = told and {"player": player.name, **told}
        print_json(answer)
    else:
        click.echo(_report(analysis, fractions, numbers, budget, coordinates, best))
        if player is not None:
            click.echo(
                f"{player.name}: {choice.text(frame) if choice else 'nothing is left to reveal'}"
            )
            for line in _weighed(choice, analysis) if choice else ():
                click.echo(line)


def _answer(analysis: Analysis, fractions: bool, numbers: bool, budget: Budget) -> Json:
    """The answer as the JSON object that scripts rely on."""
    found = {
        **odds_json(analysis, BY_NAME, fractions=fractions),
        **placements_json(analysis, MOST_DIGITS),
    }
    if numbers:
        found["numbers"] = dict(_numbers(analysis, fractions, budget))
    return found


def _choice(frame: Frame, player: Player, trust_flags: bool, budget: Budget) -> Choice | None:
    """The player's next reveal, if there is anything left to reveal."""
    try:
        return advise(frame, player, trust_flags=trust_flags, budget=budget)
    except IllegalMove:
        return None


def _weighed(choice: Choice, analysis: Analysis) -> Iterator[str]:
    """What stands behind a guess: a line for each candidate and each fifty-fifty."""
    if not isinstance(choice.why, Guess):
        return
    name = analysis.frame.board.name
    for one in choice.why.weighed:
        against = "" if one is choice.why.weighed[0] else f": {why_not(choice.why.weighed[0], one)}"
        may_show = analysis.numbers(one.cell) or {}
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
    """The frame with the odds in its cells, and a frame around the best guess."""
    from sapper.render.svg import odds_svg

    return odds_svg(analysis.frame, analysis.odds, best=best)


def _numbers(
    analysis: Analysis, fractions: bool, budget: Budget
) -> Iterator[tuple[str, Json | None]]:
    """What each cell may show. Every cell is a search of its own; the budget is for all of them."""
    limit = budget.start()
    numbers = analysis.number_fractions if fractions else analysis.numbers
    for done, name in enumerate(analysis.odds):
        limit.check(f"the numbers of {done} of {len(analysis.odds)} cells by then")
        found = numbers(name, budget=limit)
        yield name, numbers_json(found)


def _report(
    analysis: Analysis,
    fractions: bool,
    numbers: bool,
    budget: Budget,
    coordinates: bool | None,
    best: int | None,
) -> str:
    from sapper.render.odds import alike_inside, odds_overlays

    frame = analysis.frame
    lines = [picture(frame, coordinates, **odds_overlays(frame, analysis.odds, best)), ""]
    by_cell = {frame.board.cell(name): p for name, p in analysis.odds.items()}
    inside = alike_inside(frame, by_cell)
    p = by_cell[min(inside)] if inside else None
    if p is not None:
        lines.append(f"interior {percent(p)}, each of {len(inside)} cells")
    for action, names in (("flag", analysis.flag), ("reveal", analysis.reveal)):
        if names:
            lines.append(f"{action} {' '.join(names)}")
    lines.append(f"placements {_count_text(analysis)}")
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
    digits = analysis.ln_placements / math.log(10)
    count = exact_placements(analysis, FEW_DIGITS)
    if count is not None:
        return f"{count:,}"
    return f"about {10 ** (digits % 1):.3f}e{math.floor(digits)}"
