// Drawings over the board: fills, labels, outlines and notes for screen readers.
//
//   fills     cell → a role of the palette (reveal, mark, proof, guess), or a probability
//   dim       cells whose probability is shown faded: the interior
//   labels    cell → a short text in the cell
//   wide      cell → a text that may cover the cells around it
//   signs     cell → "safe" or "mine", so that colour is not the only difference;
//             "cross" or "dash", as on paper
//   ring      cells with one line around all of them: where to look
//   outlined  cells with an outline: the numbers that were used
//   dashed    cells with a dashed outline: what was taken as known
//   badges    cell → a letter in its corner, by which sentences refer to it
//   best      cells with the mark of the best guess
//   notes     cell → text that screen readers read after the cell's state
//
// The board itself does not change: a drawing can be shown over any position and removed again.

import { escapeMarkup, svgElement } from "../lib/dom.js";
import { percentStep } from "../lib/format.js";
import { FLAG } from "./view.js";

const OUTLINE_WIDTH = 0.09;
const BEST_WIDTH = 0.16; // of the mark of the best guess
const SIGNS = {
  safe: "m -.2 .02 l .14 .16 l .28 -.34",
  mine: "m -.17 -.17 l .34 .34 m 0 -.34 l -.34 .34",
  cross: "m -.26 -.26 l .52 .52 m 0 -.52 l -.52 .52",
  dash: "m -.24 0 l .48 0",
};
// With more labels than this only the visible ones are drawn: laying out 10,000 texts takes 0.7 s.
const MAX_LABELS = 2000;
const DRAWN_MARGIN = 4; // cells around the visible part whose labels are drawn too
const CELLS_PER_PATH = 400; // the browser skips paths that are not visible, but draws each as a whole
const NOTES_AT_ONCE = 2000; // cells; more are changed after the drawing is on the screen

export class Overlay {
  /** *viewport* is the element that scrolls the board. */
  constructor(view, viewport) {
    this.view = view;
    this.viewport = viewport;
    this.layer = svgElement("g", { class: "overlay", "aria-hidden": "true" });
    view.ring.before(this.layer);
    this.filled = []; // cells that are coloured themselves
    this.highlighted = []; // cells that the drawing is about, the most important first
    this.notes = new Map();
    this.pending = new Map(); // cell → a label that is not drawn yet
    new ResizeObserver(() => this.onBoardMoved()).observe(view.svg);
  }

  /** Another part of the board is visible: draw its labels. */
  onBoardMoved() {
    if (this.pending.size) requestAnimationFrame(() => this.#drawVisible());
  }

  show({
    fills = new Map(),
    dim = new Set(),
    labels = new Map(),
    wide = new Map(),
    signs = new Map(),
    ring = [],
    outlined = [],
    dashed = [],
    badges = new Map(),
    best = [],
    notes = new Map(),
  }) {
    this.clearDrawing();
    const parts = this.#fills(fills, dim);
    if (ring.length) parts.push(...this.#ring(ring));
    for (const cell of outlined)
      parts.push(`<path class="over-line" d="${this.view.edge(cell, OUTLINE_WIDTH / 2 + 0.02)}"/>`);
    for (const cell of dashed)
      parts.push(
        `<path class="over-line dashed" data-cell-of="${cell}" d="${this.view.edge(cell, OUTLINE_WIDTH / 2 + 0.02)}"/>`,
      );
    for (const cell of best) parts.push(...this.#best(cell));
    parts.push(...this.#signs(signs));
    const texts = [...labels].map(([cell, label]) => [cell, this.#label(cell, label, fills.get(cell), dim.has(cell))]);
    if (texts.length > MAX_LABELS) this.pending = new Map(texts);
    else parts.push(...texts.map(([, text]) => text));
    for (const [cell, label] of wide) parts.push(this.#wideLabel(cell, label));
    for (const [cell, badge] of badges) parts.push(this.#badge(cell, badge));
    // Only numbers, names of signs and escaped labels.
    this.layer.innerHTML = parts.join("");
    this.#drawVisible();
    this.#updateNotes(notes);
    this.highlighted = highlightOrder(fills, best, [...outlined, ...ring]);
  }

  /**
   * Highlight cells that a sentence refers to; an empty list removes the highlight. With *letters* by
   * cell, these replace the letters of the drawing meanwhile.
   */
  highlight(cells, letters = null) {
    for (const part of this.layer.querySelectorAll(".over-highlight, .highlight-letters")) part.remove();
    this.layer.classList.toggle("other-letters", letters !== null);
    const lines = cells
      .map(
        (cell) => `<path class="over-highlight" data-cell-of="${cell}" d="${this.view.edge(cell, BEST_WIDTH / 2)}"/>`,
      )
      .join("");
    const badges = [...(letters ?? [])].map(([cell, badge]) => this.#badge(cell, badge)).join("");
    // Under the letters, which would be hidden otherwise.
    const firstBadge = this.layer.querySelector(".over-badge-disc");
    if (firstBadge) firstBadge.insertAdjacentHTML("beforebegin", lines);
    else this.layer.insertAdjacentHTML("beforeend", lines);
    if (badges) this.layer.insertAdjacentHTML("beforeend", `<g class="highlight-letters">${badges}</g>`);
  }

  clear() {
    this.clearDrawing();
    this.#updateNotes(new Map());
  }

  /** Remove the drawing but keep the notes, if the next drawing is expected soon. */
  clearDrawing() {
    for (const cell of this.filled) delete this.view.cells[cell].dataset.over;
    this.filled = [];
    this.highlighted = [];
    this.pending = new Map();
    this.layer.classList.remove("other-letters");
    this.layer.replaceChildren();
  }

  /** Change only the notes that differ: updating the accessibility tree is slow. */
  #updateNotes(notes) {
    const changes = [...this.notes.keys()].filter((cell) => !notes.has(cell)).map((cell) => [cell, null]);
    for (const [cell, note] of notes) if (this.view.notes.get(cell) !== note) changes.push([cell, note]);
    this.notes = notes;
    const change = () => {
      if (this.notes !== notes) return; // there is another drawing
      for (const [cell, note] of changes.splice(0, NOTES_AT_ONCE)) this.view.note(cell, note);
      if (changes.length) setTimeout(change);
    };
    change();
  }

  /** Roles colour the cell itself, under its number; probabilities are one path for each percentage. */
  #fills(fills, dim) {
    const facesByAttributes = new Map();
    const flags = [];
    for (const [cell, fill] of fills) {
      if (typeof fill === "number") {
        const attributes = probabilityAttributes(fill, dim.has(cell));
        if (!facesByAttributes.has(attributes)) facesByAttributes.set(attributes, []);
        facesByAttributes.get(attributes).push(this.view.face(cell));
        if (this.view.marks[cell] === FLAG) flags.push(this.#flag(cell));
      } else {
        this.view.cells[cell].dataset.over = fill;
        this.filled.push(cell);
      }
    }
    const paths = [];
    for (const [attributes, faces] of facesByAttributes)
      for (let k = 0; k < faces.length; k += CELLS_PER_PATH)
        paths.push(`<path class="over-fill"${attributes} d="${faces.slice(k, k + CELLS_PER_PATH).join("")}"/>`);
    return [...paths, ...flags];
  }

  /** One path for all signs of the same kind. */
  #signs(signs) {
    const pathData = new Map();
    for (const [cell, sign] of signs) pathData.set(sign, (pathData.get(sign) ?? "") + this.#sign(cell, sign));
    return [...pathData].map(([sign, d]) => `<path class="over-sign ${sign}" d="${d}"/>`);
  }

  /** Two lines, dark and light, so that the mark is visible on every colour. */
  #best(cell) {
    const d = this.view.edge(cell, BEST_WIDTH / 2);
    return [`<path class="over-best" data-cell-of="${cell}" d="${d}"/>`, `<path class="over-best inner" d="${d}"/>`];
  }

  /** The sides that only one of the cells has, in two lines, so that they are visible on every colour. */
  #ring(cells) {
    const sides = new Map();
    for (const cell of cells) {
      const corners = this.view.corners(cell);
      corners.forEach((from, k) => {
        const ends = [from, corners[(k + 1) % corners.length]].map((point) => point.join(" "));
        const key = ends.toSorted().join("L");
        if (sides.has(key)) sides.delete(key);
        else sides.set(key, `M${ends.join("L")}`);
      });
    }
    const d = [...sides.values()].join("");
    return [
      `<path class="over-ring" d="${d}"/>`,
      `<path class="over-ring inner" data-cells="${cells.join(" ")}" d="${d}"/>`,
    ];
  }

  #drawVisible() {
    if (!this.pending.size) return;
    const { view } = this;
    const board = view.svg.getBoundingClientRect();
    const viewport = this.viewport.getBoundingClientRect();
    const scale = board.width / view.width;
    const [left, top] = [
      view.box[0] + (viewport.left - board.left) / scale - DRAWN_MARGIN,
      view.box[1] + (viewport.top - board.top) / scale - DRAWN_MARGIN,
    ];
    const [right, bottom] = [
      left + viewport.width / scale + 2 * DRAWN_MARGIN,
      top + viewport.height / scale + 2 * DRAWN_MARGIN,
    ];
    const parts = [];
    for (const [cell, text] of this.pending) {
      const [, x, y] = view.data.cells[cell];
      if (x < left || x > right || y < top || y > bottom) continue;
      parts.push(text);
      this.pending.delete(cell);
    }
    if (parts.length) this.layer.insertAdjacentHTML("beforeend", parts.join(""));
  }

  #label(cell, label, fill, dim) {
    const [, x, y] = this.view.data.cells[cell];
    const long = label.length > 3 ? " long" : "";
    // A faded fill is nearly that of a covered cell, and needs the same text colour.
    const probability = typeof fill === "number" && !dim ? probabilityAttributes(fill) : "";
    return `<text class="over-label${long}"${probability} x="${x}" y="${y}" dy=".36em">${escapeMarkup(label)}</text>`;
  }

  #wideLabel(cell, label) {
    const [, x, y] = this.view.data.cells[cell];
    return `<text class="over-label wide" x="${x}" y="${y}" dy=".36em">${escapeMarkup(label)}</text>`;
  }

  #badge(cell, badge) {
    const [, x, y] = this.view.data.cells[cell];
    const [left, top] = [x - 0.3 * this.view.scale, y - 0.3 * this.view.scale];
    const place = `data-cell-of="${cell}" x="${left}" y="${top}"`;
    return `<circle class="over-badge-disc" cx="${left}" cy="${top}" r="${0.18 * this.view.scale}"/><text class="over-badge" ${place} dy=".36em">${escapeMarkup(badge)}</text>`;
  }

  #flag(cell) {
    const [, x, y] = this.view.data.cells[cell];
    return `<path class="sign flag over-flag" d="M${x} ${y}${this.view.signs.flag}"/>`;
  }

  #sign(cell, sign) {
    const [, x, y] = this.view.data.cells[cell];
    const scaled = SIGNS[sign].replace(/-?\.\d+/g, (number) => (Number(number) * this.view.scale).toFixed(3));
    return `M${x} ${y}${scaled}`;
  }
}

const IMPORTANCE = ["guess", "certain-safe", "certain-mine", "reveal", "mark", "lost"];

function highlightOrder(fills, best, outlined) {
  const withRole = (role) => [...fills].filter(([, fill]) => fill === role).map(([cell]) => cell);
  return [...new Set([...best, ...IMPORTANCE.flatMap(withRole), ...outlined, ...withRole("proof")])];
}

/** The attributes of a path for a probability. */
function probabilityAttributes(p, dim = false) {
  return ` data-probability="${percentStep(p)}"${dim ? " data-dim" : ""}`;
}

/** Mark a cell in a drawing as certainly safe or a mine, in colours that no probability has. */
export function drawCertain({ fills, signs }, cell, mine) {
  fills.set(cell, mine ? "certain-mine" : "certain-safe");
  signs.set(cell, mine ? "mine" : "safe");
}
