// The evaluation bar: the win chance of the position on the board, with its 95% interval.
//
// Estimates arrive as a stream. For one position the bar moves by at most the width of the interval at
// a time, so that a rough first estimate does not make it jump.

import * as api from "../lib/api.js";
import { make } from "../lib/dom.js";
import { percent, rate, toSentence } from "../lib/format.js";

const STEP_DELAY = 220; // milliseconds for one movement of the bar

export class EvaluationBar {
  /** With *finishesFirst*, the first estimate of a position is received before the stream of the next starts. */
  constructor({ finishesFirst = false } = {}) {
    this.finishesFirst = finishesFirst;
    this.requests = new api.LatestRequest();
    this.label = make("span", { class: "evaluation-label" });
    const track = make("span", { class: "evaluation-track" }, make("span", { class: "evaluation-fill" }), make("span", { class: "evaluation-interval" }));
    this.root = make("div", { class: "evaluation", role: "meter", "aria-label": "Win chance", "aria-valuemin": 0, "aria-valuemax": 100, hidden: true }, this.label, track);
    this.text = make("p", { class: "evaluation-text" });
    this.shown = null; // the value of the bar, from 0 to 1
  }

  /** Show the win chance of another position; request(onLine, signal) streams its estimates. */
  stream(request) {
    if (this.finishesFirst && this.current?.isWaiting) this.next = request;
    else this.#start(request);
  }

  /** Show a value that is known: a share of 1, and whether it is exact. */
  setValue(value, exact = true) {
    this.stop();
    this.#show({ value, low: value, high: value, exact, samples: 0, fraction: null, player: null }, true);
  }

  /** Show no win chance, but the reason where one is given. */
  clear(reason = "") {
    this.stop();
    this.chance = null;
    this.shown = null;
    this.root.hidden = true;
    this.text.textContent = reason;
  }

  /** End the stream. */
  stop() {
    this.current = this.next = null;
    clearTimeout(this.timer);
    this.requests.cancel();
  }

  async #start(request) {
    this.stop();
    const current = (this.current = { isWaiting: true });
    const receive = (chance) => current === this.current && this.#receive(chance, current);
    try {
      await this.requests.run((signal) => request(receive, signal));
    } catch (error) {
      if (current !== this.current) return;
      // 409: a move was faster, and starts its own stream. 422: there is nothing to estimate.
      this.clear(error.status === 400 ? toSentence(error.message) : "");
    }
  }

  #receive(chance, current) {
    this.#show(chance, current.isWaiting);
    current.isWaiting = false;
    if (this.next) this.#start(this.next);
  }

  #show(chance, isNewPosition) {
    const step = isNewPosition || this.shown === null ? 1 : this.chance.high - this.chance.low;
    this.chance = chance;
    this.root.hidden = false;
    const text = winChanceText(chance);
    this.label.textContent = `${Math.round(100 * chance.value)}%`;
    this.root.setAttribute("aria-valuenow", Math.round(100 * chance.value));
    this.root.setAttribute("aria-valuetext", text);
    this.root.title = `Win chance ${text}`;
    this.text.replaceChildren("Win chance ", make("strong", { text }));
    this.#moveTowards(chance.value, step);
  }

  /** Move the bar by at most *step*, and the rest a moment later. */
  #moveTowards(value, step) {
    clearTimeout(this.timer);
    const { low, high } = this.chance;
    const from = this.shown ?? value;
    this.shown = Math.min(Math.max(value, from - step), from + step);
    for (const [name, share] of [["--win", this.shown], ["--low", low], ["--high", high]]) this.root.style.setProperty(name, `${(100 * share).toFixed(2)}%`);
    if (this.shown !== value) this.timer = setTimeout(() => this.#moveTowards(value, Math.max(high - low, 0.01)), STEP_DELAY);
  }
}

/** A win chance with half of its 95% interval: "62.1 ± 1.5%", "77.8% (7/9)". */
export function winChanceText({ value, low, high, exact, fraction }) {
  if (exact) return fraction && value > 0 && value < 1 ? `${percent(value)} (${fraction})` : percent(value);
  return high > low ? `${decimal(value)} ± ${decimal((high - low) / 2)}%` : `about ${rate(value)}`;
}

const decimal = (share) => (100 * share).toFixed(1);
