// Rulers: row and column numbers beside a board, matching the names of cells (r3c4).
//
// They are hidden from assistive technology, which reads the name of every cell. They are beside the
// board or, where it is scrolled out of view, at the edge of its window, in a margin that the style
// reserves.

import { make } from "../lib/dom.js";

const SPACING = { down: 15, across: 22 }; // pixels that a number needs
const STEPS = [1, 2, 5, 10, 20, 50, 100];
const MAX_LABELS = 400; // numbers on a ruler

export class Rulers {
  /** *window* is the element that scrolls. */
  constructor(window) {
    this.window = window;
    this.view = null;
    this.root = make("div", { class: "rulers", "aria-hidden": "true" });
    this.strips = {};
    for (const axis of ["across", "down"]) {
      const numbers = make("div", { class: "ruler-numbers" });
      const current = make("span", { class: "current", hidden: true });
      const moving = make("div", { class: "ruler-moving" }, numbers, current);
      this.strips[axis] = { root: make("div", { class: `ruler ${axis}` }, moving), numbers, current, moving };
    }
    this.root.append(this.strips.across.root, this.strips.down.root);
  }

  show(view) {
    this.view = view;
    this.pixels = 0;
    const { rows, columns, count } = view;
    const middle = (cells, coordinate) => midpoint(cells.map((cell) => view.data.cells[cell][coordinate]));
    const cellsFrom = (first, step, last) => Array.from({ length: Math.ceil((last - first) / step) }, (_, k) => first + k * step);
    this.middles = {
      across: Array.from({ length: Math.min(columns, count) }, (_, column) => middle(cellsFrom(column, columns, count), 1) - view.box[0]),
      down: Array.from({ length: rows }, (_, row) => middle(cellsFrom(row * columns, 1, Math.min((row + 1) * columns, count)), 2) - view.box[1]),
    };
    this.#point(null);
    view.host.addEventListener("pointerover", (event) => event.pointerType === "mouse" && this.#point(view.cellAt(event.target)));
    view.host.addEventListener("pointerleave", () => this.#point(null));
    view.host.addEventListener("focusin", (event) => this.#point(view.cellAt(event.target)));
  }

  /** The size or the position of the board has changed. */
  moved() {
    if (!this.root.offsetParent) return;
    const board = this.view.svg.getBoundingClientRect();
    const window = this.window.getBoundingClientRect();
    const stage = this.root.getBoundingClientRect();
    const pixels = board.width / this.view.width;
    if (pixels !== this.pixels) this.#number(pixels);
    this.strips.across.moving.style.transform = `translateX(${board.left - window.left}px)`;
    this.strips.down.moving.style.transform = `translateY(${board.top - window.top}px)`;
    // Beside the board, or at the edge of the window if that is scrolled out of view.
    this.strips.across.root.style.top = `${Math.max(0, board.top - window.top)}px`;
    this.strips.down.root.style.left = `${Math.max(0, board.left - window.left)}px`;
    Object.assign(this.strips.across.root.style, { left: `${window.left - stage.left}px`, width: `${window.width}px` });
    Object.assign(this.strips.down.root.style, { top: `${window.top - stage.top}px`, height: `${window.height}px` });
  }

  #number(pixels) {
    this.pixels = pixels;
    for (const [axis, { numbers }] of Object.entries(this.strips)) {
      const middles = this.middles[axis];
      const each = middles.length > 1 ? Math.abs(middles[1] - middles[0]) * pixels : Infinity;
      const step = STEPS.find((step) => step * each >= SPACING[axis] && middles.length <= step * MAX_LABELS) ?? STEPS.at(-1);
      const shown = middles.flatMap((middle, k) => ((k + 1) % step === 0 || (k === 0 && step > 2) ? [number(axis, k, middle * pixels)] : []));
      numbers.replaceChildren(...shown);
    }
    this.#point(this.at);
  }

  /** Emphasise the row and column of the cell under the pointer. */
  #point(cell) {
    this.at = cell;
    const { columns } = this.view;
    const places = { across: cell === null ? -1 : cell % columns, down: cell === null ? -1 : Math.floor(cell / columns) };
    for (const [axis, { current }] of Object.entries(this.strips)) {
      current.hidden = cell === null || !this.pixels;
      if (current.hidden) continue;
      current.textContent = places[axis] + 1;
      current.style[axis === "across" ? "left" : "top"] = `${this.middles[axis][places[axis]] * this.pixels}px`;
    }
  }
}

function number(axis, k, at) {
  const element = make("span", { text: k + 1 });
  element.style[axis === "across" ? "left" : "top"] = `${at.toFixed(1)}px`;
  return element;
}

const midpoint = (values) => (Math.min(...values) + Math.max(...values)) / 2;
