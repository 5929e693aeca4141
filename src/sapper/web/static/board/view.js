// The board: an SVG drawn from the shapes that the server sent, for any tiling or graph.
//
// It is an ARIA grid: each cell is labelled with its name and state, and exactly one cell can be
// reached with the Tab key (roving focus). It draws marks and is independent of the rules of the game.
// Functions describe the board in words for screen readers.

import { escapeMarkup, makeSvg } from "../lib/dom.js";
import { plural } from "../lib/format.js";

export const COVERED = -1;
export const FLAG = -2;

const GAP = 0.025; // half of the width of the line between two cells
const CORNER_RADIUS = { triangle: 0.12, other: 0.28 }; // relative to the radius of the inscribed circle
const MARGIN = 0.06;
const RING_WIDTH = 0.1; // of the line around the focused cell

// Signs start at the centre of a cell and are drawn for a unit square; numbers after = are not
// lengths and are not scaled with the cell.
const SIGNS = {
  flag: "m -.13 .3 v -.6 m 0 .03 l .37 .16 l -.37 .16 m -.12 .25 h .27",
  cross: "m -.28 -.28 l .56 .56 m 0 -.56 l -.56 .56",
  mine:
    "m -.2 0 a .2 .2 =0 =1 =0 .4 0 a .2 .2 =0 =1 =0 -.4 0 m .2 -.34 v .68 " +
    "m -.34 -.34 h .68 m -.57 -.23 l .46 .46 m 0 -.46 l -.46 .46",
};

// One half of an edge is light, the other dark: a bevel for any shape.
const BEVEL_ID = "bevel";
const BEVEL_GRADIENT =
  `<defs><linearGradient id="${BEVEL_ID}" x1="0" y1="0" x2="1" y2="1">` +
  '<stop class="bevel-light" offset=".5"/><stop class="bevel-shade" offset=".5"/></linearGradient></defs>';

// The class of a cell in each state, and the signs in it.
const APPEARANCES = {
  zero: ["open n0"],
  covered: ["covered"],
  flag: ["covered flagged", "flag"],
  "question mark": ["covered", "?"],
  mine: ["covered", "mine"],
  "exploded mine": ["covered exploded", "mine"],
  "wrong flag": ["covered wrong", "flag", "cross"],
};

const MAX_VALUES = 40; // numbers in one description

export class BoardView {
  /** *host* becomes the grid; *title* is its label. */
  constructor(host, data, title) {
    this.data = data;
    this.count = data.cells.length;
    this.columns = data.columns;
    this.rows = Math.ceil(this.count / this.columns);
    this.maxDegree = Math.max(...data.cells.map((_, cell) => data.offsets[cell + 1] - data.offsets[cell]));
    this.current = 0;
    this.host = host;
    this.#coverAll();
    this.onPaint = () => {}; // called after each change of marks
    // All shapes of a board have the same size, so they share one scale and one corner radius.
    const { inner, corners } = data.shapes[0];
    this.scale = Math.min(1, inner / 0.44);
    this.corner = CORNER_RADIUS[corners.length === 3 ? "triangle" : "other"] * inner;
    this.faces = data.shapes.map((shape) => inset(shape, GAP + this.corner));
    this.signs = Object.fromEntries(Object.entries(SIGNS).map(([name, path]) => [name, scalePath(path, this.scale)]));
    const alternates = data.tiling !== null && data.tiling !== "hexagonal";
    this.isOdd = (cell) => alternates && ((cell % this.columns) + Math.floor(cell / this.columns)) % 2 === 1;
    this.facePaths = data.cells.map(([shape, x, y]) => path(this.faces[shape], x, y));
    this.#measure();
    this.#build(title);
    this.cells = this.svg.querySelectorAll("[data-cell]");
    this.cells[this.current].setAttribute("tabindex", "0");
    this.wrapped = data.wraps ? new WrappedCells(this) : null;
    if (this.wrapped) this.svg.prepend(this.wrapped.layer);
    host.addEventListener("focusin", (event) => {
      const cell = this.cellAt(event.target);
      if (cell !== null && cell !== this.current) this.focus(cell, { take: false });
    });
  }

  around(cell) {
    const { offsets, neighbours } = this.data;
    return neighbours.slice(offsets[cell], offsets[cell + 1]);
  }

  /** The neighbours of a cell that have a mark. */
  aroundWith(cell, mark) {
    return this.around(cell).filter((other) => this.marks[other] === mark);
  }

  /** The name of a cell, as in commands and proofs. */
  name(cell) {
    if (this.data.names) return this.data.names[cell];
    return `r${Math.floor(cell / this.columns) + 1}c${(cell % this.columns) + 1}`;
  }

  label(cell) {
    const note = this.notes.has(cell) ? `, ${this.notes.get(cell)}` : "";
    return `${this.name(cell)}: ${this.#stateOf(cell)}${note}`;
  }

  /** Set the text that is read after the state of a cell; null removes it. */
  note(cell, text) {
    if (text === null) this.notes.delete(cell);
    else this.notes.set(cell, text);
    this.cells[cell].setAttribute("aria-label", this.label(cell));
  }

  /** Cover all cells for a new game; the elements stay, so that the focus does. */
  reset(title) {
    this.host.setAttribute("aria-label", title);
    for (const layer of this.svg.querySelectorAll(".motion")) layer.remove();
    this.#coverAll();
    this.paintAll(this.marks);
  }

  /** The outline of a cell, inset by a distance. */
  edge(cell, distance) {
    const [shape, x, y] = this.data.cells[cell];
    return path(inset(this.data.shapes[shape], distance), x, y);
  }

  /** The corners of a cell. */
  corners(cell) {
    const [shape, x, y] = this.data.cells[cell];
    return this.data.shapes[shape].corners.map(([dx, dy]) => [round(x + dx), round(y + dy)]);
  }

  /** Set the marks of cells and paint them; without marks, paint them again. */
  paint(cells, marks = null) {
    cells.forEach((cell, k) => {
      if (marks) {
        this.marks[cell] = marks[k];
        this.notes.delete(cell); // it was about the old mark
      }
      this.#paintCell(cell);
    });
    this.onPaint();
  }

  /** Paint only the cells whose marks differ. */
  paintChanges(marks) {
    const cells = [...this.marks.keys()].filter((cell) => marks[cell] !== this.marks[cell]);
    this.paint(
      cells,
      cells.map((cell) => marks[cell]),
    );
  }

  paintAll(marks) {
    this.marks = Int16Array.from(marks);
    for (let cell = 0; cell < this.count; cell++) this.#paintCell(cell);
    this.onPaint();
  }

  /**
   * Show the end of a game: exploded mines that are not flagged, after a win the others, and all mines if they are
   * given.
   */
  showEnd({ exploded = [], won = false, mineCells = null } = {}) {
    const before = new Set([...this.exploded, ...(this.mineCells ?? [])]);
    const wasWon = this.won;
    this.exploded = new Set(exploded.filter((cell) => this.marks[cell] === COVERED));
    this.mineCells = mineCells ? new Set(mineCells) : null;
    this.won = won;
    const touched = new Set([...before, ...this.exploded, ...(this.mineCells ?? [])]);
    for (let cell = 0; cell < this.count; cell++) {
      const mayChange = this.marks[cell] < 0 && (won || wasWon || this.mineCells || before.size > 0);
      if (mayChange || touched.has(cell)) this.#paintCell(cell);
    }
    this.onPaint();
  }

  /** Show which covered cells are pressed, even under a drawing. */
  press(cells) {
    for (const cell of this.pressed ?? []) this.cells[cell].classList.remove("pressed");
    this.pressed = cells.filter((cell) => this.marks[cell] === COVERED);
    for (const cell of this.pressed) this.cells[cell].classList.add("pressed");
    this.presses.setAttribute("d", this.pressed.map((cell) => this.face(cell)).join(""));
  }

  /** Set the covered cells with a question mark. */
  showQuestionMarks(cells) {
    const before = this.questionMarks;
    this.questionMarks = new Set(cells);
    for (const cell of new Set([...before, ...this.questionMarks])) this.#paintCell(cell);
  }

  /** Whether the focus ring is shown: a key moved the focus. */
  get isRinged() {
    return this.host.classList.contains("ringed");
  }

  /** Move the roving focus; *take* moves the browser's focus too. */
  focus(cell, { take = true, ring = true } = {}) {
    this.cells[this.current].setAttribute("tabindex", "-1");
    this.current = cell;
    const element = this.cells[cell];
    element.setAttribute("tabindex", "0");
    this.host.classList.toggle("ringed", ring);
    this.ring.setAttribute("d", this.edge(cell, RING_WIDTH / 2));
    if (!take) return;
    element.focus({ preventScroll: true });
    if (ring) element.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  cellAt(target) {
    const element = target instanceof Element ? target.closest("[data-cell]") : null;
    return element && this.svg.contains(element) ? Number(element.dataset.cell) : null;
  }

  /** Set the size of the board: the pixels of one unit, which is the side of a square cell. */
  resize(pixels) {
    this.svg.setAttribute("width", (this.width * pixels).toFixed(1));
    this.svg.setAttribute("height", (this.height * pixels).toFixed(1));
  }

  #coverAll() {
    this.marks = new Int16Array(this.count).fill(COVERED);
    this.exploded = new Set();
    this.mineCells = null;
    this.won = false;
    this.notes = new Map();
    this.questionMarks = new Set();
  }

  #measure() {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const [shape, x, y] of this.data.cells) {
      for (const [dx, dy] of this.data.shapes[shape].corners) {
        left = Math.min(left, x + dx);
        right = Math.max(right, x + dx);
        top = Math.min(top, y + dy);
        bottom = Math.max(bottom, y + dy);
      }
    }
    const around = MARGIN + (this.data.wraps ? WRAP_MARGIN : 0);
    this.box = [left - around, top - around, right - left + 2 * around, bottom - top + 2 * around];
    [, , this.width, this.height] = this.box;
  }

  #build(title) {
    this.host.setAttribute("role", "grid");
    this.host.setAttribute("aria-label", title);
    this.host.setAttribute("aria-rowcount", this.rows);
    this.host.setAttribute("aria-colcount", this.columns);
    const viewBox = this.box.map((value) => value.toFixed(3)).join(" ");
    this.svg = makeSvg("svg", { viewBox, role: "presentation", focusable: "false" });
    this.svg.style.setProperty("--corner", 2 * this.corner);
    this.svg.style.setProperty("--scale", this.scale);
    this.svg.style.setProperty("--ring", RING_WIDTH);
    this.svg.style.setProperty("--bevel", `url("#${BEVEL_ID}")`);
    const parts = [BEVEL_GRADIENT];
    for (const [a, b] of this.data.edges) parts.push(this.#link(a, b));
    for (let row = 0; row < this.rows; row++) parts.push(this.#row(row));
    parts.push('<path class="ring" aria-hidden="true"/><path class="presses" aria-hidden="true"/>');
    // Only numbers and escaped labels: nothing here comes from a user unescaped.
    this.svg.innerHTML = parts.join("");
    this.ring = this.svg.querySelector(".ring");
    this.presses = this.svg.querySelector(".presses");
    this.host.replaceChildren(this.svg);
  }

  #row(row) {
    const first = row * this.columns;
    const last = Math.min(first + this.columns, this.count);
    let outlines = "";
    let cells = "";
    for (let cell = first; cell < last; cell++) {
      const [shape, x, y] = this.data.cells[cell];
      outlines += path(this.data.shapes[shape].corners, x, y);
      cells +=
        `<g role="gridcell" aria-colindex="${cell - first + 1}" class="${this.#class(cell, "covered")}" ` +
        `data-cell="${cell}" tabindex="-1" aria-label="${escapeMarkup(this.label(cell))}">` +
        `<path class="face" d="${this.face(cell)}"/></g>`;
    }
    return (
      `<path class="grid-lines" aria-hidden="true" d="${outlines}"/>` +
      `<g role="row" aria-rowindex="${row + 1}" aria-label="Row ${row + 1}">${cells}</g>`
    );
  }

  // Coordinates are written into the paths: with a transform for each of 10,000 cells the browser
  // took 80 ms longer to paint one of them.
  face(cell) {
    return this.facePaths[cell];
  }

  #link(a, b) {
    const [, x1, y1] = this.data.cells[a];
    const [, x2, y2] = this.data.cells[b];
    return `<path class="link" aria-hidden="true" d="M${x1} ${y1}L${x2} ${y2}"/>`;
  }

  #class(cell, kind) {
    return `cell ${this.isOdd(cell) ? "odd " : ""}${kind}`;
  }

  #paintCell(cell) {
    const element = this.cells[cell];
    const [kind, ...signs] = this.#appearanceOf(cell);
    const pressed = element.classList.contains("pressed") ? " pressed" : "";
    element.setAttribute("class", this.#class(cell, kind) + pressed);
    element.setAttribute("aria-label", this.label(cell));
    while (element.childElementCount > 1) element.lastChild.remove();
    element.append(...signs.map((sign) => this.#sign(sign, cell)));
    this.wrapped?.update(cell);
  }

  #stateOf(cell) {
    const mark = this.marks[cell];
    if (mark > 0) return `${mark}`;
    if (mark === 0) return "zero";
    if (mark === COVERED && this.exploded.has(cell)) return "exploded mine";
    if (this.mineCells) {
      const mine = this.mineCells.has(cell);
      if (mark === FLAG) return mine ? "flag" : "wrong flag";
      return mine ? "mine" : "covered";
    }
    if (this.won && mark === COVERED) return "mine";
    if (mark === FLAG) return "flag";
    return this.questionMarks.has(cell) ? "question mark" : "covered";
  }

  /** The class of a cell, and the signs in it: numbers or names of SIGNS. */
  #appearanceOf(cell) {
    const mark = this.marks[cell];
    if (mark > 0) return [`open n${Math.min(mark, 12)}`, mark];
    const state = this.#stateOf(cell);
    return this.won && state === "mine" ? ["covered found", "flag"] : APPEARANCES[state];
  }

  #sign(sign, cell) {
    const [, x, y] = this.data.cells[cell];
    if (sign in this.signs) return makeSvg(`path.sign.${sign}`, { d: `M${x} ${y}${this.signs[sign]}` });
    const kind = sign === "?" ? ".question" : sign > 9 ? ".long" : "";
    return makeSvg(`text.digit${kind}`, { x, y, dy: ".36em" }, sign);
  }
}

function scalePath(path, scale) {
  const scaleToken = (token) => {
    if (token.startsWith("=")) return token.slice(1);
    return Number.isNaN(Number(token)) ? token : round(Number(token) * scale);
  };
  return path.split(" ").map(scaleToken).join(" ");
}

function path(corners, x = 0, y = 0) {
  const points = corners.map(([dx, dy]) => `${round(x + dx)} ${round(y + dy)}`);
  return `M${points.join("L")}Z`;
}

/** The corners of a shape, inset by a distance from every side. */
function inset(shape, distance) {
  const scale = 1 - distance / shape.inner;
  return shape.corners.map(([x, y]) => [x * scale, y * scale]);
}

const round = (value) => Math.round(value * 1000) / 1000;

const WRAP_MARGIN = 0.8; // width of the strip of repeated cells around a torus

/** The cells of the opposite sides of a torus, faded, and a line around the board. */
class WrappedCells {
  constructor({ cells, columns, rows }) {
    this.cells = cells;
    this.copies = new Map();
    this.layer = makeSvg("g.wrapped", { "aria-hidden": "true" });
    cells.forEach((_, cell) => {
      const offsets = copyOffsets(cell % columns, Math.floor(cell / columns), columns, rows);
      if (!offsets.length) return;
      const copies = offsets.map(([x, y]) => makeSvg("g", { transform: `translate(${x} ${y})` }));
      this.copies.set(cell, copies);
      this.layer.append(...copies);
      this.update(cell);
    });
    this.layer.append(makeSvg("rect.seam", { x: 0, y: 0, width: columns, height: rows }));
  }

  /** Copy the appearance of a cell. */
  update(cell) {
    for (const copy of this.copies.get(cell) ?? []) {
      copy.setAttribute("class", this.cells[cell].getAttribute("class"));
      copy.replaceChildren(...[...this.cells[cell].children].map((child) => child.cloneNode(true)));
    }
  }
}

/** The offsets at which a cell is repeated. */
function copyOffsets(column, row, columns, rows) {
  const across = [0, ...(column === 0 ? [columns] : []), ...(column === columns - 1 ? [-columns] : [])];
  const down = [0, ...(row === 0 ? [rows] : []), ...(row === rows - 1 ? [-rows] : [])];
  return across.flatMap((x) => down.map((y) => [x, y])).filter(([x, y]) => x || y);
}

/** A cell and its neighbours: "r2c3: 2. Neighbours: 3 covered, 1 flag, numbers 1 1 2." */
export function describeNeighbours(view, cell) {
  const covered = view.aroundWith(cell, COVERED);
  const parts = [`${covered.length} covered`, plural(view.aroundWith(cell, FLAG).length, "flag")];
  const numbers = numbersIn(view, view.around(cell));
  if (numbers) parts.push(numbers);
  const named = covered.length ? ` Covered: ${covered.map((other) => view.name(other)).join(", ")}.` : "";
  return `${view.label(cell)}. Neighbours: ${parts.join(", ")}.${named}`;
}

/** What a move revealed: "17 cells, numbers 1 1 2." */
export function describeRevealed(view, cells) {
  if (!cells.length) return "Nothing has been revealed yet.";
  return `${plural(cells.length, "cell")}, ${numbersIn(view, cells) || "no numbers"}.`;
}

/**
 * The next number after a cell with an obvious move around it, and a description of that move; null
 * if there is none. Flags count as mines.
 */
export function nextObviousNumber(view, from, back = false) {
  for (let k = 1; k <= view.count; k++) {
    const cell = (from + (back ? view.count - k : k)) % view.count;
    const text = obviousMove(view, cell);
    if (text) return { cell, text };
  }
  return null;
}

function obviousMove(view, cell) {
  const number = view.marks[cell];
  if (number <= 0) return null;
  const covered = view.aroundWith(cell, COVERED).length;
  const flags = view.aroundWith(cell, FLAG).length;
  if (!covered) return null;
  if (flags === number) return `all its mines are flagged, ${covered} still covered: chord`;
  if (flags + covered === number) return `all ${covered} covered neighbours are mines`;
  return null;
}

function numbersIn(view, cells) {
  const numbers = [...cells]
    .sort((a, b) => a - b)
    .map((cell) => view.marks[cell])
    .filter((mark) => mark > 0);
  const more = numbers.length > MAX_VALUES ? ` and ${numbers.length - MAX_VALUES} more` : "";
  return numbers.length ? `numbers ${numbers.slice(0, MAX_VALUES).join(" ")}${more}` : "";
}
