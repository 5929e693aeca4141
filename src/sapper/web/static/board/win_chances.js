// Win chances: the evaluation bar, which shows that of the position on the board with its 95% interval, and the table of a
// guess, which compares candidates.
//
// Estimates arrive as a stream. For one position the bar moves by at most the width of the interval at a time, so that
// a rough first estimate does not make it jump. The candidates have letters on the board, which the table and the
// reason of the guess use.

import * as api from "../lib/api.js";
import { make } from "../lib/dom.js";
import { percent, rate, toSentence } from "../lib/format.js";
import { table, tableRow } from "../lib/widgets.js";
import { cellsLabel, letter, renderSentence } from "./hints.js";
import { probabilityOverlay } from "./overlay.js";

const STEP_DELAY = 220; // milliseconds for one movement of the bar

export class EvaluationBar {
  /** With *waitsForFirst*, the stream of the next position starts only after the first estimate of this one. */
  constructor(signal, { waitsForFirst = false } = {}) {
    this.waitsForFirst = waitsForFirst;
    this.requests = new api.LatestRequest(signal);
    this.label = make("span.evaluation-label");
    const track = make("span.evaluation-track", make("span.evaluation-fill"), make("span.evaluation-interval"));
    this.root = make(
      "div.evaluation",
      { role: "meter", "aria-label": "Win chance", "aria-valuemin": 0, "aria-valuemax": 100, hidden: true },
      this.label,
      track,
    );
    this.text = make("p.evaluation-text");
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
      // 409: the game has changed since the request; the new position has its own stream. 422: there is nothing to
      // estimate.
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
    this.text.replaceChildren("Win chance ", make("strong", text));
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

const MAX_CANDIDATES = 5; // candidates that are compared
const MAX_VALUES = 3; // numbers that are listed for a cell

/** The candidates of a guess that are compared, and other *cells* whose risk is known. */
export function candidatesOf(guess, cells = []) {
  const candidates = guess.candidates.length ? guess.candidates.slice(0, MAX_CANDIDATES) : [guess];
  return [...candidates, ...cells.filter(({ cell }) => candidates.every((candidate) => candidate.cell !== cell))];
}

/** The letters of candidates on the board. */
export const candidateLetters = (candidates) => new Map(candidates.map(({ cell }, k) => [cell, letter(k)]));

/** A table of the numbers that each candidate shows most often, and how often a safe cell follows. */
export function likelyNumbersTable(candidates, stage) {
  const rows = candidates.map(({ cell, risk, values, progress }, k) => {
    const byFrequency = Object.entries(values).toSorted(([, a], [, b]) => b - a);
    const likely = byFrequency.slice(0, MAX_VALUES).map(([value]) => value);
    const name = cellsLabel([cell], letter(k), stage);
    const columns = [name, percent(risk), likely.join(", "), percent(Number(progress.toFixed(9)))];
    return tableRow(columns, { "data-cell-of": cell });
  });
  return table(["Cell", "Risk", "Likely numbers", "Safe cell follows"], rows, { class: "guess-table" });
}

/** A guess in one sentence, for screen readers. */
export function shortGuessText(guess, view) {
  const risk = guess.risk === null ? "risk unknown" : `${percent(guess.risk)} risk`;
  return `Best guess ${view.name(guess.cell)}, ${risk}.`;
}

export class GuessTable {
  /** onBest(cell) is called when win chances show that another cell is the best. */
  constructor(stage, onBest = () => {}) {
    Object.assign(this, { stage, onBest });
    this.requests = new api.LatestRequest(stage.signal);
    this.headline = make("p.guess");
    this.table = table(["Cell", "Risk", "Win chance"], [], { class: "guess-table" });
    this.root = make("div.best-guess", { hidden: true }, this.headline, this.table);
  }

  /**
   * Show the best guess and its candidates; request(moves, onLine, signal) streams their win chances, which
   * may show that another candidate is better; null if they are known. With *move*, a guess that was made,
   * there is no sentence: the caller has the reason for it.
   */
  async show(guess, candidates, request, { move = null } = {}) {
    this.root.hidden = false;
    this.letters = candidateLetters(candidates);
    this.best = move ?? guess.cell;
    this.headline.hidden = move !== null;
    if (move === null) this.#showBest({ best: guess.cell, ...guess });
    this.table.hidden = guess.risk === null;
    if (guess.risk === null) return;
    this.#fill(candidates.map((candidate) => ({ value: null, ...candidate })));
    if (!request) return;
    const cells = candidates.map(({ cell }) => cell);
    try {
      await this.requests.run((signal) =>
        request(cells, (line) => !signal.aborted && this.#receive(line, move !== null), signal),
      );
    } catch {
      // The risks are still shown.
    }
  }

  clear() {
    this.requests.cancel();
    this.root.hidden = true;
  }

  /** The drawing of an analysis: its probabilities, the best guess by the win chances so far, letters of candidates. */
  drawing({ cells, probabilities, guess }, candidates = guess && candidatesOf(guess)) {
    const best = this.root.hidden ? guess?.cell : this.best;
    const drawing = probabilityOverlay(this.stage.view, cells, probabilities, guess ? best : null);
    if (guess) drawing.badges = candidateLetters(candidates);
    return drawing;
  }

  #receive(line, isFixed) {
    const isNewBest = !isFixed && line.best !== this.best;
    if (!isFixed) {
      this.best = line.best;
      this.#showBest({ ...line, risk: line.moves.find(({ cell }) => cell === line.best).risk });
    }
    this.#fill(line.moves);
    if (isNewBest) this.onBest(line.best);
  }

  #showBest(guess) {
    const risk = guess.risk === null ? "" : `, ${percent(guess.risk)} risk`;
    const reason = renderSentence({ pieces: guess.pieces, text: guess.reason }, this.stage);
    this.headline.replaceChildren(make("strong", "Best guess "), this.#name(guess.best), `${risk}. `, ...reason, ".");
    this.headline.dataset.best = guess.best;
  }

  #name(cell) {
    return cellsLabel([cell], this.letters.get(cell) ?? "this cell", this.stage);
  }

  /** Fill in the rows, the best first. */
  #fill(rows) {
    this.table.tBodies[0].replaceChildren(
      ...rows.map((row) => {
        const columns = [this.#name(row.cell), percent(row.risk), row.value === null ? "…" : winChanceText(row)];
        return tableRow(columns, { "data-cell-of": row.cell, class: row.cell === this.best ? "best" : null });
      }),
    );
  }
}
