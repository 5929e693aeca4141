// The best guess in words: why this cell, and why not another one.

import { make } from "../lib/dom.js";
import { percent } from "../lib/words.js";

const MOST = 4; // other cells that are told of

/**
 * The best guess of an answer; *chip* makes the element that names a cell and is told whether it is
 * the best, a button where one can ask more of it.
 */
export function guessWords(guess, view, chip = (cell) => make("b", { text: view.name(cell) })) {
  const known = guess.risk !== null;
  const parts = [
    make(
      "p",
      { class: "guess" },
      make("strong", { text: known ? "Best guess " : "A guess " }),
      chip(guess.cell, true),
      known ? `, ${percent(guess.risk)} risk${equals(guess)}. ${because(guess)}` : ": no probabilities without a mine count.",
    ),
  ];
  const others = guess.candidates.filter(({ cell }) => cell !== guess.cell).slice(0, MOST);
  if (known && others.length)
    parts.push(
      make("p", { class: "faint against", text: "And not" }),
      make(
        "ul",
        { class: "others" },
        ...others.map(({ cell, risk, why_not }) => make("li", {}, chip(cell, false), make("span", { text: `${percent(risk)}: ${why_not}` }))),
      ),
    );
  return parts;
}

/** The same in one line, for ears. */
export function spokenGuess(guess, view) {
  const risk = guess.risk === null ? "probabilities unknown" : `${percent(guess.risk)} risk`;
  return `Best guess ${view.name(guess.cell)}, ${risk}.`;
}

/** The reason after the risk, which stands before it already. */
function because({ why }) {
  const [, reason] = /^guess at [^:]*risk: (.*)$/s.exec(why) ?? [];
  return reason ? `Why: ${reason}.` : "No covered cell has lower probability.";
}

const equals = ({ among }) => (among > 1 ? `, one of ${among} as good` : "");
