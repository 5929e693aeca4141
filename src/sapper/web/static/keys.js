// The keyboard. One table, from which the help panel is written too.

export const KEYS = [
  { keys: ["←", "↑", "→", "↓"], does: "move over the board" },
  { keys: ["Home", "End"], does: "to the first or last cell of the row; with Ctrl of the board" },
  { keys: ["Page Up", "Page Down"], does: "five rows up or down" },
  { keys: ["Space", "Enter"], does: "reveal a blank; on a number, chord" },
  { keys: ["F"], does: "flag or unflag" },
  { keys: ["C"], does: "chord: open the blanks around a number whose flags are set" },
  { keys: ["H"], does: "a hint: where to look; again, for more" },
  { keys: ["O"], does: "the odds of every blank, and the numbers of the cell you are on" },
  { keys: ["Esc"], does: "take hints and odds away" },
  { keys: ["U", "Ctrl+Z"], does: "undo" },
  { keys: ["R", "Ctrl+Y"], does: "redo" },
  { keys: ["K"], does: "continue after a loss" },
  { keys: ["S"], does: "show the mines after the end" },
  { keys: ["N"], does: "new game with the same rules" },
  { keys: ["A"], does: "the same game again" },
  { keys: ["G"], does: "choose a game" },
  { keys: ["M"], does: "flag mode on or off" },
  { keys: ["+", "−", "0"], does: "zoom in, out, to fit" },
  { keys: ["?"], does: "help" },
];

const PAGE = 5;

/** Where an arrow or Home, End, Page key leads from a cell; null for other keys. */
export function step(view, event) {
  const { current, columns, count } = view;
  const column = current % columns;
  const start = current - column;
  const end = Math.min(start + columns, count) - 1;
  const within = (cell) => (cell >= 0 && cell < count ? cell : current);
  switch (event.key) {
    case "ArrowLeft":
      return column > 0 ? current - 1 : current;
    case "ArrowRight":
      return current < end ? current + 1 : current;
    case "ArrowUp":
      return within(current - columns);
    case "ArrowDown":
      return within(current + columns);
    case "Home":
      return event.ctrlKey ? 0 : start;
    case "End":
      return event.ctrlKey ? count - 1 : end;
    case "PageUp":
      return Math.max(column, current - PAGE * columns);
    case "PageDown":
      return lastWithin(current, PAGE, columns, count);
    default:
      return null;
  }
}

function lastWithin(cell, rows, columns, count) {
  let found = cell;
  while (rows-- > 0 && found + columns < count) found += columns;
  return found;
}

/** The name of the command that a key asks for anywhere in the play view, or null. */
export function command(event) {
  if (event.altKey) return null;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.ctrlKey || event.metaKey) {
    if (key === "z") return event.shiftKey ? "redo" : "undo";
    return key === "y" ? "redo" : null;
  }
  return COMMANDS[key] ?? null;
}

const COMMANDS = {
  h: "hint",
  o: "odds",
  Escape: "closeHelp",
  u: "undo",
  r: "redo",
  k: "continue",
  s: "mines",
  n: "new",
  a: "again",
  g: "choose",
  m: "flagMode",
  "+": "zoomIn",
  "=": "zoomIn",
  "-": "zoomOut",
  0: "fit",
  "?": "help",
};

/** The action that a key asks for on the focused cell, or null. */
export function cellAction(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return null;
  return { " ": "first", Enter: "first", f: "flag", F: "flag", c: "chord", C: "chord" }[event.key] ?? null;
}

/** Whether the user is typing text, where letters are letters. */
export function isTyping(target) {
  return target instanceof Element && target.closest("input, textarea, select, dialog") !== null;
}
