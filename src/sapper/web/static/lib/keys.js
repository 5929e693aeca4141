// The keyboard: one table, which the stage of every board obeys and from which Help is written.
//
//   in        the views where the key works
//   cell      it works while the focus is on a cell, which its command is then given
//   away      it works while the focus is on no cell, and on nothing else that takes keys
//   command   its name among the commands of the view, or of the stage
//   keys      as the browser names them, letters in lower case, Ctrl+ and Shift+ before them
//   also      further keys that do the same and are not worth a line in Help
//   shown     what Help shows instead of the keys
//   does      what Help says of it
//
// A player may choose other keys for the commands of Play; settings keep what differs.

import { setting } from "./settings.js";

const BOARDS = ["play", "watch", "learn", "train", "analyse", "paper", "review"];

export const KEYS = [
  { in: BOARDS, cell: true, command: "walk", keys: ["ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"], does: "move over the board" },
  { in: BOARDS, cell: true, command: "walk", keys: ["Home", "End"], also: ["Ctrl+Home", "Ctrl+End"], does: "to the first or last cell of the row; with Ctrl of the board" },
  { in: BOARDS, cell: true, command: "walk", keys: ["PageUp", "PageDown"], does: "five rows up or down" },
  { in: BOARDS, cell: true, command: "sayAround", keys: ["v"], does: "say what is around the cell" },
  { in: BOARDS, command: "toPointed", keys: ["t"], does: "to the cell that help, probabilities or a proof point at; again, to the next" },

  { in: ["play"], cell: true, command: "reveal", keys: [" ", "Enter"], does: "reveal a covered cell; on a number, chord" },
  { in: ["play"], cell: true, command: "flag", keys: ["f"], does: "flag or unflag" },
  { in: ["play"], cell: true, command: "chord", keys: ["c"], does: "chord: open the covered cells around a number whose flags are set" },
  { in: ["play"], command: "hint", keys: ["h"], does: "help: where to look; again, for more" },
  { in: ["play"], command: "probabilities", keys: ["o"], does: "the probabilities of every covered cell, and the numbers of the cell you are on" },
  { in: ["play"], command: "closeHelp", keys: ["Escape"], does: "take help and probabilities away" },
  { in: ["play"], command: "sayLeft", keys: ["l"], does: "say the mines left and the time" },
  { in: ["play"], command: "sayOpened", keys: ["w"], does: "say what the last click opened" },
  { in: ["play"], command: "toDo", keys: ["j"], does: "to the next number with something to do; with Shift, the one before" },
  { in: ["play"], command: "continue", keys: ["k"], does: "continue after a loss" },
  { in: ["play"], command: "showMines", keys: ["s"], does: "show the mines after the end" },
  { in: ["play"], command: "new", keys: ["n", "F2"], does: "new game with the same rules" },
  { in: ["play"], away: true, command: "new", keys: [" "], does: "new game, while no cell has the focus" },
  { in: ["play"], command: "again", keys: ["a"], does: "the same game again" },
  { in: ["play"], command: "choose", keys: ["g"], does: "choose a game" },
  { in: ["play"], command: "help", keys: ["?"], does: "help" },

  { in: ["analyse"], cell: true, command: "paintNumber", keys: [..."0123456789abc"], also: ["."], shown: ["0", "…", "9", "A", "B", "C"], does: "paint a number; A, B, C are 10 to 12" },
  { in: ["analyse"], cell: true, command: "paintFlag", keys: ["f"], does: "paint a flag, or cover the cell again" },
  { in: ["analyse"], cell: true, command: "paintCovered", keys: [" ", "Delete"], also: ["Backspace", "#"], does: "cover the cell" },
  { in: ["analyse"], cell: true, command: "explain", keys: ["Enter"], does: "the proof of a certain cell" },
  { in: ["analyse"], command: "cancel", keys: ["Escape"], does: "stop an analysis" },

  { in: ["watch"], command: "toggle", keys: ["r"], does: "run or pause" },
  { in: ["watch"], command: "step", keys: ["s"], does: "one step" },
  { in: ["watch"], command: "back", keys: ["b"], does: "one step back" },
  { in: ["watch"], command: "probabilities", keys: ["o"], does: "the probabilities of every covered cell" },

  { in: ["review"], command: "next", keys: ["ArrowRight", "s"], does: "one move on; S also while you are on the board" },
  { in: ["review"], command: "previous", keys: ["ArrowLeft", "b"], does: "one move back; B also while you are on the board" },
  { in: ["review"], command: "nextMistake", keys: ["n"], does: "the next mistake" },
  { in: ["review"], command: "previousMistake", keys: ["p"], does: "the mistake before" },
  { in: ["review"], command: "first", keys: ["Home"], does: "the first move" },
  { in: ["review"], command: "last", keys: ["End"], does: "the end of the game" },
  { in: ["review"], cell: true, command: "explain", keys: ["Enter"], does: "the proof of a certain cell" },

  { in: ["paper"], cell: true, command: "turn", keys: [" ", "Enter"], does: "a cross, a dash, nothing, in turn" },
  { in: ["paper"], cell: true, command: "cross", keys: ["x"], does: "a cross: here is a mine" },
  { in: ["paper"], cell: true, command: "dash", keys: ["-"], also: ["."], does: "a dash: here is none" },
  { in: ["paper"], cell: true, command: "wipe", keys: ["Delete"], also: ["Backspace"], does: "neither" },

  { in: ["learn"], cell: true, command: "reveal", keys: [" ", "Enter"], does: "reveal a covered cell; on a number, chord" },
  { in: ["learn"], cell: true, command: "flag", keys: ["f"], does: "flag a covered cell" },
  { in: ["learn"], command: "hint", keys: ["h"], does: "where to look" },
  { in: ["learn"], command: "answer", keys: ["a"], does: "show the answer" },
  { in: ["learn"], command: "next", keys: ["n"], does: "a position to practise on" },
  { in: ["learn"], command: "nextLesson", keys: ["l"], does: "the next lesson" },

  { in: ["train"], cell: true, command: "reveal", keys: [" ", "Enter"], does: "this cell is certainly free" },
  { in: ["train"], cell: true, command: "flag", keys: ["f"], does: "this cell is certainly a mine" },
  { in: ["train"], command: "giveUp", keys: ["s"], does: "show the answer" },
  { in: ["train"], command: "next", keys: ["n"], does: "the next puzzle" },

  { in: ["play", "analyse", "paper"], command: "undo", keys: ["u", "Ctrl+z"], does: "undo" },
  { in: ["play", "analyse"], command: "redo", keys: ["r", "Ctrl+y"], also: ["Ctrl+Shift+z"], does: "redo" },
  { in: ["play", "learn", "train"], command: "flagMode", keys: ["m"], does: "flag mode on or off" },
  { in: ["play", "analyse", "watch", "review", "train"], command: "zoomIn", keys: ["+"], also: ["="], does: "larger" },
  { in: ["play", "analyse", "watch", "review", "train"], command: "zoomOut", keys: ["-"], does: "smaller" },
  { in: ["play", "watch", "review", "train"], command: "fit", keys: ["0"], does: "as large as fits" },
];

const NAMES = { ArrowLeft: "←", ArrowUp: "↑", ArrowRight: "→", ArrowDown: "↓", PageUp: "Page Up", PageDown: "Page Down", " ": "Space", Escape: "Esc", "-": "−" };
const FIXED = ["walk", "closeHelp"]; // what every board has in common

/** The rows that hold wherever there is a board. */
export const keysEverywhere = () => KEYS.filter((row) => row.in === BOARDS);

/** The rows that hold in this view and not everywhere. */
export const keysOf = (view) => KEYS.filter((row) => row.in !== BOARDS && row.in.includes(view));

/** The rows of a view whose keys may be chosen. */
export const mappable = (view) => keysOf(view).filter(({ command, away }) => !away && !FIXED.includes(command));

/** The keys of a row: those of the table, unless the player chose others. */
export function chosenKeys(row) {
  return (isMappable(row) && setting("keys")[row.command]) || row.keys;
}

/** The row that has a key already, where it is not this one; null where none has. */
export function takenBy(view, key, row) {
  return [...keysOf(view), ...keysEverywhere()].find((other) => other !== row && !other.away && keysThatWork(other).includes(key)) ?? null;
}

/** The keys of a row as Help shows them. */
export function shownKeys(row) {
  return row.shown ?? chosenKeys(row).map(keyName);
}

export const keyName = (key) => NAMES[key] ?? key.replace(/(^|\+)[a-z]$/, (letter) => letter.toUpperCase());

/** An element whose tooltip shows the first key of a command of a view, whatever it becomes. */
export function tipped(element, view, command, label) {
  Object.assign(element.dataset, { tip: `${view} ${command}`, label });
  showTip(element);
  return element;
}

function showTip(element) {
  const [view, command] = element.dataset.tip.split(" ");
  const row = keysOf(view).find((one) => one.command === command);
  element.title = row ? `${element.dataset.label} (${shownKeys(row)[0]})` : element.dataset.label;
}

document.addEventListener("settingschange", () => document.querySelectorAll("[data-tip]").forEach(showTip));

/** The row that an event asks for in a view, or null; *onCell* where the focus is on a cell. */
export function rowOf(view, event, onCell) {
  const key = spelled(event);
  const asked = (row) => (row.away ? !onCell : onCell || !row.cell) && keysThatWork(row).includes(key);
  const rows = [...keysOf(view), ...keysEverywhere()].filter(asked);
  // On a cell the keys of cells come first: arrows walk there, and do something else beside it.
  return rows.find((row) => row.cell) ?? rows[0] ?? null;
}

const isMappable = (row) => row.in.includes("play") && row.in !== BOARDS && !row.away && !FIXED.includes(row.command);

function keysThatWork(row) {
  const keys = chosenKeys(row);
  return keys === row.keys ? [...keys, ...(row.also ?? [])] : keys;
}

/** Whether the user is typing text, where letters are letters; a slider takes none. */
export function isTyping(target) {
  return target instanceof Element && target.closest('input:not([type="range"]), textarea, select, dialog') !== null;
}

/** The key of an event as the table writes it; null where it belongs to the browser. */
export function spelled(event) {
  if (event.altKey) return null;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (!event.ctrlKey && !event.metaKey) return key;
  return `Ctrl+${event.shiftKey ? "Shift+" : ""}${key}`;
}
