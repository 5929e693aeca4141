// Everything around the board of the analysis: palette, answer, cell, position, text.

import { guessWords, spokenGuess } from "../../board/best_guess.js";
import { COVERED, FLAG } from "../../board/view.js";
import { copyButton, linkTo } from "../../lib/copy.js";
import { button, make, working } from "../../lib/dom.js";
import { field, options, tick, tilingRows } from "../../lib/forms.js";
import { tipped } from "../../lib/keys.js";
import { say } from "../../lib/say.js";
import { percent, plural, sentence } from "../../lib/words.js";
import { LOOK } from "./editor.js";

const TYPING = 250; // milliseconds after a key: then what was typed is read
const MOST_CHIPS = 24;
const MOST_IN_PALETTE = 24;

export class AnalysisPanel {
  constructor(commands, stage) {
    this.commands = commands;
    const tool = (name, options) => tipped(button({ onclick: commands[name], class: "ghost", ...options }), "analyse", name, options.label ?? options.text);
    this.undo = tool("undo", { icon: "undo", label: "Undo" });
    this.redo = tool("redo", { icon: "redo", label: "Redo" });
    this.palette = make("div", { class: "palette", role: "group", "aria-label": "Paint" });
    this.summary = make("div", { class: "summary" });
    this.cell = make("section", { class: "about-cell", "aria-label": "Cell", hidden: true });
    this.answer = make("section", { class: "answer", "aria-label": "Answer" }, this.summary, this.cell);
    this.root = make(
      "section",
      { class: "analyse", "aria-label": "Analyse" },
      make("h1", { class: "unseen", text: "Analyse" }),
      make(
        "div",
        { class: "desk" },
        stage.root,
        make(
          "div",
          { class: "paints" },
          this.palette,
          make("div", { class: "tools", role: "group", "aria-label": "Edit" }, this.undo, this.redo, tool("clear", { text: "Clear" })),
          stage.zoomTools(),
        ),
      ),
      make(
        "div",
        { class: "side", tabindex: "0", role: "region", "aria-label": "Answer and position" },
        this.answer,
        this.#positionForm(),
        this.#textForm(),
      ),
    );
  }

  fill(menu) {
    this.tiling.replaceChildren(...options(tilingRows(menu.tilings)));
  }

  stop() {
    clearInterval(this.clock);
    clearTimeout(this.typing);
  }

  /** A new board is drawn: its palette, and no cell looked at. */
  opened(editor) {
    this.cell.hidden = true;
    const most = Math.min(editor.mostNumber, MOST_IN_PALETTE);
    const tools = [
      [LOOK, "Look", "Look: click a cell for its probabilities and proof"],
      [COVERED, "", "Covered"],
      [FLAG, "", "Flag"],
      ...Array.from({ length: most + 1 }, (_, number) => [number, String(number), `Number ${number}`]),
    ];
    this.tools = tools.map(([mark, text, label]) => {
      const look = mark === COVERED ? "covered" : mark === FLAG ? "flag" : mark === LOOK ? "look" : `h${Math.min(mark, 12)}`;
      const made = button({
        text,
        icon: mark === FLAG ? "flag" : undefined,
        label,
        class: `paint ${look}`,
        "aria-pressed": "false",
        onclick: () => this.commands.tool(mark),
      });
      return [mark, made];
    });
    this.palette.replaceChildren(...this.tools.map(([, made]) => made));
    this.showTool(editor.tool);
  }

  showTool(tool) {
    for (const [mark, made] of this.tools) made.setAttribute("aria-pressed", mark === tool);
  }

  showPosition(editor) {
    const { position } = editor;
    this.undo.disabled = !editor.canUndo;
    this.redo.disabled = !editor.canRedo;
    this.shape.disabled = !position.size;
    this.shape.hidden = !position.size;
    if (position.size) {
      const [width, height] = position.size;
      for (const [input, value] of [[this.tiling, position.tiling], [this.width, width], [this.height, height]]) settle(input, value);
    }
    settle(this.mines, position.mines ?? "");
  }

  // The answer.

  showWork(start) {
    clearInterval(this.clock);
    const time = make("span", { class: "number" });
    this.cell.hidden = true;
    const tick = () => (time.textContent = `${((performance.now() - start) / 1000).toFixed(0)} s`);
    tick();
    this.clock = setInterval(tick, 500);
    this.summary.replaceChildren(...working("Working … ", this.commands.cancel, time));
    say("working");
  }

  busy(on) {
    this.answer.setAttribute("aria-busy", on);
    if (!on) clearInterval(this.clock);
  }

  showFailure(message) {
    this.cell.hidden = true;
    this.summary.replaceChildren(
      make("p", { class: "note bad", text: sentence(message) }),
      button({ text: "Analyse again", onclick: this.commands.retry }),
    );
  }

  showAnswer(answer, view) {
    this.showText(answer.text);
    this.textTools.replaceChildren(
      copyButton("Text", answer.text),
      answer.link
        ? copyButton("Link", linkTo(answer.link), "Copy link")
        : make("small", { text: "too large for a link" }),
    );
    if (answer.contradiction) return this.#showClash(answer.contradiction);
    const { safe, certain_mines: mines, guess } = answer;
    const certain = safe.length + mines.length;
    const head = certain ? `${plural(certain, "cell is", "cells are")} certain.` : answer.cells.length ? "Nothing is certain." : "Everything is revealed.";
    const rows = [make("p", { class: "headline", text: head })];
    if (safe.length) rows.push(this.#chips("Free", safe, view, "free"));
    if (mines.length) rows.push(this.#chips("Mines", mines, view, "mine"));
    if (guess) rows.push(...guessWords(guess, view, (cell, best) => this.#chip(cell, view, best ? "guess" : "other")));
    rows.push(make("p", { class: "faint", text: solutions(answer) }));
    this.summary.replaceChildren(...rows);
    say(guess ? `${head} ${spokenGuess(guess, view)}` : head);
  }

  #showClash({ text, numbers, uses_mine_count: count }) {
    this.cell.hidden = true;
    const [words, change] = clash(numbers.length);
    const total = count && numbers.length ? " for this number of mines" : "";
    const way = `Change ${change}${count && numbers.length ? ", or the number of mines" : ""}.`;
    this.summary.replaceChildren(
      make("p", { class: "headline bad", text: "This cannot be" }),
      make("p", { text: `${words}${total}. ${way}` }),
      make("details", {}, make("summary", { text: "Details" }), make("p", { class: "faint", text })),
    );
    say(`This cannot be. ${words}${total}. ${way}`);
  }

  #chips(title, cells, view, kind) {
    const shown = cells.slice(0, MOST_CHIPS).map((cell) => this.#chip(cell, view, kind));
    const more = cells.length > MOST_CHIPS ? [make("small", { text: `and ${cells.length - MOST_CHIPS} more` })] : [];
    return make("p", { class: "chips" }, make("strong", { text: `${title} ` }), ...shown, ...more);
  }

  #chip(cell, view, kind) {
    const name = view.name(cell);
    return make("button", {
      type: "button",
      class: `chip ${kind}`,
      text: name,
      title: kind === "guess" || kind === "other" ? name : `Why ${name}?`,
      onclick: () => this.commands.explain(cell),
    });
  }

  // The cell that is looked at.

  showCell(view, answer, cell) {
    const at = answer.cells.indexOf(cell);
    const mark = view.marks[cell];
    const probabilities = at < 0 ? `number ${mark}` : answer.probabilities[at] === null ? "no probabilities without a mine count" : exactly(answer.probabilities[at]);
    this.values = make("div", { class: "values" });
    this.why = make("p", { class: "why", hidden: true });
    this.cell.hidden = false;
    this.cell.replaceChildren(
      make("h2", {}, make("span", { text: view.name(cell) }), make("small", { text: mark === FLAG ? `flag, ${probabilities}` : probabilities })),
      this.values,
      this.why,
    );
    const certain = answer.safe.includes(cell) || answer.certain_mines.includes(cell);
    if (certain) this.values.replaceChildren(make("p", { class: "faint", text: "Click the cell, or press Enter, for the proof." }));
  }

  showValues({ values }) {
    const rows = Object.entries(values ?? {});
    if (!rows.length) return;
    const number = [...this.values.querySelectorAll("p")];
    this.values.replaceChildren(
      ...number,
      make("h3", { text: "If it is free, it shows" }),
      make(
        "ul",
        { class: "bars" },
        ...rows.map(([number, p]) => {
          const bar = make("span", { class: "bar-fill" });
          bar.style.setProperty("width", `${100 * p}%`);
          return make("li", {}, make("span", { class: `digit-of h${Math.min(number, 12)}`, text: number }), make("span", { class: "bar-line" }, bar), make("span", { class: "share-of", text: percent(p) }));
        }),
      ),
    );
  }

  showProof(proof, view) {
    const names = proof.numbers.map((cell) => view.name(cell)).join(", ");
    const count = proof.uses_mine_count ? " and the mine count" : "";
    const from = proof.numbers.length ? `the numbers at ${names}${count}` : "the mine count";
    const what = proof.action === "flag" ? "A mine" : "Free";
    this.why.hidden = false;
    this.why.replaceChildren(
      make("strong", { text: `${what}, from ${from}.` }),
      make("span", { text: proof.text }),
      make("small", { text: `Difficulty: ${proof.difficulty_text}. ${proof.smallest ? "No smaller set of numbers proves it." : "A smaller set of numbers may do."}` }),
    );
    for (const note of this.values.querySelectorAll("p")) note.remove();
  }

  showCellProblem(message) {
    if (!this.why) return;
    this.why.hidden = false;
    this.why.textContent = sentence(message);
  }

  // The position: board, mines, text.

  #positionForm() {
    const reshape = () => {
      const [width, height] = [Number(this.width.value), Number(this.height.value)];
      if (this.width.checkValidity() && this.height.checkValidity()) this.commands.reshape(this.tiling.value, width, height);
    };
    const number = (label, options) =>
      make("input", { type: "number", min: 1, max: 20000, step: 1, required: true, "aria-label": label, onchange: reshape, ...options });
    this.tiling = make("select", { "aria-label": "Tiling", onchange: reshape });
    this.width = number("Width");
    this.height = number("Height");
    this.mines = make("input", {
      type: "number",
      min: 0,
      step: 1,
      placeholder: "unknown",
      "aria-label": "Mines; empty for an unknown number",
      oninput: () => this.mines.checkValidity() && this.commands.mines(this.mines.value === "" ? null : Number(this.mines.value)),
    });
    this.shape = make(
      "fieldset",
      { class: "fields" },
      field("Tiling", this.tiling),
      make("div", { class: "pair" }, field("Width", this.width), field("Height", this.height)),
    );
    return make(
      "section",
      { class: "position", "aria-label": "Position" },
      make("h2", { text: "Position" }),
      this.shape,
      make("div", { class: "fields" }, field("Mines", this.mines)),
      tick("Trust flags", "Take flags for mines, not for opinions.", {
        onchange: (event) => this.commands.trust(event.target.checked),
      }),
    );
  }

  #textForm() {
    this.text = make("textarea", {
      rows: 8,
      readonly: true,
      spellcheck: "false",
      autocomplete: "off",
      "aria-label": "The position as text",
      "aria-describedby": "text-problem",
      oninput: () => {
        this.unread = this.text.value;
        clearTimeout(this.typing);
        this.typing = setTimeout(() => {
          this.typing = null;
          this.commands.read(this.text.value);
        }, TYPING);
      },
      onblur: () => this.showText(this.canonical),
    });
    this.unread = null; // what was typed and is not on the board yet
    this.problem = make("p", { class: "note bad", id: "text-problem", hidden: true });
    this.textTools = make("div", { class: "share-line" });
    return make(
      "section",
      { class: "as-text", "aria-label": "Text" },
      make("h2", { text: "Text" }),
      make("p", { class: "faint", text: "Paste or type a position in any notation: # covered, F flag, . or 0 to 9, a b c for 10 to 12; JSON for a graph; a layout, a saved game or a link." }),
      this.text,
      this.problem,
      this.textTools,
    );
  }

  /** The canonical text, but never over one that is being typed or was not read yet. */
  showText(text) {
    this.canonical = text;
    if (document.activeElement !== this.text && this.unread === null) this.text.value = text;
  }

  /** Whether what was typed waits to be read. */
  get isTyping() {
    return Boolean(this.typing);
  }

  /** What could not be read is given up for what the board shows. */
  forgetTyped() {
    this.unread = null;
    this.showProblem(null);
  }

  /** A text was read: unless more was typed since, what the board shows may take its place. */
  wasRead(text) {
    if (this.unread === text) this.unread = null;
  }

  showProblem(message) {
    this.problem.hidden = message === null;
    this.problem.textContent = message === null ? "" : sentence(message);
    this.text.toggleAttribute("aria-invalid", message !== null);
  }
}

/** What is wrong, and what to change, where so many numbers clash. */
function clash(values) {
  if (values === 0) return ["No such position has so many mines", "the number of mines, or leave it empty"];
  if (values === 1) return ["The outlined number cannot be right with what is around it", "it"];
  return ["The outlined numbers cannot all be right", "one of them"];
}

/** Write a value into a field, unless somebody is typing there. */
function settle(input, value) {
  if (document.activeElement !== input) input.value = value;
}

/** Probabilities as the head of a cell's section has them. */
function exactly(p) {
  if (p === 0) return "certainly free";
  return p === 1 ? "certainly a mine" : `mine ${percent(p)}`;
}

function solutions({ solutions: exact, ln_solutions: ln }) {
  if (exact !== null) return exact === "1" ? "one way to place the mines" : `${grouped(exact)} ways to place the mines`;
  const digits = ln / Math.LN10;
  return `about ${(10 ** (digits % 1)).toFixed(2)} × 10^${Math.floor(digits)} ways to place the mines`;
}

const grouped = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, "\u202f");
