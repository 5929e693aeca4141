// What kind of puzzles come next: the tiling, the difficulty, against the clock or not.

import { make } from "../../lib/dom.js";
import { field, options, select } from "../../lib/forms.js";
import { capital } from "../../lib/words.js";

const AT_STRENGTH = ["", "At my strength"];

/** A form; *changed* gets the whole wish. *difficulties* says what difficulties each tiling has. */
export function wishFields(difficulties, wish, changed) {
  const difficulties = (tiling) => [AT_STRENGTH, ...Object.entries(difficulties[tiling]).map(([name, words]) => [name, capital(words)])];
  const tiling = select("tiling", Object.keys(difficulties).map((name) => [name, capital(name)]), wish.tiling);
  const difficulty = select("difficulty", difficulties(tiling.value), wish.difficulty);
  const clock = make("input", { type: "checkbox", checked: wish.clock });
  const tell = () => changed({ tiling: tiling.value, difficulty: difficulty.value, clock: clock.checked });
  tiling.addEventListener("change", () => {
    const before = difficulty.value;
    difficulty.replaceChildren(...options(difficulties(tiling.value), before));
    tell();
  });
  difficulty.addEventListener("change", tell);
  clock.addEventListener("change", tell);
  return make(
    "form",
    { class: "train-wishes", "aria-label": "Which puzzles", onsubmit: (event) => event.preventDefault() },
    field("Tiling", tiling),
    field("Difficulty", difficulty),
    make("label", { class: "choice" }, clock, make("span", { text: "Against the clock" })),
  );
}
