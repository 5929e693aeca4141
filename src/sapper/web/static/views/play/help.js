// Help in a game: hints, the probabilities of every covered cell, the numbers that a cell may show.
//
// A hint has a degree, from where to look (1) to doing it (4). To players it is help; in the code
// a number is the number on a cell.
//
// It asks beside the moves, not among them: playing goes on while the server thinks, and an
// answer about a position that is gone is thrown away.

import { guessWords, spokenGuess } from "../../board/best_guess.js";
import { cellsOf, drawNumber, followList, pointing } from "../../board/told/number.js";
import { insideWords, probabilitiesOverlay } from "../../board/overlay.js";
import * as api from "../../lib/api.js";
import { button, make } from "../../lib/dom.js";
import { say, shout } from "../../lib/say.js";
import { measureToPaint } from "../../lib/timing.js";
import { capital, percent, plural } from "../../lib/words.js";

const NO_HINT = "Choose how much you want to be told.";
const SIMPLE = "All else takes too long to work out here: this is what one or two numbers give.";
const LATE = "The probabilities take too long to work out here. Shown is what one or two numbers give: open or flag it, and the rest gets easier.";
const SOON = 90; // milliseconds that the pointer rests before the numbers of a cell are asked for
const PATIENCE = 250; // and before the page says that it is working

export class Help {
  /** *on* has: move(action, cell), figures(of the game), probabilities(on or off). */
  constructor(stage, on) {
    this.stage = stage;
    this.on = on;
    this.detail = 0;
    this.asked = false;
    this.probabilitiesOn = false;
    this.answers = null;
    this.questions = new api.Questions();
    this.details = make("div", { class: "details", role: "group", "aria-label": "How much to tell" });
    this.words = make("p", { class: "help-words" });
    this.follows = make("div", { class: "help-follows" });
    this.act = make("div", { class: "help-act" });
    this.probabilitiesWords = make("p", { class: "help-words" });
    this.guess = make("div", { class: "best-guess" });
    this.values = make("div", { class: "values" });
    this.working = make(
      "p",
      { class: "thinking", hidden: true },
      make("span", { text: "Working …" }),
      button({ text: "Stop", onclick: () => this.#giveUp() }),
    );
    this.hintPart = make("section", { class: "help-part" }, make("h3", { text: "What to do" }), this.details, this.words, this.follows, this.act);
    this.probabilitiesPart = make("section", { class: "help-part", hidden: true }, make("h3", { text: "Probabilities" }), this.probabilitiesWords, this.guess, this.values);
    this.root = make(
      "aside",
      { class: "panel", "aria-label": "Help and probabilities", hidden: true },
      make(
        "div",
        { class: "panel-head" },
        make("h2", { text: "Help" }),
        button({ icon: "close", label: "Close help", class: "ghost", onclick: () => this.close() }),
      ),
      this.working,
      this.hintPart,
      this.probabilitiesPart,
    );
    api.menu().then((menu) => this.#buildDegrees(menu.hint_details), () => {});
  }

  /** Another game: what was told of the one before goes. */
  open(game) {
    this.game = game;
    this.answers = new Map();
    this.probabilities = null;
    this.#forgetHint();
  }

  stop() {
    this.#giveUp();
    clearTimeout(this.timer);
  }

  /** A hint of the next degree; of the first where none is shown. */
  more() {
    return this.ask(Math.min(this.detail + 1, this.details.childElementCount || 4));
  }

  async ask(detail) {
    if (this.game.over) return;
    this.detail = detail; // at once, so that a second press asks for the next degree
    const answer = await this.#ask((game, signal) => api.hint(game, { detail }, signal));
    if (this.detail !== detail) return;
    if (!answer) return this.#forgetHint();
    this.root.hidden = false;
    this.asked = true;
    if (!answer.moves) this.detail = 0;
    this.hint = answer;
    this.#show();
    this.stage.bringIntoSight(cellsOf(answer));
    say([answer.text, ...(answer.premises ?? []).map(({ text }) => `Known before: ${text}`)].join(" "));
    if (detail === 4 && answer.certain && answer.moves?.length) await this.#play(answer.moves);
  }

  async toggleProbabilities() {
    this.probabilitiesOn = !this.probabilitiesOn;
    this.on.probabilities(this.probabilitiesOn);
    this.root.hidden = false;
    this.#show();
    if (this.probabilitiesOn) return this.#fetchProbabilities(performance.now(), true);
    this.probabilities = null;
    this.#show();
    this.root.hidden = !this.asked;
    say("probabilities off");
  }

  close() {
    this.#giveUp();
    this.#forgetHint();
    this.asked = false;
    if (this.probabilitiesOn) this.toggleProbabilities();
    this.#show();
    this.root.hidden = true;
  }

  /** The board has changed: what was said of it holds no more. */
  refresh() {
    this.questions.drop();
    clearTimeout(this.timer);
    this.#forgetHint();
    this.probabilities = null;
    this.answers = new Map();
    this.#show();
    // The end card has the place of the panel; a game that goes on has it back.
    this.root.hidden = this.game.over || !(this.asked || this.probabilitiesOn);
    if (this.#followsProbabilities) this.#fetchProbabilities(performance.now(), false);
  }

  get #followsProbabilities() {
    return this.probabilitiesOn && !this.game.over;
  }

  #buildDegrees(names) {
    this.details.replaceChildren(
      ...names.map((name, k) =>
        button({ text: `${k + 1} ${capital(name)}`, class: "detail", "aria-pressed": "false", onclick: () => this.ask(k + 1) }),
      ),
    );
  }

  async #fetchProbabilities(since, aloud) {
    const probabilities = await this.#ask((game, signal) => api.probabilities(game, {}, signal));
    if (!probabilities || !this.probabilitiesOn) return;
    this.probabilities = probabilities;
    this.#show();
    if (aloud) say(`probabilities on. ${this.probabilitiesWords.textContent} ${probabilities.guess ? spokenGuess(probabilities.guess, this.stage.view) : ""}`);
    measureToPaint("probabilities to paint", since);
    if (this.at !== undefined) this.lookAt(this.at);
  }

  /** Ask the server about the game as it stands; null where the answer is not wanted any more. */
  async #ask(question) {
    const { game } = this;
    try {
      const asked = this.questions.ask((signal) => question(game.id, signal));
      const answer = await api.noticed(asked, PATIENCE, () => this.#showWorking(true));
      if (answer === null || game !== this.game) return null;
      this.on.figures(answer.state);
      return answer;
    } catch (error) {
      // A conflict: a move was quicker than the answer, and brings its own.
      if (error.status !== 409) shout(error.message);
      return null;
    } finally {
      if (!this.questions.running) this.#showWorking(false);
    }
  }

  async #play(moves) {
    const done = `Done: ${moves.map(({ action, cell }) => `${action} ${this.stage.view.name(cell)}`).join("; ")}.`;
    for (const { action, cell } of moves) await this.on.move(action, cell);
    this.words.textContent = done;
  }

  #giveUp() {
    this.questions.drop();
    if (this.probabilitiesOn && !this.probabilities) {
      this.probabilitiesOn = false;
      this.on.probabilities(false);
    }
  }

  #forgetHint() {
    this.detail = 0;
    this.hint = null;
  }

  #showWorking(on) {
    this.working.hidden = !on;
    if (!on) return;
    this.root.hidden = false;
    say("working");
  }

  /** The panel stays until it is closed, so that the board does not jump from move to move. */
  #show() {
    const { hint, probabilities } = this;
    this.#tellHint(hint ?? { text: NO_HINT, detail: 0, certain: true });
    this.hintPart.hidden = !this.asked;
    this.probabilitiesPart.hidden = !this.probabilitiesOn;
    if (probabilities) this.#tellProbabilities(probabilities);
    else this.values.replaceChildren();
    const { view } = this.stage;
    const shown = probabilitiesOverlay(view, probabilities?.cells ?? [], probabilities?.probabilities ?? [], probabilities?.guess?.cell ?? null);
    const { overlay } = this.stage;
    if (this.#followsProbabilities && !probabilities && !hint) overlay.wipe();
    else overlay.show(hint ? drawNumber(shown, view, hint) : shown);
  }

  #tellHint(hint) {
    const { view } = this.stage;
    this.words.replaceChildren(...(view ? pointing(hint, this.stage) : [hint.text]), ...(hint.simple ? [` ${SIMPLE}`] : []));
    this.follows.replaceChildren(...(view ? followList(hint.premises, this.stage) : []));
    [...this.details.children].forEach((detail, k) => detail.setAttribute("aria-pressed", k + 1 === hint.detail));
    const guess = !hint.certain && hint.moves?.[0];
    this.act.replaceChildren(
      ...(guess ? [button({ text: `Take the guess (${percent(hint.risk)} risk)`, onclick: () => this.#play(hint.moves) })] : []),
    );
  }

  #tellProbabilities({ text, partial, cells, probabilities, safe, certain_mines: mines, least_risk: least, safest, guess }) {
    this.guess.replaceChildren(...(guess ? guessWords(guess, this.stage.view) : []));
    if (text) return (this.probabilitiesWords.textContent = text);
    this.byCell = new Map(cells.map((cell, k) => [cell, probabilities[k]]));
    if (partial) return (this.probabilitiesWords.textContent = LATE);
    const sure = safe.length + mines.length;
    const first = sure
      ? `${plural(safe.length, "cell is certainly free", "cells are certainly free")}, ${plural(mines.length, "certain mine", "certain mines")}.`
      : "Nothing is certain.";
    const leastOf =
      safe.length || least === null || guess
        ? ""
        : ` The best guess is ${safest.length === 1 ? this.stage.view.name(safest[0]) : `one of ${safest.length} cells`}, a mine with probabilities of ${percent(least)}.`;
    this.probabilitiesWords.textContent = first + leastOf + insideWords(this.stage.view, cells, probabilities);
  }

  /** The pointer or the focus is on a cell: its probabilities at once, its numbers when they are there. */
  lookAt(cell) {
    this.at = cell;
    clearTimeout(this.timer);
    if (!this.probabilities || this.probabilities.text || this.probabilities.partial) return;
    if (cell === null || !this.byCell.has(cell)) return this.values.replaceChildren();
    this.#tellNumbers(cell, this.answers.get(cell));
    if (!this.answers.has(cell)) this.timer = setTimeout(() => this.#fetchNumbers(cell), SOON);
  }

  async #fetchNumbers(cell) {
    const { answers } = this;
    const answer = await this.#ask((game, signal) => api.values(game, { cell }, signal));
    if (!answer) return;
    answers.set(cell, answer.values);
    if (this.at === cell && answers === this.answers && this.probabilities) this.#tellNumbers(cell, answer.values);
  }

  #tellNumbers(cell, values) {
    const p = this.byCell.get(cell);
    const rows = [["mine", p]];
    if (values) rows.push(...Object.entries(values));
    this.values.replaceChildren(
      make("h4", { text: `${this.stage.view.name(cell)} is` }),
      make("dl", { class: "chances" }, ...rows.map(([name, share]) => bar(name, share))),
    );
  }
}

/** A line of the panel: what the cell may be, and how probable that is. */
function bar(name, share) {
  const meter = make("meter", { min: 0, max: 1, value: share ?? 0, "aria-hidden": "true" });
  return make(
    "div",
    { class: name === "mine" ? "bar-row mine" : "bar-row" },
    make("dt", { text: name }),
    make("dd", {}, meter, make("span", { text: percent(share) })),
  );
}
