// The clock of a puzzle: seconds that run down, and what happens when none is left.

import { make } from "../../lib/dom.js";
import { say } from "../../lib/say.js";

const TICK = 200; // milliseconds
const WARNING = 10; // seconds

export class Clock {
  constructor(over) {
    this.over = over;
    this.value = make("dd", { class: "left" });
    this.root = make("div", { hidden: true }, make("dt", { text: "Time" }), this.value);
    this.timer = null;
  }

  start(seconds) {
    this.end = performance.now() + 1000 * seconds;
    this.warned = false;
    this.root.hidden = false;
    this.timer = setInterval(() => this.#tick(), TICK);
    this.#tick();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.root.hidden = true;
  }

  #tick() {
    const left = Math.max(0, Math.ceil((this.end - performance.now()) / 1000));
    this.value.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    if (left <= WARNING && !this.warned) {
      this.warned = true;
      say(`${left} seconds left`);
    }
    if (left > 0) return;
    this.stop();
    this.over();
  }
}
