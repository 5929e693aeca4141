// Zoom: how large a cell is. Until the user chooses, the board is fitted to its stage.

import { choose, setting } from "../lib/settings.js";

const LEAST = 14;
const MOST = 120;
const STEP = 1.2;
// The circle within a cell, in pixels: a smaller one cannot be hit, so the board scrolls instead.
const LEAST_FIT = { mouse: 20, touch: 31 };
const MOST_FIT = 54;

export class Zoom {
  constructor(stage) {
    this.stage = stage;
    this.view = null;
    this.pixels = 0;
    new ResizeObserver(() => this.refresh()).observe(stage);
    stage.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    this.#pinch();
  }

  show(view) {
    this.view = view;
    this.refresh();
  }

  refresh() {
    if (this.view) this.#apply(setting("zoom") ?? this.#fitted());
  }

  in() {
    this.#to(this.pixels * STEP);
  }

  out() {
    this.#to(this.pixels / STEP);
  }

  fit() {
    choose("zoom", null);
    this.refresh();
  }

  #fitted() {
    const { clientWidth, clientHeight } = this.stage;
    const circle = 2 * this.view.data.shapes[0].inner;
    const least = matchMedia("(pointer: coarse)").matches ? LEAST_FIT.touch : LEAST_FIT.mouse;
    const room = Math.min(clientWidth / this.view.width, clientHeight / this.view.height);
    return Math.floor(Math.max(least / circle, Math.min(MOST_FIT / circle, room)) * 10) / 10;
  }

  #to(pixels, x = this.stage.clientWidth / 2, y = this.stage.clientHeight / 2) {
    if (!this.view) return;
    const target = Math.min(MOST, Math.max(LEAST, pixels));
    const grown = target / this.pixels;
    // The point under the pointer stays where it is.
    const left = (this.stage.scrollLeft + x) * grown - x;
    const top = (this.stage.scrollTop + y) * grown - y;
    choose("zoom", target);
    this.#apply(target);
    this.stage.scrollTo(left, top);
  }

  #apply(pixels) {
    this.pixels = pixels;
    this.view.resize(pixels);
  }

  #wheel(event) {
    if (!event.ctrlKey || !this.view) return;
    event.preventDefault();
    const box = this.stage.getBoundingClientRect();
    const factor = Math.exp(-event.deltaY / 300);
    this.#to(this.pixels * factor, event.clientX - box.left, event.clientY - box.top);
  }

  #pinch() {
    let start = null;
    const spread = (touches) =>
      Math.hypot(touches[0].clientX - touches[1].clientX, touches[0].clientY - touches[1].clientY);
    this.stage.addEventListener("touchstart", (event) => {
      start = event.touches.length === 2 ? { spread: spread(event.touches), pixels: this.pixels } : null;
    });
    this.stage.addEventListener(
      "touchmove",
      (event) => {
        if (!start || event.touches.length !== 2) return;
        event.preventDefault();
        const box = this.stage.getBoundingClientRect();
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
