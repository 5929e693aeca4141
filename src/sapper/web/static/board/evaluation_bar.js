// The evaluation bar: the win chance of the position on the board, with its 95% interval.
//
// Estimates arrive as a stream. For one position the bar moves by at most the width of the interval at
// a time, so that a rough first estimate does not make it jump.

import * as api from "../lib/api.js";
import { make } from "../lib/dom.js";
import { percent, rate, toSentence } from "../lib/format.js";

const STEP_DELAY = 220; // milliseconds for one movement of the bar

export class EvaluationBar {
  /** With *waitsForFirst*, the stream of the next position starts only after the first estimate of this one. */
  constructor({ waitsForFirst = false } = {}) {
    this.waitsForFirst = waitsForFirst;
    this.requests = new api.LatestRequest();
    this.label = make("span", { class: "evaluation-label" });
    const track = make(
      "span",
      { class: "evaluation-track" },
      make("span", { class: "evaluation-fill" }),
      make("span", { class: "evaluation-interval" }),
    );
    this.root = make(
      "div",
      {
        class: "evaluation",
        role: "meter",
        "aria-label": "Win chance",
        "aria-valuemin": 0,
        "aria-valuemax": 100,
        hidden: true,
      },
      this.label,
      track,
    );
    this.text = make("p", { class: "evaluation-text" });
    this.shownValue = null; // the current height of the bar, from 0 to 1
  }

  /** Show the win chance of another position; request(onLine, signal) streams its estimates. */
  stream(request) {
    if (this.waitsForFirst && this.currentStream?.isWaiting) this.nextRequest = request;
    else this.#start(request);
  }

  /** Show a known value from 0 to 1, which may be exact. */
  setValue(value, exact = true) {
    this.stop();
    this.#show({ value, low: value, high: value, exact, samples: 0, fraction: null, player: null }, true);
  }

  /** Hide the bar, and show the reason if there is one. */
  clear(reason = "") {
    this.stop();
    this.estimate = null;
    this.shownValue = null;
    this.root.hidden = true;
    this.text.textContent = reason;
  }

  /** End the stream. */
  stop() {
    this.currentStream = this.nextRequest = null;
    clearTimeout(this.timer);
    this.requests.cancel();
  }

  async #start(request) {
    this.stop();
    const stream = (this.currentStream = { isWaiting: true });
    const receive = (estimate) => stream === this.currentStream && this.#receive(estimate, stream);
    try {
      await this.requests.run((signal) => request(receive, signal));
    } catch (error) {
      if (stream !== this.currentStream) return;
      // 409: the game has changed since the request; the new position has its own stream. 422: there is nothing to estimate.
      this.clear(error.status === 400 ? toSentence(error.message) : "");
    }
  }

  #receive(estimate, stream) {
    this.#show(estimate, stream.isWaiting);
    stream.isWaiting = false;
    if (this.nextRequest) this.#start(this.nextRequest);
  }

  #show(estimate, isNewPosition) {
    const step = isNewPosition || this.shownValue === null ? 1 : this.estimate.high - this.estimate.low;
    this.estimate = estimate;
    this.root.hidden = false;
    const text = winChanceText(estimate);
    this.label.textContent = `${Math.round(100 * estimate.value)}%`;
    this.root.setAttribute("aria-valuenow", Math.round(100 * estimate.value));
    this.root.setAttribute("aria-valuetext", text);
    this.root.title = `Win chance ${text}`;
    this.text.replaceChildren("Win chance ", make("strong", { text }));
    this.#moveTowards(estimate.value, step);
  }

  /** Move the bar by at most *step*, and the rest of the way later. */
  #moveTowards(value, step) {
    clearTimeout(this.timer);
    const { low, high } = this.estimate;
    const from = this.shownValue ?? value;
    this.shownValue = Math.min(Math.max(value, from - step), from + step);
    for (const [name, share] of [
      ["--win", this.shownValue],
      ["--low", low],
      ["--high", high],
    ])
      this.root.style.setProperty(name, `${(100 * share).toFixed(2)}%`);
    if (this.shownValue !== value)
      this.timer = setTimeout(() => this.#moveTowards(value, Math.max(high - low, 0.01)), STEP_DELAY);
  }
}

/** A win chance with half of its 95% interval: "62.1 ± 1.5%", "77.8% (7/9)". */
export function winChanceText({ value, low, high, exact, fraction }) {
  if (exact) return fraction && value > 0 && value < 1 ? `${percent(value)} (${fraction})` : percent(value);
  return high > low ? `${percentage(value)} ± ${percentage((high - low) / 2)}%` : `about ${rate(value)}`;
}

const percentage = (share) => (100 * share).toFixed(1);
