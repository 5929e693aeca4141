// The lists of the puzzles view: the puzzles of the day, and earlier attempts with a rating graph.

import { icon, make, svgElement } from "../lib/dom.js";
import { capitalise, duration, plural } from "../lib/format.js";

export function showDaily(details, { daily, daily_streak: streak }) {
  const tried = daily.filter(({ right }) => right !== null).length;
  const days = streak > 1 ? `, ${streak} days in a row` : "";
  show(
    details,
    `Daily puzzles, ${tried} of ${daily.length} tried${days}`,
    daily.map(({ tiling, puzzle, right }) => row(puzzle, right, capitalise(tiling), right === null ? "not tried" : "")),
  );
}

export function showHistory(details, { history }) {
  show(
    details,
    `History, ${plural(history.length, "puzzle")}`,
    history.map(({ puzzle, right, difficulty_text: difficulty, puzzle_rating, rating, seconds }) =>
      row(
        puzzle,
        right,
        `${capitalise(difficulty)}, ${puzzle_rating}`,
        `${duration(1000 * seconds)}, rating ${rating}`,
      ),
    ),
    ratingGraph(history),
  );
}

function show(details, title, rows, graph = []) {
  const list = make("ol", { class: "attempts" }, ...rows);
  details.replaceChildren(
    make("summary", { text: title }),
    ...graph,
    rows.length ? list : make("p", { class: "faint", text: "Nothing yet." }),
  );
}

function row(puzzle, right, name, note) {
  const state = right === null ? null : icon(right ? "tick" : "close");
  const spoken = right === null ? "" : right ? "right: " : "not solved: ";
  return make(
    "li",
    { class: right === null ? null : right ? "right" : "wrong" },
    make(
      "a",
      { href: `#/puzzles/${puzzle}` },
      state,
      make("span", { class: "visually-hidden", text: spoken }),
      make("span", { text: name }),
      make("small", { text: note }),
    ),
  );
}

const WIDTH = 300;
const HEIGHT = 60;
const MARGIN = 6;

/** The user's ratings as a line with its range below; empty if *history*, newest first, has fewer than three. */
function ratingGraph(history) {
  const ratings = history.map(({ rating }) => rating).reverse();
  if (ratings.length < 3) return [];
  const [lowest, highest] = [Math.min(...ratings), Math.max(...ratings)];
  const x = (k) => MARGIN + ((WIDTH - 2 * MARGIN) * k) / (ratings.length - 1);
  const y = (rating) => HEIGHT - MARGIN - ((HEIGHT - 2 * MARGIN) * (rating - lowest)) / Math.max(1, highest - lowest);
  const line = ratings.map((rating, k) => `${x(k).toFixed(1)},${y(rating).toFixed(1)}`).join(" ");
  const label = `Your rating over ${ratings.length} puzzles: from ${ratings[0]} to ${ratings.at(-1)}, between ${lowest} and ${highest}`;
  const picture = svgElement("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    class: "rating-graph",
    role: "img",
    "aria-label": label,
  });
  picture.append(
    svgElement("polyline", { points: line }),
    svgElement("circle", { cx: x(ratings.length - 1), cy: y(ratings.at(-1)), r: 3 }),
  );
  return [
    picture,
    make("p", { class: "faint rating-range", text: `${lowest} to ${highest}, latest ${ratings.at(-1)}` }),
  ];
}
