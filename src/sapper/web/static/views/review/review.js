// The review view: the timeline of a game and, for each move, the position before it, the probabilities
// and the proof of what was certain. Without a game, the list of games.

import { EvaluationBar } from "../../board/evaluation_bar.js";
import { candidateLetters } from "../../board/guesses.js";
import { sentenceLetters } from "../../board/hint_overlay.js";
import { probabilityOverlay } from "../../board/probability_overlay.js";
import { openView, Stage } from "../../board/stage.js";
import { COVERED } from "../../board/view.js";
import { announce, notify, reportErrors } from "../../lib/announce.js";
import * as api from "../../lib/api.js";
import { setAddress } from "../../lib/dom.js";
import { showGames } from "./game_list.js";
import { moveText, ReviewPanel, riskText, verdict } from "./panel.js";
import { mistakeKind, Timeline } from "./timeline.js";

// In milliseconds:
const ANALYSIS_DELAY = 120; // from showing a move to requesting its probabilities
const PROOF_DELAY = 250; // from its probabilities to requesting a proof
const SLOW_DELAY = 300; // from a request to the notice that the server is working
const MOVE_TIME = 600; // of one move when the moves are played one after another

export async function showReview(root, { id, query }) {
  if (!id) return showGames(root);
  const review = new Review(root);
  return openView(review, review.open(id, Number(query.get("move"))));
}

class Review {
  constructor(root) {
    this.analysisRequest = new api.LatestRequest();
    this.proofRequest = new api.LatestRequest();
    this.winRequest = new api.LatestRequest();
    this.evaluation = new EvaluationBar();
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
    this.stage = new Stage("review", this.commands, {
      className: "ended",
      touchSized: false,
      evaluation: this.evaluation,
      listen: (view) => view.host.addEventListener("click", (event) => this.#explain(view.cellAt(event.target))),
    });
    this.timeline = new Timeline(
      (step) => this.go(step),
      (step) => this.#describe(step),
    );
    this.panel = new ReviewPanel(this.commands, this.stage, this.timeline, () => this.analysis && this.#draw(null));
    root.replaceChildren(this.panel.root);
  }

  async open(id, move) {
    const response = this.analysisRequest.run((signal) => api.reviewOf(id, signal));
    this.data = await api.notifyIfSlow(response, SLOW_DELAY, () => this.panel.showReviewing());
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
      if (!this.closed) this.panel.showNoWinChances();
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

  leave() {
    this.closed = true;
    this.analysisRequest.cancel();
    this.proofRequest.cancel();
    this.winRequest.cancel();
    this.evaluation.stop();
    this.panel.stop();
    clearTimeout(this.timer);
    clearInterval(this.running);
    this.stage.leave();
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
      if (!this.closed) location.hash = `#/play/${encodeURIComponent(id)}`;
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
    const cells = [...marks.keys()].filter((cell) => marks[cell] !== this.view.marks[cell]);
    this.stage.overlay.clear();
    this.view.showEnd({ exploded: [], won: false, mineCells: null });
    this.view.paint(
      cells,
      cells.map((cell) => marks[cell]),
    );
    if (this.move)
      this.stage.overlay.show({ outlined: [this.move.cell], notes: new Map([[this.move.cell, "the move"]]) });
    else
      this.view.showEnd({
        exploded: end.exploded.filter((cell) => marks[cell] === COVERED),
        won: this.data.outcome === "won" && !end.exploded.length,
        mineCells: end.mines,
      });
    this.stage.scrollToCells(this.move ? [this.move.cell] : end.exploded);
  }

  async #analyse() {
    const { step, move } = this;
    try {
      const response =
        this.analyses.get(step) ?? this.analysisRequest.run((signal) => api.analysis(this.#position(), signal));
      const analysis = await api.notifyIfSlow(response, SLOW_DELAY, () => this.panel.showAnalysing());
      if (!analysis || this.step !== step || this.closed) return;
      this.analyses.set(step, analysis);
      this.analysis = analysis;
      this.#draw(null);
      this.panel.showAlternatives(move, analysis);
      const cell = this.#cellToExplain();
      if (cell !== null) this.timer = setTimeout(() => this.#explain(cell), PROOF_DELAY);
    } catch (error) {
      if (!this.closed && this.step === step) this.panel.showProblem(error.message);
    }
  }

  #position() {
    return {
      board: this.data.board_text,
      marks: Array.from(this.view.marks),
      mines: this.data.mines,
      trust_flags: false,
    };
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
      if (!proof || this.step !== step || this.closed) return;
      this.#draw(proof);
      this.panel.showProof(proof);
      if (document.activeElement !== this.timeline.slider) announce(proof.text);
    } catch (error) {
      if (!this.closed && this.step === step) this.panel.showProofProblem(error.message);
    }
  }

  /** Draw the probabilities, the move and, unless it is null, a proof over the board. */
  #draw(proof) {
    const { cells, probabilities, guess } = this.analysis;
    const isGuess = guess !== null && this.move.class !== "certain";
    const drawing = probabilityOverlay(
      this.view,
      cells,
      probabilities,
      isGuess ? (this.panel.bestGuess ?? guess.cell) : null,
    );
    drawing.outlined = [this.move.cell];
    const note = drawing.notes.get(this.move.cell);
    drawing.notes.set(this.move.cell, note ? `${note}, the move` : "the move");
    const numbers = proof?.numbers ?? [];
    drawing.badges = isGuess
      ? candidateLetters(this.panel.candidates(this.move, guess))
      : sentenceLetters(this.view, proof ?? {});
    if (proof) drawing.ring = [proof.cell];
    for (const cell of numbers) {
      drawing.fills.set(cell, "proof");
      drawing.notes.set(cell, "used in the proof");
      drawing.outlined.push(cell);
    }
    this.stage.overlay.show(drawing);
  }

  #goToMistake(direction) {
    const mistakes = this.data.moves.flatMap((move, k) => (mistakeKind(move) ? [k + 1] : []));
    const ahead = mistakes.filter((step) => (step - this.step) * direction > 0);
    if (ahead.length) this.go(direction > 0 ? ahead[0] : ahead.at(-1));
    else notify(mistakes.length ? "No more mistakes in this direction." : "There is no mistake in this game.");
  }

  #describe(step) {
    const move = this.data.moves[step - 1];
    if (!move) return "End of the game";
    return `Move ${step} of ${this.data.moves.length}: ${moveText(move, this.view.name(move.cell))}. ${verdict(move)}. ${riskText(move)}`;
  }
}
