// The time line of a game: a bar for each move, the higher the riskier, and a slider over them.
//
// The slider is the browser's own, and lies unseen over the bars: a click or a finger on a bar, a
// drag along them and the arrow keys all mean what they mean on every slider.

import { draw, make } from "../../lib/dom.js";

const WIDE = 1000; // units of the drawing, whatever its width on the screen
const HIGH = 100;
const LEAST = 4; // of a bar: a move without risk is a dot on the line
const WIDEST = 12;
const USUAL = 0.5; // the risk that fills the height, where no move risked more

export class Timeline {
  /** *go* gets the step that is chosen, from 1; *tell* gives the words for a step. */
  constructor(go, tell) {
    this.tell = tell;
    this.here = draw("rect", { class: "here", y: 0, height: HIGH });
    this.bars = draw("g", {});
    this.svg = draw("svg", { class: "bars-of-moves", viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true" });
    this.svg.append(this.here, this.bars);
    this.slider = make("input", { type: "range", min: 1, step: 1, class: "scrub", "aria-label": "Move", oninput: () => go(Number(this.slider.value)) });
    this.root = make("div", { class: "timeline" }, this.svg, this.slider);
  }

  /** Draw the moves of a game; one step more stands for its end. */
  show(moves) {
    this.steps = moves.length + 1;
    this.slider.max = this.steps;
    this.top = Math.max(USUAL, ...moves.map(({ risk }) => risk));
    this.width = Math.min(WIDEST, (0.8 * WIDE) / this.steps);
    this.bars.replaceChildren(...moves.flatMap((move, k) => this.#bar(move, k + 1)));
    this.here.setAttribute("width", Math.max(this.width, 2));
  }

  stand(step) {
    this.slider.value = step;
    this.slider.setAttribute("aria-valuetext", this.tell(step));
    this.here.setAttribute("x", this.#middle(step) - Math.max(this.width, 2) / 2);
  }

  #middle(step) {
    return this.steps > 1 ? ((step - 1) / (this.steps - 1)) * WIDE : WIDE / 2;
  }

  /** A mistake also has a band from top to bottom: colour alone does not tell it. */
  #bar(move, step) {
    const high = Math.max(LEAST, (HIGH * move.risk) / this.top);
    const x = this.#middle(step) - this.width / 2;
    const bar = draw("rect", { class: `move ${move.class}`, x, y: HIGH - high, width: this.width, height: high });
    if (move.class !== "mistake") return [bar];
    return [draw("rect", { class: "band", x, y: 0, width: this.width, height: HIGH }), bar];
  }
}
