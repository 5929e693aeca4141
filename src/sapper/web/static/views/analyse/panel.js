// The panel of the analysis: palette, results, the selected cell, position and text.

import { candidatesOf, GuessTable, shortGuessText } from "../../board/guesses.js";
import { cellsLabel, renderSentence } from "../../board/hint_overlay.js";
import { probabilityText } from "../../board/probability_overlay.js";
import { COVERED, FLAG } from "../../board/view.js";
import { announce } from "../../lib/announce.js";
import { copyButton, linkTo } from "../../lib/clipboard.js";
import { busyNotice, button, make } from "../../lib/dom.js";
import { percent, plural, toSentence } from "../../lib/format.js";
import { checkbox, field, options, tilingRows } from "../../lib/forms.js";
import { withTooltip } from "../../lib/keys.js";
import { SELECT } from "./editor.js";

const TYPING_DELAY = 250; // milliseconds after the last key before typed text is read
const MAX_IN_PALETTE = 24;

export class AnalysisPanel {
  /** *picture* and *certificate* are elements to insert; onBest() is called when another guess becomes the best. */
  constructor(commands, stage, evaluation, picture, certificate, onBest) {
    Object.assign(this, { commands, stage });
    this.guessTable = new GuessTable(stage, onBest);
    const toolButton = (name, options) =>
      withTooltip(
        button({ onclick: commands[name], class: "ghost", ...options }),
        "analyse",
        name,
        options.label ?? options.text,
      );
    this.undo = toolButton("undo", { icon: "undo", label: "Undo" });
    this.redo = toolButton("redo", { icon: "redo", label: "Redo" });
    this.palette = make("div", { class: "palette", role: "group", "aria-label": "Paint" });
    this.summary = make("div", { class: "summary" });
    this.cellSection = make("section", { class: "about-cell", "aria-label": "Cell", hidden: true });
    this.section = make(
      "section",
      { class: "answer", "aria-label": "Analysis" },
      evaluation.text,
      this.summary,
      this.cellSection,
    );
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
          make(
            "div",
            { class: "tools", role: "group", "aria-label": "Edit" },
            this.undo,
            this.redo,
            toolButton("clear", { text: "Clear" }),
          ),
          stage.zoomButtons(),
        ),
      ),
      make(
        "div",
        { class: "side", tabindex: "0", role: "region", "aria-label": "Analysis and position" },
        this.#textForm(picture),
        certificate,
        this.section,
        this.#positionForm(),
      ),
    );
  }

  showTilings(menu) {
    this.tiling.replaceChildren(...options(tilingRows(menu.tilings)));
  }

  stop() {
    clearInterval(this.clock);
    clearTimeout(this.typing);
    this.guessTable.clear();
  }

  /** Show the palette for a new board. */
  showPalette(editor) {
    this.cellSection.hidden = true;
    const maxNumber = Math.min(editor.maxNumber, MAX_IN_PALETTE);
    const tools = [
      [SELECT, "Select", "Select: click a cell for its probability and proof"],
      [COVERED, "", "Covered"],
      [FLAG, "", "Flag"],
      ...Array.from({ length: maxNumber + 1 }, (_, number) => [number, String(number), `Number ${number}`]),
    ];
    this.tools = tools.map(([mark, text, label]) => {
      const className =
        mark === COVERED ? "covered" : mark === FLAG ? "flag" : mark === SELECT ? "select" : `n${Math.min(mark, 12)}`;
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
      for (const [input, value] of [
        [this.tiling, position.tiling],
        [this.width, width],
        [this.height, height],
      ])
        setUnlessFocused(input, value);
    }
    setUnlessFocused(this.mines, position.mines ?? "");
  }

  showProgress(start) {
    clearInterval(this.clock);
    const time = make("span", { class: "number" });
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
      make("p", { class: "note bad", text: toSentence(message) }),
      button({ text: "Analyse again", onclick: this.commands.retry }),
    );
  }

  /** The best guess by the win chances so far; null if no guess is shown. */
  get bestGuess() {
    return this.guessTable.root.hidden ? null : this.guessTable.best;
  }

  showAnalysis(analysis) {
    this.showText(analysis.text);
    this.textTools.replaceChildren(
      copyButton("Text", analysis.text),
      analysis.link
        ? copyButton("Link", linkTo(analysis.link), "Copy link")
        : make("small", { text: "too long for a link" }),
    );
    if (analysis.contradiction) return this.#showContradiction(analysis.contradiction);
    const { safe, certain_mines: mines, guess } = analysis;
    const certain = safe.length + mines.length;
    const headline = certain
      ? `${plural(certain, "cell is", "cells are")} certain.`
      : analysis.cells.length
        ? "No cell is certain."
        : "All cells are revealed.";
    const rows = [make("p", { class: "headline", text: headline })];
    if (certain) rows.push(this.#certainCells(safe, mines));
    if (guess) {
      this.guessTable.show(guess, candidatesOf(guess), this.commands.winChances);
      rows.push(this.guessTable.root);
    }
    rows.push(make("p", { class: "faint", text: solutionsText(analysis) }));
    this.summary.replaceChildren(...rows);
    announce(guess ? `${headline} ${shortGuessText(guess, this.stage.view)}` : headline);
  }

  /** A paragraph about the certain cells, which the board marks with ticks and crosses. */
  #certainCells(safe, mines) {
    const parts = [
      ...(safe.length ? [cellsLabel(safe, plural(safe.length, "safe cell"), this.stage)] : []),
      ...(mines.length ? [cellsLabel(mines, plural(mines.length, "mine"), this.stage)] : []),
    ];
    return make(
      "p",
      { class: "certain-cells" },
      parts[0],
      ...(parts[1] ? [" and ", parts[1]] : []),
      ". Click one on the board for its proof.",
    );
  }

  #showContradiction(contradiction) {
    const { text, numbers, uses_mine_count: count } = contradiction;
    this.cellSection.hidden = true;
    const advice = contradictionAdvice(numbers.length, count);
    this.summary.replaceChildren(
      make("p", { class: "headline bad" }, ...renderSentence(contradiction, this.stage), "."),
      make("p", { text: advice }),
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
    this.valuesElement = make("div", { class: "values" });
    this.proofElement = make("p", { class: "why", hidden: true });
    this.cellSection.hidden = false;
    this.cellSection.replaceChildren(
      make(
        "h2",
        {},
        cellsLabel([cell], "This cell", this.stage),
        make("small", { text: mark === FLAG ? `flag, ${state}` : state }),
      ),
      this.valuesElement,
      this.proofElement,
    );
    const certain = analysis.safe.includes(cell) || analysis.certain_mines.includes(cell);
    if (certain)
      this.valuesElement.replaceChildren(
        make("p", { class: "faint", text: "Click the cell, or press Enter, for the proof." }),
      );
  }

  showValues({ values }) {
    const rows = Object.entries(values ?? {});
    if (!rows.length) return;
    const note = [...this.valuesElement.querySelectorAll("p")];
    this.valuesElement.replaceChildren(
      ...note,
      make("h3", { text: "If safe, it shows" }),
      make(
        "ul",
        { class: "bars" },
        ...rows.map(([number, p]) => {
          const bar = make("span", { class: "bar-fill" });
          bar.style.setProperty("width", `${100 * p}%`);
          return make(
            "li",
            {},
            make("span", { class: `bar-number n${Math.min(number, 12)}`, text: number }),
            make("span", { class: "bar-line" }, bar),
            make("span", { class: "bar-value", text: percent(p) }),
          );
        }),
      ),
    );
  }

  showProof(proof) {
    this.proofElement.hidden = false;
    this.proofElement.replaceChildren(
      make("span", {}, ...renderSentence(proof, this.stage)),
      make("small", {
        text: `Difficulty: ${proof.difficulty_text}. ${proof.smallest ? "No smaller set of numbers proves it." : "A smaller set of numbers may prove it."}`,
      }),
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
    const number = (label, options) =>
      make("input", {
        type: "number",
        min: 1,
        max: 20000,
        step: 1,
        required: true,
        "aria-label": label,
        onchange: reshape,
        ...options,
      });
    this.tiling = make("select", { "aria-label": "Board shape", onchange: reshape });
    this.width = number("Width");
    this.height = number("Height");
    this.mines = make("input", {
      type: "number",
      min: 0,
      step: 1,
      placeholder: "unknown",
      "aria-label": "Mines; leave empty if unknown",
      oninput: () =>
        this.mines.checkValidity() && this.commands.mines(this.mines.value === "" ? null : Number(this.mines.value)),
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
    this.problem = make("p", { class: "note bad", id: "text-problem", hidden: true });
    this.textTools = make("div", { class: "share-line" });
    return make(
      "section",
      { class: "as-text", "aria-label": "Text" },
      make("h2", { text: "Paste a position" }),
      this.text,
      this.problem,
      make(
        "div",
        { class: "formats" },
        make("p", {
          class: "faint",
          text: "# covered, F flag, . or 0 to 9, a b c for 10 to 12. Also JSON, texts and links from other programs, a layout (* mines, c first click), a saved game, a link to this page, or a screenshot.",
        }),
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

/** Set the value of a field unless the user is typing in it. */
function setUnlessFocused(input, value) {
  if (document.activeElement !== input) input.value = value;
}

function solutionsText({ solutions: exact, ln_solutions: ln }) {
  if (exact !== null) return exact === "1" ? "1 possible layout" : `${groupDigits(exact)} possible layouts`;
  const digits = ln / Math.LN10;
  return `about ${(10 ** (digits % 1)).toFixed(2)} × 10${superscript(Math.floor(digits))} possible layouts`;
}

const superscript = (number) => [...String(number)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");

const groupDigits = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, "\u202f");
