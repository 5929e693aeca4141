// What the user has chosen, kept in this browser. One table; the settings dialog is drawn from it.

import { button, dialog, make } from "./dom.js";
import { tick } from "./forms.js";

const KEY = "sapper";

const SWITCHES = {
  chord: {
    default: true,
    label: "One button chords",
    about: "A click or tap on a number opens the covered cells around it once its flags are set.",
  },
  swap: {
    default: false,
    label: "Swap the two actions",
    about: "Left click or tap flags; right click or long press reveals.",
  },
  mines: {
    default: false,
    label: "Show all mines after a loss",
    about: "Without this, a lost game can be undone or continued fairly.",
  },
  names: {
    default: false,
    label: "Names of cells in help",
    about: "Help says r3c5 in place of pointing at the board.",
  },
  motion: {
    default: true,
    label: "Animations",
    about: "Quiet ones, and none at all where the system asks for less motion.",
  },
  assured: {
    default: false,
    label: "Warn when I leave certainty",
    about: "Where no guess is needed, a click that is not certain is held back while another one is.",
  },
};

const DEFAULTS = {
  theme: "auto",
  flagMode: false,
  zooms: {},
  position: null,
  tables: null,
  game: { size: "beginner", tiling: "square", rule: "zero", deal: "plain" },
  watch: {},
  learned: [],
  train: { tiling: "square", rung: "", clock: false },
  speed: 2,
  ...Object.fromEntries(Object.entries(SWITCHES).map(([name, row]) => [name, row.default])),
};

let values = { ...DEFAULTS, ...read() };

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

export function setting(name) {
  return values[name];
}

/** All that was chosen. */
export const chosen = () => values;

const listeners = [];

/** Hear of every choice: listener(name). */
export function whenChosen(listener) {
  listeners.push(listener);
}

/** Take over settings that were chosen elsewhere; nobody hears of it as of a choice. */
export function adopt(given) {
  values = { ...values, ...given };
  remember();
  applyTheme();
}

export function choose(name, value) {
  values = { ...values, [name]: value };
  remember();
  for (const listener of listeners) listener(name);
}

function remember() {
  try {
    localStorage.setItem(KEY, JSON.stringify(values));
  } catch {
    // A browser that keeps nothing still plays.
  }
}

const THEMES = { auto: "As the system", light: "Light", dark: "Dark" };

export function applyTheme() {
  const theme = setting("theme");
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  document.dispatchEvent(new Event("themechange"));
}

export function openSettings() {
  const themes = make("div", { class: "choices", role: "radiogroup", "aria-label": "Theme" });
  for (const [name, text] of Object.entries(THEMES)) {
    const input = make("input", {
      type: "radio",
      name: "theme",
      value: name,
      checked: setting("theme") === name,
      onchange: () => {
        choose("theme", name);
        applyTheme();
      },
    });
    themes.append(make("label", { class: "choice" }, input, make("span", { text })));
  }
  const switches = Object.entries(SWITCHES).map(([name, row]) =>
    tick(row.label, row.about, {
      checked: setting(name),
      onchange: (event) => choose(name, event.target.checked),
    }),
  );
  const box = dialog(
    "Settings",
    make("h3", { text: "Theme" }),
    themes,
    make("h3", { text: "Playing" }),
    ...switches,
    make(
      "div",
      { class: "dialog-foot" },
      button({ text: "Done", class: "primary", onclick: () => box.close() }),
    ),
  );
}
