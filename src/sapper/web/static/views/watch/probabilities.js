// The probabilities of a watched game, requested when the board does not change for a moment.

import { probabilityOverlay } from "../../board/probability_overlay.js";
import { FLAG } from "../../board/view.js";
import { announce, reportErrors } from "../../lib/announce.js";
import * as api from "../../lib/api.js";
import { button } from "../../lib/dom.js";
import { withTooltip } from "../../lib/keys.js";

const REQUEST_DELAY = 120; // milliseconds after the last change of the board

export class WatchProbabilities {
  constructor(stage) {
    this.stage = stage;
    this.on = false;
    this.requests = new api.LatestRequest();
    const toggleButton = button({
      icon: "percent",
      label: "Probabilities",
      class: "ghost press",
      "aria-pressed": "false",
      onclick: () => this.toggle(),
    });
    this.button = withTooltip(toggleButton, "watch", "probabilities", "Probabilities");
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
