// The puzzles view: positions from real games. The user finds a covered cell that is certainly safe or
// certainly a mine; the server judges the answer, and the page shows why.

import { COUNTEREXAMPLE, drawCounterexample, drawHint, renderSentence } from "../board/hints.js";
import { emptyDrawing } from "../board/overlay.js";
import { listenToMoves } from "../board/pointer.js";
import { Stage } from "../board/stage.js";
import { COVERED } from "../board/view.js";
import { announce, reportErrors } from "../lib/announce.js";
import * as api from "../lib/api.js";
import { chart } from "../lib/chart.js";
import { hiddenText, icon, make, setAddress } from "../lib/dom.js";
import { capitalise, clockTime, day, duration, percent, plural, signed, today } from "../lib/format.js";
import { saveSetting, setting } from "../lib/settings.js";
import { field, figureRows, options, select, showReply } from "../lib/widgets.js";

export async function show(root, { id, signal }) {
  await new Puzzles(root, signal).start(id);
}

const MIN_CHARTED = 3; // attempts with a chart of ratings

class Puzzles {
  constructor(viewRoot, signal) {
    this.viewRoot = viewRoot;
    this.requests = new api.LatestRequest(signal);
    this.listRequests = new api.LatestRequest(signal);
    this.puzzle = null;
    this.task = make("p.task");
    this.reply = make("p.reply");
    this.figures = make("dl.puzzles-figures");
    this.clock = new Clock(() => this.#answer({ action: "time" }));
    this.worksheet = make("a", { download: true }, "Print similar puzzles");
    this.daily = make("details", make("summary", "Daily puzzles"));
    this.history = make("details", make("summary", "History"));
    const commands = {
      reveal: (cell) => this.#move("reveal", cell),
      flag: (cell) => this.#move("flag", cell),
      giveUp: () => this.#answer({ action: "give-up" }),
      next: () => this.next(),
    };
    const move = (action, cell) => this.#move(action, cell);
    this.stage = new Stage("puzzles", commands, signal, { listen: (view) => listenToMoves(view, { move }) });
    this.nextButton = this.stage.button("next", { text: "Next puzzle", class: "primary" });
    this.showButton = this.stage.button("giveUp", { icon: "bulb", text: "Show the answer" });
    // Other windows of this browser report each attempt; other browsers do not.
    this.channel = new BroadcastChannel("sapper-puzzles");
    this.channel.addEventListener("message", ({ data: { puzzle } }) => this.#triedElsewhere(puzzle));
    const reload = () => document.visibilityState === "visible" && this.#reload();
    document.addEventListener("visibilitychange", reload, { signal });
    signal.addEventListener("abort", () => {
      this.clock.stop();
      this.channel.close();
    });
  }

  /** Open the puzzle of the address, or one that matches the user's rating. */
  async start(id) {
    const overview = await api.puzzleOverview(today());
    this.root = make(
      "section.puzzles",
      { "aria-label": "Puzzles" },
      make(
        "aside.puzzles-side",
        { "aria-label": "Puzzle", tabindex: "0" },
        make("h1", "Find a safe cell or a mine"),
        this.task,
        this.figures,
        this.reply,
        make("div.puzzles-actions", this.nextButton, this.showButton, this.stage.flagMode.button),
        optionFields(overview.difficulties, setting("puzzles"), (chosen) => this.#changeOptions(chosen)),
        make("p.puzzles-print", this.worksheet),
        this.daily,
        this.history,
      ),
      this.stage.root,
    );
    this.#showOverview(overview);
    await this.#open(id ? (signal) => api.puzzleOf(id, signal) : this.#nextRequest());
  }

  async next() {
    if (this.mustAnswer)
      return showReply(this.reply, ["This puzzle counts: answer it first. “Show the answer” counts as not solved."]);
    await this.#openNext();
  }

  async #openNext() {
    await reportErrors(() => this.#open(this.#nextRequest()));
    if (this.puzzle) this.view.focus(this.view.current);
  }

  get view() {
    return this.stage.view;
  }

  #nextRequest() {
    const { tiling, difficulty } = setting("puzzles");
    return (signal) => api.nextPuzzle({ tiling, difficulty }, signal);
  }

  #changeOptions(chosen) {
    saveSetting("puzzles", chosen);
    if (!chosen.clock) this.clock.stop();
    this.#openNext();
  }

  async #open(request) {
    const puzzle = await this.requests.run(request);
    if (puzzle === null) return;
    const shapes = await api.shapes(puzzle.board);
    if (!this.root.isConnected) this.viewRoot.replaceChildren(this.root);
    this.puzzle = puzzle;
    this.done = false;
    this.#setMustAnswer(puzzle.rated);
    setAddress(this.root, `#/puzzles/${puzzle.puzzle}`);
    this.stage.show(shapes, {
      title: "Board of this puzzle",
      marks: puzzle.marks,
      at: Math.max(0, puzzle.marks.indexOf(COVERED)),
    });
    this.#showFigures();
    this.task.textContent = taskText(puzzle);
    showReply(this.reply, [notRated(puzzle)]);
    this.worksheet.href = api.puzzleWorksheet(puzzle.puzzle);
    this.showButton.hidden = false;
    this.openedAt = performance.now();
    this.clock.stop();
    if (setting("puzzles").clock && puzzle.attempt === null) this.clock.start(puzzle.seconds);
    announce(`${this.task.textContent} ${this.reply.textContent}`);
  }

  #move(action, cell) {
    if (!this.puzzle || this.done) return;
    const mark = this.view.marks[cell];
    if (mark >= 0) return showReply(this.reply, ["This cell is revealed: choose a covered one."]);
    if (mark !== COVERED) return showReply(this.reply, ["This cell is flagged, and all flags are correct."]);
    this.#answer({ action, cell });
  }

  /** Send a move, or give up; one request at a time. */
  async #answer(answer) {
    if (!this.puzzle || this.done || this.busy) return;
    const { puzzle } = this.puzzle;
    this.busy = true;
    const seconds = (performance.now() - this.openedAt) / 1000;
    await reportErrors(async () => {
      const result = await this.requests.run((signal) => api.answerPuzzle(puzzle, { ...answer, seconds }, signal));
      if (result !== null) this.#showResult(answer, result);
    });
    this.busy = false;
  }

  #showResult(answer, result) {
    this.clock.stop();
    this.done = result.moves !== null;
    this.#setMustAnswer(false);
    this.showButton.hidden = this.done;
    this.stage.overlay.show(this.done ? answerDrawing(this.view, result) : wrongMoveDrawing(this.view, result, answer));
    const gain = result.rated ? ` ${signed(result.gain, 0)} points.` : "";
    const reason = result.example
      ? [COUNTEREXAMPLE]
      : [verdict(answer, result), " ", ...renderSentence(result, this.stage)];
    showReply(this.reply, [...reason, `${nextStep(result)}${gain}`], result.right);
    this.#showUser(result.user);
    if (!result.first) return;
    this.channel.postMessage({ puzzle: this.puzzle.puzzle });
    this.#reload();
  }

  /** Another window has answered a puzzle: the rating has changed, and this puzzle may not count any more. */
  #triedElsewhere(puzzle) {
    this.#reload();
    if (puzzle !== this.puzzle?.puzzle || !this.mustAnswer) return;
    this.clock.stop();
    this.#setMustAnswer(false);
    showReply(this.reply, ["You have answered this puzzle in another window. It is not rated again."]);
  }

  /** Load the rating and the lists again. */
  async #reload() {
    await reportErrors(async () => {
      const overview = await this.listRequests.run((signal) => api.puzzleOverview(today(), signal));
      if (overview !== null) this.#showOverview(overview);
    });
  }

  /** A puzzle that counts cannot be skipped. */
  #setMustAnswer(mustAnswer) {
    this.mustAnswer = mustAnswer;
    this.nextButton.hidden = mustAnswer;
  }

  #showUser(user) {
    this.user = user;
    this.#showFigures();
  }

  #showFigures() {
    const { rating, deviation, streak, best } = this.user;
    const rows = [
      ["Your rating", `${rating} ± ${2 * deviation}`],
      ["This puzzle", this.puzzle?.rating],
      ["Streak", best > streak ? `${streak}, best ${best}` : streak],
    ];
    this.figures.replaceChildren(...figureRows(rows), this.clock.root);
  }

  #showOverview(overview) {
    this.#showUser(overview.user);
    showDaily(this.daily, overview);
    showHistory(this.history, overview);
  }
}

const taskText = ({ difficulty_text: difficulty, left }) =>
  `Find a covered cell that is certainly safe or certainly a mine. Difficulty: ${difficulty}. ` +
  `All flags are correct; ${plural(left, "mine")} left.`;

function notRated({ rated, attempt }) {
  if (rated) return "";
  if (!attempt) return "This puzzle does not change your rating: only those from “Next puzzle” do.";
  return `You have tried this puzzle before: ${attempt.right ? "right" : "not solved"}, ${attempt.move}. It is not rated again.`;
}

function verdict({ action }, { right }) {
  if (action === "give-up") return "One answer:";
  if (action === "time") return "Time is up. One answer:";
  return right ? "Right." : "No, it is the other way round.";
}

/** The end of a reply: the chance of a mine, what to try, or how many cells were certain. */
function nextStep({ right, example, probability, moves }) {
  const chance = example && probability !== null ? ` Chance of a mine here: ${percent(probability)}.` : "";
  if (!right && !moves) return `${chance} Try another cell, or show the answer.`;
  return moves && moves.length > 1 ? ` ${moves.length} cells were certain.` : "";
}

/** All certain moves, and the numbers of one proof; of several moves, that of the proof is marked. */
function answerDrawing(view, { moves, numbers, pieces, cell }) {
  const drawing = drawHint(emptyDrawing(), view, { certain: true, numbers, pieces, moves });
  return moves.length > 1 ? { ...drawing, best: [cell] } : drawing;
}

/** Why a move is wrong: the numbers that prove the opposite, or a layout that contradicts it. */
function wrongMoveDrawing(view, { numbers, pieces, example }, move) {
  const drawing = emptyDrawing();
  if (example === null) {
    const opposite = { action: move.action === "reveal" ? "flag" : "reveal", cell: move.cell };
    return drawHint(drawing, view, { certain: true, numbers, pieces, moves: [opposite] });
  }
  drawCounterexample(drawing, example, move);
  return drawing;
}

/** The form for the next puzzles; changed(options) is called with all of them. */
function optionFields(difficulties, chosen, changed) {
  const difficultyRows = (tiling) => [
    ["", "My rating"],
    ...Object.entries(difficulties[tiling]).map(([name, text]) => [name, capitalise(text)]),
  ];
  const tilings = Object.keys(difficulties).map((name) => [name, capitalise(name)]);
  const tiling = select("tiling", tilings, chosen.tiling);
  const difficulty = select("difficulty", difficultyRows(tiling.value), chosen.difficulty);
  const clock = make("input", { type: "checkbox", checked: chosen.clock });
  const report = () => changed({ tiling: tiling.value, difficulty: difficulty.value, clock: clock.checked });
  tiling.addEventListener("change", () => {
    difficulty.replaceChildren(...options(difficultyRows(tiling.value), difficulty.value));
    report();
  });
  difficulty.addEventListener("change", report);
  clock.addEventListener("change", report);
  return make(
    "form.puzzles-options",
    { "aria-label": "Options", onsubmit: (event) => event.preventDefault() },
    field("Board shape", tiling),
    field("Difficulty", difficulty),
    make("label.choice", clock, make("span", "Against the clock")),
  );
}

const CLOCK_INTERVAL = 200; // milliseconds between two updates of the clock
const WARNING_TIME = 10; // seconds left when a warning is announced

/** The countdown of a puzzle. */
class Clock {
  constructor(onTimeUp) {
    this.onTimeUp = onTimeUp;
    this.value = make("dd.left");
    this.root = make("div", { hidden: true }, make("dt", "Time"), this.value);
    this.timer = null;
  }

  start(seconds) {
    this.end = performance.now() + 1000 * seconds;
    this.warned = false;
    this.root.hidden = false;
    this.timer = setInterval(() => this.#tick(), CLOCK_INTERVAL);
    this.#tick();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.root.hidden = true;
  }

  #tick() {
    const left = Math.max(0, Math.ceil((this.end - performance.now()) / 1000));
    this.value.textContent = clockTime(left);
    if (left <= WARNING_TIME && !this.warned) {
      this.warned = true;
      announce(`${left} seconds left`);
    }
    if (left > 0) return;
    this.stop();
    this.onTimeUp();
  }
}

/** Fill the list of the puzzles of the day. */
function showDaily(details, { daily, daily_streak: streak }) {
  const tried = daily.filter(({ right }) => right !== null).length;
  const days = streak > 1 ? `, ${streak} days in a row` : "";
  const rows = daily.map(({ tiling, puzzle, right }) =>
    row(puzzle, right, capitalise(tiling), right === null ? "not tried" : ""),
  );
  showList(details, `Daily puzzles, ${tried} of ${daily.length} tried${days}`, rows);
}

/** Fill the list of earlier attempts, with a chart of the user's rating. */
function showHistory(details, { history }) {
  const rows = history.map(({ puzzle, right, difficulty_text: difficulty, puzzle_rating, rating, seconds }) => {
    const name = `${capitalise(difficulty)}, ${puzzle_rating}`;
    return row(puzzle, right, name, `${duration(1000 * seconds)}, rating ${rating}`);
  });
  showList(details, `History, ${plural(history.length, "puzzle")}`, rows);
  if (history.length >= MIN_CHARTED) details.firstChild.after(ratingChart(history.toReversed()));
}

function showList(details, title, rows) {
  const list = make("ol.attempts", ...rows);
  details.replaceChildren(make("summary", title), rows.length ? list : make("p.faint", "Nothing yet."));
}

function ratingChart(attempts) {
  const values = attempts.map(({ rating }) => rating);
  return chart({
    title: `Your rating over ${attempts.length} puzzles`,
    rows: attempts.map(({ at, puzzle }) => ({ label: day(at), link: `#/puzzles/${puzzle}` })),
    format: String,
    minimum: 100 * Math.floor(Math.min(...values) / 100),
    series: [{ name: "rating", kind: "line", values, formatValue: String }],
  });
}

function row(puzzle, right, name, note) {
  const state = right === null ? null : icon(right ? "tick" : "close");
  const spoken = right === null ? "" : right ? "right: " : "not solved: ";
  return make(
    "li",
    { class: right === null ? null : right ? "right" : "wrong" },
    make("a", { href: `#/puzzles/${puzzle}` }, state, hiddenText(spoken), make("span", name), make("small", note)),
  );
}
