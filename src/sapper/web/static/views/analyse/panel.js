// The panel of the analysis: palette, results, the selected cell, position and text.

import { cellsLabel, chances, renderSentence } from "../../board/hints.js";
import { probabilityText } from "../../board/overlay.js";
import { COVERED, FLAG } from "../../board/view.js";
import { candidatesOf, GuessTable, shortGuessText } from "../../board/win_chances.js";
import { announce } from "../../lib/announce.js";
import { button, make } from "../../lib/dom.js";
import { plural, toSentence } from "../../lib/format.js";
import {
  busyNotice,
  checkbox,
  copyButton,
  field,
  linkTo,
  minesInput,
  numberInput,
  options,
  setUnlessFocused,
  tilingRows,
} from "../../lib/widgets.js";
import { SELECT } from "./editor.js";

const TYPING_DELAY = 250; // milliseconds after the last key before typed text is read
const MAX_IN_PALETTE = 24;

export class AnalysisPanel {
  /** The other parameters are elements to insert; onBest() is called when another guess becomes the best. */
  constructor(stage, { evaluation, picture, certificate }, onBest) {
    this.stage = stage;
    this.commands = stage.commands;
    this.guessTable = new GuessTable(stage, onBest);
    this.undo = stage.button("undo", { icon: "undo", label: "Undo", class: "ghost" });
    this.redo = stage.button("redo", { icon: "redo", label: "Redo", class: "ghost" });
    const clear = stage.button("clear", { text: "Clear", class: "ghost" });
    this.palette = make("div.palette", { role: "group", "aria-label": "Paint" });
    this.summary = make("div.summary");
    this.cellSection = make("section.about-cell", { "aria-label": "Cell", hidden: true });
    this.section = make("section.answer", { "aria-label": "Analysis" }, evaluation, this.summary, this.cellSection);
    this.root = make(
      "section.analyse",
      { "aria-label": "Analyse" },
      make("h1.visually-hidden", "Analyse"),
      make(
        "div.editor",
        stage.root,
        make(
          "div.paint-bar",
          this.palette,
          make("div.tools", { role: "group", "aria-label": "Edit" }, this.undo, this.redo, clear),
          stage.zoomButtons(),
        ),
      ),
      make(
        "div.side",
        { tabindex: "0", role: "region", "aria-label": "Analysis and position" },
        this.#textForm(picture),
        certificate,
        this.section,
        this.#positionForm(),
      ),
    );
    stage.signal.addEventListener("abort", () => clearInterval(this.clock));
  }

  showTilings(menu) {
    this.tiling.replaceChildren(...options(tilingRows(menu.tilings)));
  }

  /** Show the palette for a new board. */
  showPalette(editor) {
    this.cellSection.hidden = true;
    const paint = (mark, className, label, content) => {
      const onclick = () => this.commands.tool(mark);
      const element = button({ ...content, label, class: `paint ${className}`, "aria-pressed": "false", onclick });
      return [mark, element];
    };
    const maxNumber = Math.min(editor.view.maxDegree, MAX_IN_PALETTE);
    const numbers = Array.from({ length: maxNumber + 1 }, (_, number) =>
      paint(number, `n${Math.min(number, 12)}`, `Number ${number}`, { text: String(number) }),
    );
    this.tools = [
      paint(SELECT, "select", "Select: click a cell for its probability and proof", { text: "Select" }),
      paint(COVERED, "covered", "Covered"),
      paint(FLAG, "flag", "Flag", { icon: "flag" }),
      ...numbers,
    ];
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
      setUnlessFocused(this.tiling, position.tiling);
      setUnlessFocused(this.width, position.size[0]);
      setUnlessFocused(this.height, position.size[1]);
    }
    setUnlessFocused(this.mines, position.mines ?? "");
  }

  showProgress() {
    const start = performance.now();
    clearInterval(this.clock);
    const time = make("span.number");
    this.cellSection.hidden = true;
    const tick = () => (time.textContent = `${((performance.now() - start) / 1000).toFixed(0)} s`);
    tick();
    this.clock = setInterval(tick, 500);
    this.summary.replaceChildren(...busyNotice("Working … ", this.commands.cancel, time));
    announce("Working");
  }

  setBusy(on) {
    this.section.setAttribute("aria-busy", on);
    if (!on) clearInterval(this.clock);
  }

  showFailure(message) {
    this.cellSection.hidden = true;
    this.summary.replaceChildren(
      make("p.note.bad", toSentence(message)),
      button({ text: "Analyse again", onclick: this.commands.retry }),
    );
  }

  showAnalysis(analysis) {
    this.showText(analysis.text);
    this.textTools.replaceChildren(
      copyButton("Text", analysis.text),
      analysis.link ? copyButton("Link", linkTo(analysis.link), "Copy link") : make("small", "too long for a link"),
    );
    if (analysis.contradiction) return this.#showContradiction(analysis.contradiction);
    const { safe, certain_mines: mines, guess } = analysis;
    const certain = safe.length + mines.length;
    const headline = certain
      ? `${plural(certain, "cell is", "cells are")} certain.`
      : analysis.cells.length
        ? "No cell is certain."
        : "All cells are revealed.";
    const rows = [make("p.headline", headline)];
    if (certain) rows.push(this.#certainCells(safe, mines));
    if (guess) {
      this.guessTable.show(guess, candidatesOf(guess), this.commands.winChances);
      rows.push(this.guessTable.root);
    }
    rows.push(make("p.faint", solutionsText(analysis)));
    this.summary.replaceChildren(...rows);
    announce(guess ? `${headline} ${shortGuessText(guess, this.stage.view)}` : headline);
  }

  /** A paragraph about the certain cells, which the board marks with ticks and crosses. */
  #certainCells(safe, mines) {
    const safeCells = safe.length && cellsLabel(safe, plural(safe.length, "safe cell"), this.stage);
    const mineCells = mines.length && cellsLabel(mines, plural(mines.length, "mine"), this.stage);
    const parts = safeCells && mineCells ? [safeCells, " and ", mineCells] : [safeCells || mineCells];
    return make("p.certain-cells", ...parts, ". Click one on the board for its proof.");
  }

  #showContradiction(contradiction) {
    const { text, numbers, uses_mine_count: count } = contradiction;
    this.cellSection.hidden = true;
    const advice = contradictionAdvice(numbers.length, count);
    this.summary.replaceChildren(
      make("p.headline.bad", ...renderSentence(contradiction, this.stage), "."),
      make("p", advice),
    );
    announce(`${toSentence(text)} ${advice}`);
  }

  showCell(view, analysis, cell) {
    const index = analysis.cells.indexOf(cell);
    const mark = view.marks[cell];
    const state =
      index < 0
        ? `number ${mark}`
        : analysis.probabilities[index] === null
          ? "unknown without a mine count"
          : probabilityText(analysis.probabilities[index]);
    this.valuesElement = make("div.values");
    this.proofElement = make("p.why", { hidden: true });
    this.cellSection.hidden = false;
    this.cellSection.replaceChildren(
      make("h2", cellsLabel([cell], "This cell", this.stage), make("small", mark === FLAG ? `flag, ${state}` : state)),
      this.valuesElement,
      this.proofElement,
    );
    const certain = analysis.safe.includes(cell) || analysis.certain_mines.includes(cell);
    if (certain) this.valuesElement.replaceChildren(make("p.faint", "Click the cell, or press Enter, for the proof."));
  }

  showValues({ values }) {
    const rows = Object.entries(values ?? {});
    if (!rows.length) return;
    const note = this.valuesElement.querySelectorAll("p");
    this.valuesElement.replaceChildren(...note, make("h3", "If safe, it shows"), chances(rows));
  }

  showProof(proof) {
    const size = proof.smallest ? "No smaller set of numbers proves it." : "A smaller set of numbers may prove it.";
    this.proofElement.hidden = false;
    this.proofElement.replaceChildren(
      make("span", ...renderSentence(proof, this.stage)),
      make("small", `Difficulty: ${proof.difficulty_text}. ${size}`),
    );
    for (const note of this.valuesElement.querySelectorAll("p")) note.remove();
  }

  showCellProblem(message) {
    if (!this.proofElement) return;
    this.proofElement.hidden = false;
    this.proofElement.textContent = toSentence(message);
  }

  #positionForm() {
    const reshape = () => {
      const [width, height] = [Number(this.width.value), Number(this.height.value)];
      if (this.width.checkValidity() && this.height.checkValidity())
        this.commands.reshape(this.tiling.value, width, height);
    };
    const side = (label) => numberInput(1, 20000, { required: true, "aria-label": label, onchange: reshape });
    this.tiling = make("select", { "aria-label": "Board shape", onchange: reshape });
    this.width = side("Width");
    this.height = side("Height");
    this.mines = minesInput(this.commands.mines, { "aria-label": "Mines; leave empty if unknown" });
    this.shape = make(
      "fieldset.fields",
      field("Board shape", this.tiling),
      make("div.pair", field("Width", this.width), field("Height", this.height)),
    );
    return make(
      "section.position",
      { "aria-label": "Position" },
      make("h2", "Position"),
      this.shape,
      make("div.fields", field("Mines", this.mines)),
      checkbox("Treat flags as mines", "Otherwise flags may be wrong.", {
        onchange: (event) => this.commands.trustFlags(event.target.checked),
      }),
    );
  }

  /** The field for a position as text; *picture* is the section for a screenshot. */
  #textForm(picture) {
    this.text = make("textarea", {
      rows: 5,
      readonly: true,
      spellcheck: "false",
      autocomplete: "off",
      "aria-label": "The position as text",
      "aria-describedby": "text-problem",
      oninput: () => {
        this.unread = this.text.value;
        this.isOutdated = false;
        clearTimeout(this.typing);
        this.typing = setTimeout(() => {
          this.typing = null;
          this.commands.read(this.text.value);
        }, TYPING_DELAY);
      },
      onblur: () => this.showText(this.canonical),
    });
    this.unread = null; // typed text that is not on the board yet
    this.isOutdated = false; // whether the board has changed by other means since the last input
    this.problem = make("p.note.bad", { id: "text-problem", hidden: true });
    this.textTools = make("div.share-line");
    return make(
      "section.as-text",
      { "aria-label": "Text" },
      make("h2", "Paste a position"),
      this.text,
      this.problem,
      make(
        "div.formats",
        make(
          "p.faint",
          "# covered, F flag, . or 0 to 9, a b c for 10 to 12. Also JSON, texts and links from other programs, a layout (* mines, c first click), a saved game, a link to this page, or a screenshot.",
        ),
        this.textTools,
        picture,
      ),
    );
  }

  /** Show the canonical text, unless the user is typing or typed text was not read yet. */
  showText(text) {
    this.canonical = text;
    if ((this.isOutdated || document.activeElement !== this.text) && this.unread === null) this.text.value = text;
  }

  /** Whether text was typed that is not sent to the server yet. */
  get isTyping() {
    return Boolean(this.typing);
  }

  /** Replace typed text by the text of the board. */
  discardTyped() {
    this.unread = null;
    this.isOutdated = true;
    this.showProblem(null);
  }

  /** Allow the canonical text to replace a text that was read, unless more was typed since. */
  acceptTyped(text) {
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

function solutionsText({ solutions: exact, ln_solutions: ln }) {
  if (exact !== null) return exact === "1" ? "1 possible layout" : `${groupDigits(exact)} possible layouts`;
  const digits = ln / Math.LN10;
  return `about ${(10 ** (digits % 1)).toFixed(2)} × 10${superscript(Math.floor(digits))} possible layouts`;
}

const superscript = (number) => [...String(number)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");

const groupDigits = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, "\u202f");
