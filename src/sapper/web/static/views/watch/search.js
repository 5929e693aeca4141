// The progress of a player's search for a guess: the candidates, how often each wins, and the error.
// Shown while the next step is computed, with a button that ends the search. The candidates have letters on the board.

import { cellsLabel, letter } from "../../board/hints.js";
import { reportErrors } from "../../lib/announce.js";
import * as api from "../../lib/api.js";
import { button, make } from "../../lib/dom.js";

const REQUEST_INTERVAL = 300; // milliseconds between two requests
const SLOW_DELAY = 250; // milliseconds before the first one

export class GuessSearch {
  /** showCandidates(letters) is called with the candidates, the best first, and their letters; null at the end. */
  constructor(stage, showCandidates) {
    Object.assign(this, { stage, showCandidates });
    this.title = make("p.guess-search-title", { role: "status" });
    this.rows = make("tbody");
    const headings = ["Cell", "Win chance", "Samples"].map((text) => make("th", { scope: "col" }, text));
    this.decide = button({
      text: "Decide now",
      class: "guess-search-decide",
      onclick: () => reportErrors(() => api.decideNow(this.current.id)),
    });
    this.root = make(
      "section.guess-search",
      { "aria-label": "Search for a guess", hidden: true },
      make("div.guess-search-head", this.title, this.decide),
      make("table.guess-table", make("thead", make("tr", ...headings)), this.rows),
    );
  }

  /** Show the search in a watched game until *nextStep*, a promise, is settled; return it. */
  async showUntil(id, nextStep) {
    const request = (this.current = { id });
    const ended = nextStep.catch(() => null).finally(() => (request.finished = true));
    await Promise.race([ended, wait(SLOW_DELAY)]);
    while (!request.finished && request === this.current) {
      await this.#update(request);
      await Promise.race([ended, wait(REQUEST_INTERVAL)]);
    }
    if (request === this.current) this.#hide();
    return nextStep;
  }

  async #update(request) {
    try {
      const { search } = await api.guessSearch(request.id);
      if (request.finished || request !== this.current) return;
      if (search) this.#show(search);
      else this.#hide();
    } catch {
      // The request for the next step reports the error.
      this.#hide();
    }
  }

  #show({ samples, first, candidates }) {
    if (this.root.hidden) {
      this.title.textContent = "Searching for a guess …";
      this.letters = new Map(
        candidates
          .map(({ cell }) => cell)
          .toSorted((a, b) => a - b)
          .map((cell, k) => [cell, letter(k)]),
      );
    }
    // The server lists candidates that are no longer examined last, whatever their win chance.
    const rows = candidates.toSorted((a, b) => b.rate - a.rate);
    this.rows.replaceChildren(
      ...rows.map((row) => this.#row(row, { isFirst: row.cell === first, isBest: row === candidates[0] })),
    );
    this.root.hidden = false;
    this.root.dataset.samples = samples;
    this.showCandidates(new Map(candidates.map(({ cell }) => [cell, this.letters.get(cell)])));
  }

  #hide() {
    if (this.root.hidden) return;
    this.root.hidden = true;
    this.showCandidates(null);
  }

  #row({ cell, rate: wins, error, samples }, { isFirst, isBest }) {
    const share = Math.min(1, Math.max(0, wins));
    return make(
      "tr",
      { "data-cell-of": cell, class: isBest ? "best" : null },
      make(
        "th",
        { scope: "row" },
        cellsLabel([cell], this.letters.get(cell), this.stage),
        isFirst ? " (first choice)" : "",
      ),
      make("td", `${(100 * share).toFixed(1)} ± ${(100 * error).toFixed(1)}%`),
      make("td", samples),
    );
  }
}

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
