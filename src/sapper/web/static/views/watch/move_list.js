// The list of the moves of a watched game, each with its reason; a click shows the position after it.

import { candidateLetters, candidatesOf } from "../../board/guesses.js";
import { sentenceLetters } from "../../board/hint_overlay.js";
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
    const highlight = () =>
      this.stage.overlay.highlight([step.cell, ...step.numbers], stepLetters(this.stage.view, step));
    const clear = () => this.stage.overlay.highlight([]);
    const line = make(
      "button",
      {
        type: "button",
        onclick: () => this.goTo(number),
        onmouseenter: highlight,
        onfocus: highlight,
        onmouseleave: clear,
        onblur: clear,
      },
      move,
      reason,
    );
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

/** The letters on the board by which the reason for a step refers to cells. */
export const stepLetters = (view, step) =>
  step.guess ? candidateLetters(candidatesOf(step)) : sentenceLetters(view, step);
