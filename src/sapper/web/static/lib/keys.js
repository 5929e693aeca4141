// The keyboard shortcuts: one table for all boards, from which Help is generated too.
//
//   in        the views where the key works
//   cell      the focus must be on a cell, which is passed to the command
//   offBoard  the focus must not be on a cell or on another control that takes keys
//   command   a command of the view or of the board
//   keys      as the browser names them, letters in lower case, Ctrl+ and Shift+ before them
//   also      further keys with the same effect, not listed in Help
//   shown     what Help lists instead of the keys
//   does      the description in Help
//
// The user can change the keys of Play; the settings contain only the changed ones.

import { setting } from "./settings.js";

const BOARDS = ["play", "watch", "learn", "puzzles", "analyse", "print", "review"];

export const KEYS = [
  {
    in: BOARDS,
    cell: true,
    command: "moveFocus",
    keys: ["ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"],
    does: "move on the board",
  },
  {
    in: BOARDS,
    cell: true,
    command: "moveFocus",
    keys: ["Home", "End"],
    also: ["Ctrl+Home", "Ctrl+End"],
    does: "first or last cell of the row; with Ctrl, of the board",
  },
  { in: BOARDS, cell: true, command: "moveFocus", keys: ["PageUp", "PageDown"], does: "five rows up or down" },
  { in: BOARDS, cell: true, command: "sayNeighbours", keys: ["v"], does: "read out the neighbours of the cell" },
  { in: BOARDS, command: "focusHighlighted", keys: ["t"], does: "go to the next highlighted cell" },

  { in: ["play"], cell: true, command: "reveal", keys: [" ", "Enter"], does: "reveal a cell; on a number, chord" },
  { in: ["play"], cell: true, command: "flag", keys: ["f"], does: "place or remove a flag" },
  {
    in: ["play"],
    cell: true,
    command: "chord",
    keys: ["c"],
    does: "chord: reveal the neighbours of a number whose flags are placed",
  },
  { in: ["play"], command: "hint", keys: ["h"], does: "hint; again, for more detail" },
  { in: ["play"], command: "probabilities", keys: ["o"], does: "show or hide mine probabilities" },
  { in: ["play"], command: "closeHelp", keys: ["Escape"], does: "close hints and probabilities" },
  { in: ["play"], command: "sayLeft", keys: ["l"], does: "read out mines left and time" },
  { in: ["play"], command: "sayOpened", keys: ["w"], does: "read out what the last click revealed" },
  {
    in: ["play"],
    command: "nextNumber",
    keys: ["j"],
    does: "go to the next number with an obvious move; with Shift, the previous one",
  },
  { in: ["play"], command: "continue", keys: ["k"], does: "continue after a loss" },
  { in: ["play"], command: "showMines", keys: ["s"], does: "show the mines after a loss" },
  { in: ["play"], command: "new", keys: ["n", "F2"], does: "new game with the same rules" },
  { in: ["play"], offBoard: true, command: "new", keys: [" "], does: "new game, if the focus is not on the board" },
  { in: ["play"], command: "again", keys: ["a"], does: "play the same layout again" },
  { in: ["play"], command: "beginner", keys: ["1"], does: "new Beginner game" },
  { in: ["play"], command: "intermediate", keys: ["2"], does: "new Intermediate game" },
  { in: ["play"], command: "expert", keys: ["3"], does: "new Expert game" },
  { in: ["play"], command: "noGuess", keys: ["e"], does: "turn no-guess on or off, for a new game" },
  { in: ["play"], command: "choose", keys: ["g"], does: "choose a game" },
  { in: ["play"], command: "help", keys: ["?"], does: "open Help" },

  {
    in: ["analyse"],
    cell: true,
    command: "paintNumber",
    keys: [..."0123456789abc"],
    also: ["."],
    shown: ["0", "…", "9", "A", "B", "C"],
    does: "set a number; A, B, C are 10 to 12",
  },
  { in: ["analyse"], cell: true, command: "paintFlag", keys: ["f"], does: "place or remove a flag" },
  {
    in: ["analyse"],
    cell: true,
    command: "paintCovered",
    keys: [" ", "Delete"],
    also: ["Backspace", "#"],
    does: "cover the cell",
  },
  { in: ["analyse"], cell: true, command: "explain", keys: ["Enter"], does: "explain why the cell is safe or a mine" },
  { in: ["analyse"], command: "cancel", keys: ["Escape"], does: "cancel the analysis" },

  { in: ["watch"], command: "toggle", keys: ["r"], does: "run or pause" },
  { in: ["watch"], command: "step", keys: ["s"], does: "next step" },
  { in: ["watch"], command: "back", keys: ["b"], does: "previous step" },
  { in: ["watch"], command: "probabilities", keys: ["o"], does: "show or hide mine probabilities" },

  {
    in: ["review"],
    command: "next",
    keys: ["ArrowRight", "s"],
    does: "next move; use S while the focus is on the board",
  },
  {
    in: ["review"],
    command: "previous",
    keys: ["ArrowLeft", "b"],
    does: "previous move; use B while the focus is on the board",
  },
  { in: ["review"], command: "nextMistake", keys: ["n"], does: "next mistake" },
  { in: ["review"], command: "previousMistake", keys: ["p"], does: "previous mistake" },
  { in: ["review"], command: "run", keys: ["r"], does: "play the moves one after another, or pause" },
  { in: ["review"], command: "retry", keys: ["e"], does: "retry this move: play on from here" },
  { in: ["review"], command: "first", keys: ["Home"], does: "first move" },
  { in: ["review"], command: "last", keys: ["End"], does: "end of the game" },
  { in: ["review"], cell: true, command: "explain", keys: ["Enter"], does: "explain why the cell is safe or a mine" },

  { in: ["print"], cell: true, command: "cycle", keys: [" ", "Enter"], does: "cross, dash or nothing, in turn" },
  { in: ["print"], cell: true, command: "cross", keys: ["x"], does: "cross: a mine" },
  { in: ["print"], cell: true, command: "dash", keys: ["-"], also: ["."], does: "dash: no mine" },
  { in: ["print"], cell: true, command: "erase", keys: ["Delete"], also: ["Backspace"], does: "erase the mark" },

  { in: ["learn"], cell: true, command: "reveal", keys: [" ", "Enter"], does: "reveal a cell; on a number, chord" },
  { in: ["learn"], cell: true, command: "flag", keys: ["f"], does: "flag a cell" },
  { in: ["learn"], command: "hint", keys: ["h"], does: "where to look" },
  { in: ["learn"], command: "answer", keys: ["a"], does: "show the answer" },
  { in: ["learn"], command: "next", keys: ["n"], does: "new exercise" },
  { in: ["learn"], command: "nextLesson", keys: ["l"], does: "next lesson" },

  { in: ["puzzles"], cell: true, command: "reveal", keys: [" ", "Enter"], does: "this cell is safe" },
  { in: ["puzzles"], cell: true, command: "flag", keys: ["f"], does: "this cell is a mine" },
  { in: ["puzzles"], command: "giveUp", keys: ["s"], does: "show the answer" },
  { in: ["puzzles"], command: "next", keys: ["n"], does: "next puzzle" },

  { in: ["play", "analyse", "print"], command: "undo", keys: ["u", "Ctrl+z"], does: "undo" },
  { in: ["play", "analyse"], command: "redo", keys: ["r", "Ctrl+y"], also: ["Ctrl+Shift+z"], does: "redo" },
  { in: ["play", "learn", "puzzles"], command: "flagMode", keys: ["m"], does: "turn flag mode on or off" },
  {
    in: ["play", "analyse", "watch", "review", "puzzles"],
    command: "zoomIn",
    keys: ["+"],
    also: ["="],
    does: "zoom in",
  },
  { in: ["play", "analyse", "watch", "review", "puzzles"], command: "zoomOut", keys: ["-"], does: "zoom out" },
  { in: ["play", "watch", "review", "puzzles"], command: "fit", keys: ["0"], does: "fit the board to the screen" },
];

const KEY_NAMES = {
  ArrowLeft: "←",
  ArrowUp: "↑",
  ArrowRight: "→",
  ArrowDown: "↓",
  PageUp: "Page Up",
  PageDown: "Page Down",
  " ": "Space",
  Escape: "Esc",
  "-": "−",
};
const FIXED_COMMANDS = ["moveFocus", "closeHelp"]; // their keys cannot be changed

/** The rows of every board. */
export const keysEverywhere = () => KEYS.filter((row) => row.in === BOARDS);

/** The rows of this view alone. */
export const keysOf = (view) => KEYS.filter((row) => row.in !== BOARDS && row.in.includes(view));

/** The rows of a view whose keys can be changed. */
export const configurableKeys = (view) =>
  keysOf(view).filter(({ command, offBoard }) => !offBoard && !FIXED_COMMANDS.includes(command));

/** The keys of a row: those of the table unless the user changed them. */
export function chosenKeys(row) {
  return (isConfigurable(row) && setting("keys")[row.command]) || row.keys;
}

/** Another row that already uses a key, or null. */
export function keyConflict(view, key, row) {
  return (
    [...keysOf(view), ...keysEverywhere()].find(
      (other) => other !== row && !other.offBoard && activeKeys(other).includes(key),
    ) ?? null
  );
}

/** The keys of a row as Help shows them. */
export function shownKeys(row) {
  return row.shown ?? chosenKeys(row).map(keyName);
}

export const keyName = (key) => KEY_NAMES[key] ?? key.replace(/(^|\+)[a-z]$/, (letter) => letter.toUpperCase());

/** Give an element a tooltip with the current key of a command. */
export function withTooltip(element, view, command, label) {
  Object.assign(element.dataset, { tip: `${view} ${command}`, label });
  updateTooltip(element);
  return element;
}

function updateTooltip(element) {
  const key = commandKey(...element.dataset.tip.split(" "));
  element.title = key ? `${element.dataset.label} (${key})` : element.dataset.label;
  const keyElement = element.querySelector("kbd");
  if (keyElement) keyElement.textContent = key;
}

/** The key of a command as Help shows it; null if it has none. */
export function commandKey(view, command) {
  const row = keysOf(view).find((key) => key.command === command);
  return row ? shownKeys(row)[0] : null;
}

document.addEventListener("settingschange", () => document.querySelectorAll("[data-tip]").forEach(updateTooltip));

/** The row for a keyboard event in a view, or null; *onCell* if the focus is on a cell. */
export function rowOf(view, event, onCell) {
  const key = keyOf(event);
  const matches = (row) => (row.offBoard ? !onCell : onCell || !row.cell) && activeKeys(row).includes(key);
  const rows = [...keysOf(view), ...keysEverywhere()].filter(matches);
  // On a cell, rows for cells take precedence: the arrow keys have another meaning outside the board.
  return rows.find((row) => row.cell) ?? rows[0] ?? null;
}

const isConfigurable = (row) =>
  row.in.includes("play") && row.in !== BOARDS && !row.offBoard && !FIXED_COMMANDS.includes(row.command);

function activeKeys(row) {
  const keys = chosenKeys(row);
  return keys === row.keys ? [...keys, ...(row.also ?? [])] : keys;
}

/** Whether keys on this element are text input; a slider takes none. */
export function isTyping(target) {
  return target instanceof Element && target.closest('input:not([type="range"]), textarea, select, dialog') !== null;
}

/** The key of an event in the notation of the table; null with Alt, which is for the browser. */
export function keyOf(event) {
  if (event.altKey) return null;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (!event.ctrlKey && !event.metaKey) return key;
  return `Ctrl+${event.shiftKey ? "Shift+" : ""}${key}`;
}
