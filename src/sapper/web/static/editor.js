// The editor: a position that is painted cell by cell, with undo and redo.
//
//   mouse   paints with the chosen mark while it is dragged; right button: flag or blank
//   touch   the same with a finger; with nothing chosen a finger scrolls
//   keys    0-9, a b c, F, Space, Delete on the focused cell
//
// A position is {board, shapes, tiling, size, marks, mines}; board goes to the server as it is.

import * as api from "./api.js";
import { BLANK, BoardView, FLAG } from "./board.js";
import { make } from "./dom.js";
import { step } from "./keys.js";
import { Overlay } from "./overlay.js";

export const LOOK = null;
const MOST_UNDO = 200;
const SAMPLE = 6; // pixels between two looks at where a quick finger went

export class Editor {
  /** *changed* hears of every edit, *looked* of the cell that is looked at, *asked* of a click on one. */
  constructor(stage, { changed, looked, asked, opened }) {
    Object.assign(this, { stage, changed, looked, asked, opened });
    this.tool = LOOK;
    this.past = [];
    this.future = [];
    this.grid = make("div", { class: "grid" });
    stage.replaceChildren(this.grid);
  }

  get canUndo() {
    return this.past.length > 0;
  }

  get canRedo() {
    return this.future.length > 0;
  }

  /** The largest hint that a cell of this board can show. */
  get mostHint() {
    const { offsets } = this.view.data;
    let most = 0;
    for (let cell = 0; cell < this.view.count; cell++) most = Math.max(most, offsets[cell + 1] - offsets[cell]);
    return most;
  }

  /** Show a position in place of the one before; *keep* makes that an edit which can be undone. */
  async open(position, { keep = true } = {}) {
    const { shapes } = position;
    const data = typeof shapes === "string" ? await api.board(shapes) : shapes;
    if (keep && this.position) this.#remember();
    this.#draw(position, data);
    this.changed();
  }

  setMines(mines) {
    if (mines === this.position.mines) return;
    this.#remember();
    this.position = { ...this.position, mines };
    this.changed();
  }

  /** Give cells a mark, as one edit. */
  mark(cells, mark) {
    const changed = cells.filter((cell) => this.view.marks[cell] !== mark);
    if (!changed.length) return;
    this.#remember();
    this.#paint(changed, mark);
  }

  undo() {
    this.#travel(this.past, this.future);
  }

  redo() {
    this.#travel(this.future, this.past);
  }

  choose(tool) {
    this.tool = tool;
    this.grid.classList.toggle("painting", tool !== LOOK);
  }

  /** The key's edit or movement on the board; false where it means nothing here. */
  key(event) {
    const next = step(this.view, event);
    if (next !== null) {
      this.view.focus(next);
      this.looked(next);
      return true;
    }
    if (event.ctrlKey || event.altKey || event.metaKey) return false;
    const cell = this.view.current;
    if (event.key === "Enter") {
      this.asked(cell);
      return true;
    }
    const mark = markOf(event.key, this.view.marks[cell]);
    if (mark === undefined || mark > Math.max(12, this.mostHint)) return false;
    this.view.focus(cell);
    this.mark([cell], mark);
    return true;
  }

  /** What the server is sent. */
  request() {
    const { board, mines } = this.position;
    return { board, mines, marks: Array.from(this.view.marks) };
  }

  #draw(position, data) {
    const keepsFocus = this.grid.contains(document.activeElement);
    const grid = make("div", { class: "grid" });
    this.grid.replaceWith(grid);
    this.grid = grid;
    this.position = { ...position };
    const name = typeof position.board === "string" ? position.board : `graph of ${data.cells.length} cells`;
    this.view = new BoardView(grid, data, `Position on ${name}`);
    this.overlay = new Overlay(this.view);
    this.view.paintAll(position.marks);
    this.choose(this.tool);
    this.#listen();
    this.opened(this.view);
    if (keepsFocus) this.view.focus(this.view.current);
  }

  #remember() {
    this.past.push(this.#snapshot());
    if (this.past.length > MOST_UNDO) this.past.shift();
    this.future = [];
  }

  #snapshot() {
    return { ...this.position, marks: this.view.marks.slice() };
  }

  async #travel(from, to) {
    if (!from.length) return;
    const position = from.pop();
    to.push(this.#snapshot());
    const same = JSON.stringify(position.board) === JSON.stringify(this.position.board);
    if (!same) return this.open(position, { keep: false });
    const cells = [];
    for (let cell = 0; cell < this.view.count; cell++)
      if (position.marks[cell] !== this.view.marks[cell]) cells.push(cell);
    this.position = position;
    this.view.paint(cells, cells.map((cell) => position.marks[cell]));
    this.changed();
  }

  #paint(cells, mark) {
    this.view.paint(cells, cells.map(() => mark));
    this.changed();
  }

  #listen() {
    const { grid, view } = this;
    let stroke = null; // {id, mark, x, y}

    const at = (x, y) => view.cellAt(document.elementFromPoint(x, y));
    const touch = (cell) => {
      if (cell === null || view.marks[cell] === stroke.mark) return;
      if (!stroke.begun) this.#remember();
      stroke.begun = true;
      this.#paint([cell], stroke.mark);
    };

    grid.addEventListener("pointerdown", (event) => {
      const cell = view.cellAt(event.target);
      if (cell === null) return;
      view.focus(cell, { ring: false });
      const right = event.pointerType === "mouse" && event.button === 2;
      if (!right && (this.tool === LOOK || event.button !== 0)) return;
      const turned = view.marks[cell] === FLAG ? BLANK : FLAG;
      stroke = { id: event.pointerId, mark: right ? turned : this.tool, x: event.clientX, y: event.clientY };
      event.preventDefault();
      touch(cell);
    });

    grid.addEventListener("pointermove", (event) => {
      if (!stroke || event.pointerId !== stroke.id) return;
      const { clientX, clientY } = event;
      const far = Math.hypot(clientX - stroke.x, clientY - stroke.y);
      const looks = Math.max(1, Math.ceil(far / SAMPLE));
      for (let k = 1; k <= looks; k++) {
        const share = k / looks;
        touch(at(stroke.x + (clientX - stroke.x) * share, stroke.y + (clientY - stroke.y) * share));
      }
      Object.assign(stroke, { x: clientX, y: clientY });
    });

    const end = () => {
      if (stroke) this.looked(view.current);
      stroke = null;
    };
    grid.addEventListener("pointerup", end);
    grid.addEventListener("pointercancel", end);
    grid.addEventListener("contextmenu", (event) => event.preventDefault());
    grid.addEventListener("click", (event) => {
      const cell = view.cellAt(event.target);
      if (cell === null) return;
      if (this.tool === LOOK) this.asked(cell);
      // Screen readers and switches click without a pointer.
      else if (event.detail === 0) this.mark([cell], this.tool);
    });
  }
}

/** The mark that a key stands for on a cell; undefined for another key. */
function markOf(key, now) {
  if (/^[0-9]$/.test(key)) return Number(key);
  if (/^[abc]$/i.test(key)) return "abc".indexOf(key.toLowerCase()) + 10;
  if (key === "f" || key === "F") return now === FLAG ? BLANK : FLAG;
  if (key === ".") return 0;
  return [" ", "Delete", "Backspace", "#"].includes(key) ? BLANK : undefined;
}
