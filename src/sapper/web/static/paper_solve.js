// Solving a table on the screen with crosses and dashes. Only the server knows the solution:
// it says which marks are wrong when it is asked, and where the mines are when that is asked.

import * as api from "./api.js";
import { BoardView } from "./board.js";
import { button, make } from "./dom.js";
import { isTyping, step } from "./keys.js";
import { Overlay } from "./overlay.js";
import { say, shout } from "./say.js";
import { Zoom } from "./zoom.js";

const NEXT = { undefined: "cross", cross: "dash", dash: undefined };
const KEYS = { x: "cross", X: "cross", "-": "dash", ".": "dash", Delete: undefined, Backspace: undefined };

export class Solve {
  constructor(body, set) {
    this.set = set;
    this.answers = set.tables.map(() => ({ signs: new Map(), past: [] }));
    this.verdict = make("p", { class: "note", role: "status" });
    this.about = make("p", { class: "faint" });
    this.stage = make("div", { class: "stage" });
    this.choice = make(
      "select",
      { "aria-label": "Table", onchange: () => this.open(Number(this.choice.value)) },
      ...set.tables.map((_, k) => make("option", { value: k + 1, text: `Table ${k + 1} of ${set.tables.length}` })),
    );
    this.undo = button({ icon: "undo", label: "Undo", class: "ghost", onclick: () => this.#undo() });
    body.replaceChildren(
      make(
        "div",
        { class: "solve-bar" },
        this.choice,
        this.about,
        this.undo,
        button({ text: "Clear", class: "ghost", onclick: () => this.#change(new Map()) }),
        button({ text: "Check", class: "primary", onclick: () => this.#check() }),
        button({ text: "Show the solution", onclick: () => this.#solution() }),
      ),
      this.stage,
      make("div", { class: "solve-foot" }, this.verdict, make("p", { class: "faint", text: "Click: cross, dash, nothing. Keys: X cross, - dash, Delete, arrows." })),
    );
    this.zoom = new Zoom(this.stage);
  }

  get answer() {
    return this.answers[this.number - 1];
  }

  async open(number) {
    this.number = number;
    const { shapes, tables } = this.set;
    const table = tables[number - 1];
    const data = typeof shapes === "string" ? await api.board(shapes) : shapes;
    const grid = make("div", { class: "grid table-grid" });
    this.stage.replaceChildren(grid);
    this.view = new BoardView(grid, data, `Table ${number}`);
    this.view.paintAll(table.marks);
    this.overlay = new Overlay(this.view);
    this.blanks = table.marks.flatMap((mark, cell) => (mark < 0 ? [cell] : []));
    // On paper a zero is written.
    this.zeros = new Map(table.marks.flatMap((mark, cell) => (mark === 0 ? [[cell, "0"]] : [])));
    this.zoom.show(this.view);
    this.about.textContent = table.label;
    this.choice.value = number;
    grid.addEventListener("click", (event) => {
      const cell = this.view.cellAt(event.target);
      if (cell !== null) this.#turn(cell);
    });
    grid.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      const cell = this.view.cellAt(event.target);
      if (cell !== null) this.#put(cell, this.answer.signs.get(cell) === "dash" ? undefined : "dash");
    });
    grid.addEventListener("pointerdown", (event) => {
      const cell = this.view.cellAt(event.target);
      if (cell !== null) this.view.focus(cell, { ring: false });
    });
    this.verdict.textContent = "";
    this.#draw();
  }

  key(event) {
    if (!this.view || isTyping(event.target) || this.view.cellAt(event.target) === null) return;
    const next = step(this.view, event);
    if (next !== null) this.view.focus(next);
    else if ((event.ctrlKey || event.metaKey) && event.key === "z") this.#undo();
    else if (event.ctrlKey || event.metaKey || event.altKey) return;
    else if (event.key === " " || event.key === "Enter") this.#turn(this.view.current);
    else if (event.key in KEYS) this.#put(this.view.current, KEYS[event.key]);
    else return;
    event.preventDefault();
  }

  #turn(cell) {
    this.#put(cell, NEXT[this.answer.signs.get(cell)]);
  }

  #put(cell, sign) {
    if (this.view.marks[cell] >= 0) return;
    const signs = new Map(this.answer.signs);
    if (sign) signs.set(cell, sign);
    else signs.delete(cell);
    this.#change(signs);
    say(this.view.label(cell));
    if (signs.size === this.blanks.length) this.#check();
  }

  #change(signs) {
    this.answer.past.push(this.answer.signs);
    this.answer.signs = signs;
    this.verdict.textContent = "";
    this.#draw();
  }

  #undo() {
    const before = this.answer.past.pop();
    if (!before) return;
    this.answer.signs = before;
    this.verdict.textContent = "";
    this.#draw();
  }

  #draw(wrong = []) {
    const { signs, past } = this.answer;
    this.undo.disabled = !past.length;
    const notes = new Map([...signs].map(([cell, sign]) => [cell, wrong.includes(cell) ? `${sign}, wrong` : sign]));
    this.overlay.show({ grounds: new Map(wrong.map((cell) => [cell, "lost"])), labels: this.zeros, signs, notes });
  }

  async #check() {
    const number = this.number;
    const { signs } = this.answer;
    const cells = (wanted) => [...signs].filter(([, sign]) => sign === wanted).map(([cell]) => cell);
    try {
      const found = await api.post(`/api/paper/${this.set.token}/tables/${number}/check`, { crosses: cells("cross"), dashes: cells("dash") });
      if (number !== this.number || signs !== this.answer.signs) return;
      this.#draw(found.wrong);
      this.verdict.textContent = verdict(found);
    } catch (error) {
      shout(error.message);
    }
  }

  async #solution() {
    const number = this.number;
    try {
      const { mines } = await api.get(`/api/paper/${this.set.token}/tables/${number}/solution`);
      if (number !== this.number) return;
      this.#change(new Map(this.blanks.map((cell) => [cell, mines.includes(cell) ? "cross" : "dash"])));
      this.verdict.textContent = "This is the solution.";
    } catch (error) {
      shout(error.message);
    }
  }
}

function verdict({ wrong, left, solved }) {
  if (solved) return "Solved: every cross and dash is right.";
  const open = left === 1 ? "1 cell is left" : `${left} cells are left`;
  if (!wrong.length) return `Right so far; ${open}.`;
  const bad = wrong.length === 1 ? "1 mark is wrong" : `${wrong.length} marks are wrong`;
  return left ? `${bad}; ${open}.` : `${bad}.`;
}
