// The help view: answers to questions, which can be searched, and all keys.

import { menu } from "../lib/api.js";
import { make } from "../lib/dom.js";
import { plural } from "../lib/format.js";
import { keysEverywhere, keysOf, shownKeys } from "../lib/keys.js";
import { page } from "../lib/widgets.js";

const VIEWS = {
  play: "Play",
  learn: "Learn",
  puzzles: "Puzzles",
  analyse: "Analyse",
  review: "Review",
  watch: "Watch",
  print: "Paper puzzles on the screen",
};

// Parts with questions and answers; an answer has a paragraph for each text.
const QUESTIONS = {
  Playing: [
    [
      "How do I play?",
      "Reveal every cell that is not a mine. A number says how many of the cells around it are mines; an empty cell has none around it. Learn has short lessons, starting with the rules.",
    ],
    [
      "How do I reveal a cell or place a flag?",
      "Left click or tap: reveal. Right click or long press: place or remove a flag. In Settings you can swap the two, and change the length of a long press.",
      "Flag mode (the flag button, or M) makes a tap place a flag and a long press reveal.",
    ],
    [
      "How do I chord?",
      "Click or tap a number that has as many flags around it as it shows: all its other covered cells are revealed at once. The middle button, or both buttons together, do the same. If a flag is wrong, a chord can hit a mine.",
      "In Settings you can turn off chords by a click on a number.",
    ],
    [
      "Can the first click hit a mine?",
      "You choose the rule for a new game: the first click opens an area, is only safe, or may be a mine.",
    ],
    [
      "How do I zoom?",
      "Ctrl and mouse wheel, two fingers, or + and −. A large board scrolls, and an overview shows where you are.",
    ],
    [
      "Can I undo a move or continue after a loss?",
      "Yes, both. After a loss you can undo the move, or continue with the mine flagged. The game still counts as lost, and a win after an undone reveal counts as helped.",
    ],
    [
      "Are my games saved?",
      "Every move is saved before it is shown. Close the page or stop the server: you can continue later. The clock stops while the page is closed or hidden.",
    ],
    [
      "Which board shapes are there?",
      "Square, torus (opposite sides are connected), hexagonal with up to six neighbours, and triangular with up to twelve, or three if only sides count. You choose one for a new game.",
    ],
  ],
  "Hints and guesses": [
    [
      "I am stuck. How do hints work?",
      "A hint has four levels of detail: where to look, which numbers, what follows, do it. If you must guess: where, which cells, what each would show, which one. A level never shows more than you asked for. A game with hints or probabilities counts as helped.",
    ],
    [
      "What is no-guess?",
      "A no-guess board can be won from the first click by certain moves alone. Turn on No-guess above the board. The layout is generated after your first click, so any cell is a good start.",
    ],
    [
      "Are the probabilities exact?",
      "Yes. Every layout that fits the revealed numbers and the mine count is equally likely, and a probability is the share of these layouts in which the cell is a mine. Only certain cells have 0% or 100%.",
    ],
    [
      "What is a 50/50?",
      "Two cells, or two groups of cells, that no number can ever tell apart. Nothing you reveal later will help, so you can guess at once.",
    ],
    [
      "What is the win chance?",
      "How often the game is won from this position. Where few layouts are left it is exact, for perfect play; otherwise it is an estimate from games that a strong program plays to the end, shown with its error.",
    ],
  ],
  "Scores and statistics": [
    [
      "What is 3BV?",
      "The smallest number of clicks that reveals a board without chords: one for each opening, and one for each number that no opening reveals. 3BV/s is 3BV divided by your time in seconds.",
    ],
    [
      "What is efficiency?",
      "3BV divided by all your clicks, including those that place flags. With good chords it is above 100%.",
    ],
    [
      "How is luck computed?",
      "A review shows luck in percentage points: how much the numbers and mines that you found changed your win chance, apart from your mistakes.",
      "The luck score is also available where no win chance is known, and can be summed over games. For every reveal the exact probability s of surviving it is known. If you survive, −log10(s) is added; in both cases the expected value −s·log10(s) is subtracted. A 50/50 is +0.15 if you survive it and −0.15 if not, and a safe reveal is 0. Over many games on random layouts the score averages 0, however well you play.",
    ],
    [
      "How is accuracy computed?",
      "It is the percentage of your reveals that were not mistakes. A mistake is a guess while a safe cell was available, or while another cell was safer by more than 2 percentage points. Where the mines were does not matter.",
    ],
    [
      "Why does a win not count?",
      "Wins with hints, probabilities or an undone reveal count as helped and have no time. A layout that you played before counts only the first time.",
    ],
    [
      "What does the interval of a win rate mean?",
      "With few games a win rate is uncertain. The 95% interval contains your true rate in 19 of 20 cases; it becomes narrower with every game.",
    ],
    [
      "How does the puzzle rating work?",
      "You and every puzzle have a Glicko-2 rating, like players in a tournament. Your first attempt counts: solving a puzzle raises your rating and lowers that of the puzzle. A puzzle cannot be skipped; until you try it, you get it again. Daily puzzles, and puzzles that you open by a link, are not rated.",
    ],
  ],
  "Files, sharing and settings": [
    [
      "How do I analyse a position from another program?",
      "Open Analyse and paste the position as text, or paste or drop a screenshot. You can also paint it. The address of the page contains the position: copy it to share it.",
    ],
    [
      "How do I review a game or a replay?",
      "Review lists your finished games. Drop a saved game or a replay from another program (avf, evf, mvf, rmv) on the page to open it.",
    ],
    [
      "How do I print puzzles?",
      "Print makes worksheets of paper puzzles, each with exactly one solution, as PDF, SVG or text. You can also solve them on the screen with crosses and dashes.",
    ],
    [
      "How do I play on my phone, or with others?",
      "Start Sapper with --host 0.0.0.0 and open the link that it prints. Every user then has a profile with games, settings and statistics; the profile page has a link for another device.",
    ],
    [
      "How do I get my data?",
      "Statistics exports your results as CSV for a spreadsheet. Profile (the person icon in the header) exports everything, and imports it on another computer.",
    ],
    [
      "How do I change colours, keys or sounds?",
      "Settings (the sliders icon in the header) has themes, a high-contrast cell style, colour-blind friendly colours, sounds and the keys of Play. All views work by keyboard and with screen readers.",
    ],
  ],
};

export async function show(root, { query } = {}) {
  const entries = [];
  const entry = (...children) => {
    const element = make("section.help-entry", ...children);
    entries.push({ element, text: element.textContent.toLowerCase() });
    return element;
  };
  const part = (title, ...children) => make("section.help-part", make("h2", title), ...children);
  const parts = [
    ...Object.entries(QUESTIONS).map(([title, rows]) =>
      part(
        title,
        ...rows.map(([question, ...texts]) => entry(make("h3", question), ...texts.map((text) => make("p", text)))),
      ),
    ),
    part(
      "Keys",
      ...[["All boards", keysEverywhere()], ...Object.entries(VIEWS).map(([view, title]) => [title, keysOf(view)])].map(
        ([title, rows]) => entry(make("h3", title), keyList(rows)),
      ),
    ),
  ];
  const resultCount = make("p.faint", { role: "status" });
  const search = (text) => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    for (const { element, text } of entries) element.hidden = !words.every((word) => text.includes(word));
    for (const element of parts) element.hidden = !element.querySelector(".help-entry:not([hidden])");
    const count = entries.filter(({ element }) => !element.hidden).length;
    resultCount.textContent = !words.length
      ? ""
      : count
        ? `${plural(count, "answer")} found.`
        : "Nothing found. Try another word.";
  };
  const input = make("input", {
    type: "search",
    value: query?.get("q") ?? "",
    placeholder: "chord, 3BV, no-guess, luck …",
    "aria-label": "Search help",
    oninput: () => search(input.value),
  });
  const docs = make("p", { hidden: true }, "For more, read the ", make("a", { href: "docs/" }, "documentation"), ".");
  root.replaceChildren(page("section.page.prose.help", "Help", input, resultCount, ...parts, docs));
  search(input.value);
  docs.hidden = !(await menu()).docs;
}

function keyList(rows) {
  const items = rows.flatMap((row) => [
    make("dt", ...shownKeys(row).flatMap((key) => [make("kbd", key), " "])),
    make("dd", row.does),
  ]);
  return make("dl.list", ...items);
}
