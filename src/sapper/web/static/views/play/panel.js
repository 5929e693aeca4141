// The panel around the board of a game: counters, buttons and figures.

import { button, collapsible, counter, figureRows, icon, make } from "../../lib/dom.js";
import { duration, gameEfficiency, plural } from "../../lib/format.js";
import { commandKey, withTooltip } from "../../lib/keys.js";
import { setting } from "../../lib/settings.js";
import { EndCard } from "./end_card.js";
import { LevelChoice } from "./levels.js";
import { StartLine } from "./start_line.js";

const CLOCK_INTERVAL = 200; // milliseconds between two updates of the clock
const HUNDREDTHS_INTERVAL = 40; // the same for a clock with hundredths

const twoDigits = (number) => String(number).padStart(2, "0");

/** The mines without a flag; 0 after a win. */
const minesLeft = ({ data, state }) => (state.outcome === "won" ? 0 : data.mines - state.flags);

export class Panel {
  /**
   * *commands* has a function for each button; showFatal(fatal) marks the fatal move. *flagMode* is a button
   * to insert, and *dock* is the element of *stage* for the end card.
   */
  constructor(commands, showFatal, { flagMode, stage, dock }) {
    const tool = (name, options) =>
      withTooltip(button({ onclick: commands[name], ...options }), "play", name, options["aria-label"] ?? options.text);
    this.choice = new LevelChoice(commands);
    this.startLine = new StartLine(commands.noGuess);
    this.badges = make("span", { class: "badges" });
    this.minesLeft = make("span", { class: "number", text: "0" });
    this.time = make("span", { class: "number", role: "timer", "aria-label": "Time", text: "0:00" });
    this.undo = tool("undo", { icon: "undo", text: "Undo", class: "undo" });
    this.hint = tool("hint", { icon: "bulb", text: "Hint" });
    this.probabilities = tool("probabilities", {
      icon: "percent",
      text: "Probabilities",
      "aria-pressed": "false",
      class: "press",
    });
    this.figures = make("dl", { class: "figures" });
    this.end = new EndCard(commands, showFatal, stage);
    dock.prepend(this.end.root);
    withTooltip(flagMode, "play", "flagMode", "Flag mode");
    const more = button({ icon: "more", label: "More", class: "more", "aria-controls": "more-tools" });
    const item = (name, iconName, text, rest) =>
      menuItem(tool(name, { icon: iconName, text, class: "ghost", ...rest }), name);
    this.redo = item("redo", "redo", "Redo");
    this.again = item("again", "again", "Replay this layout");
    this.analyse = item("analyse", "lens", "Analyse this position");
    this.share = item("share", "share", "Share");
    this.#setDisabled(true);
    const zoom = (name, iconName, text) =>
      item(name, iconName, text, { onclick: () => stage.commands[name](), "data-keeps-open": "" });
    const moreTools = make(
      "div",
      { class: "more-tools", id: "more-tools" },
      this.redo,
      this.again,
      this.analyse,
      this.share,
      make("hr"),
      zoom("zoomIn", "plus", "Zoom in"),
      zoom("zoomOut", "minus", "Zoom out"),
      zoom("fit", "fit", "Fit"),
    );
    collapsible(more, moreTools);
    this.root = make(
      "section",
      { class: "play", "aria-label": "Play" },
      make("h1", { class: "visually-hidden", text: "Play" }),
      make(
        "div",
        { class: "bar" },
        this.choice.root,
        make(
          "div",
          { class: "counters" },
          counter("flag", "Mines left", this.minesLeft, "Mines minus flags"),
          make("span", { class: "counter clock", title: "Time" }, icon("clock"), this.time),
        ),
        make(
          "div",
          { class: "tools game-tools", role: "group", "aria-label": "Game" },
          this.undo,
          flagMode,
          this.hint,
          this.probabilities,
          tool("new", { icon: "plus", text: "New game", class: "primary new" }),
          more,
          moreTools,
        ),
      ),
      stage.root,
      make("div", { class: "play-footer" }, this.startLine.root, this.figures, this.badges),
    );
    this.applySettings();
  }

  /** Apply the settings for the clock and for help. */
  applySettings() {
    clearInterval(this.timer);
    this.timer = setInterval(() => this.#tick(), setting("hundredths") ? HUNDREDTHS_INTERVAL : CLOCK_INTERVAL);
    this.time.parentElement.classList.toggle("fine", setting("hundredths"));
    for (const tool of [this.hint, this.probabilities, this.analyse]) tool.hidden = setting("noHelp");
    this.#tick();
  }

  stop() {
    clearInterval(this.timer);
  }

  open(game, data) {
    this.game = game;
    this.#setDisabled(false);
    this.choice.show(data, game.isNoGuess);
  }

  update(game) {
    const { state } = game;
    this.root.dataset.outcome = state.outcome;
    this.minesLeft.textContent = minesLeft(game);
    this.undo.disabled = !state.can_undo;
    this.redo.disabled = !state.can_redo;
    for (const tool of [this.hint, this.probabilities]) tool.disabled = state.outcome !== "playing";
    this.#tick();
    this.#showBadges(state);
    this.#showFigures(state);
    this.startLine.update(game);
    this.figures.hidden = !this.startLine.root.hidden;
  }

  /** Disable or enable the buttons that need a game. */
  #setDisabled(disabled) {
    for (const tool of [this.undo, this.redo, this.hint, this.probabilities, this.again, this.analyse, this.share])
      tool.disabled = disabled;
  }

  /** The mines left and the time in one sentence. */
  statusText() {
    return `${plural(minesLeft(this.game), "mine")} left, ${duration(this.game.milliseconds)}.`;
  }

  /** Whether a command is possible now. */
  isEnabled(name) {
    const state = this.game?.state;
    if (!state)
      return ["new", "beginner", "intermediate", "expert", "noGuess", "choose", "flagMode", "help"].includes(name);
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
    const fraction = setting("hundredths") ? `.${twoDigits(hundredths % 100)}` : "";
    const text = `${Math.floor(total / 60)}:${twoDigits(total % 60)}${fraction}`;
    if (this.time.textContent !== text) this.time.textContent = text;
  }

  #showBadges(state) {
    const badges = [];
    if (state.repeated)
      badges.push(["replay", "You have played this layout before: it does not count in the statistics."]);
    if (state.losses > 0) badges.push([state.continues > 0 ? "continued" : "lost once", "This game counts as a loss."]);
    else if (state.helped) badges.push(["helped", "You undid a reveal or used help."]);
    this.badges.replaceChildren(...badges.map(([text, title]) => make("span", { class: "badge", text, title })));
  }

  #showFigures(state) {
    const three_bv = state.three_bv_total === null ? state.three_bv : `${state.three_bv} of ${state.three_bv_total}`;
    const rows = [
      ["3BV", three_bv, "The smallest number of clicks that reveals what is revealed"],
      ["Clicks", state.clicks, "Reveals, flags and chords"],
      ["Efficiency", gameEfficiency(state), "3BV per click"],
      ["Undos", state.undos, "Undone moves"],
    ];
    if (state.hints) rows.push(["Hints", state.hints, "Hints and probabilities you used"]);
    if (state.losses) rows.push(["Losses", state.losses, "Exploded mines"]);
    this.figures.replaceChildren(...figureRows(rows));
  }
}

/** Add its key to a button of the menu. */
function menuItem(item, command) {
  item.append(make("kbd", { "aria-hidden": "true", text: commandKey("play", command) }));
  return item;
}
