// The panel around the board of a game: counters, buttons and figures.

import { button, collapsible, counter, figureRows, icon, make } from "../../lib/dom.js";
import { gameEfficiency, plural, seconds } from "../../lib/format.js";
import { withTooltip } from "../../lib/keys.js";
import { setting } from "../../lib/settings.js";
import { EndCard } from "./end_card.js";

const TICK = 200; // milliseconds between two updates of the clock
const FINE_TICK = 40; // with hundredths

const padded = (number) => String(number).padStart(2, "0");

/** The mines without a flag; none after a win, which finds the others. */
const minesLeft = ({ data, state }) => (state.outcome === "won" ? 0 : data.mines - state.flags);

export class Panel {
  /**
   * *commands* has a function for each button, showFatal(fatal) marks the fatal move; *flagMode*,
   * *zoom*, *stage* and *dock* are elements of the view.
   */
  constructor(commands, showFatal, { flagMode, zoom, stage, dock }) {
    const tool = (name, options) => withTooltip(button({ onclick: commands[name], ...options }), "play", name, options.label);
    this.title = make("span", { class: "game-title" });
    this.marks = make("span", { class: "badges" });
    this.minesLeft = make("span", { class: "number", text: "0" });
    this.time = make("span", { class: "number", role: "timer", "aria-label": "Time", text: "0:00" });
    this.hint = tool("hint", { icon: "bulb", label: "Hint", class: "ghost" });
    this.analyse = tool("analyse", { icon: "lens", label: "Analyse this position", class: "ghost" });
    this.undo = tool("undo", { icon: "undo", label: "Undo", class: "ghost undo" });
    this.redo = tool("redo", { icon: "redo", label: "Redo", class: "ghost redo" });
    this.probabilities = tool("probabilities", { icon: "percent", label: "Probabilities", "aria-pressed": "false", class: "ghost press" });
    this.figures = make("dl", { class: "figures" });
    this.end = new EndCard(commands, showFatal);
    dock.prepend(this.end.root);
    const more = button({ icon: "more", label: "More", class: "ghost more", "aria-controls": "more-tools" });
    const moreTools = make(
      "div",
      { class: "more-tools", id: "more-tools" },
      this.redo,
      tool("again", { icon: "again", label: "Replay this layout", class: "ghost" }),
      tool("share", { icon: "share", label: "Share", class: "ghost" }),
      this.analyse,
    );
    collapsible(more, moreTools);
    this.root = make(
      "section",
      { class: "play", "aria-label": "Play" },
      make("h1", { class: "visually-hidden", text: "Play" }),
      make(
        "div",
        { class: "bar" },
        make(
          "div",
          { class: "game-choice" },
          withTooltip(
            make(
              "button",
              { type: "button", class: "choose", onclick: commands.choose },
              this.title,
              make("span", { class: "visually-hidden", text: " – choose a game" }),
              icon("down"),
            ),
            ...["play", "choose", "Choose a game"],
          ),
        ),
        make(
          "div",
          { class: "counters" },
          counter("flag", "Mines left", this.minesLeft, "Mines minus flags"),
          make("span", { class: "counter clock", title: "Time" }, icon("clock"), this.time),
        ),
        make(
          "div",
          { class: "tools game-tools", role: "group", "aria-label": "Game" },
          withTooltip(
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
          moreTools,
          zoom,
          more,
        ),
      ),
      stage,
      make("div", { class: "play-footer" }, this.figures, this.marks),
    );
    withTooltip(flagMode, "play", "flagMode", "Flag mode");
    this.applySettings();
  }

  /** Apply the settings for the clock and for help. */
  applySettings() {
    clearInterval(this.timer);
    this.timer = setInterval(() => this.#tick(), setting("hundredths") ? FINE_TICK : TICK);
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
    const { state } = game;
    this.minesLeft.textContent = minesLeft(game);
    this.undo.disabled = !state.can_undo;
    this.redo.disabled = !state.can_redo;
    this.#tick();
    this.#showBadges(state);
    this.#showFigures(state);
  }

  /** The counters in words. */
  statusText() {
    return `${plural(minesLeft(this.game), "mine")} left, ${seconds(this.game.milliseconds)}.`;
  }

  /** Whether a command is possible now. */
  isEnabled(name) {
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
    const badges = [];
    if (state.repeated) badges.push(["replay", "You have played this layout before: it does not count in the statistics."]);
    if (state.deaths > 0) badges.push([state.continues > 0 ? "continued" : "lost once", "This game counts as lost."]);
    else if (state.helped) badges.push(["helped", "You undid a reveal or used help."]);
    this.marks.replaceChildren(...badges.map(([text, title]) => make("span", { class: "badge", text, title })));
  }

  #showFigures(state) {
    const three_bv = state.three_bv_total === null ? state.three_bv : `${state.three_bv} of ${state.three_bv_total}`;
    const rows = [
      ["3BV", three_bv, "The least number of clicks for what is revealed"],
      ["Clicks", state.clicks, "Reveals, flags and chords"],
      ["Efficiency", gameEfficiency(state), "3BV per click"],
      ["Undos", state.undos, "Undone moves"],
    ];
    if (state.hints) rows.push(["Hints", state.hints, "Hints and probabilities you asked for"]);
    if (state.deaths) rows.push(["Losses", state.deaths, "Exploded mines"]);
    this.figures.replaceChildren(...figureRows(rows));
  }
}
