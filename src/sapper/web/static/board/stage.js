// The stage: where a board stands, in every view that has one. It holds the board, what is drawn
// over it, the size at which it is seen, what mouse and fingers mean on it, and the keys.
//
// A view assembles it from its own commands; an answer is drawn with `stage.overlay`, a mark with
// `stage.view`. Both are new whenever another board is shown.

import { button, make } from "../lib/dom.js";
import { isTyping, keysOf, rowOf } from "../lib/keys.js";
import { Overlay } from "./overlay.js";
import { look } from "./pointer.js";
import { BoardView } from "./view.js";
import { walk } from "./walk.js";
import { Zoom } from "./zoom.js";

export class Stage {
  /**
   * *name* is that of the view in KEYS, *commands* has a function for each of its keys there.
   *
   *   hands    gets each new board, to listen to mouse and fingers
   *   looked   hears of the cell under the mouse or the focus, null where there is none
   *   may      whether a command makes sense now; those that do not are left to the browser
   *   kind     a class of the board's element
   */
  constructor(name, commands, { hands = () => {}, looked = null, may = () => this.view !== null, kind = "" } = {}) {
    this.name = name;
    this.commands = {
      walk: (cell, event) => this.view.focus(walk(this.view, event)),
      zoomIn: () => this.zoom.in(),
      zoomOut: () => this.zoom.out(),
      fit: () => this.zoom.fit(),
      ...commands,
    };
    for (const { command } of keysOf(name))
      if (!(command in this.commands)) throw new Error(`expected a command ${command} in ${name}, got none`);
    Object.assign(this, { hands, looked, may, kind, view: null, overlay: null });
    this.grid = make("div", { class: "grid" });
    this.root = make("div", { class: "stage" }, this.grid);
    this.zoom = new Zoom(this.root);
    this.root.addEventListener("scroll", () => this.overlay?.moved(), { passive: true });
    this.gone = new AbortController();
    document.addEventListener("keydown", (event) => this.#key(event), { signal: this.gone.signal });
  }

  /** Show a board in place of the one before; *at* is the cell to begin with, the focus stays on it. */
  show(shapes, { title, marks = null, at = null }) {
    const keepsFocus = this.grid.contains(document.activeElement);
    const grid = make("div", { class: `grid ${this.kind}`.trim() });
    this.grid.replaceWith(grid);
    this.grid = grid;
    this.view = new BoardView(grid, shapes, title);
    this.overlay = new Overlay(this.view, this.root);
    if (marks) this.view.paintAll(marks);
    this.hands(this.view);
    if (this.looked) look(this.view, this.looked);
    this.zoom.show(this.view);
    this.root.scrollTo(0, 0);
    if (keepsFocus || at !== null) this.view.focus(at ?? this.view.current, { take: keepsFocus });
  }

  /** Buttons for the size. */
  zoomTools() {
    const tool = (icon, label, command) => button({ icon, label, class: "ghost", onclick: () => this.commands[command]() });
    return make(
      "div",
      { class: "tools zooms", role: "group", "aria-label": "Zoom" },
      tool("minus", "Smaller", "zoomOut"),
      tool("fit", "Fit", "fit"),
      tool("plus", "Larger", "zoomIn"),
    );
  }

  leave() {
    this.gone.abort();
  }

  #key(event) {
    if (isTyping(event.target)) return;
    const onCell = this.view !== null && this.view.cellAt(event.target) !== null;
    const row = rowOf(this.name, event, onCell);
    if (row === null || !this.may(row.command)) return;
    event.preventDefault();
    // Who uses keys needs the ring, also after a click that hid it.
    if (row.cell) this.view.focus(this.view.current);
    this.commands[row.command](row.cell ? this.view.current : null, event);
  }
}
