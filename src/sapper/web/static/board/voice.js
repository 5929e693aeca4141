// What a board tells in words, to those who do not see it at one glance.

import { plural } from "../lib/words.js";
import { COVERED, FLAG } from "./view.js";

const MAX_VALUES = 40; // more are not listened to

/** A cell and what is around it: "r2c3: 2. Around it 3 covered, 1 flag, numbers 1 1 2." */
export function aroundWords(view, cell) {
  const around = view.around(cell);
  const covered = around.filter((other) => view.marks[other] === COVERED);
  const flags = around.filter((other) => view.marks[other] === FLAG);
  const parts = [`${covered.length} covered`, plural(flags.length, "flag", "flags")];
  const numbers = numbersIn(view, around);
  if (numbers) parts.push(numbers);
  const named = covered.length ? ` Covered: ${covered.map((other) => view.name(other)).join(", ")}.` : "";
  return `${view.label(cell)}. Around it ${parts.join(", ")}.${named}`;
}

/** What a move opened: "17 cells, numbers 1 1 2." */
export function openedWords(view, cells) {
  if (!cells.length) return "Nothing was opened yet.";
  const numbers = numbersIn(view, cells);
  return `${plural(cells.length, "cell", "cells")}, ${numbers || "no numbers"}.`;
}

/**
 * The next number, from a cell on, with something plain to do around it, and what that is; null
 * where there is none. It takes the flags at their word: this is what anybody sees who looks.
 */
export function nextToDo(view, from, back = false) {
  for (let k = 1; k <= view.count; k++) {
    const cell = (from + (back ? view.count - k : k)) % view.count;
    const words = toDoAt(view, cell);
    if (words) return { cell, words };
  }
  return null;
}

function toDoAt(view, cell) {
  const number = view.marks[cell];
  if (number <= 0) return null;
  const around = view.around(cell);
  const covered = around.filter((other) => view.marks[other] === COVERED).length;
  const flags = around.filter((other) => view.marks[other] === FLAG).length;
  if (!covered) return null;
  if (flags === number) return `its flags are set, ${covered} still covered: chord`;
  if (flags + covered === number) return `all ${covered} covered around it must be mines`;
  return null;
}

function numbersIn(view, cells) {
  const numbers = [...cells].sort((a, b) => a - b).map((cell) => view.marks[cell]).filter((mark) => mark > 0);
  const more = numbers.length > MAX_VALUES ? ` and ${numbers.length - MAX_VALUES} more` : "";
  return numbers.length ? `numbers ${numbers.slice(0, MAX_VALUES).join(" ")}${more}` : "";
}
