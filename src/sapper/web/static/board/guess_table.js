// The candidates of a guess: the risk of each and, as soon as they are estimated, the win chances.

import * as api from "../lib/api.js";
import { make } from "../lib/dom.js";
import { percent } from "../lib/format.js";
import { winChanceText } from "./evaluation_bar.js";

const CLEAR = 2; // standard errors beyond which a difference is clear

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
  const equals = rows.filter(({ behind, error }) => behind <= CLEAR * error);
  if (equals.length > 1) return [...(equals.length === rows.length ? ["All"] : listed(equals.map(name))), best.exact ? " are equally good." : " are equally good, within the error."];
  const safest = rows.reduce((a, b) => (b.risk < a.risk ? b : a));
  if (safest === best) return [name(best), " has the lowest risk and wins most often."];
  return [name(best), " is riskier than ", name(safest), ", but wins more often."];
}

/** Elements with commas and "and" between them. */
const listed = (elements) => elements.flatMap((element, k) => [k === 0 ? "" : k === elements.length - 1 ? " and " : ", ", element]);
