// The best guess in words: the reason for it, and why the other candidates are worse.

import { make } from "../lib/dom.js";
import { capitalise, percent } from "../lib/format.js";
import { renderSentence } from "./hint_overlay.js";

const MAX_CANDIDATES = 4; // other candidates that are listed

/** Elements that describe a guess; *chip* makes the element that names a cell, and knows if it is the best. */
export function guessText(guess, stage, chip = (cell) => make("b", { text: stage.view.name(cell) })) {
  const known = guess.risk !== null;
  const parts = [
    make(
      "p",
      { class: "guess" },
      make("strong", { text: known ? "Best guess " : "A guess " }),
      chip(guess.cell, true),
      known ? `, ${percent(guess.risk)} risk${equals(guess)}. ` : ". ",
      ...reasonOf(guess, stage),
    ),
  ];
  const others = guess.candidates.filter(({ cell }) => cell !== guess.cell).slice(0, MAX_CANDIDATES);
  if (known && others.length)
    parts.push(
      make("p", { class: "faint others-title", text: "Why not" }),
      make(
        "ul",
        { class: "others" },
        ...others.map(({ cell, risk, why_not }) => make("li", {}, chip(cell, false), make("span", { text: `${percent(risk)}: ${why_not}` }))),
      ),
    );
  return parts;
}

/** The reason of a guess, a sentence with references to cells. */
export const reasonOf = ({ pieces, reason }, stage) => [...renderSentence({ pieces, text: capitalise(reason) }, stage), "."];

/** A guess in one sentence, for screen readers. */
export function shortGuessText(guess, view) {
  const risk = guess.risk === null ? "risk unknown" : `${percent(guess.risk)} risk`;
  return `Best guess ${view.name(guess.cell)}, ${risk}.`;
}

const equals = ({ among }) => (among > 1 ? `, one of ${among} equally good cells` : "");
