// The puzzles view: positions from real games. The user finds a covered cell that is certainly safe or
// certainly a mine; the server judges the answer, and the page shows why.

import { COUNTEREXAMPLE, drawCounterexample, drawHint, emptyDrawing, renderSentence } from "../board/hint_overlay.js";
import { FlagMode, listenToPresses, primaryActionFlags } from "../board/pointer.js";
import { openView, Stage } from "../board/stage.js";
import { COVERED } from "../board/view.js";
import { announce, reportErrors } from "../lib/announce.js";
import * as api from "../lib/api.js";
import { button, make, setAddress } from "../lib/dom.js";
import { capitalise, percent, plural, today } from "../lib/format.js";
import { field, options, select } from "../lib/forms.js";
import { withTooltip } from "../lib/keys.js";
import { saveSetting, setting } from "../lib/settings.js";
import { showDaily, showHistory } from "./puzzle_lists.js";

export async function showPuzzles(root, { id }) {
  const puzzles = new Puzzles(root);
  return openView(puzzles, puzzles.start(id));
}

class Puzzles {
  constructor(viewRoot) {
    this.viewRoot = viewRoot;
    this.requests = new api.LatestRequest();
    this.listRequests = new api.LatestRequest();
    this.puzzle = null;
    this.task = make("p", { class: "task" });
    this.reply = make("p", { class: "reply" });
    this.rating = figure("Your rating");
    this.streak = figure("Streak");
    this.puzzleRating = figure("This puzzle");
    this.clock = new Clock(() => this.#answer({ action: "time" }));
    this.nextButton = withTooltip(
      button({ text: "Next puzzle", class: "primary", onclick: () => this.next() }),
      "puzzles",
      "next",
      "Next puzzle",
    );
    this.showButton = withTooltip(
      button({ icon: "bulb", text: "Show the answer", onclick: () => this.giveUp() }),
      "puzzles",
      "giveUp",
      "Show the answer",
    );
    this.flagMode = new FlagMode();
    withTooltip(this.flagMode.button, "puzzles", "flagMode", "Flag mode");
    this.worksheet = make("a", { text: "Print similar puzzles", download: true });
    this.daily = make("details", {}, make("summary", { text: "Daily puzzles" }));
    this.history = make("details", {}, make("summary", { text: "History" }));
    this.stage = new Stage(
      "puzzles",
      {
        reveal: (cell) => this.#move("reveal", cell),
        flag: (cell) => this.#move("flag", cell),
        giveUp: () => this.giveUp(),
        next: () => this.next(),
        flagMode: () => this.flagMode.toggle(),
      },
      { listen: (view) => this.#listen(view) },
    );
    const { signal } = this.stage.closed;
    // Other windows of this browser report each attempt; other browsers do not.
    this.channel = new BroadcastChannel("sapper-puzzles");
    this.channel.addEventListener("message", ({ data: { puzzle } }) => this.#triedElsewhere(puzzle));
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#reload(), {
      signal,
    });
  }

  /** Open the puzzle of the address, or one that matches the user's rating. */
  async start(id) {
    const overview = await api.puzzleOverview(today());
    this.root = make(
      "section",
      { class: "puzzles", "aria-label": "Puzzles" },
      make(
        "aside",
        { class: "puzzles-side", "aria-label": "Puzzle", tabindex: "0" },
        make("h1", { text: "Find a safe cell or a mine" }),
        this.task,
        make(
          "dl",
          { class: "puzzles-figures" },
          this.rating.root,
          this.puzzleRating.root,
          this.streak.root,
          this.clock.root,
        ),
        this.reply,
        make("div", { class: "puzzles-actions" }, this.nextButton, this.showButton, this.flagMode.button),
        optionFields(overview.difficulties, setting("puzzles"), (chosen) => this.#changeOptions(chosen)),
        make("p", { class: "puzzles-print" }, this.worksheet),
        this.daily,
        this.history,
      ),
      this.stage.root,
    );
    this.#showOverview(overview);
    await this.#open(id ? (signal) => api.puzzleOf(id, signal) : this.#nextRequest());
  }

  leave() {
    this.requests.cancel();
    this.listRequests.cancel();
    this.clock.stop();
    this.channel.close();
    this.stage.leave();
  }

  async next() {
    if (this.mustAnswer)
      return this.#showReply("This puzzle counts: answer it first. “Show the answer” counts as not solved.", null);
    await this.#openNext();
  }

  async #openNext() {
    await reportErrors(() => this.#open(this.#nextRequest()));
    if (this.puzzle) this.view.focus(this.view.current);
  }

  giveUp() {
    return this.#answer({ action: "give-up" });
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
    this.puzzleRating.show(puzzle.rating);
    this.task.textContent = `Find a covered cell that is certainly safe or certainly a mine. Difficulty: ${puzzle.difficulty_text}. All flags are correct; ${plural(puzzle.left, "mine")} left.`;
    this.#showReply(notRated(puzzle), null);
    this.worksheet.href = api.puzzleWorksheet(puzzle.puzzle);
    this.showButton.hidden = false;
    this.openedAt = performance.now();
    this.clock.stop();
    if (setting("puzzles").clock && puzzle.attempt === null) this.clock.start(puzzle.seconds);
    announce(`${this.task.textContent} ${this.reply.textContent}`);
  }

  #listen(view) {
    listenToPresses(view, {
      primary: (cell) => this.#move(primaryActionFlags() ? "flag" : "reveal", cell),
      secondary: (cell) => this.#move(primaryActionFlags() ? "reveal" : "flag", cell),
      preview: (cell) => (view.marks[cell] === COVERED ? [cell] : []),
    });
  }

  #move(action, cell) {
    if (!this.puzzle || this.done) return;
    const mark = this.view.marks[cell];
    if (mark >= 0) return this.#showReply("This cell is revealed: choose a covered one.", null);
    if (mark !== COVERED) return this.#showReply("This cell is flagged, and all flags are correct.", null);
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
    const gain = result.rated ? ` ${result.gain < 0 ? "−" : "+"}${Math.abs(result.gain)} points.` : "";
    const reason = result.example
      ? [COUNTEREXAMPLE]
      : [verdict(answer, result), " ", ...renderSentence(result, this.stage)];
    this.#showReply("", result.right);
    this.reply.replaceChildren(...reason, `${nextStep(result)}${gain}`);
    announce(this.reply.textContent);
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
    this.#showReply("You have answered this puzzle in another window. It is not rated again.", null);
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

  #showReply(text, right) {
    this.reply.textContent = text;
    this.reply.className = `reply${right === null ? "" : right ? " right" : " wrong"}`;
    if (text) announce(text);
  }

  #showUser({ rating, deviation, streak, best }) {
    this.rating.show(`${rating} ± ${2 * deviation}`);
    this.streak.show(best > streak ? `${streak}, best ${best}` : streak);
  }

  #showOverview(overview) {
    this.#showUser(overview.user);
    showDaily(this.daily, overview);
    showHistory(this.history, overview);
  }
}

/** A figure with a name; show(text) sets its value. */
function figure(name) {
  const value = make("dd");
  return { root: make("div", {}, make("dt", { text: name }), value), show: (text) => (value.textContent = text) };
}

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
  const opposite = move.action === "reveal" ? "flag" : "reveal";
  if (example === null)
    return drawHint(emptyDrawing(), view, {
      certain: true,
      numbers,
      pieces,
      moves: [{ action: opposite, cell: move.cell }],
    });
  const drawing = emptyDrawing();
  drawCounterexample(drawing, example, move);
  return drawing;
}

/** The form for the next puzzles; changed(options) is called with all of them. */
function optionFields(
  difficulties,
  { tiling: chosenTiling, difficulty: chosenDifficulty, clock: chosenClock },
  changed,
) {
  const difficultyRows = (tiling) => [
    ["", "My rating"],
    ...Object.entries(difficulties[tiling]).map(([name, text]) => [name, capitalise(text)]),
  ];
  const tiling = select(
    "tiling",
    Object.keys(difficulties).map((name) => [name, capitalise(name)]),
    chosenTiling,
  );
  const difficulty = select("difficulty", difficultyRows(tiling.value), chosenDifficulty);
  const clock = make("input", { type: "checkbox", checked: chosenClock });
  const report = () => changed({ tiling: tiling.value, difficulty: difficulty.value, clock: clock.checked });
  tiling.addEventListener("change", () => {
    difficulty.replaceChildren(...options(difficultyRows(tiling.value), difficulty.value));
    report();
  });
  difficulty.addEventListener("change", report);
  clock.addEventListener("change", report);
  return make(
    "form",
    { class: "puzzles-options", "aria-label": "Options", onsubmit: (event) => event.preventDefault() },
    field("Board shape", tiling),
    field("Difficulty", difficulty),
    make("label", { class: "choice" }, clock, make("span", { text: "Against the clock" })),
  );
}

const CLOCK_INTERVAL = 200; // milliseconds between two updates of the clock
const WARNING_TIME = 10; // seconds left when a warning is announced

/** The countdown of a puzzle. */
class Clock {
  constructor(onTimeUp) {
    this.onTimeUp = onTimeUp;
    this.value = make("dd", { class: "left" });
    this.root = make("div", { hidden: true }, make("dt", { text: "Time" }), this.value);
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
    this.value.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    if (left <= WARNING_TIME && !this.warned) {
      this.warned = true;
      announce(`${left} seconds left`);
    }
    if (left > 0) return;
    this.stop();
    this.onTimeUp();
  }
}
