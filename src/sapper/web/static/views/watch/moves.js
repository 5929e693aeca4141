// What the watch view shows of a game: the list of its moves, each with its reason, and probabilities on the board.

import { sentenceLetters } from "../../board/hints.js";
import { probabilityOverlay } from "../../board/overlay.js";
import { FLAG } from "../../board/view.js";
import { candidateLetters, candidatesOf } from "../../board/win_chances.js";
import { announce, reportErrors } from "../../lib/announce.js";
import * as api from "../../lib/api.js";
import { make } from "../../lib/dom.js";
import { capitalise } from "../../lib/format.js";
import { setting } from "../../lib/settings.js";

const MAX_LINES = 1000;

export class MoveList {
  /** goTo(number) shows the position after that step. */
  constructor(stage, goTo) {
    Object.assign(this, { stage, goTo, length: 0 });
    this.root = make("ol.log", { "aria-label": "Moves", tabindex: "0" });
  }

  clear() {
    this.length = 0;
    this.root.replaceChildren();
  }

  append(step) {
    const number = (this.length += 1);
    const names = setting("names") || !step.pieces;
    const move = make("strong", names ? step.move : capitalise(step.action));
    const reason = make("span", names ? step.text : step.pieces.map(({ text }) => text).join(""));
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

const REQUEST_DELAY = 120; // milliseconds after the last change of the board

/** The probabilities of a watched game, requested when the board does not change for a moment. */
export class WatchProbabilities {
  constructor(stage) {
    this.stage = stage;
    this.on = false;
    this.requests = new api.LatestRequest(stage.signal);
    const options = { icon: "percent", label: "Probabilities", class: "ghost press", "aria-pressed": "false" };
    this.button = stage.button("probabilities", options);
  }

  toggle() {
    this.on = !this.on;
    this.button.setAttribute("aria-pressed", this.on);
    announce(this.on ? "Probabilities on" : "Probabilities off");
    this.update(this.drawing, this.position);
  }

  /** The board shows another position, with this drawing over it. */
  update(drawing, position) {
    Object.assign(this, { drawing, position });
    this.stop();
    this.stage.overlay.show(drawing);
    if (this.on) this.timer = setTimeout(() => this.#request(), REQUEST_DELAY);
  }

  stop() {
    clearTimeout(this.timer);
    this.requests.cancel();
  }

  async #request() {
    const { view } = this.stage;
    const request = { ...this.position, marks: Array.from(view.marks), trust_flags: true };
    const analysis = await reportErrors(() => this.requests.run((signal) => api.analysis(request, signal)));
    if (analysis && !analysis.contradiction) this.#show(view, analysis);
  }

  /** Draw the probabilities together with the last step; flagged cells need none. */
  #show(view, { cells, probabilities, guess }) {
    const unflagged = cells.map((cell, k) => [cell, probabilities[k]]).filter(([cell]) => view.marks[cell] !== FLAG);
    const combined = probabilityOverlay(
      view,
      unflagged.map(([cell]) => cell),
      unflagged.map(([, p]) => p),
      guess?.cell ?? null,
    );
    const { fills, notes, outlined, badges } = this.drawing;
    for (const [cell, fill] of fills) combined.fills.set(cell, fill);
    for (const [cell, note] of notes) combined.notes.set(cell, note);
    this.stage.overlay.show({ ...combined, outlined, badges });
  }
}
