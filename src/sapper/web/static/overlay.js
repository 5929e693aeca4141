// What an answer says of a board, drawn over it: grounds, labels, outlines, and words for readers.
//
//   grounds   cell → a role of the palette (reveal, mark, proof, guess), or odds from 0 to 1
//   labels    cell → a short text in the cell
//   signs     cell → "free" or "mine": the same for eyes that do not tell colours apart
//   outlined  cells with a line around them: the hints that were used
//   notes     cell → words that are read after the cell's state
//
// The board stays what it is: an overlay can be shown over any frame, and taken away again.

const SVG = "http://www.w3.org/2000/svg";
const LINE = 0.09;
const SIGNS = {
  free: "m -.2 .02 l .14 .16 l .28 -.34",
  mine: "m -.17 -.17 l .34 .34 m 0 -.34 l -.34 .34",
};

export class Overlay {
  constructor(view) {
    this.view = view;
    this.layer = document.createElementNS(SVG, "g");
    this.layer.setAttribute("class", "overlay");
    this.layer.setAttribute("aria-hidden", "true");
    view.ring.before(this.layer);
    this.drawn = new Map(); // cell → {ground, parts, note, element}
  }

  /** Only what differs from what is shown is drawn: an edit on 100x100 cells takes 250 ms, not 1,400. */
  show({ grounds = new Map(), labels = new Map(), signs = new Map(), outlined = [], notes = new Map() }) {
    const lines = new Set(outlined);
    const cells = new Set([...grounds.keys(), ...labels.keys(), ...signs.keys(), ...lines, ...notes.keys()]);
    for (const cell of this.drawn.keys()) if (!cells.has(cell)) this.#drop(cell);
    const fresh = [];
    for (const cell of cells) {
      const was = this.drawn.get(cell);
      const now = {
        ground: grounds.has(cell) ? stepOf(grounds.get(cell)) : null,
        parts: this.#parts(cell, lines.has(cell), signs.get(cell), labels.get(cell), grounds.get(cell)),
        note: notes.get(cell) ?? null,
        element: was?.element ?? null,
      };
      this.drawn.set(cell, now);
      if (now.ground !== (was?.ground ?? null)) this.#ground(cell, now.ground);
      if (now.note !== (was?.note ?? null)) this.view.note(cell, now.note);
      if (now.parts !== (was?.parts ?? "")) fresh.push(now);
    }
    this.#write(fresh);
  }

  clear() {
    for (const cell of this.drawn.keys()) this.#drop(cell);
  }

  #drop(cell) {
    const { ground, note, element } = this.drawn.get(cell);
    if (ground !== null) this.#ground(cell, null);
    if (note !== null) this.view.note(cell, null);
    element?.remove();
    this.drawn.delete(cell);
  }

  /** New elements are read all at once, which is quicker than one by one. */
  #write(fresh) {
    const added = fresh.filter((one) => one.element === null);
    for (const one of fresh) if (one.element !== null) one.element.innerHTML = one.parts;
    const holder = document.createElementNS(SVG, "g");
    // Numbers, names of signs and escaped labels only.
    holder.innerHTML = added.map(({ parts }) => `<g>${parts}</g>`).join("");
    added.forEach((one, k) => (one.element = holder.children[k]));
    this.layer.append(...added.map((one) => one.element));
  }

  #ground(cell, ground) {
    const { dataset } = this.view.cells[cell];
    delete dataset.over;
    delete dataset.odds;
    if (typeof ground === "number") dataset.odds = ground;
    else if (ground !== null) dataset.over = ground;
  }

  #parts(cell, line, sign, label, ground) {
    const parts = [];
    if (line) parts.push(`<path class="over-line" d="${this.view.edge(cell, LINE / 2 + 0.02)}"/>`);
    if (sign) parts.push(`<path class="over-sign ${sign}" d="${this.#sign(cell, sign)}"/>`);
    if (label !== undefined) parts.push(this.#label(cell, label, ground));
    return parts.join("");
  }

  #label(cell, label, ground) {
    const [, x, y] = this.view.data.cells[cell];
    const long = label.length > 3 ? " long" : "";
    const odds = typeof ground === "number" ? ` data-odds="${stepOf(ground)}"` : "";
    return `<text class="over-label${long}"${odds} x="${x}" y="${y}" dy=".36em">${escape(label)}</text>`;
  }

  #sign(cell, sign) {
    const [, x, y] = this.view.data.cells[cell];
    const drawn = SIGNS[sign].replace(/-?\.\d+/g, (number) => (Number(number) * this.view.scale).toFixed(3));
    return `M${x} ${y}${drawn}`;
  }
}

/** An overlay of odds: cells and their probabilities of a mine, null where there is none. */
export function oddsOverlay(cells, odds) {
  const grounds = new Map();
  const labels = new Map();
  const notes = new Map();
  cells.forEach((cell, k) => {
    const p = odds[k];
    if (p !== null) grounds.set(cell, p);
    labels.set(cell, percent(p));
    notes.set(cell, p === null ? "no odds" : `mine ${spoken(p)}`);
  });
  return { grounds, labels, notes };
}

/** Odds as people read them, as the command writes them; 0 % and 100 % are kept for what is certain. */
export function percent(p) {
  if (p === null) return "?";
  if (p === 0 || p === 1) return `${100 * p}%`;
  const rounded = halfToEven(100 * p);
  if (rounded < 1) return "<1%";
  return rounded > 99 ? ">99%" : `${rounded}%`;
}

/** The same for ears: signs such as < are often passed over. */
export function spoken(p) {
  return percent(p).replace("<", "below ").replace(">", "above ");
}

/** A ground as it is written: odds in whole percent, whose ends are kept for what is certain. */
function stepOf(ground) {
  if (typeof ground !== "number") return ground;
  return ground === 0 || ground === 1 ? 100 * ground : Math.min(99, Math.max(1, halfToEven(100 * ground)));
}

function halfToEven(value) {
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

function escape(text) {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
