"""Draw the share of layouts that need no guess on every tiling.

A layout needs no guess if the player `careful`, which guesses only when nothing is certain, makes
none. Plays 575,000 games in half a minute of one core.
"""

from pathlib import Path

from sapper import TILINGS
from sapper.games.campaign import Campaign
from sapper.lab.plots import draw_plot
from sapper.lab.results import CampaignTotals
from sapper.lab.shards import play_shard

FOLDER = Path(__file__).parent / "pictures"
MINES = range(4, 93, 4)
BOARDS = 5000


def measure(tiling: str, mines: int, boards: int) -> CampaignTotals:
    """Return the results of `careful` on 16x16 boards, with the first click in the middle."""
    campaign = Campaign.of(f"16x16/{mines}", "careful", boards, 1, "zero", tiling=tiling)
    return CampaignTotals.of(campaign, [play_shard(campaign.text, campaign.seeds)])


def pictures(boards: int = BOARDS) -> dict[str, bytes]:
    """Return every picture by the name of its file."""
    totals = [measure(tiling, mines, boards) for tiling in TILINGS for mines in MINES]
    title = "boards that need no guess, opened in the middle"
    return {"no-guess-shares.png": draw_plot(totals, "png", "no-guess", title)}


if __name__ == "__main__":
    for name, png in pictures().items():
        (FOLDER / name).write_bytes(png)
