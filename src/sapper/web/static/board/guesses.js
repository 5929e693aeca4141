// The best guess in words, and a table of its candidates: the risk of each and, as soon as they are
// estimated, the win chances with their errors, the best first.
//
// The candidates have letters on the board, which the table and the reason use.

import * as api from "../lib/api.js";
import { make } from "../lib/dom.js";
import { percent } from "../lib/format.js";
import { winChanceText } from "./evaluation_bar.js";
import { cellsLabel, letter, renderSentence } from "./hint_overlay.js";

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
  const headings = ["Cell", "Risk", "Likely numbers", "Safe cell follows"].map((text) =>
    make("th", { scope: "col", text }),
  );
  const rows = candidates.map(({ cell, risk, values, progress }, k) => {
    const likely = Object.entries(values)
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, MAX_VALUES);
    return make(
      "tr",
      { "data-cell-of": cell },
      make("th", { scope: "row" }, cellsLabel([cell], letter(k), stage)),
      ...[percent(risk), likely.map(([value]) => value).join(", "), percent(Number(progress.toFixed(9)))].map((text) =>
        make("td", { text }),
      ),
    );
  });
  return make(
    "table",
    { class: "guess-table" },
    make("thead", {}, make("tr", {}, ...headings)),
    make("tbody", {}, ...rows),
  );
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
    this.requests = new api.LatestRequest();
    this.headline = make("p", { class: "guess" });
    this.rows = make("tbody");
    const headings = ["Cell", "Risk", "Win chance"].map((text) => make("th", { scope: "col", text }));
    this.table = make("table", { class: "guess-table" }, make("thead", {}, make("tr", {}, ...headings)), this.rows);
    this.root = make("div", { class: "best-guess", hidden: true }, this.headline, this.table);
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
    this.headline.replaceChildren(
      make("strong", { text: "Best guess " }),
      this.#name(guess.best),
      `${risk}. `,
      ...reason,
      ".",
    );
    this.headline.dataset.best = guess.best;
  }

  #name(cell) {
    return cellsLabel([cell], this.letters.get(cell) ?? "this cell", this.stage);
  }

  /** Fill in the rows, the best first. */
  #fill(rows) {
    this.rows.replaceChildren(
      ...rows.map((row) =>
        make(
          "tr",
          { "data-cell-of": row.cell, class: row.cell === this.best ? "best" : null },
          make("th", { scope: "row" }, this.#name(row.cell)),
          make("td", { text: percent(row.risk) }),
          make("td", { text: row.value === null ? "…" : winChanceText(row) }),
        ),
      ),
    );
  }
}
