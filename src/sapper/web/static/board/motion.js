// What moves on the board: an opening spreads, a flag is planted, a mine goes off, a win passes over.
//
// Each is a few shapes over the cells that fade and go; the cells below are painted at once, so
// that nobody waits for a picture. Who asked the system for less motion, or the page, sees none.

import { draw } from "../lib/dom.js";
import { isCalm, setting } from "../lib/settings.js";

const RINGS = 10; // steps in which an opening spreads
const SPREAD = 22; // milliseconds from one to the next
const MOST = 3000; // cells; more would take longer to draw than to see
const LONGEST = 1500; // milliseconds that anything stays

const moves = () => setting("motion") && !isCalm();

/** The cells that a move opened lift their covers, from the one that was clicked outwards. */
export function spread(view, cells, from) {
  if (!moves() || cells.length < 2 || cells.length > MOST) return;
  const rings = byDistance(view, cells, from ?? cells[0]);
  stage(
    view,
    rings.map((ring, k) => shape(view, ring, "cover", k * SPREAD)),
  );
}

/** A flag is put into its cell. */
export function plant(view, cell) {
  const sign = view.cells[cell].querySelector(".sign.flag");
  if (moves() && sign) sign.classList.add("planted");
}

/** A mine goes off: a ring runs out from it. */
export function blast(view, cells) {
  if (!moves()) return;
  stage(
    view,
    cells.flatMap((cell) => {
      const [, cx, cy] = view.data.cells[cell];
      return [0, 110].map((wait) => delayed(draw("circle", { class: "moving wave", cx, cy, r: 1 }), wait));
    }),
  );
}

/** The board is won: light runs over it, from the last cell outwards. */
export function cheer(view, from) {
  if (!moves() || view.count > MOST) return;
  const all = Array.from({ length: view.count }, (_, cell) => cell);
  stage(
    view,
    byDistance(view, all, from ?? 0).map((ring, k) => shape(view, ring, "light", k * 45)),
  );
}

function stage(view, shapes) {
  const layer = draw("g", { class: "motion", "aria-hidden": "true" });
  layer.append(...shapes);
  view.svg.append(layer);
  setTimeout(() => layer.remove(), LONGEST);
}

function shape(view, cells, kind, wait) {
  return delayed(draw("path", { class: `moving ${kind}`, d: cells.map((cell) => view.face(cell)).join("") }), wait);
}

function delayed(element, wait) {
  element.style.animationDelay = `${wait}ms`;
  return element;
}

/** Cells in at most RINGS groups, nearest first. */
function byDistance(view, cells, from) {
  const [, x, y] = view.data.cells[from];
  const far = cells.map((cell) => {
    const [, cx, cy] = view.data.cells[cell];
    return Math.hypot(cx - x, cy - y);
  });
  const most = Math.max(...far, 1);
  const rings = Array.from({ length: Math.min(RINGS, Math.ceil(most)) }, () => []);
  cells.forEach((cell, k) => rings[Math.min(rings.length - 1, Math.floor((far[k] / most) * rings.length))].push(cell));
  return rings.filter((ring) => ring.length);
}
