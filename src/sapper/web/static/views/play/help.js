// Help in a game: nudges, the odds of every blank, the numbers that a cell may show.
//
// A nudge has a degree, from where to look (1) to doing it (4). To players it is help; in the code
// a hint is the number on a cell.
//
// It asks beside the moves, not among them: playing goes on while the server thinks, and an
// answer about a position that is gone is thrown away.

import { guessWords, spokenGuess } from "../../board/best_guess.js";
import { cellsOf, drawHint, followList, pointing } from "../../board/told/hint.js";
import { insideWords, oddsOverlay } from "../../board/overlay.js";
import * as api from "../../lib/api.js";
import { button, make } from "../../lib/dom.js";
import { say, shout } from "../../lib/say.js";
import { measureToPaint } from "../../lib/timing.js";
import { capital, percent, plural } from "../../lib/words.js";

const NO_NUDGE = "Choose how much you want to be told.";
const SIMPLE = "All else takes too long to work out here: this is what one or two numbers give.";
const LATE = "The odds take too long to work out here. Shown is what one or two numbers give: open or flag it, and the rest gets easier.";
const SOON = 90; // milliseconds that the pointer rests before the numbers of a cell are asked for
const PATIENCE = 250; // and before the page says that it is working

export class Help {
  /** *on* has: move(action, cell), figures(of the game), odds(on or off). */
  constructor(stage, on) {
    this.stage = stage;
    this.on = on;
    this.degree = 0;
    this.asked = false;
    this.oddsOn = false;
    this.answers = null;
    this.questions = new api.Questions();
    this.degrees = make("div", { class: "degrees", role: "group", "aria-label": "How much to tell" });
    this.words = make("p", { class: "help-words" });
    this.follows = make("div", { class: "help-follows" });
    this.act = make("div", { class: "help-act" });
    this.oddsWords = make("p", { class: "help-words" });
    this.guess = make("div", { class: "best-guess" });
    this.numbers = make("div", { class: "numbers" });
    this.working = make(
      "p",
      { class: "thinking", hidden: true },
      make("span", { text: "Working …" }),
      button({ text: "Stop", onclick: () => this.#giveUp() }),
    );
    this.nudgePart = make("section", { class: "help-part" }, make("h3", { text: "What to do" }), this.degrees, this.words, this.follows, this.act);
    this.oddsPart = make("section", { class: "help-part", hidden: true }, make("h3", { text: "Odds" }), this.oddsWords, this.guess, this.numbers);
    this.root = make(
      "aside",
      { class: "panel", "aria-label": "Help and odds", hidden: true },
      make(
        "div",
        { class: "panel-head" },
        make("h2", { text: "Help" }),
        button({ icon: "close", label: "Close help", class: "ghost", onclick: () => this.close() }),
      ),
      this.working,
      this.nudgePart,
      this.oddsPart,
    );
    api.menu().then((menu) => this.#buildDegrees(menu.degrees), () => {});
  }

  /** Another game: what was told of the one before goes. */
  open(game) {
    this.game = game;
    this.answers = new Map();
    this.odds = null;
    this.#forgetNudge();
  }

  stop() {
    this.#giveUp();
    clearTimeout(this.timer);
  }

  /** A nudge of the next degree; of the first where none is shown. */
  more() {
    return this.ask(Math.min(this.degree + 1, this.degrees.childElementCount || 4));
  }

  async ask(degree) {
    if (this.game.over) return;
    this.degree = degree; // at once, so that a second press asks for the next degree
    const answer = await this.#ask((game, signal) => api.nudge(game, { degree }, signal));
    if (this.degree !== degree) return;
    if (!answer) return this.#forgetNudge();
    this.root.hidden = false;
    this.asked = true;
    if (!answer.play) this.degree = 0;
    this.nudge = answer;
    this.#show();
    this.stage.bringIntoSight(cellsOf(answer));
    say([answer.text, ...(answer.follows ?? []).map(({ text }) => `Known before: ${text}`)].join(" "));
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
    this.#forgetNudge();
    this.asked = false;
    if (this.oddsOn) this.toggleOdds();
    this.#show();
    this.root.hidden = true;
  }

  /** The board has changed: what was said of it holds no more. */
  refresh() {
    this.questions.drop();
    clearTimeout(this.timer);
    this.#forgetNudge();
    this.odds = null;
    this.answers = new Map();
    this.#show();
    // The end card has the place of the panel; a game that goes on has it back.
    this.root.hidden = this.game.over || !(this.asked || this.oddsOn);
    if (this.#followsOdds) this.#fetchOdds(performance.now(), false);
  }

  get #followsOdds() {
    return this.oddsOn && !this.game.over;
  }

  #buildDegrees(names) {
    this.degrees.replaceChildren(
      ...names.map((name, k) =>
        button({ text: `${k + 1} ${capital(name)}`, class: "degree", "aria-pressed": "false", onclick: () => this.ask(k + 1) }),
      ),
    );
  }

  async #fetchOdds(since, aloud) {
    const odds = await this.#ask((game, signal) => api.odds(game, {}, signal));
    if (!odds || !this.oddsOn) return;
    this.odds = odds;
    this.#show();
    if (aloud) say(`odds on. ${this.oddsWords.textContent} ${odds.guess ? spokenGuess(odds.guess, this.stage.view) : ""}`);
    measureToPaint("odds to paint", since);
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
    if (this.oddsOn && !this.odds) {
      this.oddsOn = false;
      this.on.odds(false);
    }
  }

  #forgetNudge() {
    this.degree = 0;
    this.nudge = null;
  }

  #showWorking(on) {
    this.working.hidden = !on;
    if (!on) return;
    this.root.hidden = false;
    say("working");
  }

  /** The panel stays until it is closed, so that the board does not jump from move to move. */
  #show() {
    const { nudge, odds } = this;
    this.#tellNudge(nudge ?? { text: NO_NUDGE, degree: 0, certain: true });
    this.nudgePart.hidden = !this.asked;
    this.oddsPart.hidden = !this.oddsOn;
    if (odds) this.#tellOdds(odds);
    else this.numbers.replaceChildren();
    const { view } = this.stage;
    const shown = oddsOverlay(view, odds?.cells ?? [], odds?.odds ?? [], odds?.guess?.cell ?? null);
    const { overlay } = this.stage;
    if (this.#followsOdds && !odds && !nudge) overlay.wipe();
    else overlay.show(nudge ? drawHint(shown, view, nudge) : shown);
  }

  #tellNudge(nudge) {
    const { view } = this.stage;
    this.words.replaceChildren(...(view ? pointing(nudge, this.stage) : [nudge.text]), ...(nudge.simple ? [` ${SIMPLE}`] : []));
    this.follows.replaceChildren(...(view ? followList(nudge.follows, this.stage) : []));
    [...this.degrees.children].forEach((degree, k) => degree.setAttribute("aria-pressed", k + 1 === nudge.degree));
    const guess = !nudge.certain && nudge.play?.[0];
    this.act.replaceChildren(
      ...(guess ? [button({ text: `Take the guess (${percent(nudge.odds)} risk)`, onclick: () => this.#play(nudge.play) })] : []),
    );
  }

  #tellOdds({ text, late, cells, odds, reveal, flag, least, best, guess }) {
    this.guess.replaceChildren(...(guess ? guessWords(guess, this.stage.view) : []));
    if (text) return (this.oddsWords.textContent = text);
    this.byCell = new Map(cells.map((cell, k) => [cell, odds[k]]));
    if (late) return (this.oddsWords.textContent = LATE);
    const sure = reveal.length + flag.length;
    const first = sure
      ? `${plural(reveal.length, "cell is certainly free", "cells are certainly free")}, ${plural(flag.length, "certain mine", "certain mines")}.`
      : "Nothing is certain.";
    const leastOf =
      reveal.length || least === null || guess
        ? ""
        : ` The best guess is ${best.length === 1 ? this.stage.view.name(best[0]) : `one of ${best.length} cells`}, a mine with odds of ${percent(least)}.`;
    this.oddsWords.textContent = first + leastOf + insideWords(this.stage.view, cells, odds);
  }

  /** The pointer or the focus is on a cell: its odds at once, its numbers when they are there. */
  lookAt(cell) {
    this.at = cell;
    clearTimeout(this.timer);
    if (!this.odds || this.odds.text || this.odds.late) return;
    if (cell === null || !this.byCell.has(cell)) return this.numbers.replaceChildren();
    this.#tellNumbers(cell, this.answers.get(cell));
    if (!this.answers.has(cell)) this.timer = setTimeout(() => this.#fetchNumbers(cell), SOON);
  }

  async #fetchNumbers(cell) {
    const { answers } = this;
    const answer = await this.#ask((game, signal) => api.numbers(game, { cell }, signal));
    if (!answer) return;
    answers.set(cell, answer.numbers);
    if (this.at === cell && answers === this.answers && this.odds) this.#tellNumbers(cell, answer.numbers);
  }

  #tellNumbers(cell, numbers) {
    const p = this.byCell.get(cell);
    const rows = [["mine", p]];
    if (numbers) rows.push(...Object.entries(numbers));
    this.numbers.replaceChildren(
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
