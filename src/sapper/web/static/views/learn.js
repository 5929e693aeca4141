// The learn view: lessons in order. Each has one idea, a first board with a picture of its answer, and
// exercises from real games until the technique is mastered. The text refers to numbers by letters,
// which are on the first board and in the picture.
//
// The server judges every move. A wrong move is answered with a layout that contradicts it, before the
// right answer is shown.

import {
  COUNTEREXAMPLE,
  drawCounterexample,
  drawNumbers,
  letter,
  renderSentence,
  sentenceLetters,
} from "../board/hints.js";
import { drawCertain, emptyDrawing } from "../board/overlay.js";
import { listenToMoves } from "../board/pointer.js";
import { Stage } from "../board/stage.js";
import { COVERED, FLAG } from "../board/view.js";
import { announce, reportErrors } from "../lib/announce.js";
import * as api from "../lib/api.js";
import { button, hiddenText, icon, make, setAddress } from "../lib/dom.js";
import { plural } from "../lib/format.js";
import { setting } from "../lib/settings.js";
import { showReply } from "../lib/widgets.js";

export async function show(root, { id, query, signal }) {
  const { lessons, mastery_streak: masteryStreak } = await api.lessons();
  const number = lessons.findIndex(({ name }) => name === id);
  const next = lessons.findIndex(({ progress }) => !progress.mastered);
  const learn = new Learn(root, lessons, masteryStreak, signal);
  await learn.open(number >= 0 ? number : Math.max(0, next), { seed: query.get("seed") });
}

class Learn {
  constructor(viewRoot, lessons, masteryStreak, signal) {
    this.viewRoot = viewRoot;
    this.lessons = lessons;
    this.masteryStreak = masteryStreak;
    this.requests = new api.LatestRequest(signal);
    this.moves = Promise.resolve();
    const commands = {
      reveal: (cell) => this.#moveOrChord("reveal", cell),
      flag: (cell) => this.#move("flag", cell),
      hint: () => this.showNumbers(),
      answer: () => this.giveUp(),
      next: () => this.newExercise(),
      nextLesson: () => this.nextLesson(),
    };
    const move = (action, cell) => this.#moveOrChord(action, cell);
    const chord = (cell) => this.#moveOrChord("reveal", cell);
    this.stage = new Stage("learn", commands, signal, { listen: (view) => listenToMoves(view, { move, chord }) });
    this.list = make("ol.lesson-list", { "aria-label": "Lessons" });
    const choose = () => this.open(Number(this.choice.value));
    this.choice = make("select.lesson-choice", { "aria-label": "Lesson", onchange: choose });
    this.title = make("h2");
    this.teaches = make("p");
    this.picture = make("img.picture");
    this.task = make("p.task");
    this.reply = make("p.reply");
    this.progress = make("p.progress.faint");
    this.buttons = {
      next: this.stage.button("nextLesson", { text: "Next lesson" }),
      newExercise: this.stage.button("next", { text: "Practise" }),
      retry: button({ text: "Try again", onclick: () => this.retry() }),
      answer: this.stage.button("answer", { text: "Show the answer" }),
      where: this.stage.button("hint", { icon: "bulb", text: "Where to look" }),
      again: button({ icon: "again", text: "First board", onclick: () => this.open(this.number) }),
    };
    this.root = this.#page();
    document.addEventListener("settingschange", () => this.lesson && this.#showPicture(), { signal });
  }

  /** Open the exercise of a seed, or the first board of a lesson. */
  async open(number, { seed = null } = {}) {
    if (seed !== null && (await this.newExercise({ number, seed }))) return;
    const lesson = this.lessons[number];
    await this.#show(number, lesson, null, lesson.task);
    announce(`${lesson.title}. ${lesson.teaches} ${lesson.task}`);
  }

  /** Show an exercise; return whether there is one. */
  async newExercise({ number = this.number, seed = null } = {}) {
    const { name, ask } = this.lessons[number];
    const position = await this.#request((signal) => api.newExercise(name, seed === null ? {} : { seed }, signal));
    if (!position) return false;
    const left = position.left === null ? "" : ` ${plural(position.left, "mine")} left.`;
    await this.#show(number, position, position.seed, `${ask}${left}`);
    announce(`Exercise. ${this.task.textContent}`);
    return true;
  }

  nextLesson() {
    if (this.number + 1 < this.lessons.length) return this.open(this.number + 1);
    location.hash = "#/puzzles";
    return null;
  }

  showNumbers() {
    const { numbers, uses_mine_count: usesMineCount } = this.position;
    const outlined = numbers.length ? numbers : this.#undecided(usesMineCount);
    const drawing = this.#numbersDrawing({ numbers: outlined }, "look here");
    this.stage.overlay.show(drawing);
    this.stage.scrollToCells(outlined);
    showReply(this.reply, [this.#whereToLook(numbers, drawing.badges, usesMineCount)]);
  }

  #whereToLook(cells, badges, usesMineCount) {
    const hasLetters = cells.every((cell) => badges.has(cell));
    const names = cells.map((cell) => (hasLetters ? badges.get(cell) : String(this.view.marks[cell])));
    const numbers = `${hasLetters ? "" : "the outlined "}${new Intl.ListFormat("en-GB").format(names)}`;
    if (cells.length) return `Look at ${numbers}${usesMineCount ? ", and at the number of mines left" : ""}.`;
    if (usesMineCount) return "The number of mines left decides the outlined cells.";
    return "Compare the probabilities of these cells with the others.";
  }

  /** Remove the counterexample, for another attempt. */
  retry() {
    this.#showLetters();
    showReply(this.reply, []);
    this.#updateButtons();
    this.view.focus(this.view.current);
  }

  async giveUp() {
    const result = await this.#judge({ action: "answer" });
    if (!result) return;
    const [{ action, cell }] = result.answer;
    this.#draw(result, { action });
    this.stage.scrollToCells([cell, ...result.numbers]);
    const state = action === "flag" ? "This cell is a mine. " : "This cell is safe. ";
    showReply(this.reply, [state, ...renderSentence(result, this.stage)]);
    this.over = this.seed !== null;
    this.#updateButtons();
  }

  get lesson() {
    return this.lessons[this.number];
  }

  get view() {
    return this.stage.view;
  }

  /** Show a board with its text. Both change at once, so that no key acts on the board of another lesson. */
  async #show(number, position, seed, task) {
    const shapes = await api.shapes(position.board);
    if (!this.root.isConnected) this.viewRoot.replaceChildren(this.root);
    Object.assign(this, { number, position, seed, found: new Set(), tried: false, over: false });
    const { lesson } = this;
    this.title.textContent = lesson.title;
    this.teaches.textContent = lesson.teaches;
    this.#showPicture();
    this.picture.alt = "The first board with the answer";
    setAddress(this.root, `#/learn/${lesson.name}${seed === null ? "" : `?seed=${seed}`}`);
    this.stage.show(shapes, {
      title: seed === null ? "First board of this lesson" : "Exercise",
      marks: position.marks,
      at: position.numbers[0] ?? 0,
    });
    this.picture.hidden = seed !== null;
    this.teaches.hidden = seed !== null;
    this.#showLetters();
    this.task.textContent = task;
    showReply(this.reply, []);
    this.#showLessons();
    this.#updateButtons();
  }

  #showPicture() {
    this.picture.src = api.lessonPicture(this.lesson.name, setting("theme"));
  }

  /** Make a move, or chord on a number. */
  #moveOrChord(action, cell) {
    return this.#move(this.view.marks[cell] > 0 ? "chord" : action, cell);
  }

  /** Make a move after the responses to those before it: a second one must not cancel the first. */
  #move(action, cell) {
    const { position } = this;
    this.moves = this.moves.then(() => (position === this.position ? this.#moveNow(action, cell) : undefined));
  }

  async #moveNow(action, cell) {
    const mark = this.view.marks[cell];
    if (this.over || this.found.has(cell) || mark === FLAG || (mark >= 0 && action !== "chord")) return;
    const result = await this.#judge({ action, cell });
    if (!result) return;
    this.#draw(result, { action, cell });
    if (!result.right) {
      showReply(this.reply, result.example ? [COUNTEREXAMPLE] : ["No. ", ...renderSentence(result, this.stage)], false);
      return this.#updateButtons({ wrong: true });
    }
    for (const revealed of result.cells) this.found.add(revealed);
    this.#paint(result, action);
    this.over = result.of_step && (this.seed !== null || result.done);
    const verdict = result.of_step ? "Right. " : "";
    showReply(this.reply, [verdict, ...renderSentence(result, this.stage), this.#progressText(result)], true);
    this.#showLessons();
    this.#updateButtons();
  }

  /** Send a move to the server; only the first attempt at a position counts. */
  async #judge(move) {
    const { lesson, seed } = this;
    const request = { ...move, seed, first: !this.tried, found: [...this.found] };
    const result = await this.#request((signal) => api.judgeMove(lesson.name, request, signal));
    if (!result) return null;
    if (!result.right || result.of_step) this.tried = true;
    lesson.progress = result.progress;
    return result;
  }

  #request(request) {
    return reportErrors(() => this.stage.waitFor(this.requests, request));
  }

  #paint({ cells, shows }, action) {
    cells.forEach((cell, k) => {
      if (action === "flag") this.view.paint([cell], [FLAG]);
      else if (shows[k] !== null) this.view.paint([cell], [shows[k]]);
    });
  }

  /** The letters by which the text of the lesson refers to numbers; an exercise has none. */
  #letters() {
    return new Map(this.seed === null ? this.lesson.numbers.map((cell, k) => [cell, letter(k)]) : []);
  }

  /** The letters of a reply, if it needs any: no letter is on the board twice. */
  #lettersWith(reply) {
    const letters = sentenceLetters(this.view, reply);
    const hasNumbers = reply.numbers.some((cell) => letters.has(cell));
    return hasNumbers ? letters : new Map([...this.#letters(), ...letters]);
  }

  #numbersDrawing(reply, note) {
    const drawing = emptyDrawing();
    drawNumbers(drawing, this.view, reply, note);
    drawing.badges = this.#lettersWith(reply);
    return drawing;
  }

  #showLetters() {
    this.stage.overlay.show({ badges: this.#letters() });
  }

  /** Draw the numbers and cells of a right answer, or why a wrong one is wrong. */
  #draw(reply, move) {
    const { right, cells, example, answer } = reply;
    const drawing = this.#numbersDrawing(reply, "number to look at");
    // The cells of a wrong move are certainly the opposite.
    const isMine = (move.action === "flag") === Boolean(right || answer);
    for (const cell of cells) {
      drawCertain(drawing, cell, isMine);
      drawing.notes.set(cell, isMine ? "certainly a mine" : "certainly safe");
    }
    if (example) drawCounterexample(drawing, example, move);
    this.stage.overlay.show(drawing);
  }

  #progressText({ of_step: ofStep, done, progress }) {
    if (!ofStep) return "";
    if (this.seed === null) return done ? " The first board is done: now practise." : " There is more to find.";
    if (progress.streak >= this.masteryStreak) return ` ${progress.streak} in a row: you've got it.`;
    return ` ${progress.streak} of ${this.masteryStreak} in a row.`;
  }

  /** Show the buttons that are useful now, the most likely first. */
  #updateButtons({ wrong = false } = {}) {
    const { next, newExercise, retry, answer, where, again } = this.buttons;
    const practising = this.seed !== null;
    newExercise.lastChild.textContent = practising ? "Next exercise" : "Practise";
    next.lastChild.textContent = this.number + 1 < this.lessons.length ? "Next lesson" : "Puzzles";
    const finished =
      this.lesson.progress.mastered && practising ? [next, newExercise, again] : [newExercise, next, again];
    const unfinished = practising ? [where, answer, newExercise, again, next] : [where, answer, newExercise, next];
    const shown = wrong ? [retry, answer, where] : this.over ? finished : unfinished;
    for (const button of Object.values(this.buttons)) button.classList.remove("primary");
    if (this.over || wrong) shown[0].classList.add("primary");
    this.actions.replaceChildren(...shown, this.stage.flagMode.button);
    this.#showProgress(practising);
  }

  #showProgress(practising) {
    const { right, wrong, streak, mastered } = this.lesson.progress;
    const done = Math.min(streak, this.masteryStreak);
    const dots = "●".repeat(done) + "○".repeat(this.masteryStreak - done);
    const hasTried = practising || right + wrong > 0;
    const inARow = [
      make("span.dots", { "aria-hidden": "true" }, dots),
      `${done} of ${this.masteryStreak} exercises in a row.`,
    ];
    this.progress.replaceChildren(...(mastered ? [icon("tick"), "Lesson complete."] : hasTried ? inARow : []));
  }

  /** The covered cells next to a number, or all if the number of mines decides. */
  #undecided(usesMineCount) {
    const { marks } = this.view;
    const covered = [...marks.keys()].filter((cell) => marks[cell] === COVERED);
    const beside = covered.filter((cell) => this.view.around(cell).some((other) => marks[other] > 0));
    return usesMineCount || !beside.length ? covered : beside;
  }

  /** Update the list of lessons, with the progress in each. */
  #showLessons() {
    const items = this.lessons.flatMap((lesson, k) => {
      const startsPart = k === 0 || this.lessons[k - 1].part !== lesson.part;
      return [...(startsPart ? [make("li.part", lesson.part)] : []), lessonItem(lesson, k, k === this.number)];
    });
    this.list.replaceChildren(...items);
    const names = this.lessons.map(({ title, progress }, k) =>
      make("option", { value: k, selected: k === this.number }, `${k + 1}. ${title}${progress.mastered ? " ✓" : ""}`),
    );
    this.choice.replaceChildren(...names);
    const current = this.list.querySelector("[aria-current]");
    this.list.scrollTo({ left: current.offsetLeft - this.list.clientWidth / 2 });
  }

  #page() {
    this.actions = make("div.lesson-actions");
    return make(
      "section.play.learn",
      { "aria-label": "Learn" },
      make("h1.visually-hidden", "Learn"),
      make("nav.bar", { "aria-label": "Lessons" }, this.list, this.choice),
      make(
        "div.with-panel",
        make(
          "aside.panel.lesson",
          { "aria-label": "Lesson" },
          make(
            "div.lesson-text",
            { role: "group", "aria-label": "Explanation", tabindex: "0" },
            this.title,
            this.teaches,
            this.picture,
            this.task,
          ),
          this.reply,
          this.actions,
          this.progress,
        ),
        this.stage.root,
      ),
    );
  }
}

function lessonItem({ name, title, progress }, k, isCurrent) {
  const state = progress.mastered ? ", mastered" : progress.first_board ? ", first board done" : "";
  const link = make(
    "a",
    { href: `#/learn/${name}`, "aria-current": isCurrent ? "step" : null, title: `${title}${state}` },
    progress.mastered ? icon("tick") : make("span", k + 1),
    hiddenText(` ${title}${state}`),
  );
  return make("li", { class: progress.mastered ? "mastered" : progress.first_board ? "started" : null }, link);
}
