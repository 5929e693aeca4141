"""The duration of the review of an Expert game, as CPU time of this process."""

from benchmarks.measure import cpu_seconds

from sapper import PLAYERS, Game, review, watch


def played(seed: int) -> Game:
    """Return a game of the careful player."""
    game = Game.new("expert", seed)
    for _ in watch(game, player=PLAYERS["careful"], first=len(game.board) // 2, seed=seed):
        pass
    return game


if __name__ == "__main__":
    won = [game for game in map(played, range(40)) if game.outcome == "won"]
    times = [1000 * cpu_seconds(lambda game=game: review(game)) for game in won]
    print(
        f"review of an Expert game that was won: {sum(times) / len(times):.1f} ms, "
        f"at most {max(times):.1f} ms of CPU time"
    )
