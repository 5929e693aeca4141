// The position editor, with undo and redo.
//
//   mouse   paints the chosen mark while dragging; the right button places or removes a flag
//   touch   the same with a finger; with no mark chosen, a finger scrolls
//   keys    see KEYS: they change the focused cell
//
// A position is {board, shapes, tiling, size, marks, mines}; board is sent to the server unchanged.

import { listenToBrush } from "../../board/pointer.js";
import { COVERED, FLAG } from "../../board/view.js";
import * as api from "../../lib/api.js";

export const SELECT = null;
const MAX_UNDO = 200;

export class Editor {
  /** changed() is called after every edit, clicked(cell) for a click, opened() after a new board. */
  constructor(stage, { changed, clicked, opened }) {
    Object.assign(this, { stage, changed, clicked, opened });
    this.tool = SELECT;
    this.undoStack = [];
    this.redoStack = [];
  }

  get view() {
    return this.stage.view;
  }

  get canUndo() {
    return this.undoStack.length > 0;
  }

  get canRedo() {
    return this.redoStack.length > 0;
  }

  /** Show another position; undo returns to the previous one unless *isUndoable* is false. */
  async open(position, { isUndoable = true } = {}) {
    const shapes = await api.shapes(position.shapes);
    if (isUndoable && this.position) this.#saveUndoState();
    this.#draw(position, shapes);
    this.stage.scrollToCells(
      [...this.view.marks.keys()].filter((cell) => this.view.marks[cell] !== COVERED),
      { smooth: false },
    );
    this.changed();
  }

  setMines(mines) {
    if (mines === this.position.mines) return;
    this.#saveUndoState();
    this.position = { ...this.position, mines };
    this.changed();
  }

  /** Give cells a mark, as one edit. */
  mark(cells, mark) {
    const changed = cells.filter((cell) => this.view.marks[cell] !== mark);
    if (!changed.length) return;
    this.#saveUndoState();
    this.#paint(changed, mark);
  }

  clear() {
    this.mark([...this.view.marks.keys()], COVERED);
  }

  /** Place or remove a flag. */
  toggleFlag(cell) {
    this.mark([cell], this.#toggledFlag(cell));
  }

  undo() {
    return this.#restore(this.undoStack, this.redoStack);
  }

  redo() {
    return this.#restore(this.redoStack, this.undoStack);
  }

  choose(tool) {
    this.tool = tool;
    this.stage.grid.classList.toggle("painting", tool !== SELECT);
  }

  /** Let mouse and touch paint the chosen mark, or select cells if none is chosen. */
  listen(view) {
    listenToBrush(view, {
      markAt: (cell, isRight) => (isRight ? this.#toggledFlag(cell) : this.tool),
      paint: (cell, mark, isContinued) => {
        if (!isContinued) this.#saveUndoState();
        this.#paint([cell], mark);
      },
      click: (cell, isVirtual) => {
        if (this.tool === SELECT) this.clicked(cell);
        else if (isVirtual) this.mark([cell], this.tool);
      },
    });
  }

  /** The position as the server expects it. */
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

  #toggledFlag(cell) {
    return this.view.marks[cell] === FLAG ? COVERED : FLAG;
  }

  #saveUndoState() {
    this.undoStack.push(this.#snapshot());
    if (this.undoStack.length > MAX_UNDO) this.undoStack.shift();
    this.redoStack = [];
  }

  #snapshot() {
    return { ...this.position, marks: this.view.marks.slice() };
  }

  async #restore(from, to) {
    if (!from.length) return;
    const position = from.pop();
    to.push(this.#snapshot());
    const isSameBoard = JSON.stringify(position.board) === JSON.stringify(this.position.board);
    if (!isSameBoard) return this.open(position, { isUndoable: false });
    this.position = position;
    this.view.paintChanges(position.marks);
    this.changed();
  }

  #paint(cells, mark) {
    this.view.paint(
      cells,
      cells.map(() => mark),
    );
    this.changed();
  }
}
