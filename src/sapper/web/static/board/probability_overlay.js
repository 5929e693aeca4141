// The drawing of mine probabilities. Covered cells away from all numbers (the interior) have the same
// probability, which is written once.

import { percent, percentLabel } from "../lib/format.js";
import { drawCertain } from "./overlay.js";

const TOLERANCE = 1e-9; // probabilities that differ by less are equal

/**
 * The drawing for cells and their probabilities, null where one is unknown. Certain cells have a
 * sign; the interior is dimmed and has one label; *best* is the guess to mark.
 */
export function probabilityOverlay(view, cells, probabilities, best = null) {
  const drawing = {
    fills: new Map(),
    dim: interiorOf(view, cells, probabilities),
    labels: new Map(),
    wide: new Map(),
    signs: new Map(),
    notes: new Map(),
    best: best === null ? [] : [best],
  };
  const { fills, dim, labels, wide, notes } = drawing;
  const interiorProbability = probabilities[cells.findIndex((cell) => dim.has(cell))];
  const interiorNote = dim.size ? `${probabilityText(interiorProbability)}, as all cells away from numbers` : "";
  cells.forEach((cell, k) => {
    const p = dim.has(cell) ? interiorProbability : probabilities[k]; // exactly the same, so that the colour is too
    if (p === 0 || p === 1) drawCertain(drawing, cell, p === 1);
    else {
      if (p !== null) fills.set(cell, p);
      if (!dim.has(cell)) labels.set(cell, percentLabel(p));
    }
    notes.set(cell, (dim.has(cell) ? interiorNote : probabilityText(p)) + (cell === best ? ", best guess" : ""));
  });
  if (dim.size) {
    const { cell, distance } = widestCell(view, dim);
    if (distance > 1) wide.set(cell, interiorProbability === null ? "?" : percent(interiorProbability));
    else labels.set(cell, percentLabel(interiorProbability));
  }
  return drawing;
}

/** A sentence about the interior of a drawing, or an empty text. */
export function interiorText({ dim, fills }) {
  const [cell] = dim;
  return fills.has(cell)
    ? ` Each of the ${dim.size} covered cells away from numbers: ${percent(fills.get(cell))}.`
    : "";
}

/** The probability of a cell in words. */
export function probabilityText(p) {
  if (p === null) return "probability unknown";
  if (p === 0) return "certainly safe";
  return p === 1 ? "certainly a mine" : `mine ${percent(p)}`;
}

/** The interior cells, if there are several and all have the same uncertain probability. */
function interiorOf(view, cells, probabilities) {
  const interior = new Map();
  const { offsets, neighbours } = view.data;
  const touchesNumber = (cell) => {
    for (let k = offsets[cell]; k < offsets[cell + 1]; k++) if (view.marks[neighbours[k]] >= 0) return true;
    return false;
  };
  cells.forEach((cell, k) => {
    const certain = probabilities[k] === 0 || probabilities[k] === 1;
    if (!certain && !touchesNumber(cell)) interior.set(cell, probabilities[k]);
  });
  const [first] = interior.values();
  const same = (p) => (p === null || first === null ? p === first : Math.abs(p - first) < TOLERANCE);
  return new Set(interior.size > 1 && [...interior.values()].every(same) ? interior.keys() : []);
}

/**
 * The cell of a set that is farthest from all other cells and from the edge of the board, and its distance:
 * a label has the most space there. A cell at the edge has distance 1.
 */
export function widestCell(view, cells) {
  const { offsets } = view.data;
  const degree = (cell) => offsets[cell + 1] - offsets[cell];
  let maxDegree = 0;
  for (let cell = 0; cell < view.count; cell++) maxDegree = Math.max(maxDegree, degree(cell));
  const steps = new Int32Array(view.count).fill(-1);
  const queue = [];
  for (let cell = 0; cell < view.count; cell++) if (!cells.has(cell)) push(cell, 0);
  for (const cell of cells) if (degree(cell) < maxDegree) push(cell, 1);
  for (let k = 0; k < queue.length; k++)
    for (const other of view.around(queue[k])) if (steps[other] < 0) push(other, steps[queue[k]] + 1);
  let cell = null; // the first one, if several are equally far
  for (const other of cells)
    if (cell === null || steps[other] > steps[cell] || (steps[other] === steps[cell] && other < cell)) cell = other;
  return { cell, distance: steps[cell] };

  function push(cell, distance) {
    steps[cell] = distance;
    queue.push(cell);
  }
}
