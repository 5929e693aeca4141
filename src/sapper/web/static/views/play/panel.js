// Everything around the board: counters, buttons, the figures.

import { efficiencyOf, plural, seconds } from "../../lib/words.js";
import { button, counter, icon, make } from "../../lib/dom.js";
import { tipped } from "../../lib/keys.js";
import { foldable } from "../../lib/menu.js";
import { setting } from "../../lib/settings.js";
import { EndCard } from "./end_card.js";

const COARSE = 200; // milliseconds between two looks at the clock
const FINE = 40;

const padded = (number) => String(number).padStart(2, "0");

export class Panel {
  /**
   * *commands* has a function for each button, *on* hears of the end card; *flagMode* and *zoom* are
   * buttons, *stage* and *dock* places that are built elsewhere.
   */
  constructor(commands, on, { flagMode, zoom, stage, dock }) {
    const tool = (name, options) => tipped(button({ onclick: commands[name], ...options }), "play", name, options.label);
    this.title = make("span", { class: "game-title" });
    this.marks = make("span", { class: "badges" });
    this.left = make("span", { class: "number", text: "0" });
    this.time = make("span", { class: "number", role: "timer", "aria-label": "Time", text: "0:00" });
    this.hint = tool("hint", { icon: "bulb", label: "Help", class: "ghost" });
    this.analyse = tool("analyse", { icon: "lens", label: "Analyse this position", class: "ghost" });
    this.undo = tool("undo", { icon: "undo", label: "Undo", class: "ghost undo" });
    this.redo = tool("redo", { icon: "redo", label: "Redo", class: "ghost redo" });
    this.probabilities = tool("probabilities", { icon: "percent", label: "Probabilities", "aria-pressed": "false", class: "ghost press" });
    this.figures = make("dl", { class: "figures" });
    this.end = new EndCard(commands, on);
    dock.prepend(this.end.root);
    const more = button({ icon: "more", label: "More", class: "ghost more", "aria-controls": "more-tools" });
    const rest = make(
      "div",
      { class: "rest", id: "more-tools" },
      this.redo,
      tool("again", { icon: "again", label: "Same game again", class: "ghost" }),
      tool("share", { icon: "share", label: "Share", class: "ghost" }),
      this.analyse,
    );
    foldable(more, rest);
    this.root = make(
      "section",
      { class: "play", "aria-label": "Play" },
      make("h1", { class: "unseen", text: "Play" }),
      make(
        "div",
        { class: "bar" },
        make(
          "div",
          { class: "game-choice" },
          tipped(
            make(
              "button",
              { type: "button", class: "choose", onclick: commands.choose },
              this.title,
              make("span", { class: "unseen", text: " – choose a game" }),
              icon("down"),
            ),
            ...["play", "choose", "Choose a game"],
          ),
        ),
        make(
          "div",
          { class: "counters" },
          counter("flag", "Mines left", this.left, "Mines less flags"),
          make("span", { class: "counter clock", title: "Time" }, icon("clock"), this.time),
        ),
        make(
          "div",
          { class: "tools hands", role: "group", "aria-label": "Game" },
          tipped(
            make(
              "button",
              { type: "button", class: "primary new", onclick: commands.new, "aria-label": "New game" },
              icon("plus"),
              make("span", {}, "New", make("span", { class: "wide", text: " game" })),
            ),
            ...["play", "new", "New game"],
          ),
          this.undo,
          flagMode,
          this.hint,
          this.probabilities,
          rest,
          zoom,
          more,
        ),
      ),
      stage,
      make("div", { class: "foot" }, this.figures, this.marks),
    );
    tipped(flagMode, "play", "flagMode", "Flag mode");
    this.resettle();
  }

  /** As the settings say: how fine the clock is, and whether there is help. */
  resettle() {
    clearInterval(this.timer);
    this.timer = setInterval(() => this.#tick(), setting("hundredths") ? FINE : COARSE);
    this.time.parentElement.classList.toggle("fine", setting("hundredths"));
    for (const tool of [this.hint, this.probabilities, this.analyse]) tool.hidden = setting("noHelp");
    this.#tick();
  }

  stop() {
    clearInterval(this.timer);
  }

  open(game, data) {
    this.title.textContent = data.title;
    this.game = game;
    this.data = data;
  }

  update(game) {
    const { state, data } = game;
    this.left.textContent = data.mines - state.flags;
    this.undo.disabled = !state.can_undo;
    this.redo.disabled = !state.can_redo;
    this.#tick();
    this.#showBadges(state);
    this.#showFigures(state);
  }

  /** What the counters show, in words. */
  leftWords() {
    const { state, data } = this.game;
    return `${plural(data.mines - state.flags, "mine", "mines")} left, ${seconds(this.game.milliseconds)}.`;
  }

  /** Whether a command makes sense now; keys ask before they act. */
  may(name) {
    const state = this.game?.state;
    if (!state) return ["new", "choose", "flagMode", "help"].includes(name);
    const playing = state.outcome === "playing";
    return (
      {
        undo: state.can_undo,
        redo: state.can_redo,
        continue: state.outcome === "lost",
        showMines: state.outcome === "lost",
        reveal: playing,
        flag: playing,
        chord: playing,
        hint: playing && !setting("noHelp"),
        probabilities: playing && !setting("noHelp"),
        analyse: !setting("noHelp") || !playing,
      }[name] ?? true
    );
  }

  showProbabilities(on) {
    this.probabilities.setAttribute("aria-pressed", on);
  }

  #tick() {
    if (!this.game) return;
    const hundredths = Math.floor(this.game.milliseconds / 10);
    const total = Math.floor(hundredths / 100);
    const fine = setting("hundredths") ? `.${padded(hundredths % 100)}` : "";
    const shown = `${Math.floor(total / 60)}:${padded(total % 60)}${fine}`;
    if (this.time.textContent !== shown) this.time.textContent = shown;
  }

  #showBadges(state) {
    const words = [];
    if (state.repeated) words.push(["played before", "This deal was played here before: it does not count in the statistics."]);
    if (state.deaths > 0) words.push([state.continues > 0 ? "continued" : "lost once", "This game is counted as lost."]);
    else if (state.helped) words.push(["helped", "A reveal was undone or help was asked for."]);
    this.marks.replaceChildren(...words.map(([text, title]) => make("span", { class: "badge", text, title })));
  }

  #showFigures(state) {
    const three_bv = state.three_bv_total === null ? state.three_bv : `${state.three_bv} of ${state.three_bv_total}`;
    const rows = [
      ["3BV", three_bv, "The clicks that what is revealed needs at least"],
      ["Clicks", state.clicks, "Reveals, flags and chords"],
      ["Efficiency", efficiencyOf(state), "3BV for each click"],
      ["Undos", state.undos, "Moves taken back"],
    ];
    if (state.hints) rows.push(["Help", state.hints, "Help and probabilities asked for"]);
    if (state.deaths) rows.push(["Losses", state.deaths, "Mines that went off"]);
    this.figures.replaceChildren(
      ...rows.map(([name, value, title]) =>
        make("div", { title }, make("dt", { text: name }), make("dd", { text: value })),
      ),
    );
  }
}
