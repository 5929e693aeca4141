// Zoom: the size of a cell, and the position of the board in its window.
//
// The size is stored for each board as a factor of the size that fits, so that it suits other screens.
// By default the board fits, or is larger if its cells would be too small to tap.
//
// The board never moves by itself. In a view with a dock (a panel beside or over the board), the board
// is placed so that the dock fits beside it, if there is space, whether it is open or not.

import { saveSetting, setting } from "../lib/settings.js";

const MIN_PIXELS = 14;
const MAX_PIXELS = 120;
const STEP = 1.2;
// The diameter in pixels of the circle in a cell: a board that fits at *least* is shown whole, any
// other scrolls, with cells of a *comfortable* size.
const SIZES = { mouse: { least: 20, comfortable: 20 }, touch: { least: 25, comfortable: 31 } };
const MAX_FIT = 82;
const NO_OVERVIEW = "(max-height: 32rem) and (orientation: landscape)"; // a phone has no space for it
const NO_DOCK = { right: 0, bottom: 0 };

export class Zoom {
  /**
   * *window* is the element that scrolls; *dock* returns the space to reserve beside the board;
   * *overview* is shown beside or below a board that scrolls; *touchSized* boards have cells for fingers.
   */
  constructor(window, { dock = () => NO_DOCK, overview, touchSized }) {
    Object.assign(this, { window, dock, overview, touchSized });
    this.view = null;
    this.pixels = 0;
    this.reserved = { right: 0, bottom: 0 }; // pixels of the stage that the overview needs
    this.moved = () => {};
    new ResizeObserver(() => this.refresh()).observe(window);
    window.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    this.#pinch();
  }

  show(view) {
    this.view = view;
    this.refresh();
  }

  refresh() {
    if (this.view && this.window.offsetWidth) this.#apply(this.#chosenSize());
  }

  in() {
    this.#setPixels(this.pixels * STEP);
  }

  out() {
    this.#setPixels(this.pixels / STEP);
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
    return { width: this.window.offsetWidth + this.reserved.right, height: this.window.offsetHeight + this.reserved.bottom };
  }

  get #name() {
    const { data, columns, rows } = this.view;
    return `${data.tiling ?? "graph"} ${columns}x${rows}`;
  }

  #chosenSize() {
    const share = setting("zooms")[this.#name];
    if (share) return Math.min(MAX_PIXELS, share * this.#fittingSize());
    const { least, comfortable } = this.touchSized && matchMedia("(pointer: coarse)").matches ? SIZES.touch : SIZES.mouse;
    const fitting = this.#fittingSize();
    return fitting * this.#circle >= least ? fitting : comfortable / this.#circle;
  }

  get #circle() {
    return 2 * this.view.data.shapes[0].inner;
  }

  /** The size at which the whole board fits. */
  #fittingSize() {
    const { width, height } = this.#stage;
    return Math.floor(Math.min(MAX_FIT / this.#circle, width / this.view.width, height / this.view.height) * 10) / 10;
  }

  #store(share) {
    const { [this.#name]: _, ...others } = setting("zooms");
    saveSetting("zooms", share === null ? others : { ...others, [this.#name]: share });
  }

  #setPixels(pixels, x = this.window.offsetWidth / 2, y = this.window.offsetHeight / 2) {
    if (!this.view) return;
    const fitted = this.#fittingSize();
    const target = Math.min(MAX_PIXELS, Math.max(Math.min(MIN_PIXELS, fitted), pixels));
    const factor = target / this.pixels;
    const [left, top] = this.place;
    const { scrollLeft, scrollTop } = this.window;
    this.#store(target / fitted);
    this.#apply(target);
    // Keep the point under the pointer in place.
    this.window.scrollTo((scrollLeft + x - left) * factor + this.place[0] - x, (scrollTop + y - top) * factor + this.place[1] - y);
  }

  #apply(pixels) {
    this.pixels = pixels;
    this.view.resize(pixels);
    const board = { width: this.view.width * pixels, height: this.view.height * pixels };
    this.#makeSpaceForOverview(board);
    const { right, bottom } = this.dock();
    const { width, height } = this.#stage;
    const [across, down] = [width - this.reserved.right - board.width, height - this.reserved.bottom - board.height];
    const { offsetLeft, offsetTop } = this.window;
    this.place = [margin(across, across < right ? 0 : right, offsetLeft), margin(down, bottom, offsetTop)];
    const [left, top] = this.place;
    this.view.host.style.margin = `${top}px 0 0 ${left}px`;
    this.moved();
  }

  /** Show the overview if a part of the board is not visible. */
  #makeSpaceForOverview(board) {
    const stage = this.#stage;
    const scrolls = board.width > stage.width + 1 || board.height > stage.height + 1;
    const isShown = scrolls && !matchMedia(NO_OVERVIEW).matches;
    this.overview.hidden = !isShown;
    this.reserved = isShown ? this.overview.arrange(stage, board.height) : { right: 0, bottom: 0 };
    this.window.style.margin = `0 ${this.reserved.right}px ${this.reserved.bottom}px 0`;
  }

  #wheel(event) {
    if (!event.ctrlKey || !this.view) return;
    event.preventDefault();
    const box = this.window.getBoundingClientRect();
    const factor = Math.exp(-event.deltaY / 300);
    this.#setPixels(this.pixels * factor, event.clientX - box.left, event.clientY - box.top);
  }

  #pinch() {
    let start = null;
    const distance = (touches) =>
      Math.hypot(touches[0].clientX - touches[1].clientX, touches[0].clientY - touches[1].clientY);
    this.window.addEventListener("touchstart", (event) => {
      start = event.touches.length === 2 ? { distance: distance(event.touches), pixels: this.pixels } : null;
    });
    this.window.addEventListener(
      "touchmove",
      (event) => {
        if (!start || event.touches.length !== 2) return;
        event.preventDefault();
        const box = this.window.getBoundingClientRect();
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
 * The margin before a board that puts it in the middle of the stage, whose window starts at *offset*; less
 * to leave space for the dock after the board.
 */
function margin(spare, dock, offset) {
  return Math.floor(Math.max(0, Math.min((spare - offset) / 2, spare - dock)));
}
