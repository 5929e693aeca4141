// The best guess in words.

import { make } from "../lib/dom.js";
import { capitalise, percent } from "../lib/format.js";
import { renderSentence } from "./hint_overlay.js";

const MAX_CANDIDATES = 5; // candidates that are compared

/** A paragraph about a guess; *chip* makes the element that names a cell, and knows if it is the best. */
export function guessText(guess, stage, chip = nameChip(stage)) {
  const known = guess.risk !== null;
  return make(
    "p",
    { class: "guess" },
    make("strong", { text: known ? "Best guess " : "A guess " }),
    chip(guess.cell, true),
    known ? `, ${percent(guess.risk)} risk${equals(guess)}. ` : ". ",
    ...reasonOf(guess, stage),
  );
}

/** The candidates of a guess that are compared, and other *cells* whose risk is known. */
export function candidatesOf(guess, cells = []) {
  const candidates = guess.candidates.length ? guess.candidates.slice(0, MAX_CANDIDATES) : [guess];
  return [...candidates, ...cells.filter(({ cell }) => candidates.every((candidate) => candidate.cell !== cell))];
}

/** Makes the name of a cell. */
export const nameChip = (stage) => (cell) => make("b", { text: stage.view.name(cell) });

/** The reason of a guess, a sentence with references to cells. */
export const reasonOf = ({ pieces, reason }, stage) => [...renderSentence({ pieces, text: capitalise(reason) }, stage), "."];

/** A guess in one sentence, for screen readers. */
export function shortGuessText(guess, view) {
  const risk = guess.risk === null ? "risk unknown" : `${percent(guess.risk)} risk`;
  return `Best guess ${view.name(guess.cell)}, ${risk}.`;
}

const equals = ({ among }) => (among > 1 ? `, one of ${among} equally good cells` : "");
