// What a number says, on the board and in words that point at it.
//
// Whatever a step uses is in sight: its numbers are outlined, with a letter where the same number
// is outlined twice; mines that it takes as known carry a number, and that one's reason is a click
// away. A piece of a sentence that speaks of cells lights them up under the pointer or the focus.

import { make } from "../../lib/dom.js";
import { setting } from "../../lib/settings.js";
import { percentLabel } from "../../lib/words.js";
import { drawCertain } from "../overlay.js";

const MOST_FOLLOWS = 6; // that are told one by one at once

/** Add a number to a drawing: the place, the numbers it reads, what it takes as known, its moves. */
export function drawNumber(shown, view, number) {
  const { grounds, labels, notes } = shown;
  const badges = new Map();
  const put = (cell, ground, note) => {
    grounds.set(cell, ground);
    if (!notes.get(cell)?.endsWith(note)) notes.set(cell, notes.has(cell) ? `${notes.get(cell)}, ${note}` : note);
  };
  const { detail = 3, certain, look = [], numbers = [], premises = [], candidates = [], moves = [] } = number;
  if (detail === 1) for (const cell of look) put(cell, "proof", "look here");
  for (const cell of numbers) put(cell, "proof", "a number to look at");
  for (const [cell, letter] of lettersOf(view, numbers)) badges.set(cell, letter);
  premises.forEach(({ cell, is }, k) => {
    put(cell, "premises", `follows: ${is === "mine" ? "a mine" : "free"}`);
    if (premises.length <= MOST_FOLLOWS) badges.set(cell, k + 1);
  });
  candidates.forEach(({ cell, risk }, k) => {
    put(cell, "guess", `weigh this, ${letter(k)}`);
    badges.set(cell, letter(k));
    labels.set(cell, percentLabel(risk));
  });
  for (const { action, cell } of moves) {
    if (certain) {
      put(cell, null, action === "flag" ? "certainly a mine" : "certainly free");
      drawCertain(shown, cell, action === "flag");
    } else {
      put(cell, "guess", "best guess");
      labels.set(cell, percentLabel(number.probabilities));
      shown.best = [cell];
    }
  }
  const known = premises.map(({ cell }) => cell);
  const outlined = detail === 1 ? look : [...numbers, ...candidates.map(({ cell }) => cell)];
  return { ...shown, badges, outlined, dashed: known };
}

/** All cells that a number shows. */
export function cellsOf({ detail, look = [], numbers = [], premises = [], candidates = [], moves = [] }) {
  if (detail === 1) return look;
  return [...moves, ...candidates, ...premises].map(({ cell }) => cell).concat(numbers);
}

/** A sentence in pieces as elements; with the names of cells for those who want them. */
export function pointing({ pieces, text }, stage) {
  if (!pieces || setting("names")) return [text];
  return pieces.map((piece) => (piece.cells.length ? pointer(piece, stage) : piece.text));
}

/** What a step takes as known: each cell with its own reason, which opens on a click. */
export function followList(premises, stage) {
  if (!premises?.length) return [];
  const rows = premises.map((one, k) => follow(one, k, stage));
  const more = rows.splice(MOST_FOLLOWS);
  const title = premises.length === 1 ? "Known before this:" : `Known before this, ${premises.length} cells:`;
  return [
    make("p", { class: "faint follows-title", text: title }),
    make("ul", { class: "premises" }, ...rows),
    ...(more.length ? [make("details", {}, make("summary", { text: `and ${more.length} more` }), make("ul", { class: "premises" }, ...more))] : []),
  ];
}

function follow(one, k, stage) {
  const where = setting("names") ? stage.view.name(one.cell) : `${k + 1}`;
  const state = one.is === "mine" ? "a mine" : "free";
  const summary = make("summary", {}, make("b", { text: where }), ` is ${state}${one.flagged ? ", as you flagged it" : ""}: why?`);
  const row = make("details", { class: "follow" }, summary, make("p", {}, ...pointing(one, stage)));
  row.addEventListener("toggle", () => (row.open ? stage.overlay.light([one.cell, ...one.numbers]) : stage.overlay.light([])));
  return make("li", {}, row);
}

/** Words that light their cells up; a click brings them into sight. */
function pointer({ text, cells }, stage) {
  const light = () => stage.overlay.light(cells);
  const dark = () => stage.overlay.light([]);
  const element = make("button", {
    type: "button",
    class: "point",
    text: text.trim(),
    onmouseenter: light,
    onfocus: light,
    onmouseleave: dark,
    onblur: dark,
    onclick: () => {
      stage.bringIntoSight(cells);
      light();
    },
  });
  return text.startsWith(" ") ? make("span", {}, " ", element) : element;
}

/** A letter for each number, where the numbers alone do not tell them apart; as the sentences say. */
export function lettersOf(view, numbers) {
  const numbers = numbers.map((cell) => view.marks[cell]);
  if (new Set(numbers).size === numbers.length) return new Map();
  return new Map(numbers.map((cell, k) => [cell, letter(k)]));
}

const letter = (k) => String.fromCharCode(65 + (k % 26)) + (k < 26 ? "" : Math.floor(k / 26) + 1);
