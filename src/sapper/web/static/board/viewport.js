// The viewport of a board: zoom, an overview of a board that scrolls, and rulers.
//
// Zoom is the size of a cell, and the position of the board in its viewport. The size is stored for each board as a
// factor of the size that fits, so that it suits other screens.
// By default the board fits, or is larger if its cells would be too small to tap.
//
// The board never moves by itself. In a view with a dock (a panel beside or over the board), the board
// is placed so that the dock fits beside it, if there is space, whether it is open or not.

import { make } from "../lib/dom.js";
import { saveSetting, setting } from "../lib/settings.js";
import { COVERED, FLAG } from "./view.js";

const MIN_PIXELS = 14;
const MAX_PIXELS = 120;
const ZOOM_STEP = 1.2;
// The diameter in pixels of the circle in a cell: a board whose cells fit at the *minimum* is shown whole;
// any other board scrolls, with cells of a *comfortable* size.
const SIZES = { mouse: { minimum: 20, comfortable: 20 }, touch: { minimum: 25, comfortable: 31 } };
const MAX_FIT = 82;
const NO_OVERVIEW = "(max-height: 32rem) and (orientation: landscape)"; // a phone has no space for it
const NO_DOCK = { right: 0, bottom: 0 };

export class Zoom {
  /**
   * *viewport* is the element that scrolls; *dock* returns the space to reserve beside the board;
   * *overview* is shown beside or below a board that scrolls; cells are large enough for fingers if
   * *touchSized* is true.
   */
  constructor(viewport, { dock = () => NO_DOCK, overview, touchSized }) {
    Object.assign(this, { viewport, dock, overview, touchSized });
    this.view = null;
    this.pixels = 0;
    this.reserved = { right: 0, bottom: 0 }; // pixels of the stage that the overview needs
    this.onBoardMoved = () => {};
    new ResizeObserver(() => this.refresh()).observe(viewport);
    viewport.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    this.#listenForPinch();
  }

  show(view) {
    this.view = view;
    this.refresh();
  }

  refresh() {
    if (this.view && this.viewport.offsetWidth) this.#apply(this.#chosenSize());
  }

  in() {
    this.#setPixels(this.pixels * ZOOM_STEP);
  }

  out() {
    this.#setPixels(this.pixels / ZOOM_STEP);
  }

  /** Show the whole board; if it is shown already, return to the default size. */
  fit() {
    if (!this.view) return;
    const isWhole = Math.abs(this.pixels - this.#fittingSize()) < 0.1;
    this.#store(isWhole ? null : 1);
    this.refresh();
  }

  /** The space in pixels that the board and the overview share. */
  get #stage() {
    return {
      width: this.viewport.offsetWidth + this.reserved.right,
      height: this.viewport.offsetHeight + this.reserved.bottom,
    };
  }

  get #boardKey() {
    const { data, columns, rows } = this.view;
    return `${data.tiling ?? "graph"} ${columns}x${rows}`;
  }

  #chosenSize() {
    const factor = setting("zooms")[this.#boardKey];
    if (factor) return Math.min(MAX_PIXELS, factor * this.#fittingSize());
    const { minimum, comfortable } = this.#sizes;
    const fitting = this.#fittingSize();
    return fitting * this.#circleDiameter >= minimum ? fitting : comfortable / this.#circleDiameter;
  }

  get #sizes() {
    return this.touchSized && matchMedia("(pointer: coarse)").matches ? SIZES.touch : SIZES.mouse;
  }

  get #circleDiameter() {
    return 2 * this.view.data.shapes[0].inner;
  }

  /** The size at which the whole board fits, above the dock if its cells are not small then. */
  #fittingSize() {
    const { width, height } = this.#stage;
    const largest = Math.min(MAX_FIT / this.#circleDiameter, width / this.view.width, height / this.view.height);
    const aboveDock = Math.min(largest, (height - this.dock().bottom) / this.view.height);
    const fitting = aboveDock * this.#circleDiameter >= this.#sizes.comfortable ? aboveDock : largest;
    return Math.floor(fitting * 10) / 10;
  }

  #store(factor) {
    const { [this.#boardKey]: _, ...others } = setting("zooms");
    saveSetting("zooms", factor === null ? others : { ...others, [this.#boardKey]: factor });
  }

  #setPixels(pixels, x = this.viewport.offsetWidth / 2, y = this.viewport.offsetHeight / 2) {
    if (!this.view) return;
    const fitted = this.#fittingSize();
    const target = Math.min(MAX_PIXELS, Math.max(Math.min(MIN_PIXELS, fitted), pixels));
    const factor = target / this.pixels;
    const [left, top] = this.boardOffset;
    const { scrollLeft, scrollTop } = this.viewport;
    this.#store(target / fitted);
    this.#apply(target);
    // Keep the point under the pointer in place.
    this.viewport.scrollTo(
      (scrollLeft + x - left) * factor + this.boardOffset[0] - x,
      (scrollTop + y - top) * factor + this.boardOffset[1] - y,
    );
  }

  #apply(pixels) {
    this.pixels = pixels;
    this.view.resize(pixels);
    const board = { width: this.view.width * pixels, height: this.view.height * pixels };
    this.#makeSpaceForOverview(board);
    const { right, bottom } = this.dock();
    const { width, height } = this.#stage;
    const [across, down] = [width - this.reserved.right - board.width, height - this.reserved.bottom - board.height];
    const { offsetLeft, offsetTop } = this.viewport;
    this.boardOffset = [margin(across, across < right ? 0 : right, offsetLeft), margin(down, bottom, offsetTop)];
    const [left, top] = this.boardOffset;
    this.view.host.style.margin = `${top}px 0 0 ${left}px`;
    this.onBoardMoved();
  }

  /** Show the overview if a part of the board is not visible. */
  #makeSpaceForOverview(board) {
    const stage = this.#stage;
    const scrolls = board.width > stage.width + 1 || board.height > stage.height + 1;
    const isShown = scrolls && !matchMedia(NO_OVERVIEW).matches;
    this.overview.hidden = !isShown;
    this.reserved = isShown ? this.overview.arrange(stage, board.height) : { right: 0, bottom: 0 };
    this.viewport.style.margin = `0 ${this.reserved.right}px ${this.reserved.bottom}px 0`;
  }

  #wheel(event) {
    if (!event.ctrlKey || !this.view) return;
    event.preventDefault();
    const box = this.viewport.getBoundingClientRect();
    const factor = Math.exp(-event.deltaY / 300);
    this.#setPixels(this.pixels * factor, event.clientX - box.left, event.clientY - box.top);
  }

  #listenForPinch() {
    let start = null;
    const distance = (touches) =>
      Math.hypot(touches[0].clientX - touches[1].clientX, touches[0].clientY - touches[1].clientY);
    this.viewport.addEventListener("touchstart", (event) => {
      start = event.touches.length === 2 ? { distance: distance(event.touches), pixels: this.pixels } : null;
    });
    this.viewport.addEventListener(
      "touchmove",
      (event) => {
        if (!start || event.touches.length !== 2) return;
        event.preventDefault();
        const box = this.viewport.getBoundingClientRect();
        const [a, b] = event.touches;
        this.#setPixels(
          (start.pixels * distance(event.touches)) / start.distance,
          (a.clientX + b.clientX) / 2 - box.left,
          (a.clientY + b.clientY) / 2 - box.top,
        );
      },
      { passive: false },
    );
  }
}

/**
 * The margin before a board that centres it on the stage, or a smaller one that leaves space for the dock
 * after the board. *offset* is where the viewport starts on the stage.
 */
function margin(spare, dock, offset) {
  return Math.floor(Math.max(0, Math.min((spare - offset) / 2, spare - dock)));
}

// The overview: a small map of a board that is larger than its viewport; a click scrolls there. It is
// beside or below the viewport, which leaves space for it.
//
// It is hidden from assistive technology: moving with the keys scrolls the board.

const MAX_SIDE = 132; // pixels
const MAX_SHARE = 0.08; // of the width or height of the stage
const MARGIN = 4;
const REDRAW_DELAY = 80; // milliseconds

export class Overview {
  /** *viewport* is the element that scrolls. */
  constructor(viewport) {
    this.viewport = viewport;
    this.view = null;
    this.canvas = make("canvas");
    this.position = make("span.overview-position");
    this.root = make("div.overview", { "aria-hidden": "true", hidden: true }, this.canvas, this.position);
    this.root.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      this.root.setPointerCapture(event.pointerId);
      this.#jump(event);
    });
    this.root.addEventListener("pointermove", (event) => event.buttons && this.#jump(event));
  }

  show(view) {
    this.view = view;
    view.onPaint = () => this.#redrawSoon();
  }

  /**
   * Set the size for a stage and the height of its board, and return the pixels to leave free at the
   * right or at the bottom: below the board if there is space, or on portrait screens.
   */
  arrange(stage, boardHeight) {
    const { width, height } = this.view;
    const below = Math.min(MAX_SIDE / width, (MAX_SHARE * stage.height) / height);
    const isBelow = stage.height > stage.width || boardHeight + below * height + 2 * MARGIN <= stage.height;
    this.#resize(isBelow ? below : Math.min((MAX_SHARE * stage.width) / width, MAX_SIDE / height));
    const { offsetWidth, offsetHeight } = this.root;
    return isBelow ? { right: 0, bottom: offsetHeight + 2 * MARGIN } : { right: offsetWidth + 2 * MARGIN, bottom: 0 };
  }

  #resize(scale) {
    if (scale === this.scale) return;
    this.scale = scale;
    const [width, height] = [this.view.width, this.view.height].map((side) => Math.max(1, Math.round(side * scale)));
    const pixelRatio = devicePixelRatio || 1;
    Object.assign(this.canvas, { width: width * pixelRatio, height: height * pixelRatio });
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${height}px` });
    this.#redrawSoon();
  }

  set hidden(hidden) {
    if (hidden === this.root.hidden) return;
    this.root.hidden = hidden;
    this.#redrawSoon();
  }

  /** The visible part or the size of the board has changed. */
  onBoardMoved() {
    if (this.root.hidden) return;
    const board = this.view.svg.getBoundingClientRect();
    const viewport = this.viewport.getBoundingClientRect();
    const scale = (this.view.width * this.scale) / board.width;
    const left = Math.max(0, viewport.left - board.left);
    const top = Math.max(0, viewport.top - board.top);
    const right = Math.min(board.width, viewport.right - board.left);
    const bottom = Math.min(board.height, viewport.bottom - board.top);
    Object.assign(this.position.style, {
      left: `${left * scale}px`,
      top: `${top * scale}px`,
      width: `${(right - left) * scale}px`,
      height: `${(bottom - top) * scale}px`,
    });
  }

  #jump(event) {
    const box = this.canvas.getBoundingClientRect();
    const board = this.view.svg.getBoundingClientRect();
    const viewport = this.viewport.getBoundingClientRect();
    const scale = board.width / box.width;
    this.viewport.scrollBy({
      left: board.left + (event.clientX - box.left) * scale - (viewport.left + viewport.width / 2),
      top: board.top + (event.clientY - box.top) * scale - (viewport.top + viewport.height / 2),
      behavior: "instant",
    });
  }

  /** Draw after the board itself: 10,000 cells take a while. */
  #redrawSoon() {
    if (this.root.hidden) return;
    this.drawing ??= setTimeout(() => {
      this.drawing = null;
      this.#draw();
    }, REDRAW_DELAY);
  }

  #draw() {
    const { view, canvas } = this;
    const colour = (role) => {
      canvas.style.color = `var(${role})`;
      return getComputedStyle(canvas).color;
    };
    const colours = {
      covered: colour("--covered"),
      revealed: colour("--revealed"),
      flag: colour("--flag"),
      lost: colour("--lost"),
    };
    const context = canvas.getContext("2d");
    const unit = canvas.width / view.width;
    const side = Math.max(1, unit * 2 * view.data.shapes[0].inner);
    context.fillStyle = colour("--background");
    context.fillRect(0, 0, canvas.width, canvas.height);
    view.marks.forEach((mark, cell) => {
      const [, x, y] = view.data.cells[cell];
      context.fillStyle = view.exploded.has(cell)
        ? colours.lost
        : mark === FLAG
          ? colours.flag
          : mark === COVERED
            ? colours.covered
            : colours.revealed;
      context.fillRect((x - view.box[0]) * unit - side / 2, (y - view.box[1]) * unit - side / 2, side, side);
    });
  }
}

// Rulers: row and column numbers beside a board, matching the names of cells (r3c4).
//
// They are hidden from assistive technology, which reads the name of every cell. They are at the edge of
// the board or, if that is scrolled out of view, at the edge of the viewport, in a margin that the style
// sheet reserves.

const SPACING = { down: 15, across: 22 }; // pixels that a number needs
const LABEL_STEPS = [1, 2, 5, 10, 20, 50, 100];
const MAX_LABELS = 400; // numbers on a ruler

export class Rulers {
  /** *viewport* is the element that scrolls. */
  constructor(viewport) {
    this.viewport = viewport;
    this.view = null;
    this.root = make("div.rulers", { "aria-hidden": "true" });
    this.strips = {};
    for (const axis of ["across", "down"]) {
      const numbers = make("div.ruler-numbers");
      const current = make("span.current", { hidden: true });
      const moving = make("div.ruler-moving", numbers, current);
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
  const element = make("span", k + 1);
  element.style[axis === "across" ? "left" : "top"] = `${offset.toFixed(1)}px`;
  return element;
}

const midpoint = (values) => (Math.min(...values) + Math.max(...values)) / 2;
