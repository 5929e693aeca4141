"""The time of smallest proofs of all certain moves, and of grading, on Expert boards.

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


def main() -> None:
    """Print the figures of proofs, of their texts, and of grading."""
    rules = sapper.Rules.parse("expert")
    times, text_times, proofs = [], [], []
    for seed in range(POSITIONS):
        position = single_number_position(sapper.generate(rules, seed).layout)
        times.append(cpu_seconds(lambda position=position: explain_all(position), 3))
        found = explain_all(position)
        # The texts are computed when they are read.
        text_times.append(cpu_seconds(lambda found=found: [proof.text for proof in found]))
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
    layouts = [sapper.generate(rules, seed).layout for seed in range(BOARDS)]
    grading = [cpu_seconds(lambda layout=layout: grade(layout)) for layout in layouts]
    print(
        f"grading {BOARDS} Expert boards: {sum(grading):.2f} s, slowest {1e3 * max(grading):.0f} ms"
    )


if __name__ == "__main__":
    main()
