// A game on the server: its state, and a queue of moves, which are sent one after another.

import { primaryActionFlags } from "../../board/pointer.js";
import { COVERED, FLAG } from "../../board/view.js";
import { announce, notify } from "../../lib/announce.js";
import * as api from "../../lib/api.js";
import { RequestError, reportClosedWindow, reportOpenWindow } from "../../lib/api.js";
import { plural } from "../../lib/format.js";
import { setting } from "../../lib/settings.js";

const RETRY_DELAY = 1000; // milliseconds between two attempts to reach the server
const TIMEOUT = 8000; // milliseconds without a response after which the server counts as unreachable
const MOVE_REFUSED = "Not made: the server does not respond.";
const CHANGED_ELSEWHERE = "the game was continued in another window";

export class Game {
  /**
   * *callbacks*:
   *
   *   changed(response, cause)    after a move
   *   reloaded(reason)            after the game was loaded again; the reason is null unless another
   *                               window changed the game
   *   refused(message)            the server refused a move
   *   offline(isOffline, hasMove) *hasMove* if a move will be sent again
   *   generating(isOn)            while the server searches for a no-guess layout, which
   *                               `cancelGeneration` cancels
   */
  constructor(data, callbacks) {
    this.callbacks = callbacks;
    this.queue = Promise.resolve();
    this.isOffline = false;
    this.closed = false;
    this.#setData(data);
    // Show changes by another window of this browser at once if this one is visible.
    this.channel = new BroadcastChannel("sapper-games");
    this.channel.addEventListener("message", ({ data: { id, events } }) => {
      const isOutdated = id === this.id && events !== this.state.events;
      if (isOutdated && document.visibilityState === "visible") this.resume();
    });
  }

  /**
   * Send the move that decide() returns, if any, after the responses to all moves before it: the
   * meaning of a second click depends on the effect of the first. The *cause* of a move is passed on to
   * `changed`. While the server does not respond, moves are refused.
   */
  enqueue(decide) {
    if (this.isOffline) return this.callbacks.refused(MOVE_REFUSED);
    this.queue = this.queue.then(async () => {
      const move = this.closed ? null : await decide();
      return move ? this.#send(move.action, move.cell ?? null, move.cause ?? {}) : undefined;
    });
    return this.queue;
  }

  /** The current playing time. */
  get milliseconds() {
    const elapsed = this.state.running ? performance.now() - this.receivedAt : 0;
    return this.state.milliseconds + elapsed;
  }

  get over() {
    return this.state.outcome !== "playing";
  }

  /** Stop the clock. */
  pause() {
    if (!this.over && !this.isOffline) api.pauseGame(this.id);
  }

  /** Start the clock again and reload the game. */
  resume() {
    if (!this.isOffline) this.queue = this.queue.then(() => (this.closed ? undefined : this.#reload()));
    return this.queue;
  }

  async #reload(reason = CHANGED_ELSEWHERE) {
    const before = this.state.events;
    try {
      this.#setData(await api.resumeGame(this.id));
      this.callbacks.reloaded(this.state.events === before ? null : reason);
    } catch (error) {
      await this.#handleError(error);
    }
  }

  /** Whether the layout is generated so that it can be won without guessing. */
  get isNoGuess() {
    return this.data.generator.startsWith("no-guess");
  }

  /** Whether revealing a cell is safe or a forced guess; true if the server does not respond. */
  async isJustified(cell) {
    try {
      const { justified, state } = await api.justified(this.id, { cell });
      Object.assign(this.state, state);
      return justified;
    } catch (error) {
      if (error instanceof api.ServerUnreachable || error instanceof api.RequestError) return true;
      throw error;
    }
  }

  /** Return the mines of a finished game. */
  async mineCells() {
    return (await api.minesOf(this.id)).mines;
  }

  /** Store which covered cells have a question mark. */
  async saveQuestionMarks(cells) {
    this.data.question_marks = cells;
    try {
      await api.saveQuestionMarks(this.id, { cells });
    } catch (error) {
      if (!(error instanceof api.ServerUnreachable)) return this.#handleError(error);
      if (!(await this.#reconnect(true))) return;
      await this.saveQuestionMarks(cells);
      this.callbacks.reloaded(null);
    }
  }

  close() {
    this.closed = true;
    this.cancelGeneration?.();
    this.channel.close();
  }

  async #send(action, cell, cause) {
    const { events } = this.state;
    const request = { action, after: events };
    if (cell !== null) request.cell = cell;
    try {
      const response = await this.#requestMove(request);
      if (this.closed || response === null) return;
      this.#setState(response.state);
      this.channel.postMessage({ id: this.id, events: this.state.events });
      this.callbacks.changed(response, cause);
    } catch (error) {
      if (!(error instanceof api.ServerUnreachable)) return this.#handleError(error);
      // If the number of events has changed, the move arrived and only the response was lost.
      if ((await this.#reconnect(true)) && this.state.events === events) return this.#send(action, cell, cause);
    }
  }

  /** Return the response to a move; null if it was the first move and the search for a layout was cancelled. */
  async #requestMove(request) {
    if (!this.isNoGuess || this.state.three_bv) return api.move(this.id, request, AbortSignal.timeout(TIMEOUT));
    const search = new api.Requests();
    this.cancelGeneration = () => search.cancel();
    try {
      const move = (signal) => api.move(this.id, request, signal);
      return await search.run(move, () => this.callbacks.generating(true));
    } finally {
      this.cancelGeneration = null;
      this.callbacks.generating(false);
    }
  }

  async #handleError(error) {
    if (error instanceof api.ServerUnreachable) return this.#reconnect();
    if (!(error instanceof api.RequestError)) throw error;
    if (error.status === 409) return this.#reload(error.message);
    this.callbacks.refused(error.message);
  }

  /** Wait until the server responds and reload the game; return whether it is still the game of the view. */
  async #reconnect(hasMove = false) {
    this.isOffline = true;
    this.callbacks.offline(true, hasMove);
    const data = await this.#loadWithRetries();
    if (this.closed) return false;
    this.isOffline = false;
    this.callbacks.offline(false);
    if (data === null) return false;
    this.#setData(data);
    this.callbacks.reloaded(null);
    return true;
  }

  /** Load the game, with retries while the server does not respond; null if it is refused or no longer needed. */
  async #loadWithRetries() {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY));
      if (this.closed) return null;
      try {
        return await api.resumeGame(this.id, {}, AbortSignal.timeout(TIMEOUT));
      } catch (error) {
        if (error instanceof api.ServerUnreachable) continue;
        this.callbacks.refused(error.message);
        return null;
      }
    }
  }

  #setData(data) {
    this.data = data;
    this.id = data.id;
    this.#setState(data.state);
  }

  #setState(state) {
    this.state = state;
    this.receivedAt = performance.now();
  }
}

/** Translate clicks, taps and keys of a game into moves; null means no move. */
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
    const number = this.view.marks[cell];
    if (number < 0 || !this.view.aroundWith(cell, COVERED).length) return null;
    const flags = this.view.aroundWith(cell, FLAG).length;
    if (flags === number) return this.#confirmed(this.move("chord", cell));
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

// The game of this browser window. A window returns to its game after another view or a reload, and
// no other window, of any browser, is offered the game while this one is open.

const STORAGE_KEY = "sapper-window";
const REPORT_INTERVAL = 20_000; // milliseconds between two reports that the window is open

// Stored in sessionStorage only while the page is unloaded: otherwise duplicating a tab would copy it.
let {
  window: windowName = crypto.getRandomValues(new Uint32Array(3)).join("-"),
  game = null,
  reports = 0,
} = takeStored();

/** The id of the game of this window, if no other window has it open; else null. */
export async function windowGame() {
  return game !== null && (await reportOpen()) === 0 ? game : null;
}

/** Set the game of this window; return how many other windows have it open. */
export function setWindowGame(id) {
  game = id;
  return reportOpen();
}

/** Report that the user is playing: without reports the server stops the clock. */
export async function reportPlaying() {
  if (document.visibilityState === "visible") await reportOpen();
}

/** How many other windows have the game open; null if the server has no such game. */
async function reportOpen() {
  try {
    return (await reportOpenWindow(game, nextReport())).others;
  } catch (error) {
    return error instanceof RequestError ? null : 0;
  }
}

/** The content of a report. The numbers grow, because the server may get reports out of order. */
function nextReport() {
  reports += 1;
  return { window: windowName, report: reports };
}

function takeStored() {
  try {
    const stored = JSON.parse(sessionStorage.getItem(STORAGE_KEY)) ?? {};
    sessionStorage.removeItem(STORAGE_KEY);
    return stored;
  } catch {
    return {};
  }
}

window.addEventListener("pagehide", () => {
  if (game !== null) reportClosedWindow(game, nextReport());
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ window: windowName, game, reports }));
  } catch {
    // The page works without storage.
  }
});
window.addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  takeStored();
  if (game !== null) reportOpen();
});
setInterval(() => game !== null && reportOpen(), REPORT_INTERVAL);
