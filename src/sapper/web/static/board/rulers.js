// Rulers: row and column numbers beside a board, matching the names of cells (r3c4).
//
// They are hidden from assistive technology, which reads the name of every cell. They are at the edge of
// the board or, if that is scrolled out of view, at the edge of the viewport, in a margin that the style
// sheet reserves.

import { make } from "../lib/dom.js";

const SPACING = { down: 15, across: 22 }; // pixels that a number needs
const LABEL_STEPS = [1, 2, 5, 10, 20, 50, 100];
const MAX_LABELS = 400; // numbers on a ruler

export class Rulers {
  /** *viewport* is the element that scrolls. */
  constructor(viewport) {
    this.viewport = viewport;
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
    const centre = (cells, coordinate) => midpoint(cells.map((cell) => view.data.cells[cell][coordinate]));
    const cellsFrom = (first, step, last) =>
      Array.from({ length: Math.ceil((last - first) / step) }, (_, k) => first + k * step);
    this.centres = {
      across: Array.from(
        { length: Math.min(columns, count) },
        (_, column) => centre(cellsFrom(column, columns, count), 1) - view.box[0],
      ),
      down: Array.from(
        { length: rows },
        (_, row) => centre(cellsFrom(row * columns, 1, Math.min((row + 1) * columns, count)), 2) - view.box[1],
      ),
    };
    this.#emphasise(null);
    view.host.addEventListener(
      "pointerover",
      (event) => event.pointerType === "mouse" && this.#emphasise(view.cellAt(event.target)),
    );
    view.host.addEventListener("pointerleave", () => this.#emphasise(null));
    view.host.addEventListener("focusin", (event) => this.#emphasise(view.cellAt(event.target)));
  }

  /** Move the rulers after the size or the position of the board has changed. */
  onBoardMoved() {
    if (!this.root.offsetParent) return;
    const board = this.view.svg.getBoundingClientRect();
    const viewport = this.viewport.getBoundingClientRect();
    const stage = this.root.getBoundingClientRect();
    const pixels = board.width / this.view.width;
    if (pixels !== this.pixels) this.#renderNumbers(pixels);
    this.strips.across.moving.style.transform = `translateX(${board.left - viewport.left}px)`;
    this.strips.down.moving.style.transform = `translateY(${board.top - viewport.top}px)`;
    // Beside the board, or at the edge of the viewport if the edge of the board is scrolled out of view.
    this.strips.across.root.style.top = `${Math.max(0, board.top - viewport.top)}px`;
    this.strips.down.root.style.left = `${Math.max(0, board.left - viewport.left)}px`;
    Object.assign(this.strips.across.root.style, {
      left: `${viewport.left - stage.left}px`,
      width: `${viewport.width}px`,
    });
    Object.assign(this.strips.down.root.style, {
      top: `${viewport.top - stage.top}px`,
      height: `${viewport.height}px`,
    });
  }

  #renderNumbers(pixels) {
    this.pixels = pixels;
    for (const [axis, { numbers }] of Object.entries(this.strips)) {
      const centres = this.centres[axis];
      const cellPixels = centres.length > 1 ? Math.abs(centres[1] - centres[0]) * pixels : Infinity;
      const step =
        LABEL_STEPS.find((step) => step * cellPixels >= SPACING[axis] && centres.length <= step * MAX_LABELS) ??
        LABEL_STEPS.at(-1);
      const elements = centres.flatMap((centre, k) =>
        (k + 1) % step === 0 || (k === 0 && step > 2) ? [numberElement(axis, k, centre * pixels)] : [],
      );
      numbers.replaceChildren(...elements);
    }
    this.#emphasise(this.pointedCell);
  }

  /** Emphasise the row and column of a cell, or none for null. */
  #emphasise(cell) {
    this.pointedCell = cell;
    const { columns } = this.view;
    const indices = {
      across: cell === null ? -1 : cell % columns,
      down: cell === null ? -1 : Math.floor(cell / columns),
    };
    for (const [axis, { current }] of Object.entries(this.strips)) {
      current.hidden = cell === null || !this.pixels;
      if (current.hidden) continue;
      current.textContent = indices[axis] + 1;
      current.style[axis === "across" ? "left" : "top"] = `${this.centres[axis][indices[axis]] * this.pixels}px`;
    }
  }
}

function numberElement(axis, k, offset) {
  const element = make("span", { text: k + 1 });
  element.style[axis === "across" ? "left" : "top"] = `${offset.toFixed(1)}px`;
  return element;
}

const midpoint = (values) => (Math.min(...values) + Math.max(...values)) / 2;
