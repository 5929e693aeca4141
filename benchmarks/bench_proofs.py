"""The time of smallest proofs of all certain moves, of grading and of reviews, on Expert boards.

Run by `make bench PART=proofs`. The positions are those where single-number rules first stop, on
the layouts of seeds 0 to 199. CPU seconds, best of three for each position.
"""

import statistics
from collections import Counter

from benchmarks.measure import cpu_seconds
from tests.stuck_positions import single_number_position

import sapper
from sapper.generators.grading import grade
from sapper.proofs.prover import explain_all

POSITIONS = 200
BOARDS = 100


def print_proof_times(rules: sapper.Rules) -> None:
    """Print the times of proofs and of their texts."""
    layouts = (sapper.generate(rules, seed).layout for seed in range(POSITIONS))
    positions = [single_number_position(layout) for layout in layouts]
    times = [cpu_seconds(lambda p=position: explain_all(p), 3) for position in positions]
    proofs = [proof for position in positions for proof in explain_all(position)]
    # The texts are computed when they are read.
    text_time = cpu_seconds(lambda: [proof.text for proof in proofs]) / POSITIONS
    sizes = Counter(len(p.numbers) for p in proofs if not p.uses_mine_count)
    counted = sum(p.uses_mine_count for p in proofs)
    larger = sum(not p.smallest for p in proofs)
    print(f"{POSITIONS} Expert positions stuck under single-number rules, {len(proofs):,} proofs")
    median = 1e3 * statistics.median(times)
    print(f"  a position: median {median:.1f} ms, slowest {max(times):.3f} s")
    print(f"  their texts: {1e3 * text_time:.1f} ms per position")
    print(f"  smallest: false {larger} ({larger / len(proofs):.2%})")
    print(f"  numbers: {dict(sorted(sizes.items()))}, with the mine count {counted}")


def print_grading_times(rules: sapper.Rules) -> None:
    """Print the time of grading."""
    layouts = [sapper.generate(rules, seed).layout for seed in range(BOARDS)]
    times = [cpu_seconds(lambda layout=layout: grade(layout)) for layout in layouts]
    print(f"grading {BOARDS} Expert boards: {sum(times):.2f} s, slowest {1e3 * max(times):.0f} ms")


def print_review_times() -> None:
    """Print the time of the review of a game that `careful` has won."""
    times = []
    for seed in range(40):
        game, first = sapper.Game.new("expert", seed), 240
        for _ in sapper.watch(game, player=sapper.PLAYERS["careful"], first=first, seed=seed):
            pass
        if game.outcome == "won":
            times.append(1000 * cpu_seconds(lambda game=game: sapper.review(game)))
    print(f"review: mean {statistics.mean(times):.1f} ms, slowest {max(times):.1f} ms")


if __name__ == "__main__":
    expert = sapper.Rules.parse("expert")
    print_proof_times(expert)
    print_grading_times(expert)
    print_review_times()
