// A screenshot in the analyse view: choose it, compare it with the board, correct unsure cells.
//
// The server reads the picture. The board shows the position as any other; cells that are not certain
// have a dashed outline on the board and in the picture, and a click changes what they show.

import { letter } from "../../board/hints.js";
import { announce } from "../../lib/announce.js";
import * as api from "../../lib/api.js";
import { button, make } from "../../lib/dom.js";
import { takePendingPicture } from "../../lib/files.js";
import { plural, toSentence } from "../../lib/format.js";
import { setting } from "../../lib/settings.js";
import { busyNotice, field, fileInput, minesInput, setUnlessFocused } from "../../lib/widgets.js";

const MAX_BYTES = 32_000_000; // the limit of the server
const MAX_CHIPS = 12;
const MARGIN = 0.6; // cells around the board in the drawing
const MAX_SIDE = 1600; // pixels of the drawing's longer side
// The mines of the usual boards, by their size.
const USUAL_MINES = {
  "8x8": 10,
  "9x9": 10,
  "10x8": 10,
  "16x16": 40,
  "18x14": 40,
  "30x16": 99,
  "16x30": 99,
  "24x20": 99,
};

export class PictureReader {
  /** open(reading) shows its position; setMines(count) sets the mine count; redraw() draws the board's overlay. */
  constructor(stage, editor, { open, setMines, redraw }) {
    Object.assign(this, { stage, editor, open, setMines, redraw });
    this.request = new api.LatestRequest(stage.signal);
    this.unsure = new Map(); // cell → the marks that it may have, the likeliest first
    this.fileChooser = make(
      "div.picture-choice",
      ...fileInput({ label: "Picture", accept: "image/*", text: "Read a screenshot", open: (file) => this.read(file) }),
    );
    this.privacy = make("span");
    this.body = make("div", { "aria-live": "polite" });
    this.root = make(
      "section.picture",
      { "aria-label": "Picture" },
      this.fileChooser,
      make("p.faint", "Choose, paste or drop it. ", this.privacy),
      this.body,
    );
  }

  /** Show where pictures are sent; read the picture that was dropped on another view. */
  start({ shared }) {
    this.privacy.textContent = shared
      ? "It is read on the machine that runs Sapper, and is not stored."
      : "It stays on your machine.";
    const file = takePendingPicture();
    if (file) this.read(file);
  }

  /** Remove the picture when another board is shown. */
  clear() {
    this.unsure = new Map();
    this.minesInput = null;
    this.body.replaceChildren();
    this.root.classList.remove("shown");
  }

  async read(file) {
    if (file.size > MAX_BYTES) return this.#fail(`the picture is too large: at most ${MAX_BYTES / 1e6} MB are read`);
    this.body.replaceChildren(...busyNotice("Reading the picture …", () => this.request.cancel()));
    try {
      const reading = await this.request.run((signal) => api.readPicture(file, signal));
      if (reading === null) return this.body.replaceChildren();
      const drawing = await drawBoard(file, reading).catch(() => null); // a picture that the browser cannot decode
      await this.open(reading);
      this.#show(reading, drawing);
    } catch (error) {
      this.#fail(error.message);
    }
  }

  /** Show the next reading of a cell; return false if the cell is not unsure. */
  showNextReading(cell) {
    const marks = this.unsure.get(cell);
    if (!marks) return false;
    const index = marks.indexOf(this.editor.view.marks[cell]);
    this.editor.mark([cell], marks[(index + 1) % marks.length]);
    announce(this.editor.view.label(cell));
    return true;
  }

  /** Add the unsure cells to a drawing over the board. */
  addUnsureCells(drawing) {
    const notes = new Map(drawing.notes);
    for (const cell of this.unsure.keys())
      notes.set(cell, [notes.get(cell), "unsure reading"].filter(Boolean).join(", "));
    const badges = this.unsure.size
      ? new Map([...this.unsure.keys()].slice(0, MAX_CHIPS).map((cell, k) => [cell, letter(k)]))
      : drawing.badges;
    return { ...drawing, dashed: [...this.unsure.keys()], badges, notes };
  }

  showMines(mines) {
    if (this.minesInput) setUnlessFocused(this.minesInput, mines ?? "");
  }

  #show({ size, mines, unsure, notes }, drawing) {
    const { view } = this.editor;
    this.unsure = new Map(unsure.map(({ cell, marks }) => [cell, marks]));
    this.minesInput = minesInput(this.setMines, { value: mines ?? "" });
    const usual = USUAL_MINES[size.join("x")];
    const headline = `${size.join(" × ")} cells read, ${unsure.length ? `${plural(unsure.length, "cell")} unsure` : "all sure"}.`;
    this.body.replaceChildren(
      ...(drawing ? [drawing] : []),
      make("p.headline", headline),
      ...notes.map((note) => make("p.faint", toSentence(note))),
      ...this.#unsureRows(view),
      make(
        "div.picture-mines",
        field("How many mines does the board have?", this.minesInput),
        usual && mines === null ? button({ text: `Usual: ${usual}`, onclick: () => this.#useMines(usual) }) : null,
      ),
    );
    this.root.classList.add("shown");
    this.redraw();
    announce(headline);
  }

  #useMines(count) {
    this.minesInput.value = count;
    this.setMines(count);
  }

  #unsureRows(view) {
    if (!this.unsure.size) return [];
    const cells = [...this.unsure.keys()];
    const name = (cell, k) => (setting("names") ? view.name(cell) : letter(k));
    const chips = cells
      .slice(0, MAX_CHIPS)
      .map((cell, k) => make("button.chip", { type: "button", onclick: () => this.#goTo(cell) }, name(cell, k)));
    const more = cells.length > MAX_CHIPS ? [make("small", `and ${cells.length - MAX_CHIPS} more`)] : [];
    return [
      make("p", "Click a dashed cell on the board until it shows what the picture shows."),
      make("p.chips", make("strong", "Unsure "), ...chips, ...more),
      button({ text: "All correct", onclick: () => this.#accept() }),
    ];
  }

  #goTo(cell) {
    this.stage.scrollToCells([cell]);
    this.editor.view.focus(cell);
  }

  #accept() {
    this.unsure = new Map();
    for (const element of this.body.querySelectorAll("p:not(.headline), .chips, :scope > button")) element.remove();
    this.redraw();
  }

  #fail(message) {
    this.body.replaceChildren(make("p.note.bad", toSentence(message)));
    announce(message);
  }
}

/** A canvas with the part of the picture that shows the board, and outlines around the unsure cells. */
async function drawBoard(file, { area, size: [columns, rows], unsure }) {
  const picture = await createImageBitmap(file);
  const cell = { width: (area.width * picture.width) / columns, height: (area.height * picture.height) / rows };
  const left = Math.max(0, area.left * picture.width - MARGIN * cell.width);
  const top = Math.max(0, area.top * picture.height - MARGIN * cell.height);
  const width = Math.min(picture.width - left, (columns + 2 * MARGIN) * cell.width);
  const height = Math.min(picture.height - top, (rows + 2 * MARGIN) * cell.height);
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height));
  const canvas = make("canvas", {
    width: Math.round(width * scale),
    height: Math.round(height * scale),
    role: "img",
    "aria-label": "The board in the picture",
  });
  const context = canvas.getContext("2d");
  context.scale(scale, scale);
  context.translate(-left, -top);
  context.drawImage(picture, 0, 0);
  // White dashes on black are visible on every picture.
  for (const [style, dash] of [
    ["black", []],
    ["white", [cell.width / 5]],
  ]) {
    context.strokeStyle = style;
    context.lineWidth = Math.max(2, cell.width / 10);
    context.setLineDash(dash);
    for (const { cell: index } of unsure)
      context.strokeRect(
        area.left * picture.width + (index % columns) * cell.width,
        area.top * picture.height + Math.floor(index / columns) * cell.height,
        cell.width,
        cell.height,
      );
  }
  picture.close();
  return canvas;
}
