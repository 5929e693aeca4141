// The review view: the timeline of a game and, for each move, the position before it, the probabilities
// and the proof of what was certain. Without a game, the list of games.

import { drawNumbers } from "../../board/hints.js";
import { Stage } from "../../board/stage.js";
import { COVERED } from "../../board/view.js";
import { EvaluationBar } from "../../board/win_chances.js";
import { announce, notify, reportErrors } from "../../lib/announce.js";
import * as api from "../../lib/api.js";
import { make, setAddress } from "../../lib/dom.js";
import { fileButton } from "../../lib/files.js";
import { dateTime, rate, signed } from "../../lib/format.js";
import { noGamesNote, page, table, tableRow } from "../../lib/widgets.js";
import { moveText, ReviewPanel, riskText, verdict } from "./panel.js";
import { mistakeKind, Timeline } from "./timeline.js";

// In milliseconds:
const ANALYSIS_DELAY = 120; // from showing a move to requesting its probabilities
const PROOF_DELAY = 250; // from its probabilities to requesting a proof
const MOVE_TIME = 600; // of one move when the moves are played one after another

export async function show(root, { id, query, signal }) {
  if (id) await new Review(root, signal).open(id, Number(query.get("move")));
  else await showGames(root);
}

class Review {
  constructor(root, signal) {
    this.signal = signal;
    this.analysisRequest = new api.LatestRequest(signal);
    this.proofRequest = new api.LatestRequest(signal);
    this.winRequest = new api.LatestRequest(signal);
    this.evaluation = new EvaluationBar(signal);
    this.analyses = new Map(); // by step
    this.commands = {
      next: () => this.go(this.step + 1),
      previous: () => this.go(this.step - 1),
      first: () => this.go(1),
      last: () => this.go(this.steps),
      nextMistake: () => this.#goToMistake(1),
      previousMistake: () => this.#goToMistake(-1),
      explain: (cell) => this.#explain(cell),
      go: (step, cell) => this.go(step, cell),
      run: () => (this.running ? this.pause() : this.#run()),
      retry: () => this.#retry(),
      winChances: (moves, onLine, signal) => api.winChanceIn({ ...this.#position(), moves }, onLine, signal),
    };
    this.stage = new Stage("review", this.commands, signal, {
      className: "ended",
      touchSized: false,
      evaluation: this.evaluation,
      listen: (view) => view.host.addEventListener("click", (event) => this.#explain(view.cellAt(event.target))),
    });
    this.timeline = new Timeline(
      (step) => this.go(step),
      (step) => this.#describe(step),
    );
    this.panel = new ReviewPanel(this.stage, this.timeline, () => this.analysis && this.#draw(null));
    root.replaceChildren(this.panel.root);
    signal.addEventListener("abort", () => {
      clearTimeout(this.timer);
      clearInterval(this.running);
    });
  }

  async open(id, move) {
    const send = (signal) => api.reviewOf(id, signal);
    this.data = await this.analysisRequest.run(send, () => this.panel.showReviewing());
    if (!this.data) return;
    const { title, mines, moves } = this.data;
    this.stage.show(await api.shapes(this.data.board), { title: `Board of ${title}, ${mines} mines` });
    this.timeline.show(moves);
    this.panel.open(this.data);
    const firstMistake = moves.findIndex(({ class: kind, survived }) => kind === "mistake" || !survived) + 1;
    this.go(move || firstMistake || this.steps);
    this.#addWinChances(id);
  }

  /** Add the win chances of all moves, which take a little longer. */
  async #addWinChances(id) {
    try {
      const win = await this.winRequest.run((signal) => api.reviewWinChances(id, signal));
      if (!win) return;
      this.data.win = win;
      this.data.moves.forEach((move, k) => Object.assign(move, win.moves[k]));
      this.timeline.show(this.data.moves, win.end);
      this.timeline.setStep(this.step);
      this.panel.showWinChances(this.step, this.move);
      this.#evaluate();
    } catch {
      this.panel.showNoWinChances();
    }
  }

  /** Show the win chance of the step in the bar. */
  #evaluate() {
    const { win } = this.data;
    if (!win) return this.evaluation.clear();
    const value = this.move ? this.move.win_before : win.end;
    if (value !== null) this.evaluation.setValue(value, !this.move && this.data.outcome !== "playing");
    else if (this.move && this.view.marks.some((mark) => mark !== COVERED))
      this.evaluation.stream((onLine, signal) => api.winChanceIn(this.#position(), onLine, signal));
    else this.evaluation.clear();
  }

  /** Play the moves one after another; from the end, from the first one. */
  #run() {
    if (!this.data) return;
    if (!this.move) this.go(1);
    this.running = setInterval(() => (this.move ? this.#show(this.step + 1) : this.pause()), MOVE_TIME);
    this.panel.showRunning(true);
  }

  pause() {
    if (!this.running) return;
    clearInterval(this.running);
    this.running = null;
    this.panel.showRunning(false);
    if (this.move) this.#analyse();
  }

  /** Play on from the position before this move, as a new game. */
  #retry() {
    if (!this.move) return;
    return reportErrors(async () => {
      const { id } = await api.newGame({ repeat: this.data.id, move: this.step });
      if (!this.signal.aborted) location.hash = `#/play/${encodeURIComponent(id)}`;
    });
  }

  get view() {
    return this.stage.view;
  }

  get steps() {
    return this.data.moves.length + 1;
  }

  /**
   * Show step 1, 2, …: the position before that move; the last step is the end of the game. A *cell* that was
   * certain there is explained.
   */
  go(step, cell = null) {
    if (!this.data) return;
    this.pause();
    this.explainedCell = cell;
    this.#show(step);
  }

  #show(step) {
    const shown = Math.min(Math.max(1, step), this.steps);
    if (shown === this.step) return this.explainedCell === null ? null : this.#explain(this.explainedCell);
    this.step = shown;
    this.analysis = null;
    this.proofRequest.cancel();
    this.move = this.data.moves[shown - 1] ?? null;
    this.#paint();
    this.timeline.setStep(shown);
    this.panel.showStep(this.view, shown, this.move);
    this.#evaluate();
    setAddress(this.stage.root, `#/review/${encodeURIComponent(this.data.id)}?move=${shown}`);
    // Screen readers read the value of the slider themselves.
    if (document.activeElement !== this.timeline.slider) announce(this.#describe(shown));
    clearTimeout(this.timer);
    if (this.move && !this.running)
      this.timer = setTimeout(() => this.#analyse(), this.analyses.has(shown) ? 0 : ANALYSIS_DELAY);
  }

  /** Paint the position of the step; #draw adds the probabilities when they are known. */
  #paint() {
    const { moves, end } = this.data;
    const marks = new Int16Array(this.view.count).fill(COVERED);
    const changes = this.move ? moves.slice(0, this.step) : [...moves, end];
    for (const change of changes) change.cells.forEach((cell, k) => (marks[cell] = change.marks[k]));
    this.stage.overlay.clear();
    this.view.showEnd();
    this.view.paintChanges(marks);
    const won = this.data.outcome === "won" && !end.exploded.length;
    if (!this.move) this.view.showEnd({ exploded: end.exploded, won, mineCells: end.mines });
    else this.stage.overlay.show({ outlined: [this.move.cell], notes: new Map([[this.move.cell, "the move"]]) });
    this.stage.scrollToCells(this.move ? [this.move.cell] : end.exploded);
  }

  async #analyse() {
    const { step, move } = this;
    try {
      const send = (signal) => api.analysis(this.#position(), signal);
      const show = () => this.panel.showAnalysing();
      const analysis = this.analyses.get(step) ?? (await this.analysisRequest.run(send, show));
      if (!analysis || this.step !== step) return;
      this.analyses.set(step, analysis);
      this.analysis = analysis;
      this.#draw(null);
      this.panel.showAlternatives(move, analysis);
      const cell = this.#cellToExplain();
      if (cell !== null) this.timer = setTimeout(() => this.#explain(cell), PROOF_DELAY);
    } catch (error) {
      if (this.step === step) this.panel.showProblem(error.message);
    }
  }

  #position() {
    const { board_text: board, mines } = this.data;
    return { board, marks: Array.from(this.view.marks), mines, trust_flags: false };
  }

  /** Return the cell to prove: the move itself, or the nearest safe cell after a mistake; else null. */
  #cellToExplain() {
    const { move, analysis } = this;
    if (this.explainedCell !== null) return this.explainedCell;
    if (move.action === "reveal" && analysis.safe.includes(move.cell)) return move.cell;
    if (move.class !== "mistake" || !analysis.safe.length) return null;
    const { cells } = this.view.data;
    const [, x, y] = cells[move.cell];
    const distance = (cell) => Math.hypot(cells[cell][1] - x, cells[cell][2] - y);
    return analysis.safe.reduce((best, cell) => (distance(cell) < distance(best) ? cell : best));
  }

  async #explain(cell) {
    if (!this.move || cell === null || !this.analysis) return;
    const { safe, certain_mines: mines } = this.analysis;
    if (!safe.includes(cell) && !mines.includes(cell)) return;
    clearTimeout(this.timer);
    const { step } = this;
    try {
      const proof = await this.proofRequest.run((signal) => api.proofIn({ ...this.#position(), cell }, signal));
      if (!proof || this.step !== step) return;
      this.#draw(proof);
      this.panel.showProof(proof);
      if (document.activeElement !== this.timeline.slider) announce(proof.text);
    } catch (error) {
      if (this.step === step) this.panel.showProofProblem(error.message);
    }
  }

  /** Draw the probabilities, the move and, unless it is null, a proof over the board. */
  #draw(proof) {
    const { move } = this;
    const guess = move.class === "certain" ? null : this.analysis.guess;
    const candidates = guess && this.panel.candidates(move, guess);
    const drawing = this.panel.guessTable.drawing({ ...this.analysis, guess }, candidates);
    const { notes, badges } = drawing;
    drawing.outlined.push(move.cell);
    notes.set(move.cell, notes.has(move.cell) ? `${notes.get(move.cell)}, the move` : "the move");
    if (proof) {
      drawNumbers(drawing, this.view, proof, "used in the proof");
      drawing.ring = [proof.cell];
    }
    if (guess) drawing.badges = badges;
    this.stage.overlay.show(drawing);
  }

  #goToMistake(direction) {
    const mistakes = this.data.moves.flatMap((move, k) => (mistakeKind(move) ? [k + 1] : []));
    const ahead = mistakes.filter((step) => (step - this.step) * direction > 0);
    if (ahead.length) this.go(direction > 0 ? ahead[0] : ahead.at(-1));
    else notify(mistakes.length ? "No more mistakes in this direction." : "There is no mistake in this game.");
  }

  #describe(step) {
    const { moves } = this.data;
    const move = moves[step - 1];
    if (!move) return "End of the game";
    const text = moveText(move, this.view.name(move.cell));
    return `Move ${step} of ${moves.length}: ${text}. ${verdict(move)}. ${riskText(move)}`;
  }
}

/** Show the list of games that can be reviewed. */
async function showGames(root) {
  const { games } = await api.reviewedGames();
  const rows = games.map(({ id, title, updated, outcome, luck, accuracy }) => {
    const link = make("a", { href: `#/review/${encodeURIComponent(id)}` }, title);
    return tableRow([link, dateTime(updated), outcome ?? "–", luck === null ? "–" : signed(luck), rate(accuracy)]);
  });
  const region = { tabindex: "0", role: "region", "aria-label": "Finished games" };
  root.replaceChildren(
    page(
      "section.page",
      "Review",
      make(
        "p",
        "See which moves were mistakes, and where you were just unlucky. Every reveal is judged by what you could know at that moment.",
      ),
      make(
        "div.drop-area",
        make("p", "Drop a replay (avf, evf, mvf, rmv) or a saved game on this page, or"),
        fileButton("Open a file"),
      ),
      make("h2", "Your games"),
      games.length
        ? make("div.table", region, table(["Game", "Ended", "Result", "Luck score", "Accuracy"], rows))
        : noGamesNote(),
    ),
  );
}
