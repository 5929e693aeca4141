"""Smallest proofs of all certain moves, and grading: what they cost on Expert boards.

Run by `make bench-details`.
The frames are those of the deals of seeds 0 to 199 where single-hint rules
stop for the first time. CPU seconds, best of three for each frame.
"""

import statistics
import time
from collections import Counter

from tests.stuck_frames import single_hint_frame

import sapper
from sapper.generate.grade import grade
from sapper.infer.proofs.prove import explain_all

FRAMES = 200
BOARDS = 100


def measure(work):
    """The result of a call and its CPU seconds, best of three."""
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
    for seed in range(FRAMES):
        frame = single_hint_frame(sapper.deal(rules, seed).layout)
        found, seconds = measure(lambda frame=frame: explain_all(frame))
        times.append(seconds)
        start = time.process_time()
        for proof in found:
            proof.text  # noqa: B018 - computed when it is read
        text_times.append(time.process_time() - start)
        proofs += found
    sizes = Counter(len(p.hints) for p in proofs if not p.mine_count)
    counted = sum(p.mine_count for p in proofs)
    larger = sum(not p.smallest for p in proofs)
    print(f"{FRAMES} Expert frames stuck under single-hint rules, {len(proofs):,} proofs")
    print(f"  a frame: median {1e3 * statistics.median(times):.1f} ms, slowest {max(times):.3f} s")
    print(f"  their texts: median {1e3 * statistics.median(text_times):.1f} ms a frame")
    print(f"  smallest: false {larger} ({larger / len(proofs):.2%})")
    print(f"  hints: {dict(sorted(sizes.items()))}, with the mine count {counted}")
    start = time.process_time()
    slowest = 0.0
    for seed in range(BOARDS):
        begin = time.process_time()
        grade(sapper.deal(rules, seed).layout)
        slowest = max(slowest, time.process_time() - begin)
    spent = time.process_time() - start
    print(f"grading {BOARDS} Expert boards: {spent:.2f} s, slowest {1e3 * slowest:.0f} ms")


if __name__ == "__main__":
    main()
