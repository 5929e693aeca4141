// Solve a paper puzzle on the screen with crosses and dashes. The server has the solution; it checks
// the marks and reveals the mines only on request.

import { listenToPresses } from "../../board/pointer.js";
import { Stage } from "../../board/stage.js";
import { announce, reportErrors } from "../../lib/announce.js";
import * as api from "../../lib/api.js";
import { button, make } from "../../lib/dom.js";
import { plural } from "../../lib/format.js";

const NEXT_SIGN = { undefined: "cross", cross: "dash", dash: undefined };

export class SolveTab {
  constructor(body, worksheet, signal) {
    this.worksheet = worksheet;
    this.answers = worksheet.paper_puzzles.map(() => ({ signs: new Map(), history: [] }));
    this.verdict = make("p.note", { role: "status" });
    this.about = make("p.faint");
    const commands = {
      cycle: (cell) => this.#cycle(cell),
      cross: (cell) => this.#setSign(cell, "cross"),
      dash: (cell) => this.#setSign(cell, "dash"),
      erase: (cell) => this.#setSign(cell, undefined),
      undo: () => this.#undo(),
    };
    const options = { className: "paper-grid", listen: (view) => this.#listen(view) };
    this.stage = new Stage("print", commands, signal, options);
    this.choice = make(
      "select",
      { "aria-label": "Puzzle", onchange: () => this.open(Number(this.choice.value)) },
      ...worksheet.paper_puzzles.map((_, k) =>
        make("option", { value: k + 1 }, `Puzzle ${k + 1} of ${worksheet.paper_puzzles.length}`),
      ),
    );
    this.undo = this.stage.button("undo", { icon: "undo", label: "Undo", class: "ghost" });
    body.replaceChildren(
      make(
        "div.solve-bar",
        this.choice,
        this.about,
        this.undo,
        button({ text: "Clear", class: "ghost", onclick: () => this.#change(new Map()) }),
        button({ text: "Check", class: "primary", onclick: () => this.#check() }),
        button({ text: "Show the solution", onclick: () => this.#showSolution() }),
      ),
      this.stage.root,
      make(
        "div.solve-foot",
        this.verdict,
        make("p.faint", "Click: cross, dash, nothing. Keys: X cross, - dash, Delete, arrow keys."),
      ),
    );
  }

  get view() {
    return this.stage.view;
  }

  get answer() {
    return this.answers[this.number - 1];
  }

  async open(number) {
    this.number = number;
    const { shapes, paper_puzzles } = this.worksheet;
    const puzzle = paper_puzzles[number - 1];
    this.stage.show(await api.shapes(shapes), { title: `Puzzle ${number}`, marks: puzzle.marks });
    this.covered = puzzle.marks.flatMap((mark, cell) => (mark < 0 ? [cell] : []));
    // On paper, zeros are printed.
    this.zeros = new Map(puzzle.marks.flatMap((mark, cell) => (mark === 0 ? [[cell, "0"]] : [])));
    this.about.textContent = puzzle.label;
    this.choice.value = number;
    this.verdict.textContent = "";
    this.#draw();
  }

  #listen(view) {
    listenToPresses(view, {
      primary: (cell) => this.#cycle(cell),
      secondary: (cell) => this.#setSign(cell, this.answer.signs.get(cell) === "dash" ? undefined : "dash"),
    });
  }

  #cycle(cell) {
    this.#setSign(cell, NEXT_SIGN[this.answer.signs.get(cell)]);
  }

  #setSign(cell, sign) {
    if (this.view.marks[cell] >= 0) return;
    const signs = new Map(this.answer.signs);
    if (sign) signs.set(cell, sign);
    else signs.delete(cell);
    this.#change(signs);
    announce(this.view.label(cell));
    if (signs.size === this.covered.length) this.#check();
  }

  #change(signs) {
    this.answer.history.push(this.answer.signs);
    this.answer.signs = signs;
    this.verdict.textContent = "";
    this.#draw();
  }

  #undo() {
    const before = this.answer.history.pop();
    if (!before) return;
    this.answer.signs = before;
    this.verdict.textContent = "";
    this.#draw();
  }

  #draw(wrong = []) {
    const { signs, history } = this.answer;
    this.undo.disabled = !history.length;
    const notes = new Map([...signs].map(([cell, sign]) => [cell, wrong.includes(cell) ? `${sign}, wrong` : sign]));
    this.stage.overlay.show({ fills: new Map(wrong.map((cell) => [cell, "lost"])), labels: this.zeros, signs, notes });
  }

  async #check() {
    const number = this.number;
    const { signs } = this.answer;
    const cellsWith = (sign) => [...signs].filter(([, other]) => other === sign).map(([cell]) => cell);
    const { query } = this.worksheet;
    const marks = { query, crosses: cellsWith("cross"), dashes: cellsWith("dash") };
    const result = await reportErrors(() => api.checkPaperPuzzle(number, marks));
    if (!result || number !== this.number || signs !== this.answer.signs) return;
    this.#draw(result.wrong);
    this.verdict.textContent = verdict(result);
  }

  async #showSolution() {
    const number = this.number;
    const solution = await reportErrors(() => api.solutionOf(number, { query: this.worksheet.query }));
    if (!solution || number !== this.number) return;
    this.#change(new Map(this.covered.map((cell) => [cell, solution.mines.includes(cell) ? "cross" : "dash"])));
    this.verdict.textContent = "This is the solution.";
  }
}

function verdict({ wrong, left, solved }) {
  if (solved) return "Solved: all marks are correct.";
  const remaining = `${plural(left, "cell")} left`;
  if (!wrong.length) return `Correct so far; ${remaining}.`;
  const mistakes = plural(wrong.length, "mark is wrong", "marks are wrong");
  return left ? `${mistakes}; ${remaining}.` : `${mistakes}.`;
}
