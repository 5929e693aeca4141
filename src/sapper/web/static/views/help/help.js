// The help view: how to play, and every key.

import { menu } from "../../lib/api.js";
import { make } from "../../lib/dom.js";
import { keysEverywhere, keysOf, shownKeys } from "../../lib/keys.js";

const HANDS = [
  ["Left click or tap", "reveals a covered cell"],
  ["Right click or long press", "flags a covered cell, or takes the flag off"],
  ["Click or tap on a number", "chords: opens the covered cells around it once its flags are set"],
  ["Flag mode", "makes a tap flag and a long press reveal"],
  ["Ctrl and wheel, or two fingers", "zoom; a large board scrolls"],
];

const KEYS_OF = { play: "Play", analyse: "Analyse", watch: "Watch", review: "Review", paper: "Tables on the screen", learn: "Learn", train: "Train" };

const NOTES = [
  ["Help", "Help comes in four degrees: where to look, which numbers, what follows, do it; where one must guess: where the choice lies, which cells, what each would tell, which one. Each tells no more than you ask for. Whatever you are told of a position counts as help, and the game as helped."],
  ["Probabilities", "The probabilities are exact: every way to place the mines that fits what you see counts the same. 0% and 100% stand for what is certain, and for nothing else."],
  ["Numbers", "A number tells how many mines are around its cell. On triangles a cell touches up to twelve others, on hexagons six; a torus goes on at the other side."],
  ["The first click", "It opens an area, or is just not a mine, or may be one: you choose with the game."],
  ["Undo and continue", "After a loss you may take the move back, or go on with the mine flagged. Both are marked, and the statistics keep the loss."],
  ["3BV and efficiency", "3BV is the fewest clicks that would reveal what you see. Efficiency is 3BV for each click you made."],
  ["Analyse", "Paste, type or paint any position, drag to paint many cells. Each edit is analysed at once; a click on a certain cell shows its proof. The address of the page always holds the position: copy it to share it."],
  ["Review", "After the end every reveal is judged by the probabilities of what you saw, never by where the mines were. Luck is above 0 where more risks were survived than expected; over many games its mean is 0. Drop a replay of another program, a saved game or a position onto the page to open it."],
  ["Train", "Positions from real games, as hard as you are strong: find a covered cell that is certainly free, or certainly a mine. The flags are right. Your first try moves your rating and the puzzle's."],
  ["Paper", "A table has exactly one solution, from its numbers alone. Print it, or solve it here with crosses and dashes."],
  ["Profile", "The figure in the header opens it: everything as a file and, where others are let in, your name and a link that takes it to another device."],
  ["Your games", "Every move is on disk before it is shown. Close the page or stop the server: the game waits for you."],
];

export async function showHelp(place) {
  const book = make("p", { hidden: true }, "How all of this works: ", make("a", { href: "/book/", text: "the book" }), ".");
  place.replaceChildren(
    make(
      "section",
      { class: "page prose", "aria-labelledby": "help-title" },
      make("h1", { id: "help-title", text: "Help" }),
      make("p", { text: "Reveal every cell that is not a mine." }),
      book,
      make("h2", { text: "Mouse and touch" }),
      list(HANDS.map(([name, does]) => [[name], does])),
      make("h2", { text: "Keys" }),
      make("h3", { text: "Every board" }),
      keyList(keysEverywhere()),
      ...Object.entries(KEYS_OF).flatMap(([view, title]) => [make("h3", { text: title }), keyList(keysOf(view))]),
      make("h2", { text: "Good to know" }),
      ...NOTES.flatMap(([name, text]) => [make("h3", { text: name }), make("p", { text })]),
    ),
  );
  book.hidden = !(await menu()).docs;
}

function keyList(rows) {
  return list(rows.map((row) => [shownKeys(row).flatMap((key) => [make("kbd", { text: key }), " "]), row.does]));
}

function list(rows) {
  return make("dl", { class: "list" }, ...rows.flatMap(([name, does]) => [make("dt", {}, ...name), make("dd", { text: does })]));
}
