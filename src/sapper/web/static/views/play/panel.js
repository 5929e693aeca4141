// The panel around the board of a game: counters, buttons and figures.

import * as api from "../../lib/api.js";
import { button, hiddenText, icon, make } from "../../lib/dom.js";
import { ago, capitalise, clockTime, duration, gameEfficiency, plural, today } from "../../lib/format.js";
import { commandKey, withTooltip } from "../../lib/keys.js";
import { setting } from "../../lib/settings.js";
import { collapsible, counter, figureRows, levelOfSize } from "../../lib/widgets.js";
import { EndCard } from "./end_card.js";

const CLOCK_INTERVAL = 200; // milliseconds between two updates of the clock
const HUNDREDTHS_INTERVAL = 40; // the same for a clock with hundredths

/** The mines without a flag; 0 after a win. */
const minesLeft = ({ data, state }) => (state.outcome === "won" ? 0 : data.mines - state.flags);

export class Panel {
  /** *dock* is the element of *stage* for the end card; showFatal(fatal) marks the fatal move. */
  constructor(levels, stage, dock, showFatal) {
    this.choice = new LevelChoice(levels, stage);
    this.startLine = new StartLine(stage.commands.noGuess);
    this.badges = make("span.badges");
    this.minesLeft = make("span.number", "0");
    this.time = make("span.number", { role: "timer", "aria-label": "Time" }, "0:00");
    this.undo = stage.button("undo", { icon: "undo", text: "Undo", class: "undo" });
    this.hint = stage.button("hint", { icon: "bulb", text: "Hint" });
    this.probabilities = stage.button("probabilities", {
      icon: "percent",
      text: "Probabilities",
      "aria-pressed": "false",
      class: "press",
    });
    this.figures = make("dl.figures");
    this.end = new EndCard(stage, showFatal);
    dock.prepend(this.end.root);
    const more = button({ icon: "more", label: "More", class: "more", "aria-controls": "more-tools" });
    const item = (name, iconName, text, rest) => {
      const element = stage.button(name, { icon: iconName, text, class: "ghost", ...rest });
      element.append(make("kbd", { "aria-hidden": "true" }, commandKey("play", name)));
      return element;
    };
    this.redo = item("redo", "redo", "Redo");
    this.again = item("again", "again", "Replay this layout");
    this.analyse = item("analyse", "lens", "Analyse this position");
    this.share = item("share", "share", "Share");
    this.#setDisabled(true);
    const zoom = (name, iconName, text) => item(name, iconName, text, { "data-keeps-open": "" });
    const moreTools = make(
      "div.more-tools",
      { id: "more-tools" },
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
      "section.play",
      { "aria-label": "Play" },
      make("h1.visually-hidden", "Play"),
      make(
        "div.bar",
        this.choice.root,
        make(
          "div.counters",
          counter("flag", "Mines left", this.minesLeft, "Mines minus flags"),
          make("span.counter.clock", { title: "Time" }, icon("clock"), this.time),
        ),
        make(
          "div.tools.game-tools",
          { role: "group", "aria-label": "Game" },
          this.undo,
          stage.flagMode.button,
          this.hint,
          this.probabilities,
          stage.button("new", { icon: "plus", text: "New game", class: "primary new" }),
          more,
          moreTools,
        ),
      ),
      stage.root,
      make("div.play-footer", this.startLine.root, this.figures, this.badges),
    );
    this.applySettings();
    stage.signal.addEventListener("abort", () => clearInterval(this.timer));
  }

  /** Apply the settings for the clock and for help. */
  applySettings() {
    clearInterval(this.timer);
    this.timer = setInterval(() => this.#tick(), setting("hundredths") ? HUNDREDTHS_INTERVAL : CLOCK_INTERVAL);
    this.time.parentElement.classList.toggle("fine", setting("hundredths"));
    for (const tool of [this.hint, this.probabilities, this.analyse]) tool.hidden = setting("noHelp");
    this.#tick();
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
    const seconds = this.game.milliseconds / 1000;
    const fraction = setting("hundredths") ? (Math.floor(100 * (seconds % 1)) / 100).toFixed(2).slice(1) : "";
    const text = `${clockTime(Math.floor(seconds))}${fraction}`;
    if (this.time.textContent !== text) this.time.textContent = text;
  }

  #showBadges(state) {
    const badges = [];
    if (state.repeated)
      badges.push(["replay", "You have played this layout before: it does not count in the statistics."]);
    if (state.losses > 0) badges.push([state.continues > 0 ? "continued" : "lost once", "This game counts as a loss."]);
    else if (state.helped) badges.push(["helped", "You undid a reveal or used help."]);
    this.badges.replaceChildren(...badges.map(([text, title]) => make("span.badge", { title }, text)));
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

/** The sizes of the levels that have a button and a key. */
export const levelsWithButtons = ({ levels: { beginner, intermediate, expert } }) => ({
  beginner,
  intermediate,
  expert,
});

/** A button for each level, which calls start(level); the level of *rules* is pressed. */
export function levelButtons(levels, start, rules) {
  return Object.entries(levels).map(([name, size]) => {
    const text = capitalise(name);
    const isPressed = name === levelOf(levels, rules);
    const level = button({ text, class: "level", "aria-pressed": `${isPressed}`, onclick: () => start(name) });
    return withTooltip(level, "play", name, `${text}: ${sizeText(size)}`);
  });
}

/** The no-guess switch, which calls toggle(). */
export function noGuessSwitch(isOn, toggle) {
  const element = make(
    "button.ghost.no-guess",
    { type: "button", role: "switch", "aria-checked": `${isOn}`, onclick: toggle },
    make("span.switch-knob", { "aria-hidden": "true" }),
    make("span", "No-guess"),
  );
  return withTooltip(element, "play", "noGuess", "A board that can be won without guessing");
}

/** The buttons for the levels and for any other game, and the no-guess switch. */
class LevelChoice {
  constructor(levels, { commands }) {
    this.levels = levels;
    this.levelButtons = levelButtons(levels, (name) => commands[name](), {});
    this.title = make("span.game-title", "Choose a game");
    this.custom = make("span.custom-title", "Custom…");
    const choose = make(
      "button.level.choose",
      { type: "button", "aria-pressed": "false", onclick: commands.choose },
      this.title,
      this.custom,
      hiddenText(" – choose a game"),
      icon("down"),
    );
    this.choose = withTooltip(choose, "play", "choose", "Choose a game");
    this.noGuess = noGuessSwitch(false, commands.noGuess);
    this.root = make(
      "div.game-choice",
      make("div.levels", { role: "group", "aria-label": "Level" }, ...this.levelButtons, this.choose),
      this.noGuess,
    );
  }

  /** Show the level of a game. */
  show(data, isNoGuess) {
    const current = levelOf(this.levels, data);
    Object.keys(this.levels).forEach((name, k) => this.levelButtons[k].setAttribute("aria-pressed", name === current));
    this.choose.setAttribute("aria-pressed", current === undefined);
    this.title.textContent = data.title;
    this.custom.textContent = current ? "Custom…" : customTitle(data);
    this.noGuess.setAttribute("aria-checked", isNoGuess);
  }
}

/** The level of rules; undefined for any other board. */
const levelOf = (levels, { size, tiling }) => (tiling === "square" ? levelOfSize(levels, size) : undefined);

function sizeText(size) {
  const [width, height, mines] = size.split(/[x/]/);
  return `${width} × ${height}, ${mines} mines`;
}

/** The title of a game that is no level: its board shape unless it is square, and its size; a graph has neither. */
function customTitle({ tiling, size, mines }) {
  if (!size) return `${mines} mines…`;
  const [width, height] = size.split(/[x/]/);
  return `${tiling === "square" ? "" : `${capitalise(tiling)} `}${width} × ${height}…`;
}

/** The line below a new board: on the first visit how to start, later links to other games and views. */
class StartLine {
  /** noGuess() turns no-guess on. */
  constructor(noGuess) {
    this.noGuess = noGuess;
    this.root = make("p.start-line", { hidden: true });
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
      make("strong", "Click anywhere to start. "),
      make("span", "New here? ", make("a", { href: "#/learn" }, "Learn the game in five minutes"), ". "),
      ...(game.isNoGuess ? [] : [make("span", "Tired of guessing? ", turnOn, ".")]),
    );
  }
}

function dailyLink({ daily, daily_streak: streak }) {
  const { puzzle, right } = daily.find(({ tiling }) => tiling === "square");
  const note = streak ? `${streak}-day streak` : right === false ? "not solved" : "";
  return link(right ? "tick" : "star", `#/puzzles/${puzzle}`, "Puzzle of the day", note);
}

function link(iconName, href, text, note = "") {
  return make("a", { href }, icon(iconName), make("span", text), note && make("small", note));
}
