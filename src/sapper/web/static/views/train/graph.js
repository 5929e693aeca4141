// The player's rating over the puzzles that were tried, as a line.

import { draw, make } from "../../lib/dom.js";

const WIDTH = 300;
const HEIGHT = 60;
const EDGE = 6;

/** A picture of the ratings, the last one first in *history*; nothing where there are too few. */
export function ratingGraph(history) {
  const ratings = history.map(({ rating }) => rating).reverse();
  if (ratings.length < 3) return [];
  const [least, most] = [Math.min(...ratings), Math.max(...ratings)];
  const x = (k) => EDGE + ((WIDTH - 2 * EDGE) * k) / (ratings.length - 1);
  const y = (rating) => HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * (rating - least)) / Math.max(1, most - least);
  const line = ratings.map((rating, k) => `${x(k).toFixed(1)},${y(rating).toFixed(1)}`).join(" ");
  const label = `Your rating over ${ratings.length} puzzles: from ${ratings[0]} to ${ratings.at(-1)}, between ${least} and ${most}`;
  const picture = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "rating-graph", role: "img", "aria-label": label });
  picture.append(draw("polyline", { points: line }), draw("circle", { cx: x(ratings.length - 1), cy: y(ratings.at(-1)), r: 3 }));
  return [picture, make("p", { class: "faint rating-range", text: `${least} to ${most}, last ${ratings.at(-1)}` })];
}
