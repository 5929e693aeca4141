// What the user has chosen, kept in this browser. The settings dialog is drawn from these tables.

const KEY = "sapper";

/** One of several: the names, and the words for each. */
export const CHOICES = {
  theme: {
    default: "auto",
    label: "Theme",
    options: { auto: "As the system", light: "Light", dark: "Dark" },
  },
  tiles: {
    default: "flat",
    label: "Cells",
    options: { flat: "Flat", classic: "Classic, bevelled", contrast: "High contrast" },
  },
  colours: {
    default: "standard",
    label: "Colours of numbers and probabilities",
    options: { standard: "Usual", clear: "Clear to colour-blind eyes" },
  },
  rulers: {
    default: "room",
    label: "Numbers of rows and columns",
    options: { room: "Where there is room", always: "Always", never: "Never" },
  },
  first: {
    default: "reveal",
    label: "A tap or left click",
    options: { reveal: "opens a cell", flag: "sets a flag" },
  },
};

/** On or off; each in its part of the dialog. */
export const SWITCHES = {
  motion: {
    part: "looks",
    default: true,
    label: "Animations",
    about: "Quiet ones, and none at all where the system asks for less motion.",
  },
  sound: {
    part: "looks",
    default: false,
    label: "Sounds",
    about: "Quiet ones too, and none where the system asks for less motion.",
  },
  hundredths: {
    part: "looks",
    default: false,
    label: "Hundredths on the clock",
    about: "While a game runs; its end tells them in any case.",
  },
  chord: {
    part: "playing",
    default: true,
    label: "One button chords",
    about: "A click or tap on a number opens the covered cells around it once its flags are set.",
  },
  question: {
    part: "playing",
    default: false,
    label: "Question marks",
    about: "A flag that is flagged again becomes a question mark, then nothing.",
  },
  mines: {
    part: "playing",
    default: false,
    label: "Show all mines after a loss",
    about: "Without this, a lost game can be undone or continued fairly.",
  },
  names: {
    part: "playing",
    default: false,
    label: "Names of cells in help",
    about: "Help says r3c5 in place of pointing at the board.",
  },
  justified: {
    part: "playing",
    default: false,
    label: "Warn when I leave certainty",
    about: "Where no guess is needed, a click that is not certain is held back while another one is.",
  },
  noHelp: {
    part: "playing",
    default: false,
    label: "No help",
    about: "Takes help, probabilities and Analyse away from a game in play, and their keys.",
  },
};

/** A number between two others. */
export const RANGES = {
  longPress: { default: 380, label: "Long press", least: 200, most: 900, step: 20, unit: "ms" },
};

/** The settings that the dialog offers. */
export const OFFERED = [...Object.keys(CHOICES), ...Object.keys(SWITCHES), ...Object.keys(RANGES), "keys"];

const defaultsOf = (table) => Object.fromEntries(Object.entries(table).map(([name, row]) => [name, row.default]));

const DEFAULTS = {
  flagMode: false,
  zooms: {},
  keys: {},
  position: null,
  tables: null,
  game: { size: "beginner", tiling: "square", rule: "zero", generator: "plain" },
  watch: {},
  train: { tiling: "square", difficulty: "", clock: false },
  speed: 2,
  ...defaultsOf(CHOICES),
  ...defaultsOf(SWITCHES),
  ...defaultsOf(RANGES),
};

let values = { ...DEFAULTS, ...read() };

function read() {
  try {
    const { swap, ...kept } = JSON.parse(localStorage.getItem(KEY)) ?? {};
    return known(swap ? { first: "flag", ...kept } : kept); // what an older page kept
  } catch {
    return {};
  }
}

/** Of given values those that can be settings: a file or an older page may have others. */
function known(given) {
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => fits(name, value)));
}

function fits(name, value) {
  if (!Object.hasOwn(DEFAULTS, name)) return false;
  if (name in CHOICES) return Object.hasOwn(CHOICES[name].options, value);
  if (name in RANGES) return value >= RANGES[name].least && value <= RANGES[name].most;
  if (name === "keys") return value !== null && Object.values(value).every((keys) => Array.isArray(keys) && keys.every((key) => typeof key === "string"));
  return DEFAULTS[name] === null || (value !== null && typeof value === typeof DEFAULTS[name]);
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
  values = { ...values, ...known(given) };
  remember();
  applyLooks();
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

/** Choose what changes how the page looks or behaves: those who show it hear "settingschange". */
export function change(name, value) {
  choose(name, value);
  applyLooks();
}

/** Whether the system asks for less motion; the page is then silent too. */
export function isCalm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Write the looks where the style sheets find them. */
export function applyLooks() {
  const { dataset } = document.documentElement;
  if (setting("theme") === "auto") delete dataset.theme;
  else dataset.theme = setting("theme");
  for (const name of ["tiles", "colours", "rulers"]) dataset[name] = setting(name);
  document.dispatchEvent(new Event("settingschange"));
}
