// The list of the moves of a watched game, each with its reason; a click shows the position after it.

import { make } from "../../lib/dom.js";
import { capitalise } from "../../lib/format.js";
import { setting } from "../../lib/settings.js";

const MAX_LINES = 1000;

export class MoveList {
  /** goTo(number) shows the position after that step. */
  constructor(stage, goTo) {
    Object.assign(this, { stage, goTo, length: 0 });
    this.root = make("ol", { class: "log", "aria-label": "Moves", tabindex: "0" });
  }

  clear() {
    this.length = 0;
    this.root.replaceChildren();
  }

  append(step) {
    const number = (this.length += 1);
    const names = setting("names") || !step.pieces;
    const move = make("strong", { text: names ? step.move : capitalise(step.action) });
    const reason = make("span", { text: names ? step.text : step.pieces.map(({ text }) => text).join("") });
    const highlight = (cells) => () => this.stage.overlay.highlight(cells);
    const line = make("button", { type: "button", onclick: () => this.goTo(number), onmouseenter: highlight([step.cell, ...step.numbers]), onmouseleave: highlight([]) }, move, reason);
    this.root.append(make("li", { value: number, class: step.guess ? "guessed" : null }, line));
    if (this.root.childElementCount > MAX_LINES) this.root.firstChild.remove();
  }

  /** Mark a step and scroll to it. */
  show(number) {
    this.root.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const line = this.root.querySelector(`[value="${number}"]`);
    if (!line) return;
    line.setAttribute("aria-current", "step");
    this.root.scrollTop += line.getBoundingClientRect().bottom - this.root.getBoundingClientRect().bottom;
  }
}
