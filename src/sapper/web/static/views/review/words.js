// What a review says of a move, and its figures as people read them.

import { percent, plural } from "../../lib/words.js";

export const KINDS = {
  certain: "Certain",
  "only-guess": "A forced guess",
  "best-guess": "A good guess",
  mistake: "A mistake",
};

const ACTIONS = { reveal: "reveal", chord: "chord on" };

/** "reveal r3c5", as the move was made. */
export const moveWords = (move, name) => `${ACTIONS[move.action]} ${name}`;

/** What a move risked, in a sentence or two. */
export function riskWords(move) {
  const lost = move.survived ? "" : " It met a mine.";
  if (move.class === "certain") return move.survived ? "It could not meet a mine." : "It met a mine all the same.";
  if (move.class === "only-guess") return `${percent(move.risk)} risk, as every other covered cell.${lost}`;
  if (move.class === "best-guess") return `${percent(move.risk)} risk; the least there was ${percent(move.least_risk)}.${lost}`;
  const better = move.least_risk === 0 ? "a certain move was there" : `${percent(move.least_risk)} was to be had`;
  return `${percent(move.risk)} risk, where ${better}.${lost}`;
}

export const shareOf = (value) => (value === null ? "–" : percent(value));

/** A whole game in one line. */
export function gameWords({ outcome, moves, mistakes }) {
  const how = { won: "Won", lost: "Lost", playing: "Not over" }[outcome];
  return `${how} after ${plural(moves.length, "reveal", "reveals")}, ${plural(mistakes, "mistake", "mistakes")}.`;
}
