// Descriptions of the board for screen readers.

import { plural } from "../lib/format.js";
import { COVERED, FLAG } from "./view.js";

const MAX_VALUES = 40; // numbers in one description

/** A cell and its neighbours: "r2c3: 2. Neighbours: 3 covered, 1 flag, numbers 1 1 2." */
export function describeNeighbours(view, cell) {
  const around = view.around(cell);
  const covered = around.filter((other) => view.marks[other] === COVERED);
  const flags = around.filter((other) => view.marks[other] === FLAG);
  const parts = [`${covered.length} covered`, plural(flags.length, "flag")];
  const numbers = numbersIn(view, around);
  if (numbers) parts.push(numbers);
  const named = covered.length ? ` Covered: ${covered.map((other) => view.name(other)).join(", ")}.` : "";
  return `${view.label(cell)}. Neighbours: ${parts.join(", ")}.${named}`;
}

/** What a move revealed: "17 cells, numbers 1 1 2." */
export function describeRevealed(view, cells) {
  if (!cells.length) return "Nothing has been revealed yet.";
  return `${plural(cells.length, "cell")}, ${numbersIn(view, cells) || "no numbers"}.`;
}

/**
 * The next number after a cell with an obvious move around it, and a description of that move; null
 * if there is none. Flags count as mines.
 */
export function nextObviousNumber(view, from, back = false) {
  for (let k = 1; k <= view.count; k++) {
    const cell = (from + (back ? view.count - k : k)) % view.count;
    const text = obviousMove(view, cell);
    if (text) return { cell, text };
  }
  return null;
}

function obviousMove(view, cell) {
  const number = view.marks[cell];
  if (number <= 0) return null;
  const around = view.around(cell);
  const covered = around.filter((other) => view.marks[other] === COVERED).length;
  const flags = around.filter((other) => view.marks[other] === FLAG).length;
  if (!covered) return null;
  if (flags === number) return `all its mines are flagged, ${covered} still covered: chord`;
  if (flags + covered === number) return `all ${covered} covered neighbours are mines`;
  return null;
}

function numbersIn(view, cells) {
  const numbers = [...cells]
    .sort((a, b) => a - b)
    .map((cell) => view.marks[cell])
    .filter((mark) => mark > 0);
  const more = numbers.length > MAX_VALUES ? ` and ${numbers.length - MAX_VALUES} more` : "";
  return numbers.length ? `numbers ${numbers.slice(0, MAX_VALUES).join(" ")}${more}` : "";
}
