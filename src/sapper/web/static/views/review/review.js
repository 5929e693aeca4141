// The review view: the timeline of a game and, for each move, the position before it, the probabilities
// and the proof of what was certain. Without a game, the list of games.

import { probabilityOverlay } from "../../board/probability_overlay.js";
import { openView, Stage } from "../../board/stage.js";
import { COVERED } from "../../board/view.js";
import { announce, notify } from "../../lib/announce.js";
import * as api from "../../lib/api.js";
import { setAddress } from "../../lib/dom.js";
import { showGames } from "./game_list.js";
import { MOVE_CLASSES, moveText, ReviewPanel, riskText } from "./panel.js";
import { Timeline } from "./timeline.js";

const REST = 120; // milliseconds on a move before its probabilities are requested
const PROOF_DELAY = 250; // milliseconds more before its proof is
const SLOW_DELAY = 300; // milliseconds before the view says that the server is working

export async function showReview(root, { id, query }) {
  if (!id) return showGames(root);
  const review = new Review(root);
  return openView(review, review.open(id, Number(query.get("move"))));
}

class Review {
  constructor(root) {
    this.analysisRequest = new api.LatestRequest();
    this.proofRequest = new api.LatestRequest();
    this.answers = new Map();
    this.commands = {
      next: () => this.go(this.step + 1),
      previous: () => this.go(this.step - 1),
      first: () => this.go(1),
      last: () => this.go(this.steps),
      nextMistake: () => this.#goToMistake(1),
      previousMistake: () => this.#goToMistake(-1),
      explain: (cell) => this.#explain(cell),
      go: (step) => this.go(step),
    };
    this.stage = new Stage("review", this.commands, {
      className: "ended",
      touchSized: false,
      listen: (view) => view.host.addEventListener("click", (event) => this.#explain(view.cellAt(event.target))),
    });
    this.timeline = new Timeline(
      (step) => this.go(step),
      (step) => this.#describe(step),
    );
    this.panel = new ReviewPanel(this.commands, this.stage, this.timeline);
    root.replaceChildren(this.panel.root);
  }

  async open(id, move) {
    const response = this.analysisRequest.run((signal) => api.reviewOf(id, signal));
    this.data = await api.notifyIfSlow(response, SLOW_DELAY, () => this.panel.showWork());
    if (!this.data) return;
    const { title, mines, moves } = this.data;
    this.stage.show(await api.shapes(this.data.board), { title: `Board of ${title}, ${mines} mines` });
    this.timeline.show(moves);
    this.panel.open(this.data);
    const interesting = moves.findIndex((one) => one.class === "mistake" || !one.survived) + 1;
    this.go(move || interesting || this.steps);
  }

  leave() {
    this.left = true;
    this.analysisRequest.cancel();
    this.proofRequest.cancel();
    clearTimeout(this.timer);
    this.stage.leave();
  }

  get view() {
    return this.stage.view;
  }

  get steps() {
    return this.data.moves.length + 1;
  }

  /** Show a step: the position before a move, or the end. */
  go(step) {
    const wanted = Math.min(Math.max(1, step), this.steps);
    if (!this.data || wanted === this.step) return;
    this.step = wanted;
    this.proofRequest.cancel();
    this.move = this.data.moves[wanted - 1] ?? null;
    this.#paint();
    this.timeline.setStep(wanted);
    this.panel.showStep(this.view, wanted, this.move);
    setAddress(this.stage.root, `#/review/${encodeURIComponent(this.data.id)}?move=${wanted}`);
    // Screen readers read the value of the slider themselves.
    if (document.activeElement !== this.timeline.slider) announce(this.#describe(wanted));
    clearTimeout(this.timer);
    if (this.move) this.timer = setTimeout(() => this.#analyse(), this.answers.has(wanted) ? 0 : REST);
  }

  /** Paint the board as it was; the probabilities follow later. */
  #paint() {
    const { moves, end } = this.data;
    const marks = new Int16Array(this.view.count).fill(COVERED);
    const until = this.move ? moves.slice(0, this.step) : [...moves, end];
    for (const change of until) change.cells.forEach((cell, k) => (marks[cell] = change.marks[k]));
    const cells = [...marks.keys()].filter((cell) => marks[cell] !== this.view.marks[cell]);
    this.stage.overlay.clear();
    this.view.showEnd({ exploded: [], won: false, mineCells: null });
    this.view.paint(cells, cells.map((cell) => marks[cell]));
    if (this.move) this.stage.overlay.show({ outlined: [this.move.cell], notes: new Map([[this.move.cell, "the move"]]) });
    else this.view.showEnd({ exploded: end.exploded.filter((cell) => marks[cell] === COVERED), won: this.data.outcome === "won" && !end.exploded.length, mineCells: end.mines });
    this.stage.scrollToCells(this.move ? [this.move.cell] : end.exploded);
  }

  async #analyse() {
    const { step, move } = this;
    try {
      const response = this.answers.get(step) ?? this.analysisRequest.run((signal) => api.analysis(this.#position(), signal));
      const answer = await api.notifyIfSlow(response, SLOW_DELAY, () => this.panel.showWorking());
      if (!answer || this.step !== step || this.left) return;
      this.answers.set(step, answer);
      this.answer = answer;
      this.#draw(null);
      this.panel.showAnswer(this.view, move, answer);
      const cell = this.#cellToExplain();
      if (cell !== null) this.timer = setTimeout(() => this.#explain(cell), PROOF_DELAY);
    } catch (error) {
      if (!this.left && this.step === step) this.panel.showProblem(error.message);
    }
  }

  #position() {
    return { board: this.data.board_text, marks: Array.from(this.view.marks), mines: this.data.mines, trust_flags: false };
  }

  /** The most useful proof: of the move itself, or of the nearest safe cell that it missed. */
  #cellToExplain() {
    const { move, answer } = this;
    if (move.action === "reveal" && answer.safe.includes(move.cell)) return move.cell;
    if (move.class !== "mistake" || !answer.safe.length) return null;
    const far = (cell) => Math.hypot(...[1, 2].map((axis) => this.view.data.cells[cell][axis] - this.view.data.cells[move.cell][axis]));
    return answer.safe.reduce((best, cell) => (far(cell) < far(best) ? cell : best));
  }

  async #explain(cell) {
    if (!this.move || cell === null || !this.answer) return;
    const { safe, certain_mines: mines } = this.answer;
    if (!safe.includes(cell) && !mines.includes(cell)) return;
    clearTimeout(this.timer);
    const { step } = this;
    try {
      const proof = await this.proofRequest.run((signal) => api.proofIn({ ...this.#position(), cell }, signal));
      if (!proof || this.step !== step || this.left) return;
      this.#draw(proof);
      this.panel.showProof(this.view, proof);
      if (document.activeElement !== this.timeline.slider) announce(proof.text);
    } catch (error) {
      if (!this.left && this.step === step) this.panel.showProofProblem(error.message);
    }
  }

  #draw(proof) {
    const { cells, probabilities, guess } = this.answer;
    const drawing = probabilityOverlay(this.view, cells, probabilities, guess?.cell ?? null);
    drawing.outlined = [this.move.cell];
    const note = drawing.notes.get(this.move.cell);
    drawing.notes.set(this.move.cell, note ? `${note}, the move` : "the move");
    for (const cell of proof?.numbers ?? []) {
      drawing.fills.set(cell, "proof");
      drawing.notes.set(cell, "used in the proof");
      drawing.outlined.push(cell);
    }
    this.stage.overlay.show(drawing);
  }

  #goToMistake(direction) {
    const mistakes = this.data.moves.flatMap((move, k) => (move.class === "mistake" ? [k + 1] : []));
    const ahead = mistakes.filter((step) => (step - this.step) * direction > 0);
    if (ahead.length) this.go(direction > 0 ? ahead[0] : ahead.at(-1));
    else notify(mistakes.length ? "No more mistakes in this direction." : "There is no mistake in this game.");
  }

  #describe(step) {
    const move = this.data.moves[step - 1];
    if (!move) return "End of the game";
    return `Move ${step} of ${this.data.moves.length}: ${moveText(move, this.view.name(move.cell))}. ${MOVE_CLASSES[move.class]}. ${riskText(move)}`;
  }
}
