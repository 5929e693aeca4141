// Zoom: the size of a cell, and the position of the board in its viewport.
//
// The size is stored for each board as a factor of the size that fits, so that it suits other screens.
// By default the board fits, or is larger if its cells would be too small to tap.
//
// The board never moves by itself. In a view with a dock (a panel beside or over the board), the board
// is placed so that the dock fits beside it, if there is space, whether it is open or not.

import { saveSetting, setting } from "../lib/settings.js";

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
