// Animations and sounds of a game. Cells are painted before an animation starts, and stay readable below it.
// Animations are off if the system asks for reduced motion or if they are turned off in the settings.

import { make, makeSvg } from "../lib/dom.js";
import { prefersReducedMotion, setting } from "../lib/settings.js";

const MAX_RINGS = 10; // rings of cells that light up one after another after a win
const RING_DELAY = 45; // milliseconds between two rings
const MAX_ANIMATED = 3000; // cells; drawing more would take longer than the animation
const SPARKS = 14; // for a new best time
const MAX_DURATION = 1500; // milliseconds until an animation is removed

const isAnimated = () => setting("motion") && !prefersReducedMotion();

/** Draw a circle that spreads from the clicked cell over those that a move revealed. */
export function playOpening(view, cells, from) {
  if (!isAnimated() || cells.length < 2) return;
  const [, cx, cy] = view.data.cells[from ?? cells[0]];
  const r = Math.max(...cells.map((cell) => distance(view, cell, cx, cy)));
  animate(view, [makeSvg("circle.moving.ripple", { cx, cy, r })]);
}

/** Animate a new flag. */
export function playFlag(view, cell) {
  const symbol = view.cells[cell].querySelector(".sign.flag");
  if (isAnimated() && symbol) symbol.classList.add("planted");
}

/** Draw an expanding ring around exploded mines. */
export function playExplosion(view, cells) {
  if (!isAnimated()) return;
  animate(
    view,
    cells.flatMap((cell) => {
      const [, cx, cy] = view.data.cells[cell];
      return [0, 110].map((delay) => withDelay(makeSvg("circle.moving.wave", { cx, cy, r: 1 }), delay));
    }),
  );
}

/** Draw a wave of light over a won board, starting at the last cell. */
export function playWin(view, from) {
  if (!isAnimated() || view.count > MAX_ANIMATED) return;
  const all = Array.from({ length: view.count }, (_, cell) => cell);
  animate(
    view,
    groupByDistance(view, all, from ?? 0).map((ring, k) => lightShape(view, ring, k * RING_DELAY)),
  );
}

/** Scatter sparks from an element, for a new best time. */
export function playBestTime(element) {
  if (!isAnimated()) return;
  const burst = make("span.burst", { "aria-hidden": "true" });
  for (let k = 0; k < SPARKS; k++) {
    const spark = make("i");
    spark.style.rotate = `${(360 * k) / SPARKS}deg`;
    burst.append(spark);
  }
  element.append(burst);
  setTimeout(() => burst.remove(), MAX_DURATION);
}

function animate(view, shapes) {
  const layer = makeSvg("g.motion", { "aria-hidden": "true" });
  layer.append(...shapes);
  view.svg.append(layer);
  setTimeout(() => layer.remove(), MAX_DURATION);
}

function lightShape(view, cells, delay) {
  return withDelay(makeSvg("path.moving.light", { d: cells.map((cell) => view.face(cell)).join("") }), delay);
}

function withDelay(element, delay) {
  element.style.animationDelay = `${delay}ms`;
  return element;
}

function distance(view, cell, x, y) {
  const [, cx, cy] = view.data.cells[cell];
  return Math.hypot(cx - x, cy - y);
}

/** Divide cells into at most MAX_RINGS groups by their distance, nearest first. */
function groupByDistance(view, cells, from) {
  const [, x, y] = view.data.cells[from];
  const distances = cells.map((cell) => distance(view, cell, x, y));
  const farthest = Math.max(...distances, 1);
  const rings = Array.from({ length: Math.min(MAX_RINGS, Math.ceil(farthest)) }, () => []);
  cells.forEach((cell, k) =>
    rings[Math.min(rings.length - 1, Math.floor((distances[k] / farthest) * rings.length))].push(cell),
  );
  return rings.filter((ring) => ring.length);
}

// The tones of each sound: start and duration in seconds, from one frequency to another in hertz.
const SOUNDS = {
  reveal: [[0, 0.05, 520, 620]],
  opening: [
    [0, 0.06, 420, 520],
    [0.04, 0.08, 560, 760],
  ],
  flag: [[0, 0.06, 320, 260]],
  unflag: [[0, 0.06, 260, 320]],
  lost: [
    [0, 0.35, 180, 45],
    [0, 0.2, 95, 40],
  ],
  won: [
    [0, 0.14, 523, 523],
    [0.12, 0.14, 659, 659],
    [0.24, 0.3, 784, 784],
  ],
};
const VOLUME = 0.08;

let audioContext = null;

/** Play one of SOUNDS if sounds are on. */
export function playSound(name) {
  if (!setting("sound") || prefersReducedMotion()) return;
  // Created at the first sound: browsers allow sound only after the user has interacted with the page.
  audioContext ??= new AudioContext();
  for (const tone of SOUNDS[name]) playTone(tone);
}

function playTone([delay, duration, from, to]) {
  const start = audioContext.currentTime + delay;
  const tone = audioContext.createOscillator();
  const volume = audioContext.createGain();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(from, start);
  tone.frequency.exponentialRampToValueAtTime(to, start + duration);
  volume.gain.setValueAtTime(VOLUME, start);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + duration);
  tone.connect(volume).connect(audioContext.destination);
  tone.start(start);
  tone.stop(start + duration);
}
