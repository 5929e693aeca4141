// The help view: how to play, and all keys.

import { menu } from "../lib/api.js";
import { make } from "../lib/dom.js";
import { keysEverywhere, keysOf, shownKeys } from "../lib/keys.js";

const POINTER = [
  ["Left click or tap", "reveals a cell"],
  ["Right click or long press", "places or removes a flag"],
  ["Click or tap on a number", "chords: reveals the other neighbours once the number's flags are placed"],
  ["Flag mode", "makes a tap place a flag and a long press reveal"],
  ["Ctrl and wheel, or two fingers", "zooms; a large board scrolls"],
];

const VIEWS = { play: "Play", learn: "Learn", puzzles: "Puzzles", analyse: "Analyse", review: "Review", watch: "Watch", print: "Paper puzzles on the screen" };

const NOTES = [
  ["Hints", "Hints have four levels of detail: where to look, which numbers, what follows, do it. If you must guess: where, which cells, what each would show, which one. A level never shows more than you asked for. A game in which you use hints or probabilities counts as helped."],
  ["Probabilities", "Probabilities are exact: every layout that fits the revealed numbers counts the same. Only certain cells have 0% or 100%."],
  ["Numbers", "A number is the count of mines in the neighbouring cells. Triangular cells have up to twelve neighbours, hexagonal cells six; on a torus, opposite sides are connected."],
  ["First click", "The first click opens an area, is just not a mine, or may be a mine: you choose this with the game."],
  ["Undo and continue", "After a loss you can undo the move, or continue with the mine flagged. The game still counts as lost."],
  ["3BV and efficiency", "3BV is the least number of clicks that reveals what you see. Efficiency is 3BV per click."],
  ["Learn", "Lessons from the first rule to forced guesses: an example, a first board, and exercises from real games."],
  ["Puzzles", "Positions from real games that match your rating: find a cell that is certainly safe or certainly a mine. All flags are correct. Only your first attempt changes your rating and the puzzle's."],
  ["Analyse", "Paste, type or paint any position; drag to paint several cells. The analysis updates with every edit, and a click on a certain cell shows its proof. The address of the page contains the position: copy it to share it."],
  ["Review", "Every reveal of a finished game is judged by what you could know, never by where the mines were. Luck is positive if you survived more risk than expected; over many games on random layouts it averages 0. Drop a replay of another program, a saved game or a position on the page to open it."],
  ["Print", "A paper puzzle has exactly one solution. Print it, or solve it here with crosses and dashes."],
  ["Profile", "The icon in the header opens it: export and import all your data and, on a shared server, set your name or use the profile on another device."],
  ["Your games", "Every move is saved before it is shown. Close the page or stop the server: you can continue later."],
];

export async function showHelp(root) {
  const docs = make("p", { hidden: true }, "How everything works: ", make("a", { href: "/docs/", text: "documentation" }), ".");
  root.replaceChildren(
    make(
      "section",
      { class: "page prose", "aria-labelledby": "help-title" },
      make("h1", { id: "help-title", text: "Help" }),
      make("p", { text: "Reveal every cell that is not a mine." }),
      docs,
      make("h2", { text: "Mouse and touch" }),
      list(POINTER.map(([name, does]) => [[name], does])),
      make("h2", { text: "Keys" }),
      make("h3", { text: "All boards" }),
      keyList(keysEverywhere()),
      ...Object.entries(VIEWS).flatMap(([view, title]) => [make("h3", { text: title }), keyList(keysOf(view))]),
      make("h2", { text: "Good to know" }),
      ...NOTES.flatMap(([name, text]) => [make("h3", { text: name }), make("p", { text })]),
    ),
  );
  docs.hidden = !(await menu()).docs;
}

function keyList(rows) {
  return list(rows.map((row) => [shownKeys(row).flatMap((key) => [make("kbd", { text: key }), " "]), row.does]));
}

function list(rows) {
  return make("dl", { class: "list" }, ...rows.flatMap(([name, does]) => [make("dt", {}, ...name), make("dd", { text: does })]));
}
