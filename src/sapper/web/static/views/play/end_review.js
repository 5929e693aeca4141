// What the end card tells of the whole game: its luck, how accurate it was, and the way to Review.

import * as api from "../../lib/api.js";
import { make } from "../../lib/dom.js";
import { percent, plural, signed } from "../../lib/words.js";

/** Fill the slot of an end card; what comes late for another end is left out. */
export async function tellReview(game, slot) {
  const words = make("span", { text: "How was it played?" });
  const line = make("p", { class: "end-review" }, words, make("a", { href: `#/review/${encodeURIComponent(game.id)}`, text: "Review" }));
  slot.replaceChildren(line);
  try {
    const { luck, accuracy, mistakes } = await api.reviewOf(game.id);
    const care = accuracy === null ? "" : `, ${plural(mistakes, "mistake", "mistakes")}, accuracy ${percent(accuracy)}`;
    words.textContent = `Luck ${signed(luck)}${care}`;
  } catch {
    // The review itself says what went wrong.
  }
}
