// Help in a game: graded hints, the odds of every blank, the numbers that a cell may show.
//
// It asks beside the moves, not among them: playing goes on while the server thinks, and an
// answer about a position that is gone is thrown away.

import * as api from "./api.js";
import { button, make } from "./dom.js";
import { Overlay, oddsOverlay, percent } from "./overlay.js";
import { say, shout } from "./say.js";

const NO_HINT = "Choose how much you want to be told.";
const SOON = 90; // milliseconds that the pointer rests before the numbers of a cell are asked for
const PATIENCE = 250; // and before the page says that it is working

export class Help {
  /** *on* has: move(action, cell), figures(of the game), odds(on or off). */
  constructor(on) {
    this.on = on;
    this.level = 0;
    this.asked = false;
    this.oddsOn = false;
    this.answers = null;
    this.running = new Set();
    this.grades = make("div", { class: "grades", role: "group", "aria-label": "How much to tell" });
    this.words = make("p", { class: "help-words" });
    this.act = make("div", { class: "help-act" });
    this.oddsWords = make("p", { class: "help-words" });
    this.numbers = make("div", { class: "numbers" });
    this.working = make(
      "p",
      { class: "thinking", hidden: true },
      make("span", { text: "Working …" }),
      button({ text: "Stop", onclick: () => this.#giveUp() }),
    );
    this.hintPart = make("section", { class: "help-part" }, make("h3", { text: "Hint" }), this.grades, this.words, this.act);
    this.oddsPart = make("section", { class: "help-part", hidden: true }, make("h3", { text: "Odds" }), this.oddsWords, this.numbers);
    this.root = make(
      "aside",
      { class: "panel", "aria-label": "Hints and odds", hidden: true },
      make(
        "div",
        { class: "panel-head" },
        make("h2", { text: "Help" }),
        button({ icon: "close", label: "Close help", class: "ghost", onclick: () => this.close() }),
      ),
      this.working,
      this.hintPart,
      this.oddsPart,
    );
    api.menu().then((menu) => this.#buildGrades(menu.hints), () => {});
  }

  /** A game on its board; what was shown of another one goes. */
  open(game, view) {
    this.game = game;
    this.view = view;
    this.overlay = new Overlay(view);
    this.level = 0;
    view.host.addEventListener("pointerover", (event) => {
      if (event.pointerType === "mouse") this.#lookAt(view.cellAt(event.target));
    });
    view.host.addEventListener("focusin", (event) => this.#lookAt(view.cellAt(event.target)));
  }

  stop() {
    this.#giveUp();
    clearTimeout(this.timer);
  }

  /** The next grade of hint; the first where none is shown. */
  more() {
    return this.ask(Math.min(this.level + 1, this.grades.childElementCount || 4));
  }

  async ask(level) {
    if (this.game.over) return;
    this.level = level; // at once, so that a second press asks for the next grade
    const answer = await this.#ask("hint", { level });
    if (this.level !== level) return;
    if (!answer) return this.#forgetHint();
    this.root.hidden = false;
    this.asked = true;
    if (!answer.play) this.level = 0;
    this.hint = answer;
    this.#show();
    say(answer.text);
    if (answer.play?.length && answer.certain) await this.#play(answer.play);
  }

  async toggleOdds() {
    this.oddsOn = !this.oddsOn;
    this.on.odds(this.oddsOn);
    this.root.hidden = false;
    this.#show();
    if (this.oddsOn) return this.#fetchOdds(performance.now(), true);
    this.odds = null;
    this.#show();
    this.root.hidden = !this.asked;
    say("odds off");
  }

  close() {
    this.#giveUp();
    this.#forgetHint();
    this.asked = false;
    if (this.oddsOn) this.toggleOdds();
    this.#show();
    this.root.hidden = true;
  }

  /** The board has changed: what was said of it holds no more. */
  refresh() {
    for (const running of this.running) running.abort();
    this.#forgetHint();
    this.odds = null;
    this.answers = new Map();
    this.#show();
    if (this.#followsOdds) this.#fetchOdds(performance.now(), false);
  }

  get #followsOdds() {
    return this.oddsOn && !this.game.over;
  }

  #buildGrades(names) {
    this.grades.replaceChildren(
      ...names.map((name, k) =>
        button({ text: `${k + 1} ${capital(name)}`, class: "grade", "aria-pressed": "false", onclick: () => this.ask(k + 1) }),
      ),
    );
  }

  async #fetchOdds(since, aloud) {
    const odds = await this.#ask("odds", {});
    if (!odds || !this.oddsOn) return;
    this.odds = odds;
    this.#show();
    if (aloud) say(`odds on. ${this.oddsWords.textContent}`);
    requestAnimationFrame(() => setTimeout(() => performance.measure("odds to paint", { start: since, end: performance.now() })));
    if (this.at !== undefined) this.#lookAt(this.at);
  }

  /** Ask the server about the game as it stands; null where the answer is not wanted any more. */
  async #ask(what, data) {
    const running = new AbortController();
    const { game } = this;
    this.running.add(running);
    const late = setTimeout(() => this.#showWorking(true), PATIENCE);
    try {
      const answer = await api.post(`/api/games/${game.id}/${what}`, data, running.signal);
      if (running.signal.aborted || game !== this.game) return null;
      this.on.figures(answer.state);
      return answer;
    } catch (error) {
      // A conflict: a move was quicker than the answer, and brings its own.
      if (error.name !== "AbortError" && error.status !== 409) shout(error.message);
      return null;
    } finally {
      clearTimeout(late);
      this.running.delete(running);
      if (this.running.size === 0) this.#showWorking(false);
    }
  }

  async #play(moves) {
    const done = `Done: ${moves.map(({ action, cell }) => `${action} ${this.view.name(cell)}`).join("; ")}.`;
    for (const { action, cell } of moves) await this.on.move(action, cell);
    this.words.textContent = done;
  }

  #giveUp() {
    for (const running of this.running) running.abort();
    if (this.oddsOn && !this.odds) {
      this.oddsOn = false;
      this.on.odds(false);
    }
  }

  #forgetHint() {
    this.level = 0;
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
    const { hint, odds } = this;
    this.#tellHint(hint ?? { text: NO_HINT, level: 0, certain: true });
    this.hintPart.hidden = !this.asked;
    this.oddsPart.hidden = !this.oddsOn;
    if (odds) this.#tellOdds(odds);
    else this.numbers.replaceChildren();
    const shown = odds ? oddsOverlay(odds.cells, odds.odds) : { grounds: new Map(), labels: new Map(), notes: new Map() };
    if (this.#followsOdds && !odds && !hint) this.overlay.wipe();
    else this.overlay.show(hint ? withHint(shown, hint) : shown);
  }

  #tellHint(hint) {
    this.words.textContent = hint.text;
    [...this.grades.children].forEach((grade, k) => grade.setAttribute("aria-pressed", k + 1 === hint.level));
    const guess = !hint.certain && hint.play?.[0];
    this.act.replaceChildren(
      ...(guess ? [button({ text: `Take the guess (${percent(hint.odds)} risk)`, onclick: () => this.#play(hint.play) })] : []),
    );
  }

  #tellOdds({ text, cells, odds, reveal, flag, least, best }) {
    if (text) return (this.oddsWords.textContent = text);
    const count = (list, one, many) => `${list.length} ${list.length === 1 ? one : many}`;
    const sure = reveal.length + flag.length;
    const first = sure
      ? `${count(reveal, "cell is certainly free", "cells are certainly free")}, ${count(flag, "certain mine", "certain mines")}.`
      : "Nothing is certain.";
    const guess =
      reveal.length || least === null
        ? ""
        : ` The best guess is ${best.length === 1 ? this.view.name(best[0]) : `one of ${best.length} cells`}, a mine with odds of ${percent(least)}.`;
    this.oddsWords.textContent = first + guess;
    this.byCell = new Map(cells.map((cell, k) => [cell, odds[k]]));
  }

  /** The pointer or the focus is on a cell: its odds at once, its numbers when they are there. */
  #lookAt(cell) {
    this.at = cell;
    clearTimeout(this.timer);
    if (!this.odds || this.odds.text) return;
    if (cell === null || !this.byCell.has(cell)) return this.numbers.replaceChildren();
    this.#tellNumbers(cell, this.answers.get(cell));
    if (!this.answers.has(cell)) this.timer = setTimeout(() => this.#fetchNumbers(cell), SOON);
  }

  async #fetchNumbers(cell) {
    const { answers } = this;
    const answer = await this.#ask("numbers", { cell });
    if (!answer) return;
    answers.set(cell, answer.numbers);
    if (this.at === cell && answers === this.answers && this.odds) this.#tellNumbers(cell, answer.numbers);
  }

  #tellNumbers(cell, numbers) {
    const p = this.byCell.get(cell);
    const rows = [["mine", p]];
    if (numbers) rows.push(...Object.entries(numbers));
    this.numbers.replaceChildren(
      make("h4", { text: `${this.view.name(cell)} is` }),
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

/** An overlay with a hint over it: the place, the hints it reads, what follows. */
function withHint({ grounds, labels, notes }, hint) {
  const signs = new Map();
  const put = (cell, ground, note) => {
    grounds.set(cell, ground);
    notes.set(cell, notes.has(cell) ? `${notes.get(cell)}, ${note}` : note);
  };
  if (hint.level === 1) for (const cell of hint.look ?? []) put(cell, "proof", "look here");
  for (const cell of hint.hints ?? []) put(cell, "proof", "a hint to look at");
  for (const { action, cell } of hint.moves ?? []) {
    const guess = !hint.certain;
    put(cell, guess ? "guess" : action === "flag" ? "mark" : "reveal", guess ? "the best guess" : action === "flag" ? "certainly a mine" : "certainly free");
    if (labels.has(cell) || guess) labels.set(cell, percent(guess ? hint.odds : action === "flag" ? 1 : 0));
    else signs.set(cell, action === "flag" ? "mine" : "free");
  }
  const outlined = hint.level === 1 ? (hint.look ?? []) : (hint.hints ?? []);
  return { grounds, labels, notes, signs, outlined };
}

const capital = (word) => word[0].toUpperCase() + word.slice(1);
