// The puzzles of the day, and those that were tried: links to go back to.

import { icon, make } from "../../lib/dom.js";
import { capital, plural, seconds } from "../../lib/words.js";
import { ratingGraph } from "./graph.js";

/** This day where the player is, as 2026-11-15. */
export function today() {
  const now = new Date();
  const two = (number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

export function dailyList(details, daily) {
  const done = daily.filter(({ right }) => right !== null).length;
  show(
    details,
    `Puzzles of the day, ${done} of ${daily.length} tried`,
    daily.map(({ tiling, puzzle, right }) => row(puzzle, right, capital(tiling), right === null ? "to try" : "")),
  );
}

export function historyList(details, history) {
  show(
    details,
    `History, ${plural(history.length, "puzzle", "puzzles")}`,
    history.map(({ puzzle, right, difficulty_text: words, puzzle_rating, rating, seconds: took }) =>
      row(puzzle, right, `${capital(words)}, ${puzzle_rating}`, `${seconds(1000 * took)}, then ${rating}`),
    ),
    ratingGraph(history),
  );
}

function show(details, title, rows, above = []) {
  const list = make("ol", { class: "tries" }, ...rows);
  details.replaceChildren(make("summary", { text: title }), ...above, rows.length ? list : make("p", { class: "faint", text: "Nothing yet." }));
}

function row(puzzle, right, name, beside) {
  const state = right === null ? null : icon(right ? "tick" : "close");
  const spoken = right === null ? "" : right ? "right: " : "not solved: ";
  return make(
    "li",
    { class: right === null ? null : right ? "right" : "wrong" },
    make("a", { href: `#/train/${puzzle}` }, state, make("span", { class: "unseen", text: spoken }), make("span", { text: name }), make("small", { text: beside })),
  );
}
