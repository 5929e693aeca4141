// Help in a game: hints, mine probabilities, and the numbers that a cell may show.
//
// A hint has a level of detail from 1 (where to look) to 4 (do it). Requests run beside the moves:
// the game can continue meanwhile, and a response about an earlier position is discarded.

import { cellsLabel, chances, drawHint, hintCells, premiseList, renderSentence } from "../../board/hints.js";
import { emptyDrawing, interiorText } from "../../board/overlay.js";
import { candidatesOf, GuessTable, likelyNumbersTable, shortGuessText } from "../../board/win_chances.js";
import { announce, notify } from "../../lib/announce.js";
import * as api from "../../lib/api.js";
import { button, make } from "../../lib/dom.js";
import { capitalise, percent, plural } from "../../lib/format.js";

const NO_HINT = "A hint leads to the next certain move, or to the best guess.";
const NOTHING_CERTAIN = "Nothing is certain."; // the table below has the details
const SIMPLE_HINT_NOTE = "This position is too complex for other hints: only what one or two numbers prove is found.";
const GUESS_DETAILS = ["where to look", "which cells", "what they may show", "which one"]; // the levels if nothing is certain
const HOVER_DELAY = 90; // milliseconds that the pointer rests on a cell before its numbers are requested

export class HintPanel {
  /**
   * *evaluation* is the bar of the stage, and *detailNames* are the levels of a hint; *callbacks* has:
   * makeMove(action, cell), which makes the move if the cell is still covered, figures(state of the game),
   * probabilities(on or off).
   */
  constructor(stage, evaluation, detailNames, callbacks) {
    Object.assign(this, { stage, evaluation, detailNames, callbacks });
    this.maxDetail = detailNames.length;
    this.hintTable = new GuessTable(stage, () => this.#show());
    this.guessTable = new GuessTable(stage, () => this.#show());
    this.detail = 0;
    this.hintRequested = false;
    this.isPlaying = false; // while the moves of a hint are made
    this.probabilitiesOn = false;
    this.valuesByCell = null;
    this.requests = new api.Requests(stage.signal);
    this.detailName = make("p.detail-name");
    this.hintText = make("p.hint-text");
    this.premises = make("div.hint-premises");
    this.likelyNumbers = make("div");
    this.action = make("div.hint-action");
    this.moreButton = stage.button("hint", { text: "More detail", class: "more-detail" });
    this.probabilitiesText = make("p.hint-text");
    this.values = make("div.values");
    this.busy = make(
      "p.busy-line",
      { hidden: true },
      make("span", "Working …"),
      button({ text: "Stop", onclick: () => this.#cancel() }),
    );
    this.guessPart = make("div", this.guessTable.root);
    this.hintPart = make(
      "section.hint-part",
      make("h3", "Hint"),
      this.detailName,
      this.hintText,
      this.likelyNumbers,
      this.hintTable.root,
      this.premises,
      this.action,
    );
    this.probabilitiesPart = make(
      "section.hint-part",
      { hidden: true },
      make("h3", "Probabilities"),
      evaluation.text,
      this.probabilitiesText,
      this.guessPart,
      this.values,
    );
    const fold = () => this.#fold();
    this.foldButton = button({ icon: "down", label: "Collapse help", class: "ghost fold", onclick: fold });
    this.root = make(
      "aside.panel",
      { "aria-label": "Hints and probabilities", hidden: true },
      make(
        "div.panel-head",
        make("h2", "Help"),
        this.foldButton,
        button({ icon: "close", label: "Close help", class: "ghost", onclick: () => this.close() }),
      ),
      this.busy,
      this.hintPart,
      this.probabilitiesPart,
    );
  }

  /** Another game is shown. */
  open(game) {
    this.game = game;
    this.valuesByCell = new Map();
    this.probabilities = null;
    this.evaluation.clear();
    this.#removeHint();
  }

  /** Show only the head of the panel, so that it covers little of a large board; or all of it again. */
  #fold() {
    const folded = this.root.classList.toggle("folded");
    const label = folded ? "Expand help" : "Collapse help";
    for (const name of ["aria-label", "title"]) this.foldButton.setAttribute(name, label);
  }

  /** Show the next level of detail, of the position after the moves that are being made. */
  async showMore() {
    const { game } = this;
    // A press while the moves of a hint are made must not make them again.
    if (this.isPlaying) return;
    await game.queue;
    if (game !== this.game || this.isPlaying || this.detail >= this.maxDetail) return;
    await this.showHint(this.detail + 1);
  }

  async showHint(detail) {
    if (this.game.over) return;
    this.detail = detail; // at once, so that a second press asks for the next level
    const hint = await this.#request((game, signal) => api.hint(game, { detail }, signal));
    if (this.detail !== detail) return;
    if (!hint) return this.#removeHint();
    this.root.hidden = false;
    this.hintRequested = true;
    if (!hint.moves) this.detail = 0;
    this.hint = hint;
    this.#show();
    if (hint.guess) this.#compare(this.hintTable, hint.guess, hint.candidates);
    this.stage.scrollToCells(hintCells(hint)); // when the panel has its size
    announce([hint.text, ...(hint.premises ?? []).map(({ text }) => `Already known: ${text}`)].join(" "));
    if (detail < this.maxDetail || !hint.certain) return;
    await this.#play(hint.moves ?? []);
    if (this.detail === this.maxDetail) this.detail = 0; // the server has refused a move
  }

  async toggleProbabilities() {
    this.probabilitiesOn = !this.probabilitiesOn;
    this.callbacks.probabilities(this.probabilitiesOn);
    this.root.hidden = false;
    this.#show();
    if (this.probabilitiesOn) return this.#fetchProbabilities(true);
    this.probabilities = null;
    this.#stopEstimates();
    this.evaluation.clear();
    this.#show();
    this.root.hidden = !this.hintRequested;
    announce("Probabilities off");
  }

  close() {
    this.#cancel();
    this.#removeHint();
    this.hintRequested = false;
    if (this.probabilitiesOn) this.toggleProbabilities();
    this.#show();
    this.root.hidden = true;
  }

  /** The board has changed: hints and probabilities are out of date. */
  refresh() {
    this.requests.cancel();
    this.#stopEstimates();
    clearTimeout(this.timer);
    this.#removeHint();
    this.probabilities = null;
    this.valuesByCell = new Map();
    this.#show();
    // The end card replaces the panel; it returns if the game continues.
    this.root.hidden = this.game.over || !(this.hintRequested || this.probabilitiesOn);
    if (this.#needsProbabilities) this.#fetchProbabilities(false);
    else if (this.probabilitiesOn) this.evaluation.setValue(this.game.state.outcome === "won" ? 1 : 0);
  }

  get #needsProbabilities() {
    return this.probabilitiesOn && !this.game.over;
  }

  async #fetchProbabilities(isAnnounced) {
    const probabilities = await this.#request((game, signal) => api.probabilities(game, {}, signal));
    if (!probabilities || !this.probabilitiesOn) return;
    this.probabilities = probabilities;
    this.#show();
    this.#evaluate(probabilities);
    const { guess } = probabilities;
    if (guess) this.stage.scrollToCells(candidatesOf(guess).map(({ cell }) => cell));
    const guessText = guess ? shortGuessText(guess, this.stage.view) : "";
    if (isAnnounced) announce(`Probabilities on. ${this.probabilitiesText.textContent} ${guessText}`);
    if (this.pointedCell !== undefined) this.showCell(this.pointedCell);
  }

  /** Stream the win chance of the position, and of the candidates if it needs a guess. */
  #evaluate({ text, guess }) {
    if (text) return; // before the first click
    this.evaluation.stream((onLine, signal) => api.winChance(this.game.id, {}, onLine, signal));
    if (guess) this.#compare(this.guessTable, guess, candidatesOf(guess));
  }

  #compare(table, guess, candidates) {
    const { id } = this.game;
    table.show(guess, candidates, (moves, onLine, signal) => api.winChance(id, { moves }, onLine, signal));
  }

  #stopEstimates() {
    this.evaluation.stop();
    this.hintTable.clear();
    this.guessTable.clear();
  }

  /** Request something about the current position; null if the response is no longer needed. */
  async #request(request) {
    const { game } = this;
    const { events } = game.state;
    try {
      const send = (signal) => request(game.id, signal);
      const response = await this.requests.run(send, () => this.#showBusy(true));
      if (response === null || game !== this.game) return null;
      this.callbacks.figures(response.state);
      return response;
    } catch (error) {
      // A move that was faster than the response starts its own request.
      await game.queue;
      if (error.status !== 409 && game.state.events === events) notify(error.message);
      return null;
    } finally {
      if (!this.requests.running) this.#showBusy(false);
    }
  }

  async #play(moves) {
    if (this.isPlaying) return;
    const { game } = this;
    this.isPlaying = true;
    try {
      for (const { action, cell } of moves) if (game === this.game) await this.callbacks.makeMove(action, cell);
    } finally {
      this.isPlaying = false;
    }
    this.hintText.textContent = `Done: ${plural(moves.length, "move")}.`;
  }

  #cancel() {
    this.requests.cancel();
    if (this.probabilitiesOn && !this.probabilities) {
      this.probabilitiesOn = false;
      this.callbacks.probabilities(false);
    }
  }

  #removeHint() {
    this.detail = 0;
    this.hint = null;
    this.hintTable.clear();
  }

  #showBusy(on) {
    this.busy.hidden = !on;
    if (!on) return;
    this.root.hidden = false;
    announce("Working");
  }

  /** The panel stays open until it is closed, so that the board does not jump from move to move. */
  #show() {
    const { hint, probabilities } = this;
    this.#showHintText(hint ?? { text: NO_HINT, detail: 0, certain: true });
    this.hintPart.hidden = !this.hintRequested;
    this.probabilitiesPart.hidden = !this.probabilitiesOn;
    this.guessPart.hidden = Boolean(hint?.candidates?.length); // a hint has its own letters on the board
    const { view, overlay } = this.stage;
    const guess = probabilities?.guess;
    const drawing = probabilities ? this.guessTable.drawing(probabilities) : emptyDrawing();
    if (probabilities) this.#showProbabilities(probabilities, interiorText(drawing));
    else this.values.replaceChildren();
    if (this.#needsProbabilities && !probabilities && !hint) overlay.clearDrawing();
    else overlay.show(hint ? drawHint(drawing, view, this.#withBestGuess(hint)) : drawing);
    const candidates = guess ? candidatesOf(guess).map(({ cell }) => cell) : [];
    if (!this.game.over)
      this.stage.keepVisible(hint ? hintCells(hint) : [...drawing.best, ...candidates, ...(probabilities?.safe ?? [])]);
  }

  #withBestGuess(hint) {
    if (!hint.guess) return hint;
    const { cell, risk } = this.#bestGuess(hint);
    return { ...hint, risk, moves: [{ action: "reveal", cell }] };
  }

  #showHintText(hint) {
    const { view } = this.stage;
    const hasTable = hint.detail === this.maxDetail - 1 && hint.candidates.some(({ wins }) => !wins);
    this.likelyNumbers.replaceChildren(...(hasTable ? [likelyNumbersTable(hint.candidates, this.stage)] : []));
    const sentence = hint.guess || hasTable ? [NOTHING_CERTAIN] : view ? renderSentence(hint, this.stage) : [hint.text];
    this.hintText.replaceChildren(...sentence, ...(hint.simple ? [` ${SIMPLE_HINT_NOTE}`] : []));
    this.premises.replaceChildren(...(view ? premiseList(hint, this.stage) : []));
    const name = (hint.certain ? this.detailNames : GUESS_DETAILS)[hint.detail - 1];
    this.detailName.textContent = name && hint.moves ? `${hint.detail} of ${this.maxDetail}: ${capitalise(name)}` : "";
    const guess = hint.moves && !hint.certain && hint.moves[0] && this.#bestGuess(hint);
    const label =
      hint.detail === 0 ? "Next hint" : hint.detail === this.maxDetail - 1 && hint.certain ? "Do it" : "More detail";
    this.moreButton.lastChild.textContent = label;
    this.moreButton.hidden = !hint.moves && hint.detail > 0;
    this.action.replaceChildren(
      guess
        ? button({
            text: `Take the guess (${percent(guess.risk)} risk)`,
            onclick: () => this.#play([{ action: "reveal", cell: guess.cell }]),
          })
        : this.moreButton,
    );
  }

  /** The guess of a hint: the player's, or the one that win chances show to be better. */
  #bestGuess({ moves, risk, candidates }) {
    const shown = this.hintTable.root.hidden ? moves[0].cell : this.hintTable.best;
    return candidates.find(({ cell }) => cell === shown) ?? { cell: moves[0].cell, risk };
  }

  #showProbabilities(
    { text, cells, probabilities, safe, certain_mines: mines, least_risk: least, safest, guess },
    interior,
  ) {
    if (text) return (this.probabilitiesText.textContent = text);
    this.probabilityByCell = new Map(cells.map((cell, k) => [cell, probabilities[k]]));
    const certain =
      safe.length + mines.length
        ? `${plural(safe.length, "safe cell")}, ${plural(mines.length, "certain mine")}.`
        : "No cell is certain.";
    const best =
      safe.length || least === null || guess
        ? []
        : [` Lowest risk: ${percent(least)}, `, cellsLabel(safest, plural(safest.length, "cell"), this.stage), "."];
    this.probabilitiesText.replaceChildren(certain, ...best, interior);
  }

  /** Show the probability of the cell under the pointer or the focus, then its possible numbers. */
  showCell(cell) {
    this.pointedCell = cell;
    clearTimeout(this.timer);
    if (!this.probabilities || this.probabilities.text) return;
    if (cell === null || !this.probabilityByCell.has(cell)) return this.values.replaceChildren();
    this.#showValues(cell, this.valuesByCell.get(cell));
    if (!this.valuesByCell.has(cell)) this.timer = setTimeout(() => this.#fetchValues(cell), HOVER_DELAY);
  }

  async #fetchValues(cell) {
    const { valuesByCell } = this;
    const response = await this.#request((game, signal) => api.values(game, { cell }, signal));
    if (!response) return;
    valuesByCell.set(cell, response.values);
    if (this.pointedCell === cell && valuesByCell === this.valuesByCell && this.probabilities)
      this.#showValues(cell, response.values);
  }

  #showValues(cell, values) {
    const rows = [["mine", this.probabilityByCell.get(cell)], ...Object.entries(values ?? {})];
    this.values.replaceChildren(make("h4", cellsLabel([cell], "This cell", this.stage), " may be"), chances(rows));
  }
}
