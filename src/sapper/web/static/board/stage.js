// The stage of a view: the board, the drawings over it, zoom, overview, rulers, pointer and keys.
//
// A view passes its commands; it draws with `stage.overlay` and marks cells with `stage.view`. Both
// are replaced whenever another board is shown.

import { announce } from "../lib/announce.js";
import { button, make } from "../lib/dom.js";
import { isTyping, keysEverywhere, keysOf, rowOf, withTooltip } from "../lib/keys.js";
import { prefersReducedMotion } from "../lib/settings.js";
import { Overlay } from "./overlay.js";
import { FlagMode, watchPointer } from "./pointer.js";
import { BoardView, describeNeighbours } from "./view.js";
import { Overview, Rulers, Zoom } from "./viewport.js";

const MARGIN = 12; // pixels around cells that must be visible
const PAGE_ROWS = 5; // that Page Up and Page Down move
// Values of data-place, which the style sheets position: the first is the upper right corner, or the
// bottom on a phone.
const DOCK_PLACES = ["usual", "left", "low", "low left"];

export class Stage {
  /**
   * *name* is the view's name in KEYS; *commands* has a function for each of its keys, and *signal* is aborted when
   * the view is left.
   *
   *   listen         is called with each new board, to add event listeners
   *   onPointedCell  is called with the cell under the mouse or the focus, or null
   *   isEnabled      whether a command is possible now; other keys are left to the browser
   *   className      a class of the board's element
   *   dock           an element that may be shown over the stage
   *   evaluation     an evaluation bar, for which space is reserved
   *   touchSized     whether cells must be large enough for fingers
   */
  constructor(
    name,
    commands,
    signal,
    {
      listen = () => {},
      onPointedCell = null,
      isEnabled = () => this.view !== null,
      className = "",
      dock = null,
      evaluation = null,
      touchSized = true,
    } = {},
  ) {
    this.name = name;
    this.commands = {
      moveFocus: (_cell, event) => this.view.focus(destination(this.view, event)),
      sayNeighbours: (cell) => announce(describeNeighbours(this.view, cell)),
      focusHighlighted: () => this.focusHighlighted(),
      zoomIn: () => this.zoom.in(),
      zoomOut: () => this.zoom.out(),
      fit: () => this.zoom.fit(),
      flagMode: () => this.flagMode.toggle(),
      ...commands,
    };
    for (const { command } of [...keysOf(name), ...keysEverywhere()])
      if (!(command in this.commands)) throw new Error(`the view ${name} has no command ${command}`);
    Object.assign(this, { signal, listen, onPointedCell, isEnabled, className, dock });
    this.view = null;
    this.overlay = null;
    this.dockCover = { right: 0, bottom: 0 };
    this.keptVisible = [];
    this.flagMode = new FlagMode(name);
    this.grid = make("div.grid");
    this.viewport = make("div.viewport", this.grid);
    this.overview = new Overview(this.viewport);
    this.rulers = new Rulers(this.viewport);
    this.message = make("div.stage-message", { hidden: true });
    this.root = make(
      evaluation ? "div.stage.evaluated" : "div.stage",
      this.rulers.root,
      evaluation?.root,
      this.viewport,
      this.overview.root,
      this.message,
      dock,
    );
    this.zoom = new Zoom(this.viewport, {
      dock: dock ? () => dockSpace(this.root) : undefined,
      overview: this.overview,
      touchSized,
    });
    this.zoom.onBoardMoved = () => this.#onBoardMoved();
    this.viewport.addEventListener("scroll", () => this.#onBoardMoved(), { passive: true });
    if (dock) new ResizeObserver(() => this.#placeDock()).observe(dock);
    if (dock) new ResizeObserver(() => this.#onStageResized()).observe(this.viewport);
    document.addEventListener("keydown", (event) => this.#key(event), { signal });
  }

  /**
   * Show a board instead of the previous one, unless it is the same: then nothing moves. *at* is the cell that gets
   * the roving focus.
   */
  show(shapes, { title, marks = null, at = null }) {
    const keepsFocus = this.#hasFocus;
    const isSame = this.view?.data === shapes;
    if (isSame) {
      this.overlay.clear();
      this.view.reset(title);
    } else this.#build(shapes, title);
    if (marks) this.view.paintAll(marks);
    if (at !== null || (keepsFocus && !isSame)) this.view.focus(at ?? this.view.current, { take: keepsFocus });
  }

  #build(shapes, title) {
    const grid = make(this.className ? `div.grid.${this.className}` : "div.grid");
    this.grid.replaceWith(grid);
    this.grid = grid;
    this.view = new BoardView(grid, shapes, title);
    this.overlay = new Overlay(this.view, this.viewport);
    this.listen(this.view);
    if (this.onPointedCell) watchPointer(this.view, this.onPointedCell);
    this.overview.show(this.view);
    this.rulers.show(this.view);
    this.root.classList.toggle("no-rulers", this.view.data.names !== null);
    this.zoom.show(this.view);
    this.viewport.scrollTo(0, 0);
  }

  /** Show a message over the board, or instead of one; null removes it. */
  showMessage(parts) {
    this.message.hidden = !parts;
    this.message.replaceChildren(...(parts ?? []));
  }

  /** Place the dock where it covers the fewest of these cells; an open dock stays unless another place is better. */
  keepVisible(cells) {
    this.keptVisible = cells;
    this.#placeDock();
  }

  /**
   * Scroll as little as possible so that these cells are visible and not covered by the dock; if there
   * is not enough space for all, only the first. The focus does not move.
   */
  scrollToCells(cells, { smooth = true } = {}) {
    if (!cells.length) return;
    if (this.dock) this.#placeDock(); // it may have just opened
    const boxes = cells.map((cell) => this.view.cells[cell].getBoundingClientRect());
    const viewport = this.viewport.getBoundingClientRect();
    const area = {
      left: viewport.left + MARGIN,
      top: viewport.top + MARGIN,
      right: viewport.right - this.dockCover.right - MARGIN,
      bottom: viewport.bottom - this.dockCover.bottom - MARGIN,
    };
    this.viewport.scrollBy({
      left: scrollDistance(
        boxes.map(({ left, right }) => [left, right]),
        area.left,
        area.right,
      ),
      top: scrollDistance(
        boxes.map(({ top, bottom }) => [top, bottom]),
        area.top,
        area.bottom,
      ),
      behavior: smooth && !prefersReducedMotion() ? "smooth" : "instant",
    });
  }

  /** Move the focus to the first highlighted cell; from a highlighted cell, to the next. */
  focusHighlighted() {
    const { highlighted } = this.overlay;
    if (!highlighted.length) return announce("No cell is highlighted.");
    this.view.focus(highlighted[(highlighted.indexOf(this.view.current) + 1) % highlighted.length]);
  }

  /** Whether the focus is on the board, or fell back to the page when the previous view was left. */
  get #hasFocus() {
    return this.grid.contains(document.activeElement) || document.activeElement?.id === "view";
  }

  /** Send a request that the board waits for; it is marked as busy if the response takes long. */
  async waitFor(requests, request) {
    try {
      return await requests.run(request, () => (this.root.ariaBusy = "true"));
    } finally {
      this.root.ariaBusy = null;
    }
  }

  /** A button for a command, with its key in the tooltip. */
  button(command, { text, label, ...properties }) {
    const element = button({ text, label, onclick: () => this.commands[command](), ...properties });
    return withTooltip(element, this.name, command, label ?? text);
  }

  zoomButtons() {
    return make(
      "div.tools.zooms",
      { role: "group", "aria-label": "Zoom" },
      this.button("zoomOut", { icon: "minus", label: "Zoom out", class: "ghost" }),
      this.button("fit", { icon: "fit", label: "Fit", class: "ghost" }),
      this.button("zoomIn", { icon: "plus", label: "Zoom in", class: "ghost" }),
    );
  }

  #onBoardMoved() {
    this.overlay?.onBoardMoved();
    if (!this.view) return;
    this.rulers.onBoardMoved();
    this.overview.onBoardMoved();
  }

  /** Keep the cells of an open dock visible, for example after a phone was rotated. */
  #onStageResized() {
    if (!this.#hasOpenDock) return;
    this.dock.dataset.place = DOCK_PLACES[0]; // the other places depend on what was visible before
    this.scrollToCells(this.keptVisible, { smooth: false });
    this.#placeDock();
  }

  get #hasOpenDock() {
    return this.dock.getBoundingClientRect().height > 0;
  }

  /** Place the dock after it has opened, closed or changed; the board can be scrolled out from under it. */
  #placeDock() {
    const { dock } = this;
    const boxAt = (place) => {
      dock.dataset.place = place;
      return dock.getBoundingClientRect();
    };
    const isOpen = this.#hasOpenDock;
    const cells = isOpen ? this.keptVisible.map((cell) => this.view.cells[cell].getBoundingClientRect()) : [];
    const places = isOpen ? [dock.dataset.place ?? DOCK_PLACES[0], ...DOCK_PLACES] : DOCK_PLACES;
    const counts = places.map((place) => {
      const box = boxAt(place);
      return cells.filter((cell) => overlap(box, cell, MARGIN)).length;
    });
    const place = places[counts.indexOf(Math.min(...counts))];
    const box = boxAt(place);
    const stage = this.root.getBoundingClientRect();
    const covers =
      isOpen && place === DOCK_PLACES[0] && this.view !== null && overlap(box, this.view.svg.getBoundingClientRect());
    const below = box.width > stage.width * 0.7;
    this.dockCover = {
      right: covers && !below ? stage.right - box.left : 0,
      bottom: covers && below ? Math.max(0, stage.bottom - box.top) : 0,
    };
    this.viewport.style.setProperty("--cover-right", `${this.dockCover.right}px`);
    this.viewport.style.setProperty("--cover-bottom", `${this.dockCover.bottom}px`);
  }

  #key(event) {
    if (isTyping(event.target)) return;
    const row = this.#rowOf(event);
    if (row === null) return;
    event.preventDefault();
    // Keyboard users need the focus ring, even after a click that hid it.
    if (row.cell) this.view.focus(this.view.current);
    this.commands[row.command](row.cell ? this.view.current : null, event);
  }

  /** The enabled row for a key; after a click on a cell, the keys outside the board work too. */
  #rowOf(event) {
    const onCell = this.view !== null && this.view.cellAt(event.target) !== null;
    const rows = [rowOf(this.name, event, onCell)];
    if (onCell && !this.view.isRinged) rows.push(rowOf(this.name, event, false));
    const isControl = event.target instanceof Element && event.target.closest("button, a, summary") !== null;
    return rows.find((row) => row !== null && this.isEnabled(row.command) && !(row.offBoard && isControl)) ?? null;
  }
}

/** The space in pixels that the style sheet reserves for the dock beside and below the board. */
function dockSpace(root) {
  const style = getComputedStyle(root);
  const space = (name) => Number.parseFloat(style.getPropertyValue(name)) || 0;
  return { right: space("--dock-right"), bottom: space("--dock-bottom") };
}

/** Whether two boxes overlap, or are nearer than a margin. */
const overlap = (a, b, margin = 0) =>
  a.left < b.right + margin && b.left < a.right + margin && a.top < b.bottom + margin && b.top < a.bottom + margin;

/** How far to scroll so that all spans are between two edges; only the first one if not all fit. */
function scrollDistance(spans, start, end) {
  let [low, high] = [Math.min(...spans.map(([a]) => a)), Math.max(...spans.map(([, b]) => b))];
  if (high - low > end - start) [low, high] = spans[0];
  if (low < start) return low - start;
  return high > end ? Math.min(high - end, low - start) : 0;
}

/** The cell that an arrow, Home, End or Page key moves to; on a torus the arrows wrap around. */
export function destination({ current, columns, count, data: { wraps } }, { key, ctrlKey, metaKey }) {
  const column = current % columns;
  const start = current - column;
  const end = Math.min(start + columns, count) - 1;
  const inWholeBoard = ctrlKey || metaKey;
  const rowsDown = (rows) => {
    const last = column + columns * Math.floor((count - 1 - column) / columns);
    if (wraps) return (((current + rows * columns) % count) + count) % count;
    return Math.max(column, Math.min(last, current + rows * columns));
  };
  return {
    ArrowLeft: () => (wraps && column === 0 ? end : Math.max(start, current - 1)),
    ArrowRight: () => (wraps && current === end ? start : Math.min(end, current + 1)),
    ArrowUp: () => rowsDown(-1),
    ArrowDown: () => rowsDown(1),
    Home: () => (inWholeBoard ? 0 : start),
    End: () => (inWholeBoard ? count - 1 : end),
    PageUp: () => rowsDown(-PAGE_ROWS),
    PageDown: () => rowsDown(PAGE_ROWS),
  }[key]();
}
