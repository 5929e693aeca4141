// The timeline of a game: a bar for the risk of each move, and a slider.
//
// The slider is a transparent range input over the bars, so that clicks, drags and the arrow keys work
// as on every slider.

import { draw, make } from "../../lib/dom.js";

const WIDTH = 1000; // units of the drawing
const HEIGHT = 100;
const MIN_BAR_HEIGHT = 4; // of a move without risk
const MAX_BAR_WIDTH = 12;
const FULL_RISK = 0.5; // the risk that fills the height, unless a move has more

export class Timeline {
  /** go(step) is called with the chosen step, from 1; describe(step) returns its description. */
  constructor(go, describe) {
    this.describe = describe;
    this.currentMove = draw("rect", { class: "current", y: 0, height: HEIGHT });
    this.bars = draw("g", {});
    this.svg = draw("svg", { class: "bars-of-moves", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" });
    this.svg.append(this.currentMove, this.bars);
    this.slider = make("input", { type: "range", min: 1, step: 1, class: "scrub", "aria-label": "Move", oninput: () => go(Number(this.slider.value)) });
    this.root = make("div", { class: "timeline" }, this.svg, this.slider);
  }

  /** Draw the moves of a game; the last step is its end. */
  show(moves) {
    this.steps = moves.length + 1;
    this.slider.max = this.steps;
    this.top = Math.max(FULL_RISK, ...moves.map(({ risk }) => risk));
    this.width = Math.min(MAX_BAR_WIDTH, (0.8 * WIDTH) / this.steps);
    this.bars.replaceChildren(...moves.flatMap((move, k) => this.#bar(move, k + 1)));
    this.currentMove.setAttribute("width", Math.max(this.width, 2));
  }

  setStep(step) {
    this.slider.value = step;
    this.slider.setAttribute("aria-valuetext", this.describe(step));
    this.currentMove.setAttribute("x", this.#middle(step) - Math.max(this.width, 2) / 2);
  }

  #middle(step) {
    return this.steps > 1 ? ((step - 1) / (this.steps - 1)) * WIDTH : WIDTH / 2;
  }

  /** A mistake also has a band from top to bottom, so that colour is not the only difference. */
  #bar(move, step) {
    const height = Math.max(MIN_BAR_HEIGHT, (HEIGHT * move.risk) / this.top);
    const x = this.#middle(step) - this.width / 2;
    const bar = draw("rect", { class: `move ${move.class}`, x, y: HEIGHT - height, width: this.width, height });
    if (move.class !== "mistake") return [bar];
    return [draw("rect", { class: "band", x, y: 0, width: this.width, height: HEIGHT }), bar];
  }
}
