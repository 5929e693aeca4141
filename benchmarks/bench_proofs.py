"""The time of smallest proofs of all certain moves, and of grading, on Expert boards.

Run by `make bench PART=proofs`. The positions are those where single-number rules first stop, on
the layouts of seeds 0 to 199. CPU seconds, best of three for each position.
"""

import statistics
import time
from collections import Counter

from tests.stuck_positions import single_number_position

import sapper
from sapper.generators.grading import grade
from sapper.proofs.prover import explain_all

POSITIONS = 200
BOARDS = 100


def measure(work):
    """Return the result of a call and its CPU seconds, best of three."""
    best = 1e9
    for _ in range(3):
        start = time.process_time()
        result = work()
        best = min(best, time.process_time() - start)
    return result, best


def main() -> None:
    """Print the figures of proofs, of their texts, and of grading."""
    rules = sapper.Rules.parse("expert")
    times, text_times, proofs = [], [], []
    for seed in range(POSITIONS):
        position = single_number_position(sapper.generate(rules, seed).layout)
        found, seconds = measure(lambda position=position: explain_all(position))
        times.append(seconds)
        start = time.process_time()
        for proof in found:
            proof.text  # noqa: B018 - computed when it is read
        text_times.append(time.process_time() - start)
        proofs += found
    sizes = Counter(len(p.numbers) for p in proofs if not p.uses_mine_count)
    counted = sum(p.uses_mine_count for p in proofs)
    larger = sum(not p.smallest for p in proofs)
    print(f"{POSITIONS} Expert positions stuck under single-number rules, {len(proofs):,} proofs")
    print(
        f"  a position: median {1e3 * statistics.median(times):.1f} ms, slowest {max(times):.3f} s"
    )
    print(f"  their texts: median {1e3 * statistics.median(text_times):.1f} ms per position")
    print(f"  smallest: false {larger} ({larger / len(proofs):.2%})")
    print(f"  numbers: {dict(sorted(sizes.items()))}, with the mine count {counted}")
    start = time.process_time()
    slowest = 0.0
    for seed in range(BOARDS):
        begin = time.process_time()
        grade(sapper.generate(rules, seed).layout)
        slowest = max(slowest, time.process_time() - begin)
    spent = time.process_time() - start
    print(f"grading {BOARDS} Expert boards: {spent:.2f} s, slowest {1e3 * slowest:.0f} ms")


if __name__ == "__main__":
    main()
