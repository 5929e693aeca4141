// The path: all lessons in their order, in parts, with how far each has come.

import { icon, make } from "../../lib/dom.js";

export class Path {
  constructor(lessons) {
    this.lessons = lessons;
    this.root = make("ol", { class: "path", "aria-label": "Lessons" });
  }

  /** Show how far the lessons have come; *number* is the one that is open. */
  show(number) {
    const items = this.lessons.flatMap((lesson, k) => {
      const begins = k === 0 || this.lessons[k - 1].part !== lesson.part;
      return [...(begins ? [make("li", { class: "part", text: lesson.part })] : []), this.#item(lesson, k, k === number)];
    });
    this.root.replaceChildren(...items);
    const here = this.root.querySelector("[aria-current]");
    this.root.scrollTo({ left: here.offsetLeft - this.root.clientWidth / 2 });
  }

  #item({ name, title, progress }, k, isHere) {
    const state = progress.mastered ? ", mastered" : progress.first_board ? ", first board done" : "";
    const link = make(
      "a",
      { href: `#/learn/${name}`, "aria-current": isHere ? "step" : null, title: `${title}${state}` },
      progress.mastered ? icon("tick") : make("span", { text: k + 1 }),
      make("span", { class: "unseen", text: ` ${title}${state}` }),
    );
    return make("li", { class: progress.mastered ? "mastered" : progress.first_board ? "begun" : null }, link);
  }
}
