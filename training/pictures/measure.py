"""Measure the reader on skins not used in training: `python -m training.pictures.measure`."""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from sapper.errors import SapperError
from sapper.pictures.reading import Reading, read
from training.pictures.scenes import Scene, make_scene
from training.pictures.skins import Skin, random_skin

HELD_OUT_FLAGS = ("wave", "chequered", "diamond")
SKIN_COUNT = 40


def held_out_fonts() -> list[str]:
    """Return fonts that come with Python packages and that training does not use."""
    import reportlab

    found = [str(path) for path in sorted(Path(reportlab.__file__).parent.glob("fonts/Vera*.ttf"))]
    try:
        import matplotlib
    except ImportError:
        return found
    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    names = ("STIXGeneral", "STIXGeneralBol", "cmr10", "cmss10", "cmb10", "cmtt10")
    return found + [str(folder / f"{name}.ttf") for name in names]


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
    """How well a picture was read; the cells are counted without obscured ones."""

    size_right: bool
    cells: int
    wrong: int
    unsure: int
    sure_wrong: int
    seconds: float


def random_scene(seed: int, skins: list[Skin]) -> Scene:
    """Return a scene of one of the skins: any size of board, 12 to 120 pixels per cell."""
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
    """Compare a reading with the true cells, without those that are obscured."""
    truth = np.array([list(row) for row in scene.rows])
    visible = scene.obscured < 0.2
    cells = int(visible.sum())
    if reading is None:
        return Result(False, cells, cells, 0, 0, seconds)
    lattice = reading.lattice
    marks = {-1: "#", -2: "F", 0: "."}
    read_cells = np.array([marks.get(m, str(m)) for m in reading.position.marks.tolist()])
    read_cells = read_cells.reshape(lattice.rows, lattice.columns)
    for shown, meant in (("?", "#"), ("*", "F"), ("X", "F")):
        truth[truth == shown] = meant
    if read_cells.shape != truth.shape:
        return Result(False, cells, cells, 0, 0, seconds)
    unsure = np.zeros(truth.shape, bool)
    unsure.flat[[item.cell for item in reading.unsure_cells]] = True
    wrong = (read_cells != truth) & visible
    return Result(
        True,
        cells,
        int(wrong.sum()),
        int((unsure & visible).sum()),
        int((wrong & ~unsure).sum()),
        seconds,
    )


def measure(seeds: range) -> Iterator[tuple[int, Scene, Reading | None, Result]]:
    """Read a scene for each seed; yield the seed, the scene, the reading and the result."""
    skins = held_out_skins()
    for seed in seeds:
        scene = random_scene(seed, skins)
        start = time.process_time()
        try:
            reading = read(scene.picture)
        except SapperError:
            reading = None
        yield seed, scene, reading, compare(scene, reading, time.process_time() - start)


def summary(results: list[Result]) -> str:
    """Return the results as one line of text."""
    right = [r for r in results if r.size_right]
    cells = sum(r.cells for r in right)
    unsure = sum(r.unsure for r in right)
    sure_wrong = sum(r.sure_wrong for r in right)
    count = len(results)
    whole = sum(r.size_right and not r.wrong for r in results)
    trusted = sum(r.size_right and not r.sure_wrong for r in results)
    seconds = [r.seconds for r in results]
    return (
        f"{count} pictures: size right {len(right) / count:.1%}, "
        f"every cell right {whole / count:.1%}, every sure cell right {trusted / count:.1%}, "
        f"sure cells wrong {sure_wrong / max(1, cells - unsure):.3%}, "
        f"cells unsure {unsure / max(1, cells):.2%}, "
        f"seconds {np.median(seconds):.2f} (most {max(seconds):.2f})"
    )


def main() -> None:
    """Print each picture that was read wrongly, with its seed, and a summary."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    args = parser.parse_args()
    results = []
    for seed, scene, reading, result in measure(range(args.first, args.first + args.count)):
        results.append(result)
        if not result.size_right or result.wrong:
            lattice = None if reading is None else reading.lattice
            print(
                seed,
                f"{len(scene.rows[0])}x{len(scene.rows)} at {scene.width:.1f}",
                result,
                lattice,
                flush=True,
            )
    print(summary(results))


if __name__ == "__main__":
    main()
