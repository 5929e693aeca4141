// What kind of puzzles come next: the tiling, the difficulty, against the clock or not.

import { make } from "../../lib/dom.js";
import { field, options, select } from "../../lib/forms.js";
import { capital } from "../../lib/words.js";

const AT_STRENGTH = ["", "At my strength"];

/** A form; *changed* gets the whole wish. *rungs* says what difficulties each tiling has. */
export function wishFields(rungs, wish, changed) {
  const difficulties = (tiling) => [AT_STRENGTH, ...Object.entries(rungs[tiling]).map(([name, words]) => [name, capital(words)])];
  const tiling = select("tiling", Object.keys(rungs).map((name) => [name, capital(name)]), wish.tiling);
  const rung = select("rung", difficulties(tiling.value), wish.rung);
  const clock = make("input", { type: "checkbox", checked: wish.clock });
  const tell = () => changed({ tiling: tiling.value, rung: rung.value, clock: clock.checked });
  tiling.addEventListener("change", () => {
    const before = rung.value;
    rung.replaceChildren(...options(difficulties(tiling.value), before));
    tell();
  });
  rung.addEventListener("change", tell);
  clock.addEventListener("change", tell);
  return make(
    "form",
    { class: "train-wishes", "aria-label": "Which puzzles", onsubmit: (event) => event.preventDefault() },
    field("Tiling", tiling),
    field("Difficulty", rung),
    make("label", { class: "choice" }, clock, make("span", { text: "Against the clock" })),
  );
}
