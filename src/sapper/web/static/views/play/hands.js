// What the two buttons, tap and long press, and the keys mean in a game: a move, or null.

import { flagging } from "../../board/flag_mode.js";
import { COVERED, FLAG } from "../../board/view.js";
import { say, shout } from "../../lib/say.js";
import { setting } from "../../lib/settings.js";

export class Hands {
  /** *play* has the game, the view of its board and the panel, each as it is when a press comes. */
  constructor(play) {
    this.play = play;
    this.heldBack = null;
  }

  get game() {
    return this.play.game;
  }

  get view() {
    return this.play.view;
  }

  first(cell, event) {
    if (this.view.marks[cell] >= 0) return setting("chord") ? this.chord(cell, event) : null;
    return flagging() ? this.flag(cell, event) : this.#reveal(cell, event);
  }

  second(cell, event) {
    if (this.view.marks[cell] >= 0) return this.chord(cell, event);
    return flagging() ? this.#reveal(cell, event) : this.flag(cell, event);
  }

  open(cell, event) {
    return this.view.marks[cell] >= 0 ? this.chord(cell, event) : this.#reveal(cell, event);
  }

  async flag(cell, event) {
    const mark = this.view.marks[cell];
    if (mark >= 0 || this.game.over) return null;
    const questionMarks = new Set(this.view.questionMarks);
    const doubted = questionMarks.delete(cell);
    if (mark === FLAG && setting("question")) questionMarks.add(cell);
    if (doubted || questionMarks.has(cell)) {
      this.view.showDoubts(questionMarks);
      await this.game.saveQuestionMarks([...questionMarks]);
    }
    // A question mark is a note beside the game: its moves know flags alone.
    if (mark === COVERED && doubted) return say(this.view.label(cell));
    return this.#move(mark === FLAG ? "unflag" : "flag", cell, event);
  }

  chord(cell, event) {
    const { marks } = this.view;
    const around = this.view.around(cell);
    const flags = around.filter((other) => marks[other] === FLAG).length;
    const covered = around.some((other) => marks[other] === COVERED);
    if (marks[cell] < 0 || !covered) return null;
    if (flags === marks[cell]) return this.#heed(this.#move("chord", cell, event));
    say(`${this.view.label(cell)}, ${flags} flags around it: no chord`);
    return null;
  }

  /** The cells that a press would open. */
  preview(cell, chord) {
    if (this.game.over) return [];
    const open = this.view.marks[cell] >= 0;
    return chord || (open && setting("chord")) ? [cell, ...this.view.around(cell)] : [cell];
  }

  #reveal(cell, event) {
    return this.view.marks[cell] === COVERED ? this.#heed(this.#move("reveal", cell, event)) : null;
  }

  /** The move, unless it leaves certainty: then it is held back until it is asked for again. */
  async #heed(move) {
    const wanted = setting("justified") && !setting("noHelp");
    const heeds = move && wanted && this.game.needsNoGuess && this.heldBack !== move.cell;
    if (!heeds) return move;
    this.heldBack = null;
    if (await this.game.keepsToCertainty(move.cell)) return move;
    this.heldBack = move.cell;
    this.play.panel.update(this.game);
    shout("There is a certain move. Open this cell once more to do it all the same.");
    return null;
  }

  #move(action, cell, event) {
    return this.game.over ? null : { action, cell, cause: { cell, stamp: event.timeStamp } };
  }
}
