// The review of a game: its time line, and for each move the position that it met, the probabilities there,
// and the proof of what was certain. Without a game: those that can be reviewed, and files.

import { probabilitiesOverlay } from "../../board/overlay.js";
import { Stage, entered } from "../../board/stage.js";
import { COVERED } from "../../board/view.js";
import * as api from "../../lib/api.js";
import { showAddress } from "../../lib/dom.js";
import { say, shout } from "../../lib/say.js";
import { showGames } from "./games.js";
import { ReviewPanel } from "./panel.js";
import { Timeline } from "./timeline.js";
import { KINDS, moveWords, riskWords } from "./words.js";

const REST = 120; // milliseconds on a move before its probabilities are asked for: a drag passes many
const PROVE = 250; // and then before its proof is
const PATIENCE = 300; // before the page says that it is working

export async function showReview(place, { id, words }) {
  if (!id) return showGames(place);
  const review = new Review(place);
  return entered(review, review.open(id, Number(words.get("move"))));
}

class Review {
  constructor(place) {
    this.asking = new api.Latest();
    this.proving = new api.Latest();
    this.answers = new Map();
    this.commands = {
      next: () => this.go(this.step + 1),
      previous: () => this.go(this.step - 1),
      first: () => this.go(1),
      last: () => this.go(this.steps),
      nextMistake: () => this.#mistake(1),
      previousMistake: () => this.#mistake(-1),
      explain: (cell) => this.#explain(cell),
      go: (step) => this.go(step),
    };
    this.stage = new Stage("review", this.commands, {
      kind: "ended",
      held: false,
      hands: (view) => view.host.addEventListener("click", (event) => this.#explain(view.cellAt(event.target))),
    });
    this.timeline = new Timeline(
      (step) => this.go(step),
      (step) => this.#words(step),
    );
    this.panel = new ReviewPanel(this.commands, this.stage, this.timeline);
    place.replaceChildren(this.panel.root);
  }

  async open(id, move) {
    const asked = this.asking.ask((signal) => api.reviewOf(id, signal));
    this.data = await api.noticed(asked, PATIENCE, () => this.panel.showWork());
    if (!this.data) return;
    const { title, mines, moves } = this.data;
    this.stage.show(await api.shapes(this.data.board), { title: `Board of ${title}, ${mines} mines` });
    this.timeline.show(moves);
    this.panel.open(this.data);
    const telling = moves.findIndex((one) => one.class === "mistake" || !one.survived) + 1;
    this.go(move || telling || this.steps);
  }

  leave() {
    this.left = true;
    this.asking.drop();
    this.proving.drop();
    clearTimeout(this.timer);
    this.stage.leave();
  }

  get view() {
    return this.stage.view;
  }

  get steps() {
    return this.data.moves.length + 1;
  }

  /** Stand at a step: before a move, or after the last. */
  go(step) {
    const wanted = Math.min(Math.max(1, step), this.steps);
    if (!this.data || wanted === this.step) return;
    this.step = wanted;
    this.proving.drop();
    this.move = this.data.moves[wanted - 1] ?? null;
    this.#paint();
    this.timeline.stand(wanted);
    this.panel.showStep(this.view, wanted, this.move);
    showAddress(this.stage.root, `#/review/${encodeURIComponent(this.data.id)}?move=${wanted}`);
    // The slider tells its value by itself.
    if (document.activeElement !== this.timeline.slider) say(this.#words(wanted));
    clearTimeout(this.timer);
    if (this.move) this.timer = setTimeout(() => this.#ask(), this.answers.has(wanted) ? 0 : REST);
  }

  /** The board as it was; the probabilities come a moment later. */
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
    this.stage.bringIntoSight(this.move ? [this.move.cell] : end.exploded);
  }

  async #ask() {
    const { step, move } = this;
    try {
      const asked = this.answers.get(step) ?? this.asking.ask((signal) => api.analysis(this.#position(), signal));
      const answer = await api.noticed(asked, PATIENCE, () => this.panel.showThinking());
      if (!answer || this.step !== step || this.left) return;
      this.answers.set(step, answer);
      this.answer = answer;
      this.#draw(null);
      this.panel.showAnswer(this.view, move, answer);
      const cell = this.#telling();
      if (cell !== null) this.timer = setTimeout(() => this.#explain(cell), PROVE);
    } catch (error) {
      if (!this.left && this.step === step) this.panel.showProblem(error.message);
    }
  }

  #position() {
    return { board: this.data.position, marks: Array.from(this.view.marks), mines: this.data.mines, trust_flags: false };
  }

  /** The certain cell whose proof tells most: the move itself, or what it missed, nearest to it. */
  #telling() {
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
      const proof = await this.proving.ask((signal) => api.proofIn({ ...this.#position(), cell }, signal));
      if (!proof || this.step !== step || this.left) return;
      this.#draw(proof);
      this.panel.showProof(this.view, proof);
      if (document.activeElement !== this.timeline.slider) say(proof.text);
    } catch (error) {
      if (!this.left && this.step === step) this.panel.showProofProblem(error.message);
    }
  }

  #draw(proof) {
    const { cells, probabilities, guess } = this.answer;
    const drawn = probabilitiesOverlay(this.view, cells, probabilities, guess?.cell ?? null);
    drawn.outlined = [this.move.cell];
    const note = drawn.notes.get(this.move.cell);
    drawn.notes.set(this.move.cell, note ? `${note}, the move` : "the move");
    for (const cell of proof?.numbers ?? []) {
      drawn.grounds.set(cell, "proof");
      drawn.notes.set(cell, "used in the proof");
      drawn.outlined.push(cell);
    }
    this.stage.overlay.show(drawn);
  }

  #mistake(way) {
    const places = this.data.moves.flatMap((move, k) => (move.class === "mistake" ? [k + 1] : []));
    const ahead = places.filter((step) => (step - this.step) * way > 0);
    if (ahead.length) this.go(way > 0 ? ahead[0] : ahead.at(-1));
    else shout(places.length ? "no further mistake that way" : "there is no mistake in this game");
  }

  #words(step) {
    const move = this.data.moves[step - 1];
    if (!move) return "the end of the game";
    return `move ${step} of ${this.data.moves.length}: ${moveWords(move, this.view.name(move.cell))}. ${KINDS[move.class]}. ${riskWords(move)}`;
  }
}
