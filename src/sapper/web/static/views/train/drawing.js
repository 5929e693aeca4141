// What is drawn over a puzzle's board: its answer with the numbers that prove it, or what speaks
// against a move.

import { drawNumber } from "../../board/told/number.js";

/** All moves that were asked for, and the numbers of one proof; its cell is marked among them. */
export function answerOverlay(view, { moves, numbers, cell }) {
  const drawn = drawNumber(empty(), view, { certain: true, numbers, moves });
  return moves.length > 1 ? { ...drawn, best: [cell] } : drawn;
}

/** Why a move is wrong: the numbers that prove the opposite, or mines that fit and hit it. */
export function againstOverlay(view, { numbers, example }, { action, cell }) {
  const opposite = action === "reveal" ? "flag" : "reveal";
  if (example === null) return drawNumber(empty(), view, { certain: true, numbers, moves: [{ action: opposite, cell }] });
  const drawn = empty();
  for (const other of example.mines) mark(drawn, other, "cross", "a mine in this example");
  for (const other of example.safe) mark(drawn, other, "dash", "no mine in this example");
  mark(drawn, cell, action === "reveal" ? "cross" : "dash", "this may be so");
  drawn.grounds.set(cell, "guess");
  return { ...drawn, best: [cell] };
}

const empty = () => ({ grounds: new Map(), labels: new Map(), signs: new Map(), notes: new Map() });

function mark({ signs, notes }, cell, sign, note) {
  signs.set(cell, sign);
  notes.set(cell, note);
}
