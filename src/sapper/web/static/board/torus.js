// A torus looks like one: beyond each side stand the cells of the opposite side, faded.

import { draw } from "../lib/dom.js";

export const BEYOND = 0.8; // cells that are seen beyond a side

export class Beyond {
  /** The cells beyond the sides of a board, and a line where the board itself ends. */
  constructor({ cells, columns, rows }) {
    this.cells = cells;
    this.copies = new Map();
    this.layer = draw("g", { class: "beyond", "aria-hidden": "true" });
    cells.forEach((_, cell) => {
      const places = placesOf(cell % columns, Math.floor(cell / columns), columns, rows);
      if (!places.length) return;
      const copies = places.map(([x, y]) => draw("g", { transform: `translate(${x} ${y})` }));
      this.copies.set(cell, copies);
      this.layer.append(...copies);
      this.follow(cell);
    });
    this.layer.append(draw("rect", { class: "seam", x: 0, y: 0, width: columns, height: rows }));
  }

  /** A cell was painted: so are its copies. */
  follow(cell) {
    for (const copy of this.copies.get(cell) ?? []) {
      copy.setAttribute("class", this.cells[cell].getAttribute("class"));
      copy.replaceChildren(...[...this.cells[cell].children].map((child) => child.cloneNode(true)));
    }
  }
}

/** How far a cell is moved to each of the places beyond the sides where it is seen again. */
function placesOf(column, row, columns, rows) {
  const across = [0, ...(column === 0 ? [columns] : []), ...(column === columns - 1 ? [-columns] : [])];
  const down = [0, ...(row === 0 ? [rows] : []), ...(row === rows - 1 ? [-rows] : [])];
  return across.flatMap((x) => down.map((y) => [x, y])).filter(([x, y]) => x || y);
}
