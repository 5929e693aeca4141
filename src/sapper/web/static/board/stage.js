// The stage: where a board stands, in every view that has one. It holds the board, what is drawn
// over it, the size at which it is seen, what mouse and fingers mean on it, and the keys.
//
// A view assembles it from its own commands; an answer is drawn with `stage.overlay`, a mark with
// `stage.view`. Both are new whenever another board is shown.

import { button, make } from "../lib/dom.js";
import { isTyping, keysEverywhere, keysOf, rowOf, tipped } from "../lib/keys.js";
import { say } from "../lib/say.js";
import { isCalm } from "../lib/settings.js";
import { Overlay } from "./overlay.js";
import { Overview } from "./around/overview.js";
import { look } from "./pointer.js";
import { Rulers } from "./around/rulers.js";
import { BoardView } from "./view.js";
import { aroundWords } from "./voice.js";
import { walk } from "./walk.js";
import { Zoom } from "./zoom.js";

const AROUND = 12; // pixels around what is brought into sight

export class Stage {
  /**
   * *name* is that of the view in KEYS, *commands* has a function for each of its keys there.
   *
   *   hands    gets each new board, to listen to mouse and fingers
   *   looked   hears of the cell under the mouse or the focus, null where there is none
   *   may      whether a command makes sense now; those that do not are left to the browser
   *   kind     a class of the board's element
   *   dock     an element that lies over the stage while it has something to tell
   *   held     whether fingers must be able to hit its cells
   */
  constructor(name, commands, { hands = () => {}, looked = null, may = () => this.view !== null, kind = "", dock = null, held = true } = {}) {
    this.name = name;
    this.commands = {
      walk: (cell, event) => this.view.focus(walk(this.view, event)),
      sayAround: (cell) => say(aroundWords(this.view, cell)),
      toPointed: () => this.toPointed(),
      zoomIn: () => this.zoom.in(),
      zoomOut: () => this.zoom.out(),
      fit: () => this.zoom.fit(),
      ...commands,
    };
    for (const { command } of [...keysOf(name), ...keysEverywhere()])
      if (!(command in this.commands)) throw new Error(`expected a command ${command} in ${name}, got none`);
    Object.assign(this, { hands, looked, may, kind, dock, view: null, overlay: null, cover: { right: 0, bottom: 0 }, spared: [] });
    this.grid = make("div", { class: "grid" });
    this.window = make("div", { class: "window" }, this.grid);
    this.overview = new Overview(this.window);
    this.rulers = new Rulers(this.window);
    this.told = make("div", { class: "stage-told", hidden: true });
    this.root = make("div", { class: "stage" }, this.rulers.root, this.window, this.overview.root, this.told, dock);
    this.zoom = new Zoom(this.window, { dock: dock ? () => roomOf(this.root) : undefined, overview: this.overview, held });
    this.zoom.moved = () => this.#moved();
    this.window.addEventListener("scroll", () => this.#moved(), { passive: true });
    if (dock) new ResizeObserver(() => this.#covered(dock)).observe(dock);
    this.gone = new AbortController();
    document.addEventListener("keydown", (event) => this.#key(event), { signal: this.gone.signal });
  }

  /** Show a board in place of the one before; *at* is the cell to begin with, the focus stays on it. */
  show(shapes, { title, marks = null, at = null }) {
    const keepsFocus = this.#hasFocus;
    const same = this.view?.data === shapes;
    if (same) this.#again(title);
    else this.#build(shapes, title);
    if (marks) this.view.paintAll(marks);
    if (at !== null || (keepsFocus && !same)) this.view.focus(at ?? this.view.current, { take: keepsFocus });
  }

  /** The same cells, for another game: nothing of the stage moves. */
  #again(title) {
    this.overlay.clear();
    this.view.reset(title);
  }

  #build(shapes, title) {
    const grid = make("div", { class: `grid ${this.kind}`.trim() });
    this.grid.replaceWith(grid);
    this.grid = grid;
    this.view = new BoardView(grid, shapes, title);
    this.overlay = new Overlay(this.view, this.window);
    this.hands(this.view);
    if (this.looked) look(this.view, this.looked);
    this.overview.show(this.view);
    this.rulers.show(this.view);
    this.root.classList.toggle("unruled", this.view.data.names !== null);
    this.zoom.show(this.view);
    this.window.scrollTo(0, 0);
  }

  /** Say something where the board is, or would be; null takes it away. */
  tell(parts) {
    this.told.hidden = !parts;
    this.told.replaceChildren(...(parts ?? []));
  }

  /** The dock lies beside these cells, not over them, wherever there is room for that. */
  spare(cells) {
    this.spared = cells;
    this.#covered(this.dock);
  }

  /**
   * Scroll as little as brings these cells into sight, clear of what lies over the stage; of more
   * cells than there is room for, the first. The focus stays where it is. *gently* shows the way.
   */
  bringIntoSight(cells, { gently = true } = {}) {
    if (!cells.length) return;
    if (this.dock) this.#covered(this.dock); // a panel that has just opened counts, too
    const boxes = cells.map((cell) => this.view.cells[cell].getBoundingClientRect());
    const window = this.window.getBoundingClientRect();
    const clear = {
      left: window.left + AROUND,
      top: window.top + AROUND,
      right: window.right - this.cover.right - AROUND,
      bottom: window.bottom - Math.max(this.cover.bottom, this.overview.room) - AROUND,
    };
    this.window.scrollBy({
      left: step(boxes.map(({ left, right }) => [left, right]), clear.left, clear.right),
      top: step(boxes.map(({ top, bottom }) => [top, bottom]), clear.top, clear.bottom),
      behavior: gently && !isCalm() ? "smooth" : "instant",
    });
  }

  /** Move the focus to the first cell that the drawn answer points at; from one of them, to the next. */
  toPointed() {
    const { pointed } = this.overlay;
    if (!pointed.length) return say("Nothing is pointed at.");
    this.view.focus(pointed[(pointed.indexOf(this.view.current) + 1) % pointed.length]);
  }

  /** Whether the focus is on the board, or where it fell when the view before was left. */
  get #hasFocus() {
    return this.grid.contains(document.activeElement) || document.activeElement?.id === "view";
  }

  /** Buttons for the size. */
  zoomTools() {
    const tool = (icon, label, command) =>
      tipped(button({ icon, label, class: `ghost ${icon}`, onclick: () => this.commands[command]() }), this.name, command, label);
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

  #moved() {
    this.overlay?.moved();
    if (!this.view) return;
    this.root.classList.toggle("cramped", this.zoom.isCramped);
    this.rulers.moved();
    this.overview.moved(this.zoom.scrolls);
    this.window.style.setProperty("--overview", `${this.overview.room}px`);
  }

  /** The dock has opened or closed: the board stays, and can be scrolled clear of it. */
  #covered(dock) {
    dock.classList.remove("across");
    const own = this.root.getBoundingClientRect();
    const box = dock.getBoundingClientRect();
    const across = this.spared.some((cell) => overlap(box, this.view.cells[cell].getBoundingClientRect()));
    dock.classList.toggle("across", across);
    const open = box.height > 0 && !across;
    const below = box.width > own.width * 0.7;
    this.cover = { right: open && !below ? own.right - box.left : 0, bottom: open && below ? Math.max(0, own.bottom - box.top) : 0 };
    this.window.style.setProperty("--cover-right", `${this.cover.right}px`);
    this.window.style.setProperty("--cover-bottom", `${this.cover.bottom}px`);
  }

  #key(event) {
    if (isTyping(event.target)) return;
    const row = this.#rowOf(event);
    if (row === null) return;
    event.preventDefault();
    // Who uses keys needs the ring, also after a click that hid it.
    if (row.cell) this.view.focus(this.view.current);
    this.commands[row.command](row.cell ? this.view.current : null, event);
  }

  /** What a key asks for and makes sense now; a cell that was only clicked may be passed over. */
  #rowOf(event) {
    const onCell = this.view !== null && this.view.cellAt(event.target) !== null;
    const asked = [rowOf(this.name, event, onCell)];
    if (onCell && !this.view.isRinged) asked.push(rowOf(this.name, event, false));
    const takesKeys = event.target instanceof Element && event.target.closest("button, a, summary") !== null;
    return asked.find((row) => row !== null && this.may(row.command) && !(row.away && takesKeys)) ?? null;
  }
}

/** Wait until a view with a stage is opened, and answer how to leave it; one that fails is left at once. */
export async function entered(view, opening) {
  try {
    await opening;
  } catch (error) {
    view.leave();
    throw error;
  }
  return () => view.leave();
}

/**
 * The room that style keeps free for the dock, in pixels: beside the board; below it, where that
 * costs nothing; and for a strip below it, where the one beside would be too dear.
 */
function roomOf(root) {
  const style = getComputedStyle(root);
  const room = (name) => Number.parseFloat(style.getPropertyValue(name)) || 0;
  return { right: room("--dock-right"), bottom: room("--dock-bottom"), strip: room("--dock-strip") };
}

const overlap = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** How far to scroll so that the spans lie between two edges; where they cannot, the first does. */
function step(spans, start, end) {
  let [low, high] = [Math.min(...spans.map(([a]) => a)), Math.max(...spans.map(([, b]) => b))];
  if (high - low > end - start) [low, high] = spans[0];
  if (low < start) return low - start;
  return high > end ? Math.min(high - end, low - start) : 0;
}
