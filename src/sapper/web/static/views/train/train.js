// The train view: puzzles from real games, one after the other. The player finds a covered cell
// that is certainly free or certainly a mine; the server judges, and the page shows why.

import { FlagMode, flagging } from "../../board/flag_mode.js";
import { press } from "../../board/pointer.js";
import { Stage, entered } from "../../board/stage.js";
import { pointing } from "../../board/told/number.js";
import { COVERED } from "../../board/view.js";
import * as api from "../../lib/api.js";
import { button, make, showAddress } from "../../lib/dom.js";
import { tipped } from "../../lib/keys.js";
import { say, shout } from "../../lib/say.js";
import { choose, setting } from "../../lib/settings.js";
import { percent, plural } from "../../lib/words.js";
import { Clock } from "./clock.js";
import { againstOverlay, answerOverlay } from "./drawing.js";
import { dailyList, historyList, today } from "./lists.js";
import { wishFields } from "./wishes.js";

export async function showTrain(place, { id }) {
  const train = new Train(place);
  return entered(train, train.start(id));
}

class Train {
  constructor(place) {
    this.place = place;
    this.asking = new api.Latest();
    this.listing = new api.Latest();
    this.puzzle = null;
    this.task = make("p", { class: "task" });
    this.reply = make("p", { class: "reply" });
    this.player = figure("Your rating");
    this.streak = figure("In a row");
    this.hard = figure("This puzzle");
    this.clock = new Clock(() => this.#answer({ action: "time" }));
    this.nextButton = tipped(button({ text: "Next puzzle", class: "primary", onclick: () => this.next() }), "train", "next", "Next puzzle");
    this.showButton = tipped(button({ icon: "bulb", text: "Show the answer", onclick: () => this.giveUp() }), "train", "giveUp", "Show the answer");
    this.flagMode = new FlagMode();
    tipped(this.flagMode.button, "train", "flagMode", "Flag mode");
    this.sheet = make("a", { class: "as-button", text: "Print such puzzles", download: true });
    this.daily = make("details", {}, make("summary", { text: "Puzzles of the day" }));
    this.history = make("details", {}, make("summary", { text: "History" }));
    this.stage = new Stage(
      "train",
      {
        reveal: (cell) => this.#act("reveal", cell),
        flag: (cell) => this.#act("flag", cell),
        giveUp: () => this.giveUp(),
        next: () => this.next(),
        flagMode: () => this.flagMode.toggle(),
      },
      { hands: (view) => this.#listen(view) },
    );
  }

  /** The puzzle of the address, else one at the player's strength. */
  async start(id) {
    const known = await api.puzzleOverview(today());
    this.wishes = wishFields(known.difficulties, setting("train"), (wish) => this.#wish(wish));
    this.root = make(
      "section",
      { class: "train", "aria-label": "Train" },
      make(
        "aside",
        { class: "train-side", "aria-label": "Puzzle", tabindex: "0" },
        make("h1", { text: "Find a certain move" }),
        this.task,
        make("dl", { class: "train-figures" }, this.player.root, this.hard.root, this.streak.root, this.clock.root),
        this.reply,
        make("div", { class: "train-actions" }, this.nextButton, this.showButton, this.flagMode.button, this.sheet),
        this.wishes,
        this.daily,
        this.history,
      ),
      this.stage.root,
    );
    this.#showPlayer(known.user);
    this.#showLists(known);
    await this.#open(id ? (signal) => api.puzzleOf(id, signal) : this.#next());
  }

  leave() {
    this.asking.drop();
    this.listing.drop();
    this.clock.stop();
    this.stage.leave();
  }

  async next() {
    await this.#ask(() => this.#open(this.#next()));
    if (this.puzzle) this.view.focus(this.view.current);
  }

  giveUp() {
    return this.#answer({ action: "give-up" });
  }

  get view() {
    return this.stage.view;
  }

  #next() {
    const { tiling, difficulty } = setting("train");
    return (signal) => api.nextPuzzle({ tiling, difficulty }, signal);
  }

  #wish(wish) {
    const before = setting("train");
    choose("train", wish);
    if (before.clock !== wish.clock && !wish.clock) this.clock.stop();
    if (before.tiling !== wish.tiling || before.difficulty !== wish.difficulty || wish.clock !== before.clock) this.next();
  }

  /** Do something with the server; what it refuses is said. */
  async #ask(action) {
    try {
      await action();
    } catch (error) {
      shout(error.message);
    }
  }

  async #open(question) {
    const puzzle = await this.asking.ask(question);
    if (puzzle === null) return;
    const shapes = await api.shapes(puzzle.board);
    if (!this.root.isConnected) this.place.replaceChildren(this.root);
    this.puzzle = puzzle;
    this.done = false;
    const first = puzzle.attempt === null;
    showAddress(this.root, `#/train/${puzzle.puzzle}`);
    this.stage.show(shapes, { title: "Board of this puzzle", marks: puzzle.marks, at: beginning(puzzle.marks) });
    this.hard.show(puzzle.rating);
    const left = `${plural(puzzle.left, "mine has", "mines have")} no flag yet`;
    this.task.textContent = `Which covered cell is certainly free, or certainly a mine? It takes ${puzzle.difficulty_text}. All flags are right; ${left}.`;
    this.#tell(puzzle.attempt ? `You have tried this one: ${tried(puzzle.attempt)}. It is not rated again.` : "", null);
    this.sheet.href = api.puzzleSheet(puzzle.puzzle);
    this.showButton.hidden = false;
    this.began = performance.now();
    this.clock.stop();
    if (setting("train").clock && first) this.clock.start(puzzle.seconds);
    say(`${this.task.textContent} ${this.reply.textContent}`);
  }

  #listen(view) {
    press(view, {
      first: (cell) => this.#act(flagging() ? "flag" : "reveal", cell),
      second: (cell) => this.#act(flagging() ? "reveal" : "flag", cell),
      preview: (cell) => (view.marks[cell] === COVERED ? [cell] : []),
    });
  }

  #act(action, cell) {
    if (!this.puzzle || this.done) return;
    const mark = this.view.marks[cell];
    if (mark >= 0) return this.#tell("This cell is open: choose a covered one.", null);
    if (mark !== COVERED) return this.#tell("This cell is flagged, and the flags are right here.", null);
    this.#answer({ action, cell });
  }

  /** Ask the server about a move, or for the answer; one question at a time. */
  async #answer(answer) {
    if (!this.puzzle || this.done || this.busy) return;
    const { puzzle } = this.puzzle;
    this.busy = true;
    const seconds = (performance.now() - this.began) / 1000;
    await this.#ask(async () => {
      const judged = await this.asking.ask((signal) => api.answerPuzzle(puzzle, { ...answer, seconds }, signal));
      if (judged !== null) this.#judged(answer, judged);
    });
    this.busy = false;
  }

  #judged(answer, judged) {
    this.clock.stop();
    this.done = judged.moves !== null;
    this.showButton.hidden = this.done;
    const draw = this.done ? answerOverlay : againstOverlay;
    this.stage.overlay.show(draw(this.view, judged, answer));
    const gain = judged.rated ? ` ${judged.gain < 0 ? "−" : "+"}${Math.abs(judged.gain)} points.` : "";
    const [before, behind] = [verdict(answer, judged), `${after(judged)}${gain}`];
    this.#tell(`${before} ${judged.text}${behind}`, judged.right);
    this.reply.replaceChildren(`${before} `, ...pointing(judged, this.stage), behind);
    if (!judged.rated) return;
    this.#showPlayer(judged.user);
    this.#ask(() => this.#renewLists());
  }

  /** Beside the puzzle: the next move need not wait for it. */
  async #renewLists() {
    const known = await this.listing.ask((signal) => api.puzzleOverview(today(), signal));
    if (known !== null) this.#showLists(known);
  }

  #tell(text, right) {
    this.reply.textContent = text;
    this.reply.className = `reply${right === null ? "" : right ? " right" : " wrong"}`;
    if (text) say(text);
  }

  #showPlayer({ rating, deviation, streak, best }) {
    this.player.show(`${rating} ± ${2 * deviation}`);
    this.streak.show(best > streak ? `${streak}, best ${best}` : streak);
  }

  #showLists({ daily, history }) {
    dailyList(this.daily, daily);
    historyList(this.history, history);
  }
}

/** Where to begin on the board: a number beside a covered cell is never far from its middle. */
function beginning(marks) {
  const covered = marks.indexOf(COVERED);
  return covered < 0 ? 0 : covered;
}

function figure(name) {
  const value = make("dd");
  return { root: make("div", {}, make("dt", { text: name }), value), show: (text) => (value.textContent = text) };
}

function verdict({ action }, { right, example }) {
  if (action === "give-up") return "One answer:";
  if (action === "time") return "Time is up. One answer:";
  if (right) return "Right.";
  return example ? "Not certain." : "No, it is the other way round.";
}

/** What is told after the reason. */
function after({ right, example, probability, moves }) {
  const chance = example && probability !== null ? ` The chance of a mine here is ${percent(probability)}.` : "";
  if (!right && !moves) return `${chance} Try another cell, or see the answer.`;
  return moves && moves.length > 1 ? ` ${moves.length} cells were certain this way.` : "";
}

export const tried = ({ right, move }) => (right ? `right, ${move}` : `not solved, ${move}`);
