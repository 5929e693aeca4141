// The buttons for the levels and for any other game, and the no-guess switch.

import { button, icon, make } from "../../lib/dom.js";
import { capitalise } from "../../lib/format.js";
import { withTooltip } from "../../lib/keys.js";

const LEVELS = { beginner: "9x9/10", intermediate: "16x16/40", expert: "30x16/99" };
const NO_GUESS_TITLE = "A board that can be won without guessing";

/** A button for each level, which calls start(level); the level of *rules* is pressed. */
export function levelButtons(start, rules) {
  return Object.entries(LEVELS).map(([name, size]) =>
    withTooltip(
      button({
        text: capitalise(name),
        class: "level",
        "aria-pressed": String(name === levelOf(rules)),
        onclick: () => start(name),
      }),
      "play",
      name,
      `${capitalise(name)}: ${sizeText(size)}`,
    ),
  );
}

/** The no-guess switch, which calls toggle(). */
export function noGuessSwitch(isOn, toggle) {
  const knob = make("span", { class: "switch-knob", "aria-hidden": "true" });
  const label = make("span", { text: "No-guess" });
  return withTooltip(
    make(
      "button",
      { type: "button", class: "ghost no-guess", role: "switch", "aria-checked": String(isOn), onclick: toggle },
      knob,
      label,
    ),
    "play",
    "noGuess",
    NO_GUESS_TITLE,
  );
}

export class LevelChoice {
  constructor(commands) {
    this.levels = levelButtons((name) => commands[name](), {});
    this.title = make("span", { class: "game-title", text: "Choose a game" });
    this.custom = make("span", { class: "custom-title", text: "Custom…" });
    this.choose = withTooltip(
      make(
        "button",
        { type: "button", class: "level choose", "aria-pressed": "false", onclick: commands.choose },
        this.title,
        this.custom,
        make("span", { class: "visually-hidden", text: " – choose a game" }),
        icon("down"),
      ),
      "play",
      "choose",
      "Choose a game",
    );
    this.noGuess = noGuessSwitch(false, commands.noGuess);
    this.root = make(
      "div",
      { class: "game-choice" },
      make("div", { class: "levels", role: "group", "aria-label": "Level" }, ...this.levels, this.choose),
      this.noGuess,
    );
  }

  /** Show the level of a game. */
  show(data, isNoGuess) {
    const current = levelOf(data);
    Object.keys(LEVELS).forEach((name, k) => this.levels[k].setAttribute("aria-pressed", name === current));
    this.choose.setAttribute("aria-pressed", current === undefined);
    this.title.textContent = data.title;
    this.custom.textContent = current ? "Custom…" : customTitle(data);
    this.noGuess.setAttribute("aria-checked", isNoGuess);
  }
}

/** The level of rules, whose size is a name or WxH/M; undefined for any other board. */
function levelOf({ size, tiling }) {
  return Object.keys(LEVELS).find((name) => tiling === "square" && [name, LEVELS[name]].includes(size));
}

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
