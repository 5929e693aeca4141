// The best guess in words, and a table of its candidates: the risk of each and, as soon as they are
// estimated, the win chances.

import * as api from "../lib/api.js";
import { make } from "../lib/dom.js";
import { capitalise, percent } from "../lib/format.js";
import { winChanceText } from "./evaluation_bar.js";
import { renderSentence } from "./hint_overlay.js";

const MAX_CANDIDATES = 5; // candidates that are compared
const CLEAR = 2; // standard errors beyond which a difference is clear

/** A paragraph about a guess; *chip* makes the element that names a cell, and knows if it is the best. */
export function guessText(guess, stage, chip = nameChip(stage)) {
  const known = guess.risk !== null;
  return make(
    "p",
    { class: "guess" },
    make("strong", { text: known ? "Best guess " : "A guess " }),
    chip(guess.cell, true),
    known ? `, ${percent(guess.risk)} risk${equals(guess)}. ` : ". ",
    ...reasonOf(guess, stage),
  );
}

/** The candidates of a guess that are compared, and other *cells* whose risk is known. */
export function candidatesOf(guess, cells = []) {
  const candidates = guess.candidates.length ? guess.candidates.slice(0, MAX_CANDIDATES) : [guess];
  return [...candidates, ...cells.filter(({ cell }) => candidates.every((candidate) => candidate.cell !== cell))];
}

/** Makes the name of a cell. */
export const nameChip = (stage) => (cell) => make("b", { text: stage.view.name(cell) });

/** The reason of a guess, a sentence with references to cells. */
export const reasonOf = ({ pieces, reason }, stage) => [...renderSentence({ pieces, text: capitalise(reason) }, stage), "."];

/** A guess in one sentence, for screen readers. */
export function shortGuessText(guess, view) {
  const risk = guess.risk === null ? "risk unknown" : `${percent(guess.risk)} risk`;
  return `Best guess ${view.name(guess.cell)}, ${risk}.`;
}

const equals = ({ among }) => (among > 1 ? `, one of ${among} equally good cells` : "");

export class GuessTable {
  constructor() {
    this.requests = new api.LatestRequest();
    this.rows = make("tbody");
    const heads = ["Cell", "Risk", "Win chance"].map((text) => make("th", { scope: "col", text }));
    this.why = make("p", { class: "guess-why" });
    this.root = make("div", { hidden: true }, make("table", { class: "guess-table" }, make("thead", {}, make("tr", {}, ...heads)), this.rows), this.why);
  }

  /**
   * Show candidates, each with its cell and risk; chip(cell, isBest) makes the element that names a cell, and
   * request(moves, onLine, signal) streams the win chances.
   */
  async show(candidates, chip, request) {
    this.root.hidden = false;
    this.chip = chip;
    this.#fill(candidates.map((candidate) => ({ ...candidate, value: null })));
    try {
      await this.requests.run((signal) => request(candidates.map(({ cell }) => cell), ({ moves }) => !signal.aborted && this.#fill(moves), signal));
    } catch {
      // The risks are still shown.
    }
  }

  clear() {
    this.requests.cancel();
    this.root.hidden = true;
  }

  /** Fill in the rows, the best first. */
  #fill(rows) {
    this.rows.replaceChildren(
      ...rows.map((row, k) =>
        make(
          "tr",
          { "data-cell-of": row.cell },
          make("th", { scope: "row" }, this.chip(row.cell, k === 0)),
          make("td", { text: percent(row.risk) }),
          make("td", { text: row.value === null ? "…" : winChanceText(row) }),
        ),
      ),
    );
    this.why.replaceChildren(...(rows.length > 1 && rows[0].value !== null ? comparison(rows, this.chip) : []));
  }
}

/** What the figures say, in one sentence. */
function comparison(rows, chip) {
  const [best] = rows;
  const name = ({ cell }) => chip(cell, cell === best.cell);
  const tied = rows.filter(({ behind, error }) => behind <= CLEAR * error);
  if (tied.length > 1) return [...(tied.length === rows.length ? ["All"] : listed(tied.map(name))), best.exact ? " are equally good." : " are equally good, within the error."];
  const safest = rows.reduce((a, b) => (b.risk < a.risk ? b : a));
  if (safest === best) return [name(best), " has the lowest risk and wins most often."];
  return [name(best), " is riskier than ", name(safest), ", but wins more often."];
}

/** Elements with commas and "and" between them. */
const listed = (elements) => elements.flatMap((element, k) => [k === 0 ? "" : k === elements.length - 1 ? " and " : ", ", element]);
