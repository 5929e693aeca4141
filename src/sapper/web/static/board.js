// The board: one SVG for every tiling, drawn from the outlines that the server sent once.
//
// It is an ARIA grid: each cell carries a label of its place and state, and exactly one cell can
// be reached with the Tab key (roving focus). It draws marks and knows nothing of rules.

export const BLANK = -1;
export const FLAG = -2;

const SVG = "http://www.w3.org/2000/svg";
const GAP = 0.025; // of the line between two cells, on each side
const ROUND = 0.09; // radius of a cell's corners
const MARGIN = 0.06;

const FLAG_PATH = "M-.13 .3V-.3M-.13-.27 .24-.11-.13 .05M-.25 .3H.02";
const CROSS_PATH = "M-.28-.28 .28 .28M.28-.28-.28 .28";
const MINE_PATH = "M0-.36V.36M-.36 0H.36M-.25-.25 .25 .25M.25-.25-.25 .25";

export class BoardView {
  /** *host* becomes the grid; *title* is read before its cells. */
  constructor(host, data, title) {
    this.data = data;
    this.count = data.cells.length;
    this.columns = data.columns;
    this.rows = Math.ceil(this.count / this.columns);
    this.marks = new Int16Array(this.count).fill(BLANK);
    this.exploded = new Set();
    this.mines = null;
    this.won = false;
    this.current = 0;
    this.host = host;
    this.shapes = data.shapes.map((shape) => ({
      full: path(shape.corners),
      cell: path(inset(shape, GAP + ROUND)),
      // Text and signs are drawn as for a unit square and scaled to the room there is.
      scale: Math.min(1, shape.inner / 0.44),
    }));
    this.#measure();
    this.#build(title);
    this.cells = this.svg.querySelectorAll("[data-cell]");
    this.cells[this.current].setAttribute("tabindex", "0");
  }

  around(cell) {
    const { offsets, neighbours } = this.data;
    return neighbours.slice(offsets[cell], offsets[cell + 1]);
  }

  place(cell) {
    if (this.data.names) return this.data.names[cell];
    const row = Math.floor(cell / this.columns);
    return `row ${row + 1}, column ${(cell % this.columns) + 1}`;
  }

  label(cell) {
    return `${this.place(cell)}: ${this.#stateOf(cell)}`;
  }

  /** Paint cells anew; without marks, as they stand. */
  paint(cells, marks = null) {
    cells.forEach((cell, k) => {
      if (marks) this.marks[cell] = marks[k];
      this.#paintCell(cell);
    });
  }

  paintAll(marks) {
    this.marks = Int16Array.from(marks);
    for (let cell = 0; cell < this.count; cell++) this.#paintCell(cell);
  }

  /** What the end of a game shows: exploded mines, on a win the rest, and all if they are told. */
  showEnd({ exploded, won, mines }) {
    const before = new Set([...this.exploded, ...(this.mines ?? [])]);
    const wasWon = this.won;
    this.exploded = new Set(exploded);
    this.mines = mines ? new Set(mines) : null;
    this.won = won;
    const touched = new Set([...before, ...this.exploded, ...(this.mines ?? [])]);
    for (let cell = 0; cell < this.count; cell++) {
      const sign = this.marks[cell] < 0 && (won || wasWon || this.mines || before.size > 0);
      if (sign || touched.has(cell)) this.#paintCell(cell);
    }
  }

  press(cells) {
    for (const cell of this.pressed ?? []) this.cells[cell].classList.remove("pressed");
    this.pressed = cells.filter((cell) => this.marks[cell] === BLANK);
    for (const cell of this.pressed) this.cells[cell].classList.add("pressed");
  }

  /** Move the roving focus; *take* also moves the browser's focus there. */
  focus(cell, { take = true, ring = true } = {}) {
    this.cells[this.current].setAttribute("tabindex", "-1");
    this.current = cell;
    const element = this.cells[cell];
    element.setAttribute("tabindex", "0");
    this.host.classList.toggle("ringed", ring);
    const [shape, x, y] = this.data.cells[cell];
    this.ring.setAttribute("d", this.shapes[shape].cell);
    this.ring.setAttribute("transform", `translate(${x} ${y})`);
    if (!take) return;
    element.focus({ preventScroll: true });
    if (ring) element.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  cellAt(target) {
    const element = target instanceof Element ? target.closest("[data-cell]") : null;
    return element && this.svg.contains(element) ? Number(element.dataset.cell) : null;
  }

  /** The side of a cell's square in pixels. */
  resize(pixels) {
    this.svg.setAttribute("width", (this.width * pixels).toFixed(1));
    this.svg.setAttribute("height", (this.height * pixels).toFixed(1));
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
    this.box = [left - MARGIN, top - MARGIN, right - left + 2 * MARGIN, bottom - top + 2 * MARGIN];
    [, , this.width, this.height] = this.box;
  }

  #build(title) {
    this.host.setAttribute("role", "grid");
    this.host.setAttribute("aria-label", title);
    this.host.setAttribute("aria-rowcount", this.rows);
    this.host.setAttribute("aria-colcount", this.columns);
    this.svg = document.createElementNS(SVG, "svg");
    this.svg.setAttribute("viewBox", this.box.map((v) => v.toFixed(3)).join(" "));
    this.svg.setAttribute("role", "presentation");
    this.svg.setAttribute("focusable", "false");
    const parts = [];
    for (const [a, b] of this.data.links) parts.push(this.#link(a, b));
    for (let row = 0; row < this.rows; row++) parts.push(this.#row(row));
    parts.push('<path class="ring" aria-hidden="true"/>');
    // Numbers and escaped labels only: nothing in here comes from a user unescaped.
    this.svg.innerHTML = parts.join("");
    this.ring = this.svg.querySelector(".ring");
    this.host.replaceChildren(this.svg);
  }

  #row(row) {
    const first = row * this.columns;
    const last = Math.min(first + this.columns, this.count);
    let ground = "";
    let cells = "";
    for (let cell = first; cell < last; cell++) {
      const [shape, x, y] = this.data.cells[cell];
      ground += path(this.data.shapes[shape].corners, x, y);
      cells +=
        `<g role="gridcell" aria-colindex="${cell - first + 1}" class="cell blank" ` +
        `data-cell="${cell}" tabindex="-1" aria-label="${escape(this.label(cell))}" ` +
        `transform="translate(${x} ${y})"><path class="tile" d="${this.shapes[shape].cell}"/></g>`;
    }
    return (
      `<path class="ground" aria-hidden="true" d="${ground}"/>` +
      `<g role="row" aria-rowindex="${row + 1}">${cells}</g>`
    );
  }

  #link(a, b) {
    const [, x1, y1] = this.data.cells[a];
    const [, x2, y2] = this.data.cells[b];
    return `<path class="link" aria-hidden="true" d="M${x1} ${y1}L${x2} ${y2}"/>`;
  }

  #paintCell(cell) {
    const element = this.cells[cell];
    const state = this.#stateOf(cell);
    const { kind, sign } = this.#look(cell);
    const pressed = element.classList.contains("pressed") ? " pressed" : "";
    element.setAttribute("class", `cell ${kind}${pressed}`);
    element.setAttribute("aria-label", `${this.place(cell)}: ${state}`);
    while (element.childElementCount > 1) element.lastChild.remove();
    if (sign) element.append(sign(this.shapes[this.data.cells[cell][0]].scale));
  }

  #stateOf(cell) {
    const mark = this.marks[cell];
    if (mark > 0) return `${mark}`;
    if (mark === 0) return "zero";
    if (mark === BLANK && this.exploded.has(cell)) return "exploded mine";
    if (this.mines) {
      const mine = this.mines.has(cell);
      if (mark === FLAG) return mine ? "flag" : "wrong flag";
      return mine ? "mine" : "blank";
    }
    if (this.won && mark === BLANK) return "mine";
    return mark === FLAG ? "flag" : "blank";
  }

  #look(cell) {
    const mark = this.marks[cell];
    if (mark >= 0) {
      return { kind: `open h${Math.min(mark, 12)}`, sign: mark ? (s) => digit(mark, s) : null };
    }
    switch (this.#stateOf(cell)) {
      case "exploded mine":
        return { kind: "blank exploded", sign: (s) => stroke("mine", MINE_PATH, s) };
      case "mine":
        return {
          kind: this.won ? "blank found" : "blank",
          sign: (s) => (this.won ? stroke("flag", FLAG_PATH, s) : stroke("mine", MINE_PATH, s)),
        };
      case "wrong flag":
        return { kind: "blank wrong", sign: (s) => stroke("cross", CROSS_PATH, s) };
      case "flag":
        return { kind: "blank flagged", sign: (s) => stroke("flag", FLAG_PATH, s) };
      default:
        return { kind: "blank", sign: null };
    }
  }
}

function digit(mark, scale) {
  const text = document.createElementNS(SVG, "text");
  text.setAttribute("class", mark > 9 ? "digit long" : "digit");
  if (scale < 1) text.setAttribute("transform", `scale(${scale.toFixed(3)})`);
  text.setAttribute("dy", ".225");
  text.textContent = mark;
  return text;
}

function stroke(kind, d, scale) {
  const element = document.createElementNS(SVG, "path");
  element.setAttribute("class", `sign ${kind}`);
  element.setAttribute("d", d);
  if (scale < 1) element.setAttribute("transform", `scale(${scale.toFixed(3)})`);
  return element;
}

function path(corners, x = 0, y = 0) {
  const points = corners.map(([dx, dy]) => `${round(x + dx)} ${round(y + dy)}`);
  return `M${points.join("L")}Z`;
}

/** The corners of a shape drawn in by a distance from every side. */
function inset(shape, distance) {
  const scale = 1 - distance / shape.inner;
  return shape.corners.map(([x, y]) => [x * scale, y * scale]);
}

const round = (value) => Math.round(value * 1000) / 1000;

function escape(text) {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
