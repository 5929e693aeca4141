// The learn view: a path from nothing. Each lesson has a picture, a first board with help, and then
// positions from real games to practise on until the step is mastered.
//
// The server judges every move. A wrong one is shown to be wrong, by a way to place the mines that
// speaks against it, before anybody is told what is right.

import { FlagMode, flagging } from "../../board/flag_mode.js";
import { drawCertain } from "../../board/overlay.js";
import { press } from "../../board/pointer.js";
import { Stage, entered } from "../../board/stage.js";
import { pointing } from "../../board/told/number.js";
import { COVERED, FLAG } from "../../board/view.js";
import * as api from "../../lib/api.js";
import { button, make, showAddress } from "../../lib/dom.js";
import { tipped } from "../../lib/keys.js";
import { say, shout } from "../../lib/say.js";
import { plural } from "../../lib/words.js";
import { Path } from "./path.js";

const PATIENCE = 300; // milliseconds before the page says that it is working

export async function showLearn(place, { id, words }) {
  const { lessons, mastery_streak: masteryStreak } = await api.lessons();
  const number = lessons.findIndex(({ name }) => name === id);
  const next = lessons.findIndex(({ progress }) => !progress.mastered);
  const learn = new Learn(place, lessons, masteryStreak);
  return entered(learn, learn.open(number >= 0 ? number : Math.max(0, next), { seed: words.get("seed") }));
}

class Learn {
  constructor(place, lessons, masteryStreak) {
    this.place = place;
    this.lessons = lessons;
    this.masteryStreak = masteryStreak;
    this.questions = new api.Latest();
    this.moves = Promise.resolve();
    this.path = new Path(lessons);
    this.title = make("h2");
    this.teaches = make("p");
    this.picture = make("img", { class: "picture" });
    this.task = make("p", { class: "task" });
    this.answer = make("p", { class: "reply" });
    this.standing = make("p", { class: "standing faint" });
    const act = (text, onclick, options = {}) => button({ text, onclick, ...options });
    const keyed = (command, text, ...rest) => tipped(act(text, ...rest), "learn", command, text);
    this.buttons = {
      next: keyed("nextLesson", "Next lesson", () => this.nextLesson()),
      newExercise: keyed("next", "Practise", () => this.newExercise()),
      retry: act("Try again", () => this.retry()),
      answer: keyed("answer", "Show the answer", () => this.giveUp()),
      where: keyed("hint", "Where to look", () => this.showNumbers(), { icon: "bulb" }),
      again: act("First board", () => this.open(this.number), { icon: "again" }),
    };
    this.flagMode = new FlagMode();
    tipped(this.flagMode.button, "learn", "flagMode", "Flag mode");
    this.stage = new Stage(
      "learn",
      {
        reveal: (cell) => this.#first("reveal", cell),
        flag: (cell) => this.#act("flag", cell),
        hint: () => this.showNumbers(),
        answer: () => this.giveUp(),
        next: () => this.next(),
        nextLesson: () => this.nextLesson(),
        flagMode: () => this.flagMode.toggle(),
      },
      { hands: (view) => this.#listen(view) },
    );
    this.root = this.#page();
  }

  leave() {
    this.questions.drop();
    this.stage.leave();
  }

  /** Open a lesson: the position of a seed, else its first board; that, too, where there is no such position. */
  async open(number, { seed = null } = {}) {
    if (seed !== null && (await this.newExercise({ number, seed }))) return;
    const lesson = this.lessons[number];
    await this.#show(number, lesson, null, lesson.task);
    say(`${lesson.title}. ${lesson.teaches} ${lesson.task}`);
  }

  /** A position to practise on; answers whether there is one. */
  async newExercise({ number = this.number, seed = null } = {}) {
    const { name, ask } = this.lessons[number];
    const position = await this.#ask((signal) => api.newExercise(name, seed === null ? {} : { seed }, signal));
    if (!position) return false;
    const left = position.left === null ? "" : ` ${plural(position.left, "mine is", "mines are")} left.`;
    await this.#show(number, position, position.seed, `${ask}${left}`);
    say(`A position to practise on. ${this.task.textContent}`);
    return true;
  }

  /** On to what comes next: another position once the first board is done, the practice before. */
  next() {
    return this.newExercise();
  }

  nextLesson() {
    if (this.number + 1 < this.lessons.length) return this.open(this.number + 1);
    location.hash = "#/train";
    return null;
  }

  showNumbers() {
    const { numbers, uses_mine_count: count } = this.position;
    const outlined = numbers.length ? numbers : this.#undecided(count);
    this.#mark({ grounds: new Map(outlined.map((cell) => [cell, "proof"])), outlined, notes: new Map(outlined.map((cell) => [cell, "look here"])) });
    this.stage.bringIntoSight(outlined);
    this.#tell([this.#whereToLook(numbers, count)], null);
  }

  #whereToLook(numbers, count) {
    const numbers = numbers.map((cell) => this.view.marks[cell]).join(" and ");
    if (numbers) return `Look at the outlined ${numbers}${count ? ", and at the number of mines left" : ""}.`;
    if (count) return "The number of mines left decides the outlined cells.";
    return "Compare the probabilities of these cells with the others.";
  }

  /** Take away what speaks against a move, and try another one. */
  retry() {
    this.#mark({});
    this.#tell([], null);
    this.#offer();
    this.view.focus(this.view.current);
  }

  async giveUp() {
    const told = await this.#judge({ action: "answer" });
    if (!told) return;
    const [{ action, cell }] = told.answer;
    this.#draw(told, action === "flag");
    this.stage.bringIntoSight([cell, ...told.numbers]);
    this.#tell([`${action === "flag" ? "Here is a mine." : "This cell is free."} `, ...pointing(told, this.stage)], null);
    this.over = this.seed !== null;
    this.#offer();
  }

  get lesson() {
    return this.lessons[this.number];
  }

  get view() {
    return this.stage.view;
  }

  /** Words and board change together: a key never meets the board of another lesson. */
  async #show(number, position, seed, task) {
    const shapes = await api.shapes(position.board);
    if (!this.root.isConnected) this.place.replaceChildren(this.root);
    Object.assign(this, { number, position, seed, found: new Set(), tried: false, over: false });
    const { lesson } = this;
    this.title.textContent = lesson.title;
    this.teaches.textContent = lesson.teaches;
    this.picture.src = api.pictureAddress(lesson.name);
    this.picture.alt = `A picture of this step: ${lesson.title}`;
    showAddress(this.root, `#/learn/${lesson.name}${seed === null ? "" : `?seed=${seed}`}`);
    const title = seed === null ? "First board of this lesson" : "A position to practise on";
    this.stage.show(shapes, { title, marks: position.marks, at: position.numbers[0] ?? 0 });
    this.picture.hidden = seed !== null;
    this.teaches.hidden = seed !== null;
    this.#mark({});
    this.task.textContent = task;
    this.#tell([], null);
    this.path.show(this.number);
    this.#offer();
  }

  #listen(view) {
    press(view, {
      first: (cell) => this.#first(flagging() ? "flag" : "reveal", cell),
      second: (cell) => this.#act(flagging() ? "reveal" : "flag", cell),
      chord: (cell) => this.#first("reveal", cell),
      preview: (cell) => (view.marks[cell] === COVERED ? [cell] : []),
    });
  }

  /** A first press on a number is a chord. */
  #first(action, cell) {
    return this.#act(this.view.marks[cell] > 0 ? "chord" : action, cell);
  }

  /** The learner's move, when those before it are answered: a quick second one takes none back. */
  #act(action, cell) {
    const { position } = this;
    this.moves = this.moves.then(() => (position === this.position ? this.#actNow(action, cell) : undefined));
  }

  /** Made where it is right, and answered in any case. */
  async #actNow(action, cell) {
    if (this.over || (this.view.marks[cell] >= 0 && action !== "chord") || this.view.marks[cell] === FLAG || this.found.has(cell)) return;
    const told = await this.#judge({ action, cell });
    if (!told) return;
    const words = pointing(told, this.stage);
    this.#draw(told, action === "flag", { action, cell });
    if (!told.right) {
      this.#tell(["Not so. ", ...words], false);
      return this.#offer({ wrong: true });
    }
    for (const one of told.cells) this.found.add(one);
    this.#paint(told, action);
    this.over = told.of_step && (this.seed !== null || told.done);
    this.#tell([told.of_step ? "Right. " : "", ...words, this.#after(told)], true);
    this.path.show(this.number);
    this.#offer();
  }

  /** Ask the server about a move; the first try at a position counts. */
  async #judge(move) {
    const { lesson, seed } = this;
    const request = { ...move, seed, first: !this.tried, found: [...this.found] };
    const told = await this.#ask((signal) => api.judgeMove(lesson.name, request, signal));
    if (!told) return null;
    if (!told.right || told.of_step) this.tried = true;
    lesson.progress = told.progress;
    return told;
  }

  async #ask(question) {
    const { root } = this.stage;
    try {
      return await api.noticed(this.questions.ask(question), PATIENCE, () => (root.ariaBusy = "true"));
    } catch (error) {
      shout(error.message);
      return null;
    } finally {
      root.ariaBusy = null;
    }
  }

  #paint({ cells, shows }, action) {
    cells.forEach((cell, k) => {
      if (action === "flag") this.view.paint([cell], [FLAG]);
      else if (shows[k] !== null) this.view.paint([cell], [shows[k]]);
    });
  }

  /** The numbers of the step and its cells, or the mines that speak against a wrong move. */
  #draw({ right, numbers, cells, example, answer }, mine, move) {
    const drawn = { grounds: new Map(), signs: new Map(), notes: new Map(), best: [], outlined: numbers };
    for (const cell of numbers) {
      drawn.grounds.set(cell, "proof");
      drawn.notes.set(cell, "a number to look at");
    }
    if (right || answer)
      for (const cell of cells) {
        drawCertain(drawn, cell, mine);
        drawn.notes.set(cell, mine ? "certainly a mine" : "free");
      }
    if (example) {
      for (const cell of example.mines) drawn.signs.set(cell, "cross").get(cell) && drawn.notes.set(cell, "a mine in this example");
      for (const cell of example.safe) drawn.signs.set(cell, "dash").get(cell) && drawn.notes.set(cell, "no mine in this example");
      drawn.signs.set(move.cell, mine ? "dash" : "cross");
      drawn.grounds.set(move.cell, "lost");
      drawn.notes.set(move.cell, mine ? "free in this example" : "a mine in this example");
    }
    this.#mark(drawn);
  }

  #mark(drawn) {
    this.stage.overlay.show(drawn);
  }

  #after({ of_step: ofStep, done, progress }) {
    if (!ofStep) return "";
    if (this.seed === null) return done ? " The first board is done: now practise it." : " There is more to find.";
    if (progress.streak >= this.masteryStreak) return ` ${progress.streak} in a row: you've got it.`;
    return ` ${progress.streak} of ${this.masteryStreak} in a row.`;
  }

  /** The buttons that make sense now; the likeliest is the first. */
  #offer({ wrong = false } = {}) {
    const { next, newExercise, retry, answer, where, again } = this.buttons;
    const practising = this.seed !== null;
    newExercise.lastChild.textContent = practising ? "Another position" : "Practise";
    next.lastChild.textContent = this.number + 1 < this.lessons.length ? "Next lesson" : "Train on puzzles";
    const shown = wrong
      ? [retry, answer, where]
      : this.over
        ? this.lesson.progress.mastered && practising
          ? [next, newExercise, again]
          : [newExercise, next, again]
        : practising
          ? [where, answer, newExercise, again, next]
          : [where, answer, newExercise, next];
    for (const one of Object.values(this.buttons)) one.classList.remove("primary");
    if (this.over || wrong) shown[0].classList.add("primary");
    this.actions.replaceChildren(...shown, this.flagMode.button);
    const { right, wrong: missed, streak, mastered } = this.lesson.progress;
    this.standing.textContent = practising || right + missed ? `${plural(right, "position", "positions")} right, ${streak} in a row${mastered ? "; you've got it" : ""}.` : "";
  }

  /** The covered cells beside a number; all of them where the number of mines decides, or where none is beside one. */
  #undecided(count) {
    const { marks } = this.view;
    const covered = [...marks.keys()].filter((cell) => marks[cell] === COVERED);
    const beside = covered.filter((cell) => this.view.around(cell).some((other) => marks[other] > 0));
    return count || !beside.length ? covered : beside;
  }

  #tell(words, right) {
    this.answer.replaceChildren(...words.filter((word) => word !== ""));
    this.answer.className = `reply${right === null ? "" : right ? " right" : " wrong"}`;
    if (words.length) say(this.answer.textContent);
  }

  #page() {
    this.actions = make("div", { class: "lesson-actions" });
    return make(
      "section",
      { class: "play learn", "aria-label": "Learn" },
      make("h1", { class: "unseen", text: "Learn" }),
      make("nav", { class: "bar", "aria-label": "The path" }, this.path.root),
      make(
        "div",
        { class: "with-panel" },
        make(
          "aside",
          { class: "panel lesson", "aria-label": "Lesson" },
          make("div", { class: "lesson-words", role: "group", "aria-label": "What it teaches", tabindex: "0" }, this.title, this.teaches, this.picture, this.task),
          this.answer,
          this.actions,
          this.standing,
        ),
        this.stage.root,
      ),
    );
  }
}
