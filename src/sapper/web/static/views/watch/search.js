// The progress of a player's search for a guess: the candidates, how often each wins, and the error.
// Shown while the next step is computed, with a button that ends the search.

import { reportErrors } from "../../lib/announce.js";
import * as api from "../../lib/api.js";
import { button, make } from "../../lib/dom.js";
import { percent, rate } from "../../lib/format.js";

const INTERVAL = 300; // milliseconds between two requests
const SLOW_DELAY = 250; // milliseconds before the first one

export class GuessSearch {
  /** showCandidates(cells) is called with the candidates, the best first, or with an empty list. */
  constructor(showCandidates) {
    this.showCandidates = showCandidates;
    this.title = make("p", { class: "guess-search-title", role: "status" });
    this.rows = make("tbody");
    const heads = ["Cell", "Wins", "Samples"].map((text) => make("th", { scope: "col", text }));
    this.decide = button({ text: "Decide now", class: "guess-search-decide", onclick: () => reportErrors(() => api.decideNow(this.current.id)) });
    this.root = make(
      "section",
      { class: "guess-search", "aria-label": "Search for a guess", hidden: true },
      this.title,
      make("table", {}, make("thead", {}, make("tr", {}, ...heads)), this.rows),
      this.decide,
    );
  }

  /** Show the search in a watched game until *answer* is available. */
  async showUntil(id, answer) {
    const request = (this.current = { id });
    const ended = answer.catch(() => null).finally(() => (request.finished = true));
    await Promise.race([ended, wait(SLOW_DELAY)]);
    while (!request.finished && request === this.current) {
      await this.#update(request);
      await Promise.race([ended, wait(INTERVAL)]);
    }
    if (request === this.current) this.#hide();
    return answer;
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
    if (this.root.hidden) this.title.textContent = "Searching for the best guess";
    this.rows.replaceChildren(...candidates.map((candidate) => row(candidate, candidate.cell === first)));
    this.root.hidden = false;
    this.root.dataset.samples = samples;
    this.showCandidates(candidates.map(({ cell }) => cell));
  }

  #hide() {
    if (this.root.hidden) return;
    this.root.hidden = true;
    this.showCandidates([]);
  }
}

function row({ name, rate: wins, error, samples }, first) {
  const share = Math.min(1, Math.max(0, wins));
  return make(
    "tr",
    {},
    make("th", { scope: "row", text: first ? `${name} (first)` : name }),
    make("td", { text: `${percent(share)} ± ${rate(error)}` }),
    make("td", { text: samples }),
  );
}

const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
