// What an answer says of a board, drawn over it: grounds, labels, outlines, and words for readers.
//
//   grounds   cell → a role of the palette (reveal, mark, proof, guess), or odds from 0 to 1
//   labels    cell → a short text in the cell
//   signs     cell → "free" or "mine": the same for eyes that do not tell colours apart;
//             "cross" or "dash", as on paper
//   outlined  cells with a line around them: the hints that were used
//   notes     cell → words that are read after the cell's state
//
// The board stays what it is: an overlay can be shown over any frame, and taken away again.

import { FLAG } from "./board.js";

const SVG = "http://www.w3.org/2000/svg";
const LINE = 0.09;
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
  constructor(view) {
    this.view = view;
    this.layer = document.createElementNS(SVG, "g");
    this.layer.setAttribute("class", "overlay");
    this.layer.setAttribute("aria-hidden", "true");
    view.ring.before(this.layer);
    this.touched = [];
    this.notes = new Map();
    this.waiting = new Map();
    const seen = () => this.waiting.size && requestAnimationFrame(() => this.#drawInSight());
    view.host.closest(".stage")?.addEventListener("scroll", seen, { passive: true });
    new ResizeObserver(seen).observe(view.svg);
  }

  show({ grounds = new Map(), labels = new Map(), signs = new Map(), outlined = [], notes = new Map() }) {
    this.wipe();
    const parts = this.#grounds(grounds);
    for (const cell of outlined) parts.push(`<path class="over-line" d="${this.view.edge(cell, LINE / 2 + 0.02)}"/>`);
    for (const [cell, sign] of signs) parts.push(`<path class="over-sign ${sign}" d="${this.#sign(cell, sign)}"/>`);
    const written = [...labels].map(([cell, label]) => [cell, this.#label(cell, label, grounds.get(cell))]);
    if (written.length > MANY) this.waiting = new Map(written);
    else parts.push(...written.map(([, text]) => text));
    // Numbers, names of signs and escaped labels only.
    this.layer.innerHTML = parts.join("");
    this.#drawInSight();
    this.#note(notes);
  }

  clear() {
    this.wipe();
    this.#note(new Map());
  }

  /** Take the drawing away and keep the words, where the next answer is expected soon. */
  wipe() {
    for (const cell of this.touched) delete this.view.cells[cell].dataset.over;
    this.touched = [];
    this.waiting = new Map();
    this.layer.replaceChildren();
  }

  /** Only words that differ are written: a reader's tree is slow to change. */
  #note(notes) {
    for (const cell of this.notes.keys()) if (!notes.has(cell)) this.view.note(cell, null);
    for (const [cell, note] of notes) if (this.view.notes.get(cell) !== note) this.view.note(cell, note);
    this.notes = notes;
  }

  /** Roles colour the cell itself, under its hint; odds lie over the blanks, one path a percent. */
  #grounds(grounds) {
    const steps = new Map();
    const flags = [];
    for (const [cell, ground] of grounds) {
      if (typeof ground === "number") {
        const step = whole(ground);
        steps.set(step, (steps.get(step) ?? "") + this.view.tile(cell));
        if (this.view.marks[cell] === FLAG) flags.push(this.#flag(cell));
      } else {
        this.view.cells[cell].dataset.over = ground;
        this.touched.push(cell);
      }
    }
    return [...[...steps].map(([step, d]) => `<path class="over-ground" data-odds="${step}" d="${d}"/>`), ...flags];
  }

  #drawInSight() {
    if (!this.waiting.size) return;
    const { view } = this;
    const board = view.svg.getBoundingClientRect();
    const window = (view.host.closest(".stage") ?? document.documentElement).getBoundingClientRect();
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

  #label(cell, label, ground) {
    const [, x, y] = this.view.data.cells[cell];
    const long = label.length > 3 ? " long" : "";
    const odds = typeof ground === "number" ? ` data-odds="${whole(ground)}"` : "";
    return `<text class="over-label${long}"${odds} x="${x}" y="${y}" dy=".36em">${escape(label)}</text>`;
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

/** An overlay of odds: cells and their probabilities of a mine, null where there is none. */
export function oddsOverlay(cells, odds) {
  const grounds = new Map();
  const labels = new Map();
  const notes = new Map();
  cells.forEach((cell, k) => {
    const p = odds[k];
    if (p !== null) grounds.set(cell, p);
    labels.set(cell, percent(p));
    notes.set(cell, p === null ? "no odds" : `mine ${spoken(p)}`);
  });
  return { grounds, labels, notes };
}

/** Odds as people read them, as the command writes them; 0 % and 100 % are kept for what is certain. */
export function percent(p) {
  if (p === null) return "?";
  if (p === 0 || p === 1) return `${100 * p}%`;
  const rounded = halfToEven(100 * p);
  if (rounded < 1) return "<1%";
  return rounded > 99 ? ">99%" : `${rounded}%`;
}

/** The same for ears: signs such as < are often passed over. */
export function spoken(p) {
  return percent(p).replace("<", "below ").replace(">", "above ");
}

/** The step of the colours for odds: the ends are kept for what is certain. */
function whole(p) {
  return p === 0 || p === 1 ? 100 * p : Math.min(99, Math.max(1, halfToEven(100 * p)));
}

function halfToEven(value) {
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

function escape(text) {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
