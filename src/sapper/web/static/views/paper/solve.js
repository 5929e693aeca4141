// Solving a table on the screen with crosses and dashes. Only the server knows the solution:
// it says which marks are wrong when it is asked, and where the mines are when that is asked.

import { press } from "../../board/pointer.js";
import { Stage } from "../../board/stage.js";
import * as api from "../../lib/api.js";
import { button, make } from "../../lib/dom.js";
import { tipped } from "../../lib/keys.js";
import { say, shout } from "../../lib/say.js";
import { plural } from "../../lib/words.js";

const NEXT = { undefined: "cross", cross: "dash", dash: undefined };

export class Solve {
  constructor(body, set) {
    this.set = set;
    this.answers = set.paper_puzzles.map(() => ({ signs: new Map(), past: [] }));
    this.verdict = make("p", { class: "note", role: "status" });
    this.about = make("p", { class: "faint" });
    this.stage = new Stage(
      "paper",
      {
        turn: (cell) => this.#turn(cell),
        cross: (cell) => this.#put(cell, "cross"),
        dash: (cell) => this.#put(cell, "dash"),
        wipe: (cell) => this.#put(cell, undefined),
        undo: () => this.#undo(),
      },
      { kind: "table-grid", hands: (view) => this.#listen(view) },
    );
    this.choice = make(
      "select",
      { "aria-label": "PaperPuzzle", onchange: () => this.open(Number(this.choice.value)) },
      ...set.paper_puzzles.map((_, k) => make("option", { value: k + 1, text: `Table ${k + 1} of ${set.paper_puzzles.length}` })),
    );
    this.undo = tipped(button({ icon: "undo", label: "Undo", class: "ghost", onclick: () => this.#undo() }), "paper", "undo", "Undo");
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
      this.stage.root,
      make("div", { class: "solve-foot" }, this.verdict, make("p", { class: "faint", text: "Click: cross, dash, nothing. Keys: X cross, - dash, Delete, arrows." })),
    );
  }

  leave() {
    this.stage.leave();
  }

  get view() {
    return this.stage.view;
  }

  get answer() {
    return this.answers[this.number - 1];
  }

  async open(number) {
    this.number = number;
    const { shapes, paper_puzzles } = this.set;
    const table = paper_puzzles[number - 1];
    this.stage.show(await api.shapes(shapes), { title: `Table ${number}`, marks: table.marks });
    this.covered = table.marks.flatMap((mark, cell) => (mark < 0 ? [cell] : []));
    // On paper a zero is written.
    this.zeros = new Map(table.marks.flatMap((mark, cell) => (mark === 0 ? [[cell, "0"]] : [])));
    this.about.textContent = table.label;
    this.choice.value = number;
    this.verdict.textContent = "";
    this.#draw();
  }

  #listen(view) {
    press(view, {
      first: (cell) => this.#turn(cell),
      second: (cell) => this.#put(cell, this.answer.signs.get(cell) === "dash" ? undefined : "dash"),
    });
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
    if (signs.size === this.covered.length) this.#check();
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
    this.stage.overlay.show({ grounds: new Map(wrong.map((cell) => [cell, "lost"])), labels: this.zeros, signs, notes });
  }

  async #check() {
    const number = this.number;
    const { signs } = this.answer;
    const cells = (wanted) => [...signs].filter(([, sign]) => sign === wanted).map(([cell]) => cell);
    try {
      const found = await api.checkPaperPuzzle(this.set.token, number, { crosses: cells("cross"), dashes: cells("dash") });
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
      const { mines: cells } = await api.solutionOf(this.set.token, number);
      if (number !== this.number) return;
      this.#change(new Map(this.covered.map((cell) => [cell, cells.includes(cell) ? "cross" : "dash"])));
      this.verdict.textContent = "This is the solution.";
    } catch (error) {
      shout(error.message);
    }
  }
}

function verdict({ wrong, left, solved }) {
  if (solved) return "Solved: every cross and dash is right.";
  const open = plural(left, "cell is left", "cells are left");
  if (!wrong.length) return `Right so far; ${open}.`;
  const bad = plural(wrong.length, "mark is wrong", "marks are wrong");
  return left ? `${bad}; ${open}.` : `${bad}.`;
}
