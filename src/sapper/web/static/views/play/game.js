// A game on the server: its state, and moves that are sent one after another.

import * as api from "../../lib/api.js";

const SLOW_DELAY = 400; // milliseconds before the page says that a layout is being generated
const RETRY = 1000; // milliseconds between two attempts to reach the server
const CHANGED_ELSEWHERE = "the game was continued in another window";

export class Game {
  /**
   * *on* has: changed(answer, cause) after a move; reloaded(why) after reading the whole game again,
   * with a reason if it was changed elsewhere; refused(message); offline(bool); generating(bool) while
   * the server searches for a no-guess layout, which `stop` cancels.
   */
  constructor(data, on) {
    this.on = on;
    this.queue = Promise.resolve();
    this.isOffline = false;
    this.closed = false;
    this.#take(data);
    // Show changes by another window of this browser at once if this one is visible.
    this.others = new BroadcastChannel("sapper-games");
    this.others.addEventListener("message", ({ data: { id, events } }) => {
      const behind = id === this.id && events !== this.state.events;
      if (behind && document.visibilityState === "visible") this.resume();
    });
  }

  /** Send a move; *cause* is passed on to `changed`. */
  move(action, cell = null, cause = {}) {
    return this.inTurn(() => ({ action, cell, cause }));
  }

  /**
   * Send the move that decide() returns, if any, after the responses to all moves before it: the
   * meaning of a second click depends on the effect of the first.
   */
  inTurn(decide) {
    this.queue = this.queue.then(async () => {
      const move = this.isOffline || this.closed ? null : await decide();
      return move ? this.#send(move.action, move.cell ?? null, move.cause ?? {}) : undefined;
    });
    return this.queue;
  }

  /** The current playing time. */
  get milliseconds() {
    const since = this.state.running ? performance.now() - this.received : 0;
    return this.state.milliseconds + since;
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
    this.queue = this.queue.then(() => (this.isOffline || this.closed ? undefined : this.#reload()));
    return this.queue;
  }

  async #reload(why = CHANGED_ELSEWHERE) {
    const before = this.state.events;
    try {
      this.#take(await api.resumeGame(this.id));
      this.on.reloaded(this.state.events === before ? null : why);
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Whether it can be won without guessing. */
  get isNoGuess() {
    return this.data.generator.startsWith("no-guess");
  }

  /** Whether revealing a cell is safe, or no cell is; true if the server does not respond. */
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

  /** Where the mines are, once the game is over. */
  async mineCells() {
    return (await api.minesOf(this.id)).mines;
  }

  /** Store which covered cells have a question mark. */
  async saveQuestionMarks(cells) {
    this.data.question_marks = cells;
    await api.saveQuestionMarks(this.id, { cells }).catch(() => {});
  }

  close() {
    this.closed = true;
    this.stop?.();
    this.others.close();
  }

  async #send(action, cell, cause) {
    const request = { action, after: this.state.events };
    if (cell !== null) request.cell = cell;
    try {
      const answer = await this.#respond(request);
      if (this.closed || answer === null) return;
      this.#takeState(answer.state);
      this.others.postMessage({ id: this.id, events: this.state.events });
      this.on.changed(answer, cause);
    } catch (error) {
      await this.#failed(error);
    }
  }

  /** The response to a move; null if it was the first move and the search for a layout was cancelled. */
  async #respond(request) {
    if (!this.isNoGuess || this.state.three_bv) return api.move(this.id, request);
    const search = new api.LatestRequest();
    this.stop = () => search.cancel();
    try {
      const answer = search.run((signal) => api.move(this.id, request, signal));
      return await api.notifyIfSlow(answer, SLOW_DELAY, () => this.on.generating(true));
    } finally {
      this.stop = null;
      this.on.generating(false);
    }
  }

  async #failed(error) {
    if (error instanceof api.ServerUnreachable) return this.#wait();
    if (!(error instanceof api.RequestError)) throw error;
    if (error.status === 409) return this.#reload(error.message);
    this.on.refused(error.message);
  }

  /** The server does not respond: try again until it does, then reload the game. */
  #wait() {
    if (this.isOffline || this.closed) return;
    this.isOffline = true;
    this.on.offline(true);
    const connected = () => {
      clearInterval(timer);
      this.isOffline = false;
      this.on.offline(false);
    };
    const timer = setInterval(async () => {
      try {
        const data = this.closed ? null : await api.resumeGame(this.id);
        connected();
        if (!data) return;
        this.#take(data);
        this.on.reloaded(null);
      } catch (error) {
        if (error instanceof api.ServerUnreachable) return;
        connected();
        this.on.refused(error.message);
      }
    }, RETRY);
  }

  #take(data) {
    this.data = data;
    this.id = data.id;
    this.#takeState(data.state);
  }

  #takeState(state) {
    this.state = state;
    this.received = performance.now();
  }
}
