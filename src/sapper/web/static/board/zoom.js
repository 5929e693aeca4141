// Zoom: how large a cell is, and where the board stands in its window.
//
// The size is kept for each board as a share of what fits, so that it suits another screen too.
// Until the user chooses, the board is fitted, or a little larger where a finger could not hit it.
//
// The board never moves by itself. Where a view has a dock (what is told beside the board), the
// board stands aside for it from the beginning, whether the dock is open or not.

import { choose, setting } from "../lib/settings.js";

const LEAST = 14;
const MOST = 120;
const STEP = 1.2;
// The circle within a cell, in pixels: a smaller one cannot be hit, so the board scrolls instead.
const LEAST_FIT = { mouse: 20, touch: 31 };
const MOST_FIT = 54;
const PLEASANT = 30; // smaller cells than this are too much to pay for the room of a dock
const NO_DOCK = { right: 0, bottom: 0, strip: 0 };

export class Zoom {
  /**
   * *window* is the element that scrolls; *dock* tells the room that is kept free beside the board;
   * *overview* lies below a board that scrolls; *held* boards have cells that a finger can hit.
   */
  constructor(window, { dock = () => NO_DOCK, overview, held }) {
    Object.assign(this, { window, dock, overview, held });
    this.view = null;
    this.pixels = 0;
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
    if (this.view && this.window.offsetWidth) this.#apply(this.#chosen());
  }

  in() {
    this.#to(this.pixels * STEP);
  }

  out() {
    this.#to(this.pixels / STEP);
  }

  /** The whole board in sight; where a finger could not hit its cells then, a second time back. */
  fit() {
    if (!this.view) return;
    const isWhole = Math.abs(this.pixels - this.#fitted()) < 0.1;
    this.#keep(isWhole ? null : 1);
    this.refresh();
  }

  /** Whether a part of the board is out of sight. */
  get scrolls() {
    const { offsetWidth, offsetHeight } = this.window;
    return this.view.width * this.pixels > offsetWidth + 1 || this.view.height * this.pixels > offsetHeight + 1;
  }

  get #name() {
    const { data, columns, rows } = this.view;
    return `${data.tiling ?? "graph"} ${columns}x${rows}`;
  }

  #chosen() {
    const share = setting("zooms")[this.#name];
    if (share) return Math.min(MOST, share * this.#fitted());
    const least = this.held && matchMedia("(pointer: coarse)").matches ? LEAST_FIT.touch : LEAST_FIT.mouse;
    return Math.max(least / this.#circle, this.#fitted());
  }

  get #circle() {
    return 2 * this.view.data.shapes[0].inner;
  }

  /** Whether a dock beside the board would make its cells too small. */
  get isCramped() {
    return this.#beside * this.#circle < PLEASANT;
  }

  get #beside() {
    return Math.min((this.window.offsetWidth - this.dock().right) / this.view.width, this.window.offsetHeight / this.view.height);
  }

  /** The size at which all of the board is seen, beside the dock where that is not dear, else above a strip. */
  #fitted() {
    const { offsetWidth, offsetHeight } = this.window;
    const { width, height } = this.view;
    const above = () => Math.min(offsetWidth / width, (offsetHeight - this.dock().strip) / height);
    return Math.floor(Math.min(MOST_FIT / this.#circle, this.isCramped ? above() : this.#beside) * 10) / 10;
  }

  #keep(share) {
    const { [this.#name]: _, ...others } = setting("zooms");
    choose("zooms", share === null ? others : { ...others, [this.#name]: share });
  }

  #to(pixels, x = this.window.offsetWidth / 2, y = this.window.offsetHeight / 2) {
    if (!this.view) return;
    const fitted = this.#fitted();
    const target = Math.min(MOST, Math.max(Math.min(LEAST, fitted), pixels));
    const grown = target / this.pixels;
    const [left, top] = this.place;
    const { scrollLeft, scrollTop } = this.window;
    this.#keep(target / fitted);
    this.#apply(target);
    // The point under the pointer stays where it is.
    this.window.scrollTo((scrollLeft + x - left) * grown + this.place[0] - x, (scrollTop + y - top) * grown + this.place[1] - y);
  }

  #apply(pixels) {
    const { offsetWidth, offsetHeight } = this.window;
    const { right, bottom, strip } = this.dock();
    this.pixels = pixels;
    const below = Math.max(bottom, this.isCramped ? strip : 0, this.scrolls ? this.overview.height : 0);
    this.view.resize(pixels);
    this.place = [aside(offsetWidth - this.view.width * pixels, right), aside(offsetHeight - this.view.height * pixels, below)];
    const [left, top] = this.place;
    this.view.host.style.margin = `${top}px 0 0 ${left}px`;
    this.moved();
  }

  #wheel(event) {
    if (!event.ctrlKey || !this.view) return;
    event.preventDefault();
    const box = this.window.getBoundingClientRect();
    const factor = Math.exp(-event.deltaY / 300);
    this.#to(this.pixels * factor, event.clientX - box.left, event.clientY - box.top);
  }

  #pinch() {
    let start = null;
    const spread = (touches) =>
      Math.hypot(touches[0].clientX - touches[1].clientX, touches[0].clientY - touches[1].clientY);
    this.window.addEventListener("touchstart", (event) => {
      start = event.touches.length === 2 ? { spread: spread(event.touches), pixels: this.pixels } : null;
    });
    this.window.addEventListener(
      "touchmove",
      (event) => {
        if (!start || event.touches.length !== 2) return;
        event.preventDefault();
        const box = this.window.getBoundingClientRect();
        const [a, b] = event.touches;
        this.#to(
          (start.pixels * spread(event.touches)) / start.spread,
          (a.clientX + b.clientX) / 2 - box.left,
          (a.clientY + b.clientY) / 2 - box.top,
        );
      },
      { passive: false },
    );
  }
}

/** The space before a board with so much to spare: half of it, unless the dock needs more. */
function aside(spare, dock) {
  return Math.floor(Math.max(0, Math.min(spare / 2, spare - dock)));
}
