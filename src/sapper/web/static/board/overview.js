// The overview: a small map of a board that is larger than its viewport; a click scrolls there. It is
// beside or below the viewport, which leaves space for it.
//
// It is hidden from assistive technology: moving with the keys scrolls the board.

import { make } from "../lib/dom.js";
import { COVERED, FLAG } from "./view.js";

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
    this.position = make("span", { class: "overview-position" });
    this.root = make("div", { class: "overview", "aria-hidden": "true", hidden: true }, this.canvas, this.position);
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
    context.fillStyle = colour("--page");
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
