// Translate clicks, taps and keys of a game into moves; null means no move.

import { primaryActionFlags } from "../../board/pointer.js";
import { COVERED, FLAG } from "../../board/view.js";
import { announce, notify } from "../../lib/announce.js";
import { plural } from "../../lib/format.js";
import { setting } from "../../lib/settings.js";

export class MoveInput {
  /** *play* has the current game, the view of its board and the panel. */
  constructor(play) {
    this.play = play;
    this.confirmCell = null;
  }

  get game() {
    return this.play.game;
  }

  get view() {
    return this.play.view;
  }

  primary(cell) {
    if (this.view.marks[cell] >= 0) return setting("chord") ? this.chord(cell) : null;
    return primaryActionFlags() ? this.flag(cell) : this.#reveal(cell);
  }

  secondary(cell) {
    if (this.view.marks[cell] >= 0) return this.chord(cell);
    return primaryActionFlags() ? this.#reveal(cell) : this.flag(cell);
  }

  reveal(cell) {
    return this.view.marks[cell] >= 0 ? this.chord(cell) : this.#reveal(cell);
  }

  async flag(cell) {
    const mark = this.view.marks[cell];
    if (mark >= 0 || this.game.over) return null;
    const questionMarks = new Set(this.view.questionMarks);
    const hadQuestionMark = questionMarks.delete(cell);
    if (mark === FLAG && setting("question")) questionMarks.add(cell);
    if (hadQuestionMark || questionMarks.has(cell)) {
      this.view.showQuestionMarks(questionMarks);
      await this.game.saveQuestionMarks([...questionMarks]);
    }
    // A question mark is stored beside the game, which has only flags.
    if (mark === COVERED && hadQuestionMark) return announce(this.view.label(cell));
    return this.move(mark === FLAG ? "unflag" : "flag", cell);
  }

  chord(cell) {
    const { marks } = this.view;
    const around = this.view.around(cell);
    const flags = around.filter((other) => marks[other] === FLAG).length;
    const covered = around.some((other) => marks[other] === COVERED);
    if (marks[cell] < 0 || !covered) return null;
    if (flags === marks[cell]) return this.#confirmed(this.move("chord", cell));
    announce(`${this.view.label(cell)}, ${plural(flags, "flag")} around it: cannot chord`);
    return null;
  }

  /** The cells that a press would reveal. */
  preview(cell, chord) {
    if (this.game.over) return [];
    const isRevealed = this.view.marks[cell] >= 0;
    return chord || (isRevealed && setting("chord")) ? [cell, ...this.view.around(cell)] : [cell];
  }

  #reveal(cell) {
    return this.view.marks[cell] === COVERED ? this.#confirmed(this.move("reveal", cell)) : null;
  }

  /** Return the move, or null for an unnecessary guess; the same move again confirms it. A setting turns this on. */
  async #confirmed(move) {
    const isEnabled = setting("justified") && !setting("noHelp");
    const mustConfirm = move && isEnabled && this.game.isNoGuess && this.confirmCell !== move.cell;
    if (!mustConfirm) return move;
    this.confirmCell = null;
    if (await this.game.isJustified(move.cell)) return move;
    this.confirmCell = move.cell;
    this.play.panel.update(this.game);
    notify("There is a safe cell elsewhere. Click again to guess anyway.");
    return null;
  }

  /** The move on a cell, unless the game is over. */
  move(action, cell) {
    return this.game.over ? null : { action, cell, cause: { cell } };
  }
}
