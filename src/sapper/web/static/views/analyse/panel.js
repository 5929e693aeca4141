// The panel of the analysis: palette, results, the selected cell, position and text.

import { candidatesOf, GuessTable, guessText, shortGuessText } from "../../board/guesses.js";
import { renderSentence } from "../../board/hint_overlay.js";
import { probabilityText } from "../../board/probability_overlay.js";
import { COVERED, FLAG } from "../../board/view.js";
import { announce } from "../../lib/announce.js";
import { copyButton, linkTo } from "../../lib/clipboard.js";
import { busyNotice, button, cellChips, make } from "../../lib/dom.js";
import { percent, plural, toSentence } from "../../lib/format.js";
import { field, options, checkbox, tilingRows } from "../../lib/forms.js";
import { withTooltip } from "../../lib/keys.js";
import { SELECT } from "./editor.js";

const TYPING_DELAY = 250; // milliseconds after the last key before typed text is read
const MAX_CHIPS = 24;
const MAX_IN_PALETTE = 24;

export class AnalysisPanel {
  /** *picture* is the element of the picture reader. */
  constructor(commands, stage, evaluation, picture) {
    Object.assign(this, { commands, stage });
    this.guessTable = new GuessTable();
    const tool = (name, options) => withTooltip(button({ onclick: commands[name], class: "ghost", ...options }), "analyse", name, options.label ?? options.text);
    this.undo = tool("undo", { icon: "undo", label: "Undo" });
    this.redo = tool("redo", { icon: "redo", label: "Redo" });
    this.palette = make("div", { class: "palette", role: "group", "aria-label": "Paint" });
    this.summary = make("div", { class: "summary" });
    this.cell = make("section", { class: "about-cell", "aria-label": "Cell", hidden: true });
    this.answer = make("section", { class: "answer", "aria-label": "Analysis" }, evaluation.text, this.summary, this.cell);
    this.root = make(
      "section",
      { class: "analyse", "aria-label": "Analyse" },
      make("h1", { class: "visually-hidden", text: "Analyse" }),
      make(
        "div",
        { class: "editor" },
        stage.root,
        make(
          "div",
          { class: "paint-bar" },
          this.palette,
          make("div", { class: "tools", role: "group", "aria-label": "Edit" }, this.undo, this.redo, tool("clear", { text: "Clear" })),
          stage.zoomButtons(),
        ),
      ),
      make(
        "div",
        { class: "side", tabindex: "0", role: "region", "aria-label": "Analysis and position" },
        picture,
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
    this.guessTable.clear();
  }

  /** A new board is shown: build its palette. */
  opened(editor) {
    this.cell.hidden = true;
    const maxNumber = Math.min(editor.maxNumber, MAX_IN_PALETTE);
    const tools = [
      [SELECT, "Select", "Select: click a cell for its probability and proof"],
      [COVERED, "", "Covered"],
      [FLAG, "", "Flag"],
      ...Array.from({ length: maxNumber + 1 }, (_, number) => [number, String(number), `Number ${number}`]),
    ];
    this.tools = tools.map(([mark, text, label]) => {
      const className = mark === COVERED ? "covered" : mark === FLAG ? "flag" : mark === SELECT ? "select" : `n${Math.min(mark, 12)}`;
      const element = button({
        text,
        icon: mark === FLAG ? "flag" : undefined,
        label,
        class: `paint ${className}`,
        "aria-pressed": "false",
        onclick: () => this.commands.tool(mark),
      });
      return [mark, element];
    });
    this.palette.replaceChildren(...this.tools.map(([, element]) => element));
    this.showTool(editor.tool);
  }

  showTool(tool) {
    for (const [mark, element] of this.tools) element.setAttribute("aria-pressed", mark === tool);
  }

  showPosition(editor) {
    const { position } = editor;
    this.undo.disabled = !editor.canUndo;
    this.redo.disabled = !editor.canRedo;
    this.shape.disabled = !position.size;
    this.shape.hidden = !position.size;
    if (position.size) {
      const [width, height] = position.size;
      for (const [input, value] of [[this.tiling, position.tiling], [this.width, width], [this.height, height]]) setUnlessFocused(input, value);
    }
    setUnlessFocused(this.mines, position.mines ?? "");
  }

  showWork(start) {
    clearInterval(this.clock);
    const time = make("span", { class: "number" });
    this.cell.hidden = true;
    const tick = () => (time.textContent = `${((performance.now() - start) / 1000).toFixed(0)} s`);
    tick();
    this.clock = setInterval(tick, 500);
    this.summary.replaceChildren(...busyNotice("Working … ", this.commands.cancel, time));
    announce("Working");
  }

  busy(on) {
    this.answer.setAttribute("aria-busy", on);
    if (!on) clearInterval(this.clock);
  }

  showFailure(message) {
    this.cell.hidden = true;
    this.summary.replaceChildren(
      make("p", { class: "note bad", text: toSentence(message) }),
      button({ text: "Analyse again", onclick: this.commands.retry }),
    );
  }

  showAnswer(answer, view) {
    this.showText(answer.text);
    this.textTools.replaceChildren(
      copyButton("Text", answer.text),
      answer.link
        ? copyButton("Link", linkTo(answer.link), "Copy link")
        : make("small", { text: "too long for a link" }),
    );
    if (answer.contradiction) return this.#showContradiction(answer.contradiction);
    const { safe, certain_mines: mines, guess } = answer;
    const certain = safe.length + mines.length;
    const head = certain ? `${plural(certain, "cell is", "cells are")} certain.` : answer.cells.length ? "No cell is certain." : "All cells are revealed.";
    const rows = [make("p", { class: "headline", text: head })];
    if (safe.length) rows.push(this.#chips("Safe", safe, view, "safe"));
    if (mines.length) rows.push(this.#chips("Mines", mines, view, "mine"));
    if (guess) rows.push(...this.#guess(guess, view));
    rows.push(make("p", { class: "faint", text: solutions(answer) }));
    this.summary.replaceChildren(...rows);
    announce(guess ? `${head} ${shortGuessText(guess, view)}` : head);
  }

  #showContradiction(contradiction) {
    const { text, numbers, uses_mine_count: count } = contradiction;
    this.cell.hidden = true;
    const advice = contradictionAdvice(numbers.length, count);
    this.summary.replaceChildren(make("p", { class: "headline bad" }, ...renderSentence(contradiction, this.stage), "."), make("p", { text: advice }));
    announce(`${toSentence(text)} ${advice}`);
  }

  #chips(title, cells, view, kind) {
    return cellChips(title, cells, view, kind, MAX_CHIPS, (cell) => this.commands.explain(cell));
  }

  #guess(guess, view) {
    const chip = (cell, best) => this.#guessChip(cell, view, best);
    if (guess.risk !== null) this.guessTable.show(candidatesOf(guess), chip, this.commands.winChances);
    return [guessText(guess, this.stage, chip), ...(guess.risk === null ? [] : [this.guessTable.root])];
  }

  #guessChip(cell, view, best) {
    const name = view.name(cell);
    return make("button", { type: "button", class: `chip ${best ? "guess" : "other"}`, text: name, title: name, onclick: () => this.commands.explain(cell) });
  }

  showCell(view, answer, cell) {
    const at = answer.cells.indexOf(cell);
    const mark = view.marks[cell];
    const state = at < 0 ? `number ${mark}` : answer.probabilities[at] === null ? "unknown without a mine count" : probabilityText(answer.probabilities[at]);
    this.values = make("div", { class: "values" });
    this.why = make("p", { class: "why", hidden: true });
    this.cell.hidden = false;
    this.cell.replaceChildren(
      make("h2", {}, make("span", { text: view.name(cell) }), make("small", { text: mark === FLAG ? `flag, ${state}` : state })),
      this.values,
      this.why,
    );
    const certain = answer.safe.includes(cell) || answer.certain_mines.includes(cell);
    if (certain) this.values.replaceChildren(make("p", { class: "faint", text: "Click the cell, or press Enter, for the proof." }));
  }

  showValues({ values }) {
    const rows = Object.entries(values ?? {});
    if (!rows.length) return;
    const note = [...this.values.querySelectorAll("p")];
    this.values.replaceChildren(
      ...note,
      make("h3", { text: "If safe, it shows" }),
      make(
        "ul",
        { class: "bars" },
        ...rows.map(([number, p]) => {
          const bar = make("span", { class: "bar-fill" });
          bar.style.setProperty("width", `${100 * p}%`);
          return make("li", {}, make("span", { class: `digit-of n${Math.min(number, 12)}`, text: number }), make("span", { class: "bar-line" }, bar), make("span", { class: "share-of", text: percent(p) }));
        }),
      ),
    );
  }

  showProof(proof, view) {
    const names = proof.numbers.map((cell) => view.name(cell)).join(", ");
    const count = proof.uses_mine_count ? " and the mine count" : "";
    const from = proof.numbers.length ? `the numbers at ${names}${count}` : "the mine count";
    const what = proof.action === "flag" ? "A mine" : "Safe";
    this.why.hidden = false;
    this.why.replaceChildren(
      make("strong", { text: `${what}, from ${from}.` }),
      make("span", { text: proof.text }),
      make("small", { text: `Difficulty: ${proof.difficulty_text}. ${proof.smallest ? "No smaller set of numbers proves it." : "A smaller set of numbers may prove it."}` }),
    );
    for (const note of this.values.querySelectorAll("p")) note.remove();
  }

  showCellProblem(message) {
    if (!this.why) return;
    this.why.hidden = false;
    this.why.textContent = toSentence(message);
  }

  #positionForm() {
    const reshape = () => {
      const [width, height] = [Number(this.width.value), Number(this.height.value)];
      if (this.width.checkValidity() && this.height.checkValidity()) this.commands.reshape(this.tiling.value, width, height);
    };
    const number = (label, options) =>
      make("input", { type: "number", min: 1, max: 20000, step: 1, required: true, "aria-label": label, onchange: reshape, ...options });
    this.tiling = make("select", { "aria-label": "Board shape", onchange: reshape });
    this.width = number("Width");
    this.height = number("Height");
    this.mines = make("input", {
      type: "number",
      min: 0,
      step: 1,
      placeholder: "unknown",
      "aria-label": "Mines; leave empty if unknown",
      oninput: () => this.mines.checkValidity() && this.commands.mines(this.mines.value === "" ? null : Number(this.mines.value)),
    });
    this.shape = make(
      "fieldset",
      { class: "fields" },
      field("Board shape", this.tiling),
      make("div", { class: "pair" }, field("Width", this.width), field("Height", this.height)),
    );
    return make(
      "section",
      { class: "position", "aria-label": "Position" },
      make("h2", { text: "Position" }),
      this.shape,
      make("div", { class: "fields" }, field("Mines", this.mines)),
      checkbox("Treat flags as mines", "Otherwise flags may be wrong.", {
        onchange: (event) => this.commands.trustFlags(event.target.checked),
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
        }, TYPING_DELAY);
      },
      onblur: () => this.showText(this.canonical),
    });
    this.unread = null; // typed text that is not on the board yet
    this.problem = make("p", { class: "note bad", id: "text-problem", hidden: true });
    this.textTools = make("div", { class: "share-line" });
    return make(
      "section",
      { class: "as-text", "aria-label": "Text" },
      make("h2", { text: "Text" }),
      make("p", { class: "faint", text: "Paste or type a position: # covered, F flag, . or 0 to 9, a b c for 10 to 12; or JSON, a layout, a saved game or a link." }),
      this.text,
      this.problem,
      this.textTools,
    );
  }

  /** Show the canonical text, unless the user is typing or typed text was not read yet. */
  showText(text) {
    this.canonical = text;
    if (document.activeElement !== this.text && this.unread === null) this.text.value = text;
  }

  /** Whether typed text waits to be read. */
  get isTyping() {
    return Boolean(this.typing);
  }

  /** Discard typed text for what the board shows. */
  discardTyped() {
    this.unread = null;
    this.showProblem(null);
  }

  /** A text was read: the canonical text may replace it unless more was typed since. */
  wasRead(text) {
    if (this.unread === text) this.unread = null;
  }

  showProblem(message) {
    this.problem.hidden = message === null;
    this.problem.textContent = message === null ? "" : toSentence(message);
    this.text.toggleAttribute("aria-invalid", message !== null);
  }
}

/** What to change in an impossible position. */
function contradictionAdvice(numbers, usesMineCount) {
  if (numbers === 0) return "Change the number of mines, or leave it empty.";
  const which = numbers === 1 ? "the outlined number" : "one of the outlined numbers";
  return `Change ${which}${usesMineCount ? ", or the number of mines" : ""}.`;
}

/** Set the value of a field unless the user is typing in it. */
function setUnlessFocused(input, value) {
  if (document.activeElement !== input) input.value = value;
}

function solutions({ solutions: exact, ln_solutions: ln }) {
  if (exact !== null) return exact === "1" ? "1 possible layout" : `${grouped(exact)} possible layouts`;
  const digits = ln / Math.LN10;
  return `about ${(10 ** (digits % 1)).toFixed(2)} × 10${superscript(Math.floor(digits))} possible layouts`;
}

const superscript = (number) => [...String(number)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");

const grouped = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, "\u202f");
