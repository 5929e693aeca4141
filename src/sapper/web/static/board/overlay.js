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
// The board itself does not change: a drawing can be shown over any position and removed again. Probabilities are the
// most common drawing. Covered cells away from all numbers (the interior) have the same one, which is written once.

import { escapeMarkup, makeSvg } from "../lib/dom.js";
import { percent, percentLabel, percentStep } from "../lib/format.js";
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

const TOLERANCE = 1e-9; // probabilities that differ by less are equal

export const emptyDrawing = () => ({
  fills: new Map(),
  dim: new Set(),
  labels: new Map(),
  wide: new Map(),
  signs: new Map(),
  ring: [],
  outlined: [],
  dashed: [],
  badges: new Map(),
  best: [],
  notes: new Map(),
});

export class Overlay {
  /** *viewport* is the element that scrolls the board. */
  constructor(view, viewport) {
    this.view = view;
    this.viewport = viewport;
    this.layer = makeSvg("g.overlay", { "aria-hidden": "true" });
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

  /** Show a drawing, which may lack some of its parts. */
  show(drawing) {
    const parts = { ...emptyDrawing(), ...drawing };
    const { fills, dim, labels, wide, signs, ring, outlined, dashed, badges, best, notes } = parts;
    this.clearDrawing();
    const markup = this.#fills(fills, dim);
    if (ring.length) markup.push(...this.#ring(ring));
    for (const cell of outlined) markup.push(this.#outline("over-line", cell));
    for (const cell of dashed) markup.push(this.#outline("over-line dashed", cell));
    for (const cell of best) markup.push(...this.#best(cell));
    markup.push(...this.#signs(signs));
    const texts = [...labels].map(([cell, label]) => [cell, this.#label(cell, label, fills.get(cell), dim.has(cell))]);
    if (texts.length > MAX_LABELS) this.pending = new Map(texts);
    else markup.push(...texts.map(([, text]) => text));
    for (const [cell, label] of wide) markup.push(this.#text("over-label wide", cell, label));
    for (const [cell, badge] of badges) markup.push(this.#badge(cell, badge));
    // Only numbers, names of signs and escaped labels.
    this.layer.innerHTML = markup.join("");
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
    const lines = cells.map((cell) => this.#outline("over-highlight", cell, BEST_WIDTH / 2)).join("");
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

  #outline(className, cell, distance = OUTLINE_WIDTH / 2 + 0.02) {
    return `<path class="${className}" data-cell-of="${cell}" d="${this.view.edge(cell, distance)}"/>`;
  }

  /** Two lines, dark and light, so that the mark is visible on every colour. */
  #best(cell) {
    const outer = this.#outline("over-best", cell, BEST_WIDTH / 2);
    return [outer, `<path class="over-best inner" d="${this.view.edge(cell, BEST_WIDTH / 2)}"/>`];
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
    const left = view.box[0] + (viewport.left - board.left) / scale - DRAWN_MARGIN;
    const top = view.box[1] + (viewport.top - board.top) / scale - DRAWN_MARGIN;
    const right = left + viewport.width / scale + 2 * DRAWN_MARGIN;
    const bottom = top + viewport.height / scale + 2 * DRAWN_MARGIN;
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
    // A faded fill is nearly that of a covered cell, and needs the same text colour.
    const probability = typeof fill === "number" && !dim ? probabilityAttributes(fill) : "";
    return this.#text(label.length > 3 ? "over-label long" : "over-label", cell, label, probability);
  }

  #text(className, cell, text, attributes = "") {
    const [, x, y] = this.view.data.cells[cell];
    return `<text class="${className}"${attributes} x="${x}" y="${y}" dy=".36em">${escapeMarkup(text)}</text>`;
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

/**
 * The drawing for cells and their probabilities, null where one is unknown. Certain cells have a
 * sign; the interior is dimmed and has one label; *best* is the guess to mark.
 */
export function probabilityOverlay(view, cells, probabilities, best = null) {
  const drawing = emptyDrawing();
  drawing.dim = interiorOf(view, cells, probabilities);
  if (best !== null) drawing.best = [best];
  const { fills, dim, labels, wide, notes } = drawing;
  const interiorProbability = probabilities[cells.findIndex((cell) => dim.has(cell))];
  const interiorNote = dim.size ? `${probabilityText(interiorProbability)}, as all cells away from numbers` : "";
  cells.forEach((cell, k) => {
    const p = dim.has(cell) ? interiorProbability : probabilities[k]; // exactly the same, so that the colour is too
    if (p === 0 || p === 1) drawCertain(drawing, cell, p === 1);
    else {
      if (p !== null) fills.set(cell, p);
      if (!dim.has(cell)) labels.set(cell, percentLabel(p));
    }
    notes.set(cell, (dim.has(cell) ? interiorNote : probabilityText(p)) + (cell === best ? ", best guess" : ""));
  });
  if (dim.size) {
    const { cell, distance } = widestCell(view, dim);
    if (distance > 1) wide.set(cell, interiorProbability === null ? "?" : percent(interiorProbability));
    else labels.set(cell, percentLabel(interiorProbability));
  }
  return drawing;
}

/** A sentence about the interior of a drawing, or an empty text. */
export function interiorText({ dim, fills }) {
  const [cell] = dim;
  return fills.has(cell)
    ? ` Each of the ${dim.size} covered cells away from numbers: ${percent(fills.get(cell))}.`
    : "";
}

/** The probability of a cell in words. */
export function probabilityText(p) {
  if (p === null) return "probability unknown";
  if (p === 0) return "certainly safe";
  return p === 1 ? "certainly a mine" : `mine ${percent(p)}`;
}

/** The interior cells, if there are several and all have the same uncertain probability. */
function interiorOf(view, cells, probabilities) {
  const interior = new Map();
  const touchesNumber = (cell) => view.around(cell).some((other) => view.marks[other] >= 0);
  cells.forEach((cell, k) => {
    const certain = probabilities[k] === 0 || probabilities[k] === 1;
    if (!certain && !touchesNumber(cell)) interior.set(cell, probabilities[k]);
  });
  const [first] = interior.values();
  const same = (p) => (p === null || first === null ? p === first : Math.abs(p - first) < TOLERANCE);
  return new Set(interior.size > 1 && [...interior.values()].every(same) ? interior.keys() : []);
}

/**
 * The cell of a set that is farthest from all other cells and from the edge of the board, and its distance:
 * a label has the most space there. A cell at the edge has distance 1.
 */
export function widestCell(view, cells) {
  const steps = new Int32Array(view.count).fill(-1);
  const queue = [];
  for (let cell = 0; cell < view.count; cell++) if (!cells.has(cell)) push(cell, 0);
  for (const cell of cells) if (view.around(cell).length < view.maxDegree) push(cell, 1);
  for (let k = 0; k < queue.length; k++)
    for (const other of view.around(queue[k])) if (steps[other] < 0) push(other, steps[queue[k]] + 1);
  let cell = null; // the first one, if several are equally far
  for (const other of cells)
    if (cell === null || steps[other] > steps[cell] || (steps[other] === steps[cell] && other < cell)) cell = other;
  return { cell, distance: steps[cell] };

  function push(cell, distance) {
    steps[cell] = distance;
    queue.push(cell);
  }
}
