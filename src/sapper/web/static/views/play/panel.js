// Everything around the board: counters, buttons, the verdict, the figures.

import { button, counter, icon, make } from "../../lib/dom.js";
import { plural, seconds } from "../../lib/words.js";

export class Panel {
  /** *commands* has a function for each button; *flagMode*, *zoom* and *desk* are built elsewhere. */
  constructor(commands, { flagMode, zoom, desk }) {
    const tool = (name, options) => button({ onclick: commands[name], ...options });
    this.title = make("span", { class: "game-title" });
    this.marks = make("span", { class: "badges" });
    this.left = make("span", { class: "number", text: "0" });
    this.time = make("span", { class: "number", role: "timer", "aria-label": "Time", text: "0:00" });
    this.undo = tool("undo", { icon: "undo", label: "Undo", class: "ghost" });
    this.redo = tool("redo", { icon: "redo", label: "Redo", class: "ghost" });
    this.odds = tool("odds", { icon: "percent", label: "Odds", "aria-pressed": "false", class: "ghost press" });
    this.verdictLine = make("p", { class: "verdict-text" });
    this.ends = make("div", { class: "verdict-actions" });
    this.end = make("div", { class: "verdict", hidden: true }, this.verdictLine, this.ends);
    this.figures = make("dl", { class: "figures" });
    this.endButtons = {
      undo: tool("undo", { icon: "undo", text: "Undo", class: "wide" }),
      continue: tool("continue", { text: "Continue" }),
      showMines: tool("showMines", { text: "Show mines" }),
      again: tool("again", { icon: "again", text: "Same again", class: "wide" }),
      new: tool("new", { text: "New game", class: "primary" }),
    };
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
          make(
            "button",
            { type: "button", class: "primary", onclick: commands.new },
            make("span", {}, "New", make("span", { class: "wide", text: " game" })),
          ),
          make(
            "button",
            { type: "button", class: "choose", onclick: commands.choose, title: "Choose a game" },
            this.title,
            make("span", { class: "unseen", text: " – choose a game" }),
            icon("down"),
          ),
        ),
        make(
          "div",
          { class: "counters" },
          counter("flag", "Mines left", this.left, "Mines less flags"),
          make("span", { class: "counter", title: "Time" }, icon("clock"), this.time),
        ),
        make(
          "div",
          { class: "tools hands", role: "group", "aria-label": "Game" },
          this.undo,
          this.redo,
          flagMode,
          tool("nudge", { icon: "bulb", label: "Help", class: "ghost" }),
          this.odds,
          tool("again", { icon: "again", label: "Same game again", class: "ghost rare" }),
          tool("share", { icon: "share", label: "Share", class: "ghost" }),
          tool("analyse", { icon: "lens", label: "Analyse this position", class: "ghost" }),
        ),
        zoom,
      ),
      desk,
      make("div", { class: "foot" }, this.figures, this.marks, this.end),
    );
    this.timer = setInterval(() => this.#tick(), 200);
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
    this.#showVerdict(game);
  }

  /** Whether a command makes sense now; keys ask before they act. */
  may(name) {
    const state = this.game?.state;
    if (!state) return ["new", "choose", "flagMode", "help"].includes(name);
    return (
      {
        undo: state.can_undo,
        redo: state.can_redo,
        continue: state.outcome === "lost",
        showMines: state.outcome === "lost",
        nudge: state.outcome === "playing",
        odds: state.outcome === "playing",
      }[name] ?? true
    );
  }

  showOdds(on) {
    this.odds.setAttribute("aria-pressed", on);
  }

  showProblem(message, commands) {
    this.end.hidden = false;
    this.end.className = "verdict lost";
    this.verdictLine.textContent = `This game cannot be opened: ${message}.`;
    this.ends.replaceChildren(button({ text: "Choose a game", class: "primary", onclick: commands.choose }));
  }

  verdict({ state }) {
    const time = seconds(state.milliseconds);
    if (state.outcome === "lost") return `Boom: lost after ${time}.`;
    if (state.deaths > 0) return `Finished after ${plural(state.deaths, "loss", "losses")}, in ${time}.`;
    const how = state.helped ? " with help" : state.again ? " again" : "";
    return `Won${how} in ${time}.`;
  }

  #tick() {
    if (!this.game) return;
    const total = Math.floor(this.game.milliseconds / 1000);
    const shown = `${Math.floor(total / 60)}:${String(total % 60).padStart(2, "0")}`;
    if (this.time.textContent !== shown) this.time.textContent = shown;
  }

  #showBadges(state) {
    const words = [];
    if (state.again) words.push(["played before", "This deal was played here before: it does not count in the statistics."]);
    if (state.deaths > 0) words.push([state.continues > 0 ? "continued" : "lost once", "This game is counted as lost."]);
    else if (state.helped) words.push(["helped", "A reveal was undone or help was asked for."]);
    this.marks.replaceChildren(...words.map(([text, title]) => make("span", { class: "badge", text, title })));
  }

  #showFigures(state) {
    const efficiency = state.clicks ? `${Math.round((100 * state.bbbv) / state.clicks)} %` : "–";
    const bbbv = state.bbbv_total === null ? state.bbbv : `${state.bbbv} of ${state.bbbv_total}`;
    const rows = [
      ["3BV", bbbv, "The clicks that what is revealed needs at least"],
      ["Clicks", state.clicks, "Reveals, flags and chords"],
      ["Efficiency", efficiency, "3BV for each click"],
      ["Undos", state.undos, "Moves taken back"],
    ];
    if (state.nudges) rows.push(["Help", state.nudges, "Help and odds asked for"]);
    if (state.deaths) rows.push(["Losses", state.deaths, "Mines that went off"]);
    this.figures.replaceChildren(
      ...rows.map(([name, value, title]) =>
        make("div", { title }, make("dt", { text: name }), make("dd", { text: value })),
      ),
    );
  }

  #showVerdict(game) {
    const { outcome } = game.state;
    this.end.hidden = outcome === "playing";
    if (this.end.hidden) return;
    this.end.className = `verdict ${outcome}`;
    this.verdictLine.textContent = this.verdict(game);
    const { undo, continue: go, showMines, again, new: fresh } = this.endButtons;
    const shown = outcome === "lost" ? [undo, go, showMines, again, fresh] : [again, fresh];
    if (![...this.ends.children].every((child, k) => child === shown[k]) || this.ends.childElementCount !== shown.length)
      this.ends.replaceChildren(...shown);
  }
}
