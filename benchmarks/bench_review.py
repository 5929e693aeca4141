"""How long the review of an Expert game takes: time of this process, whatever else runs."""

from time import process_time

from sapper import Game, review
from sapper.engine.budget import DEFAULT_BUDGET
from sapper.games.watch import Playing
from sapper.players.registry import PLAYERS


def played(seed: int) -> Game:
    """Return a game of the careful player."""
    game = Game.new("expert", seed)
    playing = Playing.player(game, PLAYERS["careful"], len(game.board) // 2, seed)
    while playing.step(DEFAULT_BUDGET.start()) is not None:
        pass
    return game


if __name__ == "__main__":
    won = [game for game in map(played, range(40)) if game.outcome == "won"]
    seconds = []
    for game in won:
        start = process_time()
        review(game)
        seconds.append(process_time() - start)
    mean, most = 1000 * sum(seconds) / len(seconds), 1000 * max(seconds)
    print(
        f"review of an Expert game that was won: {mean:.1f} ms, at most {most:.1f} ms of CPU time"
    )
