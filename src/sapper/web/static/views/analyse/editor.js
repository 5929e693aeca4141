// The editor: a position that is painted cell by cell, with undo and redo.
//
//   mouse   paints with the chosen mark while it is dragged; right button: flag or covered cell
//   touch   the same with a finger; with nothing chosen a finger scrolls
//   keys    see KEYS: the commands below paint the focused cell
//
// A position is {board, shapes, tiling, size, marks, mines}; board goes to the server as it is.

import { brush } from "../../board/brush.js";
import { COVERED, FLAG } from "../../board/view.js";
import * as api from "../../lib/api.js";

export const LOOK = null;
const MOST_UNDO = 200;

export class Editor {
  /** *changed* hears of every edit, *asked* of a click on a cell, *opened* of a new board. */
  constructor(stage, { changed, asked, opened }) {
    Object.assign(this, { stage, changed, asked, opened });
    this.tool = LOOK;
    this.past = [];
    this.future = [];
  }

  get view() {
    return this.stage.view;
  }

  get canUndo() {
    return this.past.length > 0;
  }

  get canRedo() {
    return this.future.length > 0;
  }

  /** The largest number that a cell of this board can show. */
  get mostNumber() {
    const { offsets } = this.view.data;
    let most = 0;
    for (let cell = 0; cell < this.view.count; cell++) most = Math.max(most, offsets[cell + 1] - offsets[cell]);
    return most;
  }

  /** Show a position in place of the one before; *keep* makes that an edit which can be undone. */
  async open(position, { keep = true } = {}) {
    const shapes = await api.shapes(position.shapes);
    if (keep && this.position) this.#remember();
    this.#draw(position, shapes);
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

  clear() {
    this.mark([...this.view.marks.keys()], COVERED);
  }

  /** Flag a cell, or covered cell it where it has a flag. */
  turn(cell) {
    this.mark([cell], this.#turned(cell));
  }

  undo() {
    return this.#travel(this.past, this.future);
  }

  redo() {
    return this.#travel(this.future, this.past);
  }

  choose(tool) {
    this.tool = tool;
    this.stage.grid.classList.toggle("painting", tool !== LOOK);
  }

  /** Mouse and fingers paint with the chosen mark, or look where none is chosen. */
  listen(view) {
    brush(view, {
      markAt: (cell, right) => (right ? this.#turned(cell) : this.tool),
      paint: (cell, mark, begun) => {
        if (!begun) this.#remember();
        this.#paint([cell], mark);
      },
      click: (cell, bare) => {
        if (this.tool === LOOK) this.asked(cell);
        // Screen readers and switches click without a pointer.
        else if (bare) this.mark([cell], this.tool);
      },
    });
  }

  /** What the server is sent. */
  request() {
    const { board, mines } = this.position;
    return { board, mines, marks: Array.from(this.view.marks) };
  }

  #draw(position, shapes) {
    this.position = { ...position };
    const name = typeof position.board === "string" ? position.board : `graph of ${shapes.cells.length} cells`;
    this.stage.show(shapes, { title: `Position on ${name}`, marks: position.marks });
    this.choose(this.tool);
    this.opened();
  }

  #turned(cell) {
    return this.view.marks[cell] === FLAG ? COVERED : FLAG;
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
}
