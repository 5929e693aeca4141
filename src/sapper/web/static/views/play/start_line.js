// The line below a new board: on the first visit how to start, later links to other games and views.

import * as api from "../../lib/api.js";
import { button, icon, make } from "../../lib/dom.js";
import { ago, today } from "../../lib/format.js";

export class StartLine {
  /** noGuess() turns no-guess on. */
  constructor(noGuess) {
    this.noGuess = noGuess;
    this.root = make("p", { class: "start-line", hidden: true });
  }

  /** Show or hide the line for the state of a game. */
  update(game) {
    const isNew = game.state.events === 0 && !game.over; // no move was made
    if (isNew && this.game !== game) this.#fill(game);
    this.game = game;
    this.root.hidden = !isNew;
  }

  async #fill(game) {
    this.root.replaceChildren();
    await game.registered; // until then the last game counts as open in this window
    const [recent, puzzles] = await Promise.allSettled([api.recentGames(), api.puzzleOverview(today())]);
    if (this.game !== game) return;
    const games = recent.value?.games ?? [];
    if (recent.value && !games.length) return this.#welcome(game);
    const last = games.find(({ id, finished, open }) => id !== game.id && !finished && !open);
    this.root.replaceChildren(
      ...(last ? [link("run", `#/play/${last.id}`, `Continue ${last.title}`, ago(last.updated))] : []),
      ...(puzzles.value ? [dailyLink(puzzles.value)] : []),
      link("book", "#/learn", "Learn"),
    );
  }

  #welcome(game) {
    const turnOn = button({ text: "Turn on No-guess", class: "as-link", onclick: this.noGuess });
    this.root.replaceChildren(
      make("strong", { text: "Click anywhere to start. " }),
      make("span", {}, "New here? ", make("a", { href: "#/learn", text: "Learn the game in five minutes" }), ". "),
      ...(game.isNoGuess ? [] : [make("span", {}, "Tired of guessing? ", turnOn, ".")]),
    );
  }
}

function dailyLink({ daily, daily_streak: streak }) {
  const { puzzle, right } = daily.find(({ tiling }) => tiling === "square");
  const note = streak ? `${streak}-day streak` : right === false ? "not solved" : "";
  return link(right ? "tick" : "star", `#/puzzles/${puzzle}`, "Puzzle of the day", note);
}

function link(iconName, href, text, note = "") {
  return make("a", { href }, icon(iconName), make("span", { text }), note && make("small", { text: note }));
}
