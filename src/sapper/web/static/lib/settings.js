// The user's settings, stored in this browser, and on a shared server in the profile too. The settings dialog is built
// from these tables.

import { loadProfileSettings, menu, saveProfileSettings } from "./api.js";

const STORAGE_KEY = "sapper";

/** Settings with several options: the values, and the label of each. */
export const CHOICES = {
  theme: { default: "auto", label: "Theme", options: { auto: "System", light: "Light", dark: "Dark" } },
  tiles: {
    default: "flat",
    label: "Cell style",
    options: { flat: "Flat", classic: "Classic", contrast: "High contrast" },
  },
  colours: { default: "standard", label: "Colours", options: { standard: "Standard", clear: "Colour-blind friendly" } },
  rulers: {
    default: "room",
    label: "Row and column numbers",
    options: { room: "On large screens", always: "Always", never: "Never" },
  },
  first: {
    default: "reveal",
    label: "Tap or left click",
    options: { reveal: "Reveals a cell", flag: "Places a flag" },
  },
};

/** Settings that are on or off; `part` is their section of the dialog. */
export const SWITCHES = {
  motion: {
    part: "appearance",
    default: true,
    label: "Animations",
    about: "Never shown if your system asks for reduced motion.",
  },
  sound: {
    part: "appearance",
    default: false,
    label: "Sounds",
    about: "Never played if your system asks for reduced motion.",
  },
  hundredths: {
    part: "appearance",
    default: false,
    label: "Hundredths of a second",
    about: "On the clock of a running game. The final time always has them.",
  },
  chord: {
    part: "playing",
    default: true,
    label: "Click to chord",
    about: "A click or tap on a number reveals its other neighbours once its flags are placed.",
  },
  question: {
    part: "playing",
    default: false,
    label: "Question marks",
    about: "Flagging a flagged cell turns the flag into a question mark.",
  },
  showMines: {
    part: "playing",
    default: true,
    label: "Show all mines after a loss",
    about: "If off, you can undo or continue a lost game without knowing them.",
  },
  names: {
    part: "playing",
    default: false,
    label: "Cell names in explanations",
    about: "Explanations use names such as r3c5 instead of highlighting cells.",
  },
  justified: {
    part: "playing",
    default: false,
    label: "Warn before unnecessary guesses",
    about: "On no-guess boards, asks you to confirm a click that is not certain.",
  },
  noHelp: {
    part: "playing",
    default: false,
    label: "Disable help",
    about: "Hides hints, probabilities and Analyse while you play.",
  },
};

/** The range of the setting for long presses, in milliseconds. */
export const LONG_PRESS = { min: 200, max: 900, step: 20 };

// The settings of the dialog; the others are set by the views.
const IN_DIALOG = [...Object.keys(CHOICES), ...Object.keys(SWITCHES), "longPress", "keys"];

const defaultsOf = (table) => Object.fromEntries(Object.entries(table).map(([name, row]) => [name, row.default]));

const DEFAULTS = {
  flagMode: false,
  zooms: {},
  keys: {},
  position: null,
  worksheet: null,
  game: { size: "beginner", tiling: "square", rule: "zero", generator: "plain" },
  watch: {},
  puzzles: { tiling: "square", difficulty: "", clock: false },
  speed: 2,
  longPress: 380,
  ...defaultsOf(CHOICES),
  ...defaultsOf(SWITCHES),
};

const isObject = (value) => typeof value === "object" && value !== null;

/** The valid settings in stored data, which may contain anything. */
function validSettings(stored) {
  return Object.fromEntries(Object.entries(stored).filter(([name, value]) => isValid(name, value)));
}

function isValid(name, value) {
  if (!Object.hasOwn(DEFAULTS, name)) return false;
  if (name in CHOICES) return Object.hasOwn(CHOICES[name].options, value);
  if (name === "longPress") return value >= LONG_PRESS.min && value <= LONG_PRESS.max;
  if (name === "keys")
    return (
      isObject(value) &&
      Object.values(value).every((keys) => Array.isArray(keys) && keys.every((key) => typeof key === "string"))
    );
  return DEFAULTS[name] === null || (value !== null && typeof value === typeof DEFAULTS[name]);
}

let values = { ...DEFAULTS, ...read() };

function read() {
  try {
    return validSettings(JSON.parse(localStorage.getItem(STORAGE_KEY)) ?? {});
  } catch {
    return {};
  }
}

export function setting(name) {
  return values[name];
}

/** Change a setting. */
export function saveSetting(name, value) {
  values = { ...values, [name]: value };
  store();
  if (isSynchronised && !DEVICE_SETTINGS.includes(name)) {
    clearTimeout(saveTimer);
    saveTimer = setTimeout(() => saveSettings().catch(() => {}), SAVE_DELAY);
  }
}

function store() {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(values));
  } catch {
    // The page works without storage.
  }
}

/** Change a setting of the dialog; the "settingschange" event updates what is on the screen. */
export function changeSetting(name, value) {
  saveSetting(name, value);
  applyAppearance();
}

/** Whether the system asks for reduced motion; the page then plays no sounds either. */
export function prefersReducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Set the attributes that the style sheets read. */
export function applyAppearance() {
  const { dataset } = document.documentElement;
  if (setting("theme") === "auto") delete dataset.theme;
  else dataset.theme = setting("theme");
  for (const name of ["tiles", "colours", "rulers"]) dataset[name] = setting(name);
  document.dispatchEvent(new Event("settingschange"));
}

const DEVICE_SETTINGS = ["flagMode", "zooms", "position", "worksheet"]; // never sent to the server
const SAVE_DELAY = 400; // milliseconds: several changes are saved together

let isSynchronised = false;
let saveTimer = null;

/** On a shared server: use the settings of the profile, and save every change there. */
export async function syncSettings() {
  try {
    if (!(await menu()).shared) return;
    const { value } = await loadProfileSettings();
    if (value) mergeSettings(value);
    isSynchronised = true;
  } catch {
    // The view reports that the server does not respond.
  }
}

/** Save the settings of this browser in the profile, so that an exported file contains them. */
export const saveSettings = () => saveProfileSettings({ value: portable(values) });

/** Use the settings of an imported file. */
export async function useSettings(imported) {
  mergeSettings(imported);
  await saveSettings();
}

/** Whether the settings of an imported file differ from those of this browser. */
export function differFromSettings(imported) {
  return IN_DIALOG.some((name) => name in imported && JSON.stringify(imported[name]) !== JSON.stringify(values[name]));
}

function mergeSettings(imported) {
  values = { ...values, ...validSettings(portable(imported)) };
  store();
  applyAppearance();
}

function portable(settings) {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !DEVICE_SETTINGS.includes(name)));
}
