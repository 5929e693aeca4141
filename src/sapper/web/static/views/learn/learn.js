// The learn view: a guided path, one small board after another. The answers come with the lessons,
// from the same proofs as nudges do, so that every move is explained at once, right or wrong.

import { FlagMode, flagging } from "../../board/flag_mode.js";
import { press } from "../../board/pointer.js";
import { Stage } from "../../board/stage.js";
import { BLANK, FLAG } from "../../board/view.js";
import * as api from "../../lib/api.js";
import { button, icon, make } from "../../lib/dom.js";
import { say } from "../../lib/say.js";
import { choose, setting } from "../../lib/settings.js";

export async function showLearn(place, { id }) {
  const { lessons } = await api.lessons();
  const learned = setting("learned");
  const number = lessons.findIndex(({ name }) => name === id);
  const next = lessons.findIndex(({ name }) => !learned.includes(name));
  const learn = new Learn(place, lessons);
  await learn.open(number >= 0 ? number : Math.max(0, next));
  return () => learn.leave();
}

class Learn {
  constructor(place, lessons) {
    this.lessons = lessons;
    this.path = make("ol", { class: "path", "aria-label": "Lessons" });
    this.title = make("h2");
    this.teaches = make("p");
    this.task = make("p", { class: "task" });
    this.answer = make("p", { class: "reply" });
    this.nextButton = button({ text: "Next lesson", class: "primary", onclick: () => this.next() });
    this.where = button({ icon: "bulb", text: "Where to look", onclick: () => this.showHints() });
    this.again = button({ icon: "again", text: "Start over", onclick: () => this.open(this.number) });
    this.flagMode = new FlagMode();
    this.stage = new Stage(
      "learn",
      {
        reveal: (cell) => this.#act("reveal", cell),
        flag: (cell) => this.#act("flag", cell),
        nudge: () => this.showHints(),
        next: () => this.next(),
        flagMode: () => this.flagMode.toggle(),
      },
      { hands: (view) => this.#listen(view) },
    );
    this.place = place;
    this.root = make(
      "section",
      { class: "play learn", "aria-label": "Learn" },
      make("h1", { class: "unseen", text: "Learn" }),
      make("nav", { class: "bar", "aria-label": "The path" }, this.path),
      make(
        "div",
        { class: "with-panel" },
        make(
          "aside",
          { class: "panel lesson", "aria-label": "Lesson" },
          this.title,
          this.teaches,
          this.task,
          this.answer,
          make("div", { class: "lesson-actions" }, this.nextButton, this.where, this.again, this.flagMode.button),
        ),
        this.stage.root,
      ),
    );
  }

  leave() {
    this.stage.leave();
  }

  async open(number) {
    const lesson = this.lessons[number];
    const shapes = await api.shapes(lesson.board);
    if (!this.root.isConnected) this.place.replaceChildren(this.root);
    this.number = number;
    this.lesson = lesson;
    this.left = new Map(lesson.moves.map(({ action, cell }) => [cell, action]));
    history.replaceState(null, "", `#/learn/${lesson.name}`);
    this.stage.show(shapes, { title: "Board of this lesson", marks: lesson.marks, at: lesson.hints[0] });
    this.#mark({});
    this.title.textContent = lesson.title;
    this.teaches.textContent = lesson.teaches;
    this.task.textContent = lesson.task;
    this.#tell("", null);
    this.#showPath();
    this.nextButton.hidden = true;
    say(`${lesson.title}. ${lesson.teaches} ${lesson.task}`);
  }

  async next() {
    if (!this.#done) return;
    if (this.number + 1 < this.lessons.length) {
      await this.open(this.number + 1);
      this.view.focus(this.lesson.hints[0]);
    } else location.hash = "#/play";
  }

  showHints() {
    const { hints } = this.lesson;
    this.#mark({
      grounds: new Map(hints.map((cell) => [cell, "proof"])),
      outlined: hints,
      notes: new Map(hints.map((cell) => [cell, "a number to look at"])),
    });
    const names = hints.map((cell) => `${this.view.name(cell)}, which shows ${this.view.marks[cell]}`);
    this.#tell(`Look at ${names.join("; and at ")}.`, null);
  }

  get #done() {
    return this.left.size === 0;
  }

  get view() {
    return this.stage.view;
  }

  #listen(view) {
    press(view, {
      first: (cell) => this.#act(flagging() ? "flag" : "reveal", cell),
      second: (cell) => this.#act(flagging() ? "reveal" : "flag", cell),
      preview: (cell) => (view.marks[cell] === BLANK ? [cell] : []),
    });
  }

  /** Draw over the board; blanks carry their names, so that the words can be found on it. */
  #mark(shown) {
    const labels = new Map();
    this.view.marks.forEach((mark, cell) => mark === BLANK && labels.set(cell, this.view.name(cell)));
    this.stage.overlay.show({ ...shown, labels });
  }

  /** The learner's move: made where it is right, explained in any case. */
  #act(action, cell) {
    const mark = this.view.marks[cell];
    if (mark >= 0) return this.#tell(`${this.view.name(cell)} is revealed: it shows ${mark}.`, null);
    if (mark === FLAG) return this.#tell(this.lesson.answers[cell].why, null);
    const { is, why, shows } = this.lesson.answers[cell];
    const meant = action === "flag" ? "mine" : "free";
    if (is === null) return this.#tell(`That does not follow. ${why}`, false);
    if (is !== meant) return this.#tell(`No, it is the other way round. ${why}`, false);
    this.view.paint([cell], [is === "mine" ? FLAG : shows]);
    this.#mark({ grounds: new Map([[cell, is === "mine" ? "mark" : "reveal"]]) });
    const wanted = this.left.delete(cell);
    if (wanted && this.#done) return this.#finish(why);
    const more = this.left.size === 1 ? "One more is asked for." : `${this.left.size} more are asked for.`;
    this.#tell(`${wanted || this.#done ? "Right." : "Right, though not what this lesson is about."} ${why} ${this.#done ? "" : more}`, true);
  }

  #finish(why) {
    const last = this.number + 1 === this.lessons.length;
    choose("learned", [...new Set([...setting("learned"), this.lesson.name])]);
    this.#showPath();
    this.nextButton.hidden = false;
    this.nextButton.lastChild.textContent = last ? "Play a game" : "Next lesson";
    const after = last ? "That was the whole path: press H in a game when you are stuck." : "";
    this.#tell(`Right, and done. ${why} ${after}`, true);
  }

  #tell(text, right) {
    this.answer.textContent = text;
    this.answer.className = `reply${right === null ? "" : right ? " right" : " wrong"}`;
    if (text) say(text);
  }

  #showPath() {
    const learned = setting("learned");
    this.path.replaceChildren(
      ...this.lessons.map(({ name, title }, k) => {
        const done = learned.includes(name);
        const link = make(
          "a",
          { href: `#/learn/${name}`, "aria-current": k === this.number ? "step" : null, title },
          done ? icon("tick") : make("span", { text: k + 1 }),
          make("span", { class: "unseen", text: ` ${title}${done ? ", done" : ""}` }),
        );
        return make("li", { class: done ? "done" : null }, link);
      }),
    );
  }
}
