// What an answer says of a board, drawn over it: grounds, labels, outlines, and words for readers.
//
//   grounds   cell → a role of the palette (reveal, mark, proof, guess), or probabilities between 0 and 1
//   dim       cells whose probabilities matter less: the interior
//   labels    cell → a short text in the cell
//   wide      cell → a text for all cells around it as well
//   signs     cell → "free" or "mine": the same for eyes that do not tell colours apart;
//             "cross" or "dash", as on paper
//   outlined  cells with a line around them: the numbers that were used
//   dashed    cells with a broken line around them: what was taken as known
//   badges    cell → a letter or a number in its corner, by which words call it
//   best      cells with a mark of their own: the best guess
//   notes     cell → words that are read after the cell's state
//
// The board stays what it is: an overlay can be shown over any position, and taken away again.

import { draw, escaped } from "../lib/dom.js";
import { percent, percentLabel, wholePercent } from "../lib/words.js";
import { interiorOf, roomiest } from "./interior.js";
import { FLAG } from "./view.js";

const LINE = 0.09;
const BEST = 0.16; // width of the mark of the best guess
const SIGNS = {
  free: "m -.2 .02 l .14 .16 l .28 -.34",
  mine: "m -.17 -.17 l .34 .34 m 0 -.34 l -.34 .34",
  cross: "m -.26 -.26 l .52 .52 m 0 -.52 l -.52 .52",
  dash: "m -.24 0 l .48 0",
};
// With more labels than this only those in sight are drawn: laying out 10,000 texts takes 0.7 s.
const MANY = 2000;
const AROUND = 4; // cells beyond the edge of what is in sight

export class Overlay {
  /** *window* is the element through which the board is seen. */
  constructor(view, window) {
    this.view = view;
    this.window = window;
    this.layer = draw("g", { class: "overlay", "aria-hidden": "true" });
    view.ring.before(this.layer);
    this.touched = [];
    this.pointed = []; // cells that the answer is about, the most telling first
    this.notes = new Map();
    this.waiting = new Map();
    new ResizeObserver(() => this.moved()).observe(view.svg);
  }

  /** Another part of the board is in sight: draw what waited for that. */
  moved() {
    if (this.waiting.size) requestAnimationFrame(() => this.#drawInSight());
  }

  show({ grounds = new Map(), dim = new Set(), labels = new Map(), wide = new Map(), signs = new Map(), outlined = [], dashed = [], badges = new Map(), best = [], notes = new Map() }) {
    this.wipe();
    const parts = this.#grounds(grounds, dim);
    for (const cell of outlined) parts.push(`<path class="over-line" d="${this.view.edge(cell, LINE / 2 + 0.02)}"/>`);
    for (const cell of dashed) parts.push(`<path class="over-line dashed" data-cell-of="${cell}" d="${this.view.edge(cell, LINE / 2 + 0.02)}"/>`);
    for (const cell of best) parts.push(...this.#best(cell));
    parts.push(...this.#signs(signs));
    const written = [...labels].map(([cell, label]) => [cell, this.#label(cell, label, grounds.get(cell), dim.has(cell))]);
    if (written.length > MANY) this.waiting = new Map(written);
    else parts.push(...written.map(([, text]) => text));
    for (const [cell, label] of wide) parts.push(this.#wide(cell, label));
    for (const [cell, badge] of badges) parts.push(this.#badge(cell, badge));
    // Numbers, names of signs and escaped labels only.
    this.layer.innerHTML = parts.join("");
    this.#drawInSight();
    this.#note(notes);
    this.pointed = pointedAt(grounds, best, outlined);
  }

  /** Light some cells up for as long as words point at them; none takes the light away. */
  light(cells) {
    for (const line of this.layer.querySelectorAll(".over-light")) line.remove();
    const lines = cells.map((cell) => `<path class="over-light" data-cell-of="${cell}" d="${this.view.edge(cell, BEST / 2)}"/>`);
    this.layer.insertAdjacentHTML("beforeend", lines.join(""));
  }

  clear() {
    this.wipe();
    this.#note(new Map());
  }

  /** Take the drawing away and keep the words, where the next answer is expected soon. */
  wipe() {
    for (const cell of this.touched) delete this.view.cells[cell].dataset.over;
    this.touched = [];
    this.pointed = [];
    this.waiting = new Map();
    this.layer.replaceChildren();
  }

  /** Only words that differ are written: a reader's tree is slow to change. */
  #note(notes) {
    for (const cell of this.notes.keys()) if (!notes.has(cell)) this.view.note(cell, null);
    for (const [cell, note] of notes) if (this.view.notes.get(cell) !== note) this.view.note(cell, note);
    this.notes = notes;
  }

  /** Roles colour the cell itself, under its number; probabilities lie over the covered cells, one path a percent. */
  #grounds(grounds, dim) {
    const steps = new Map();
    const flags = [];
    for (const [cell, ground] of grounds) {
      if (typeof ground === "number") {
        const kind = kindOf(ground, dim.has(cell));
        steps.set(kind, (steps.get(kind) ?? "") + this.view.face(cell));
        if (this.view.marks[cell] === FLAG) flags.push(this.#flag(cell));
      } else {
        this.view.cells[cell].dataset.over = ground;
        this.touched.push(cell);
      }
    }
    return [...[...steps].map(([kind, d]) => `<path class="over-ground"${kind} d="${d}"/>`), ...flags];
  }

  /** One path for all signs of a kind. */
  #signs(signs) {
    const drawn = new Map();
    for (const [cell, sign] of signs) drawn.set(sign, (drawn.get(sign) ?? "") + this.#sign(cell, sign));
    return [...drawn].map(([sign, d]) => `<path class="over-sign ${sign}" d="${d}"/>`);
  }

  /** Two lines, dark and light, so that the mark is seen on every colour of the probabilities. */
  #best(cell) {
    const d = this.view.edge(cell, BEST / 2);
    return [`<path class="over-best" data-cell-of="${cell}" d="${d}"/>`, `<path class="over-best inner" d="${d}"/>`];
  }

  #drawInSight() {
    if (!this.waiting.size) return;
    const { view } = this;
    const board = view.svg.getBoundingClientRect();
    const window = this.window.getBoundingClientRect();
    const scale = board.width / view.width;
    const [left, top] = [view.box[0] + (window.left - board.left) / scale - AROUND, view.box[1] + (window.top - board.top) / scale - AROUND];
    const [right, bottom] = [left + window.width / scale + 2 * AROUND, top + window.height / scale + 2 * AROUND];
    const parts = [];
    for (const [cell, text] of this.waiting) {
      const [, x, y] = view.data.cells[cell];
      if (x < left || x > right || y < top || y > bottom) continue;
      parts.push(text);
      this.waiting.delete(cell);
    }
    if (parts.length) this.layer.insertAdjacentHTML("beforeend", parts.join(""));
  }

  #label(cell, label, ground, dim) {
    const [, x, y] = this.view.data.cells[cell];
    const long = label.length > 3 ? " long" : "";
    // A faded ground is nearly that of the covered cells, and takes their ink.
    const probabilities = typeof ground === "number" && !dim ? kindOf(ground) : "";
    return `<text class="over-label${long}"${probabilities} x="${x}" y="${y}" dy=".36em">${escaped(label)}</text>`;
  }

  #wide(cell, label) {
    const [, x, y] = this.view.data.cells[cell];
    return `<text class="over-label wide" x="${x}" y="${y}" dy=".36em">${escaped(label)}</text>`;
  }

  #badge(cell, badge) {
    const [, x, y] = this.view.data.cells[cell];
    const away = 0.3 * this.view.scale;
    return `<text class="over-badge" data-cell-of="${cell}" x="${x - away}" y="${y - away}" dy=".36em">${escaped(String(badge))}</text>`;
  }

  #flag(cell) {
    const [, x, y] = this.view.data.cells[cell];
    return `<path class="sign flag over-flag" d="M${x} ${y}${this.view.signs.flag}"/>`;
  }

  #sign(cell, sign) {
    const [, x, y] = this.view.data.cells[cell];
    const drawn = SIGNS[sign].replace(/-?\.\d+/g, (number) => (Number(number) * this.view.scale).toFixed(3));
    return `M${x} ${y}${drawn}`;
  }
}

const TELLING = ["guess", "certain-safe", "certain-mine", "reveal", "mark", "lost"];

function pointedAt(grounds, best, outlined) {
  const roles = TELLING.flatMap((role) => [...grounds].filter(([, ground]) => ground === role).map(([cell]) => cell));
  const read = [...grounds].filter(([, ground]) => ground === "proof").map(([cell]) => cell);
  return [...new Set([...best, ...roles, ...outlined, ...read])];
}

/** The attributes of a ground for probabilities. */
function kindOf(p, dim = false) {
  return ` data-probabilities="${wholePercent(p)}"${dim ? " data-dim" : ""}`;
}

/** Note in a drawing that a cell is certainly free, or a mine: in colours that no probabilities have. */
export function drawCertain({ grounds, signs }, cell, mine) {
  grounds.set(cell, mine ? "certain-mine" : "certain-safe");
  signs.set(cell, mine ? "mine" : "free");
}

/**
 * An overlay of probabilities: cells and their probabilities of a mine, null where there is none.
 * Certain cells carry a sign; the interior is dimmed and has one label; *best* is the guess to mark.
 */
export function probabilitiesOverlay(view, cells, probabilities, best = null) {
  const drawn = { grounds: new Map(), dim: interiorOf(view, cells, probabilities), labels: new Map(), wide: new Map(), signs: new Map(), notes: new Map(), best: best === null ? [] : [best] };
  const { grounds, dim, labels, wide, notes } = drawn;
  cells.forEach((cell, k) => {
    const p = probabilities[k];
    if (p === 0 || p === 1) drawCertain(drawn, cell, p === 1);
    else {
      if (p !== null) grounds.set(cell, p);
      if (!dim.has(cell)) labels.set(cell, percentLabel(p));
    }
    notes.set(cell, noteOf(p) + (dim.has(cell) ? ", as all away from numbers" : "") + (cell === best ? ", best guess" : ""));
  });
  if (dim.size) {
    const p = probabilities[cells.findIndex((cell) => dim.has(cell))];
    const { cell, room } = roomiest(view, dim);
    if (room > 1) wide.set(cell, p === null ? "?" : percent(p));
    else labels.set(cell, percentLabel(p));
  }
  return drawn;
}

/** What the one label of the interior says, as a sentence; nothing where there is none. */
export function insideWords(view, cells, probabilities) {
  const dim = interiorOf(view, cells, probabilities);
  const p = probabilities[cells.findIndex((cell) => dim.has(cell))];
  return dim.size && p !== null ? ` Each of the ${dim.size} covered cells away from numbers: ${percent(p)}.` : "";
}

function noteOf(p) {
  if (p === null) return "no probabilities";
  if (p === 0) return "certainly free";
  return p === 1 ? "certainly a mine" : `mine ${percent(p)}`;
}
