"""Draw the share of layouts that need no guess on every tiling.

The lab counts: a layout needs no guess where the careful player, who guesses only when nothing is
certain, makes none. 575,000 games, half a minute of one core.
"""

from pathlib import Path

from sapper import TILINGS
from sapper.games.campaign import Campaign
from sapper.lab.plots import draw_plot
from sapper.lab.results import CampaignTotals
from sapper.lab.runners import build_id
from sapper.lab.shards import play_shard

FOLDER = Path(__file__).parent / "pictures"
MINES = range(4, 93, 4)
BOARDS = 5000


def measured(tiling: str, mines: int, boards: int) -> CampaignTotals:
    """How many guesses the careful player makes on 16x16 boards, opened in the middle."""
    campaign = Campaign.of(f"16x16/{mines}", "careful", boards, 1, "zero", tiling=tiling)
    seeds = campaign.seeds
    shard = play_shard(campaign.text, seeds.start, seeds.stop, build_id()).part(seeds)
    return CampaignTotals(
        *(campaign, (seeds,), shard.wins, tuple(shard.by_guesses)),
        *(shard.seconds, (shard.version,)),
    )


def pictures(boards: int = BOARDS) -> dict[str, bytes]:
    """Every picture by the name of its file."""
    sums = [measured(tiling, mines, boards) for tiling in TILINGS for mines in MINES]
    title = "boards that need no guess, opened in the middle"
    return {"no-guess-shares.png": draw_plot(sums, "png", "no-guess", title)}


if __name__ == "__main__":
    for name, svg in pictures().items():
        (FOLDER / name).write_bytes(svg)
