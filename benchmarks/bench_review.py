"""The duration of the review of an Expert game, as CPU time of this process."""

from time import process_time

from sapper import PLAYERS, Game, review, watch


def played(seed: int) -> Game:
    """Return a game of the careful player."""
    game = Game.new("expert", seed)
    for _ in watch(game, player=PLAYERS["careful"], first=len(game.board) // 2, seed=seed):
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
