// Hints and proofs: what they mark on the board, and sentences that refer to cells.
//
// The numbers that a step uses are outlined; three and more have letters, and two that show the same number.
// Cells that it takes as known have the next letters, and the reason for each can be opened. Groups of cells
// that a sentence mentions have the letters X, Y, Z. A part of a sentence that refers to cells highlights
// them while it is hovered or focused.

import { make } from "../lib/dom.js";
import { percentLabel, shortPercent } from "../lib/format.js";
import { setting } from "../lib/settings.js";
import { drawCertain } from "./overlay.js";

const MAX_PREMISES = 6; // shown without a click
const MAX_NAMES = 12; // more cells are not named one by one

export const COUNTEREXAMPLE = "Not certain: here is a layout that fits every number.";

/** Add to a drawing a layout that fits every number but in which a move is wrong. */
export function drawCounterexample(drawing, { mines, safe }, { action, cell }) {
  const mark = (marked, sign, note) => {
    drawing.signs.set(marked, sign);
    drawing.notes.set(marked, `${note} in this example`);
  };
  for (const mine of mines) mark(mine, "cross", "mine");
  for (const safeCell of safe) mark(safeCell, "dash", "safe");
  if (action === "flag") mark(cell, "dash", "safe");
  else mark(cell, "cross", "mine");
  drawing.fills.set(cell, "lost");
}

/** Add to a drawing the numbers that a sentence refers to, with their letters, and a note for screen readers. */
export function drawNumbers(drawing, view, sentence, note) {
  for (const cell of sentence.numbers) {
    drawing.fills.set(cell, "proof");
    drawing.notes.set(cell, note);
  }
  drawing.outlined.push(...sentence.numbers);
  drawing.badges = sentenceLetters(view, sentence);
}

/** Add a hint to a drawing: where to look, the numbers it uses, what it takes as known, its moves. */
export function drawHint(drawing, view, hint) {
  const { fills, labels, notes } = drawing;
  const badges = new Map();
  const mark = (cell, fill, note) => {
    fills.set(cell, fill);
    if (!notes.get(cell)?.endsWith(note)) notes.set(cell, notes.has(cell) ? `${notes.get(cell)}, ${note}` : note);
  };
  const { detail = 3, certain, look = [], numbers = [], premises = [], candidates = [], moves = [] } = hint;
  if (detail === 1)
    for (const cell of look) notes.set(cell, notes.has(cell) ? `${notes.get(cell)}, look here` : "look here");
  for (const cell of numbers) mark(cell, "proof", "number to look at");
  for (const [cell, badge] of sentenceLetters(view, hint)) badges.set(cell, badge);
  const firstLetter = lettersOf(view, numbers).size;
  premises.forEach(({ cell, is }, k) => {
    mark(cell, "premise", `known: ${is === "mine" ? "mine" : "safe"}`);
    if (premises.length <= MAX_PREMISES) badges.set(cell, letter(firstLetter + k));
  });
  candidates.forEach(({ cell, risk }, k) => {
    mark(cell, "guess", `candidate ${letter(k)}`);
    badges.set(cell, letter(k));
    labels.set(cell, percentLabel(risk));
  });
  for (const { action, cell } of moves) {
    if (certain) {
      mark(cell, null, action === "flag" ? "certainly a mine" : "certainly safe");
      drawCertain(drawing, cell, action === "flag");
    } else {
      mark(cell, "guess", "best guess");
      labels.set(cell, percentLabel(hint.risk));
      drawing.best = [cell];
    }
  }
  const outlined = [...numbers, ...candidates.map(({ cell }) => cell)];
  return { ...drawing, badges, ring: detail === 1 ? look : [], outlined, dashed: premises.map(({ cell }) => cell) };
}

/** All cells that a hint marks. */
export function hintCells({ detail, look = [], numbers = [], premises = [], candidates = [], moves = [] }) {
  if (detail === 1) return look;
  return [...moves, ...candidates, ...premises].map(({ cell }) => cell).concat(numbers);
}

/** Render a sentence from the server: its pieces as elements, or its text with the names of cells. */
export function renderSentence({ pieces, text }, stage) {
  if (!pieces || setting("names")) return [text];
  const parts = [];
  for (const piece of pieces) {
    const [space, text] = /^( ?)(.*)$/s.exec(piece.text).slice(1);
    if (piece.cells.length) {
      parts.push(space, make("span.unbroken", cellReference(piece, stage)));
      continue;
    }
    // Punctuation stays on the line of the reference before it.
    const reference = parts.at(-1);
    const [punctuation] = reference instanceof Element && !space ? /^[.,;:)]*/.exec(text) : [""];
    if (punctuation) reference.append(punctuation);
    parts.push(space + text.slice(punctuation.length));
  }
  return parts;
}

/** What a step takes as known: each cell with its own reason, which opens on a click. */
export function premiseList({ premises, numbers }, stage) {
  if (!premises?.length) return [];
  const firstLetter = lettersOf(stage.view, numbers).size;
  const rows = premises.map((premise, k) => premiseRow(premise, letter(firstLetter + k), stage));
  const more = rows.splice(MAX_PREMISES);
  const title = premises.length === 1 ? "Already known:" : `Already known, ${premises.length} cells:`;
  return [
    make("p.faint.premises-title", title),
    make("ul.premises", ...rows),
    ...(more.length ? [make("details", make("summary", `and ${more.length} more`), make("ul.premises", ...more))] : []),
  ];
}

function premiseRow(premise, badge, stage) {
  const name = setting("names") ? stage.view.name(premise.cell) : badge;
  const state = premise.is === "mine" ? "a mine" : "safe";
  const summary = make("summary", make("b", name), ` is ${state}${premise.flagged ? " (you flagged it)" : ""}: why?`);
  const row = make("details.premise", summary, make("p", ...renderSentence(premise, stage)));
  row.addEventListener("toggle", () => stage.overlay.highlight(row.open ? [premise.cell, ...premise.numbers] : []));
  return make("li", row);
}

/** Cells in a sentence: their names if that setting is on, else a text that highlights them. */
export function cellsLabel(cells, text, stage) {
  if (setting("names") && cells.length <= MAX_NAMES)
    return make("b", cells.map((cell) => stage.view.name(cell)).join(", "));
  return cellReference({ text, cells }, stage);
}

/** A part of a sentence that highlights its cells; a click scrolls to them. */
function cellReference({ text, cells }, stage) {
  const highlight = () => stage.overlay.highlight(cells);
  const clear = () => stage.overlay.highlight([]);
  return make(
    "button.cell-ref",
    {
      type: "button",
      onmouseenter: highlight,
      onfocus: highlight,
      onmouseleave: clear,
      onblur: clear,
      onclick: () => {
        stage.scrollToCells(cells);
        highlight();
      },
    },
    text.trim(),
  );
}

/** The letters on the board by which a sentence refers to cells: of its numbers, and of groups of cells. */
export function sentenceLetters(view, { numbers = [], pieces = [] }) {
  const letters = lettersOf(view, numbers);
  if (setting("names")) return letters;
  for (const { cells, letter } of pieces) if (letter) for (const cell of cells) letters.set(cell, letter);
  return letters;
}

/** What a cell may be; *rows* are [name, probability]. */
export function chances(rows) {
  const bars = rows.map(([name, p]) => {
    const meter = make("meter", { min: 0, max: 1, value: p ?? 0, "aria-hidden": "true" });
    const value = make("dd", meter, make("span", shortPercent(p)));
    return make(name === "mine" ? "div.bar-row.mine" : "div.bar-row", make("dt", name), value);
  });
  return make("dl.chances", ...bars);
}

const MIN_LETTERED = 3; // from this many on, numbers have letters in any case

/** The letters of numbered cells; two have none unless they show the same number. */
function lettersOf(view, cells) {
  const numbers = cells.map((cell) => view.marks[cell]);
  if (cells.length < MIN_LETTERED && new Set(numbers).size === numbers.length) return new Map();
  return new Map(cells.map((cell, k) => [cell, letter(k)]));
}

export const letter = (k) => String.fromCharCode(65 + (k % 26)) + (k < 26 ? "" : Math.floor(k / 26) + 1);
