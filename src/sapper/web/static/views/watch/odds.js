// The probabilities of a watched game, as in a game of one's own: asked for when the board rests a moment.

import { probabilitiesOverlay } from "../../board/overlay.js";
import { FLAG } from "../../board/view.js";
import * as api from "../../lib/api.js";
import { button } from "../../lib/dom.js";
import { tipped } from "../../lib/keys.js";
import { say, shout } from "../../lib/say.js";

const REST = 120; // milliseconds

export class WatchProbabilities {
  constructor(stage) {
    this.stage = stage;
    this.on = false;
    this.asking = new api.Latest();
    const made = button({ icon: "percent", label: "Probabilities", class: "ghost press", "aria-pressed": "false", onclick: () => this.toggle() });
    this.button = tipped(made, "watch", "probabilities", "Probabilities");
  }

  toggle() {
    this.on = !this.on;
    this.button.setAttribute("aria-pressed", this.on);
    say(this.on ? "probabilities on" : "probabilities off");
    this.follow(this.drawn, this.position);
  }

  /** The board shows another position, with this drawn over it. */
  follow(drawn, position) {
    Object.assign(this, { drawn, position });
    this.stop();
    this.stage.overlay.show(drawn);
    if (this.on) this.timer = setTimeout(() => this.#ask(), REST);
  }

  stop() {
    clearTimeout(this.timer);
    this.asking.drop();
  }

  async #ask() {
    const { view } = this.stage;
    const request = { ...this.position, marks: Array.from(view.marks), trust_flags: true };
    try {
      const answer = await this.asking.ask((signal) => api.analysis(request, signal));
      if (answer && !answer.contradiction) this.#show(view, answer);
    } catch (error) {
      shout(error.message);
    }
  }

  /** What the last step read and opened stays in sight beside the probabilities; a flag says enough itself. */
  #show(view, { cells, probabilities, guess }) {
    const left = cells.map((cell, k) => [cell, probabilities[k]]).filter(([cell]) => view.marks[cell] !== FLAG);
    const shown = probabilitiesOverlay(view, left.map(([cell]) => cell), left.map(([, p]) => p), guess?.cell ?? null);
    const { grounds, notes, outlined, badges } = this.drawn;
    for (const [cell, ground] of grounds) shown.grounds.set(cell, ground);
    for (const [cell, note] of notes) shown.notes.set(cell, note);
    this.stage.overlay.show({ ...shown, outlined, badges });
  }
}
