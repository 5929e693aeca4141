// The best guess in words: the reason for it, and why the other candidates are worse.

import { make } from "../lib/dom.js";
import { percent } from "../lib/format.js";

const MAX_CANDIDATES = 4; // other candidates that are listed

/** Elements that describe a guess; *chip* makes the element that names a cell, and knows if it is the best. */
export function guessText(guess, view, chip = (cell) => make("b", { text: view.name(cell) })) {
  const known = guess.risk !== null;
  const parts = [
    make(
      "p",
      { class: "guess" },
      make("strong", { text: known ? "Best guess " : "A guess " }),
      chip(guess.cell, true),
      known ? `, ${percent(guess.risk)} risk${equals(guess)}. Why: ${guess.reason}.` : `: ${guess.reason}.`,
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

/** The same in one sentence, for screen readers. */
export function shortGuessText(guess, view) {
  const risk = guess.risk === null ? "risk unknown" : `${percent(guess.risk)} risk`;
  return `Best guess ${view.name(guess.cell)}, ${risk}.`;
}

const equals = ({ among }) => (among > 1 ? `, one of ${among} equally good cells` : "");
