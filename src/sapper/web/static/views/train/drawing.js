// What is drawn over a puzzle's board: its answer with the numbers that prove it, or what speaks
// against a move.

import { drawCertain } from "../../board/overlay.js";

/** All moves that were asked for, and the numbers of one proof. */
export function answerOverlay(view, { moves, hints }) {
  const drawn = withNumbers(hints);
  for (const { action, cell } of moves) {
    drawCertain(drawn, cell, action === "flag");
    drawn.notes.set(cell, action === "flag" ? "certainly a mine" : "certainly free");
  }
  return drawn;
}

/** Why a move is wrong: the numbers that prove the opposite, or mines that fit and hit it. */
export function againstOverlay(view, { hints, example }, { action, cell }) {
  const drawn = withNumbers(hints);
  if (example === null) {
    drawCertain(drawn, cell, action === "reveal");
    drawn.notes.set(cell, action === "reveal" ? "certainly a mine" : "certainly free");
    return drawn;
  }
  for (const other of example.mines) mark(drawn, other, "cross", "a mine in this example");
  for (const other of example.free) mark(drawn, other, "dash", "no mine in this example");
  mark(drawn, cell, action === "reveal" ? "cross" : "dash", "this may be so");
  drawn.grounds.set(cell, "guess");
  drawn.best.push(cell);
  return drawn;
}

function withNumbers(hints) {
  return {
    grounds: new Map(hints.map((cell) => [cell, "proof"])),
    signs: new Map(),
    outlined: [...hints],
    best: [],
    notes: new Map(hints.map((cell) => [cell, "a number that proves it"])),
  };
}

function mark({ signs, notes }, cell, sign, note) {
  signs.set(cell, sign);
  notes.set(cell, note);
}
