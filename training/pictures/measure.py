"""Measure the picture reader on skins that training does not use.

Run as `python -m training.pictures.measure`.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sapper.errors import SapperError
from sapper.pictures.reading import MIN_SURE_CONFIDENCE, Reading, read
from training.pictures.imitations import imitation_scenes
from training.pictures.scenes import Scene, make_scene
from training.pictures.skins import Skin, random_skin

HELD_OUT_FLAGS = ("wave", "chequered", "diamond")
SKIN_COUNT = 40
CONFIDENCES = (0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999, 1.001)


def held_out_fonts() -> list[str]:
    """Return fonts that come with Python packages and that training does not use."""
    import reportlab

    fonts = [str(path) for path in sorted(Path(reportlab.__file__).parent.glob("fonts/Vera*.ttf"))]
    try:
        import matplotlib
    except ImportError:
        return fonts
    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    names = ("STIXGeneral", "STIXGeneralBol", "cmr10", "cmss10", "cmb10", "cmtt10")
    return fonts + [str(folder / f"{name}.ttf") for name in names]


def held_out_skins() -> list[Skin]:
    """Return the skins to measure on: fixed, with fonts and flags that training does not use."""
    fonts = held_out_fonts()
    skins = []
    for i in range(SKIN_COUNT):
        rng = np.random.default_rng([20261116, i])
        skin = random_skin(rng, fonts, HELD_OUT_FLAGS)
        if "/" not in skin.font and skin.font != "pips":
            skin = replace(skin, font=fonts[i % len(fonts)])
        skins.append(replace(skin, name=f"held out {i + 1}"))
    return skins


@dataclass(frozen=True)
class Result:
    """How well a picture was read; obscured cells are left out."""

    size_correct: bool
    correct: npt.NDArray[np.bool_]
    confidence: npt.NDArray[np.float64]
    seconds: float

    @property
    def is_sure(self) -> npt.NDArray[np.bool_]:
        """Return for each cell whether the reader is sure of it."""
        return self.confidence >= MIN_SURE_CONFIDENCE

    @property
    def all_correct(self) -> bool:
        """Return whether every cell is correct."""
        return self.size_correct and bool(self.correct.all())

    def __str__(self) -> str:
        if not self.size_correct:
            return f"wrong size, {self.seconds:.1f} s"
        wrong, sure_wrong = (~self.correct).sum(), (~self.correct & self.is_sure).sum()
        unsure = (~self.is_sure).sum()
        return f"{wrong} wrong, {sure_wrong} of them sure; {unsure} unsure; {self.seconds:.1f} s"


def random_scene(seed: int, skins: list[Skin]) -> Scene:
    """Return a scene in one of the skins: a random board size, 12 to 120 pixels per cell."""
    rng = np.random.default_rng([7, seed])
    columns, rows = (
        [(9, 9), (16, 16), (30, 16), (8, 8), (10, 14)][int(rng.integers(5))]
        if rng.random() < 0.6
        else (int(v) for v in rng.integers(6, 25, 2))
    )
    size = round(math.exp(rng.uniform(math.log(12), math.log(120))))
    size = min(size, 2400 // max(columns, rows))
    return make_scene(rng, skins[seed % len(skins)], max(12, size), columns, rows)


def compare(scene: Scene, reading: Reading | None, seconds: float) -> Result:
    """Compare a reading with the true cells, leaving out obscured ones."""
    truth = np.array([list(row) for row in scene.rows])
    for shown, expected in (("?", "#"), ("*", "F"), ("X", "F")):
        truth[truth == shown] = expected
    if reading is None or (reading.lattice.rows, reading.lattice.columns) != truth.shape:
        return Result(False, np.zeros(0, bool), np.zeros(0), seconds)
    marks = {-1: "#", -2: "F", 0: "."}
    cells = np.array([marks.get(mark, str(mark)) for mark in reading.position.marks.tolist()])
    visible = (scene.obscured < 0.2).ravel()
    correct = (cells == truth.ravel())[visible]
    return Result(True, correct, np.array(reading.cell_confidence)[visible], seconds)


def held_out_scenes(seeds: range) -> Iterator[tuple[str, Scene]]:
    """Yield the name of a held-out skin and a scene in it for each seed."""
    skins = held_out_skins()
    for seed in seeds:
        yield skins[seed % len(skins)].name, random_scene(seed, skins)


def measure(scene: Scene) -> tuple[Reading | None, Result]:
    """Read a scene; return the reading and the result."""
    start = time.process_time()
    try:
        reading = read(scene.picture)
    except SapperError:
        reading = None
    return reading, compare(scene, reading, time.process_time() - start)


def summary(results: list[Result]) -> str:
    """Return the results as one line of text."""
    count = len(results)
    correct = np.concatenate([result.correct for result in results])
    sure = np.concatenate([result.is_sure for result in results])
    trusted = sum(r.size_correct and bool(r.correct[r.is_sure].all()) for r in results)
    seconds = [result.seconds for result in results]
    return (
        f"{count} pictures: size correct {sum(r.size_correct for r in results) / count:.1%}, "
        f"every cell correct {sum(r.all_correct for r in results) / count:.1%}, "
        f"every sure cell correct {trusted / count:.1%}, "
        f"sure cells wrong {(~correct[sure]).mean():.3%}, cells unsure {(~sure).mean():.2%}, "
        f"seconds {np.median(seconds):.2f} (maximum {max(seconds):.2f})"
    )


def calibration(results: list[Result]) -> str:
    """Return a table: ranges of confidence, the cells in each, and the share that is correct."""
    correct = np.concatenate([result.correct for result in results])
    confidence = np.concatenate([result.confidence for result in results])
    lines = ["confidence     cells  correct"]
    for low, high in pairwise(CONFIDENCES):
        inside = (confidence >= low) & (confidence < high)
        if inside.any():
            lines.append(f"{low:.3f}-{high:.3f} {inside.sum():7}  {correct[inside].mean():7.2%}")
    return "\n".join(lines)


def main() -> None:
    """Print each picture with errors and its seed, then a calibration table and a summary."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--imitations", action="store_true", help="imitations of programs instead")
    parser.add_argument("--fonts", type=Path, help="a folder of fonts for the imitations")
    parser.add_argument("--save", type=Path, help="a folder for the pictures with errors")
    args = parser.parse_args()
    seeds = range(args.first, args.first + args.count)
    scenes = imitation_scenes(seeds, args.fonts) if args.imitations else held_out_scenes(seeds)
    results = []
    for seed, (name, scene) in zip(seeds, scenes, strict=True):
        reading, result = measure(scene)
        results.append(result)
        if not result.all_correct:
            size = f"{len(scene.rows[0])}x{len(scene.rows)} at {scene.width:.1f}"
            print(seed, name, size, result, reading and reading.lattice, flush=True)
            if args.save:
                scene.picture.save(args.save / f"{seed}.png")
    print(calibration(results))
    print(summary(results))


if __name__ == "__main__":
    main()
