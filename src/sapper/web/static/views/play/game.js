// One game as the page knows it: marks and figures from the server, moves sent one after another.

import * as api from "../../lib/api.js";

const PATIENCE = 400; // milliseconds before the page says that a board is searched for
const RETRY = 1000; // milliseconds between two tries to reach a server that is away
const CHANGED_ELSEWHERE = "the game has gone on in another window";

export class Game {
  /**
   * *on* has: changed(answer, cause) after a move, reloaded(why) when all is new, with a line that
   * says why where the game has gone on elsewhere, refused(message), away(bool), dealing(bool): a
   * board is searched for, and `stop` would end that.
   */
  constructor(data, on) {
    this.on = on;
    this.queue = Promise.resolve();
    this.isAway = false;
    this.closed = false;
    this.#take(data);
    // What another window of this browser did is shown here at once, where anybody looks.
    this.others = new BroadcastChannel("sapper-games");
    this.others.addEventListener("message", ({ data: { id, events } }) => {
      const behind = id === this.id && events !== this.state.events;
      if (behind && document.visibilityState === "visible") this.resume();
    });
  }

  /** Send a move; *cause* is handed on to `changed`, so that it knows what it answers. */
  move(action, cell = null, cause = {}) {
    return this.inTurn(() => ({ action, cell, cause }));
  }

  /**
   * Send the move that *decide* answers with, if any, when those before it are answered:
   * what a second click means depends on what the first one did. It may take its time.
   */
  inTurn(decide) {
    this.queue = this.queue.then(async () => {
      const wish = this.isAway || this.closed ? null : await decide();
      return wish ? this.#send(wish.action, wish.cell ?? null, wish.cause ?? {}) : undefined;
    });
    return this.queue;
  }

  /** How long the game has been played, now. */
  get milliseconds() {
    const since = this.state.running ? performance.now() - this.received : 0;
    return this.state.milliseconds + since;
  }

  get over() {
    return this.state.outcome !== "playing";
  }

  /** Stop the clock while nobody looks. */
  pause() {
    if (!this.over && !this.isAway) api.pauseGame(this.id);
  }

  /** Let the clock run on, and show what the server knows. */
  resume() {
    this.queue = this.queue.then(() => (this.isAway || this.closed ? undefined : this.#reload()));
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

  /** Whether it can be won without a guess. */
  get needsNoGuess() {
    return this.data.generator.startsWith("no-guess");
  }

  /** Whether revealing a cell keeps to what is certain, or nothing is; yes where nobody answers. */
  async keepsToCertainty(cell) {
    try {
      const { justified, state } = await api.justified(this.id, { cell });
      Object.assign(this.state, state);
      return justified;
    } catch (error) {
      if (error instanceof api.Unreachable || error instanceof api.Refused) return true;
      throw error;
    }
  }

  /** Where the mines are, once the game is over. */
  async mineCells() {
    return (await api.minesOf(this.id)).mines;
  }

  /** Note which covered cells have a question mark; a server that is away is told of no notes. */
  async saveQuestionMarks(cells) {
    this.data.questionMarks = cells;
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
      const answer = await this.#answered(request);
      if (this.closed || answer === null) return;
      this.#takeState(answer.state);
      this.others.postMessage({ id: this.id, events: this.state.events });
      this.on.changed(answer, cause);
    } catch (error) {
      await this.#failed(error);
    }
  }

  /** The answer to a move, or null where it was the first one, took long and was stopped. */
  async #answered(request) {
    if (!this.needsNoGuess || this.state.three_bv) return api.move(this.id, request);
    const asking = new api.Latest();
    this.stop = () => asking.drop();
    try {
      const answer = asking.ask((signal) => api.move(this.id, request, signal));
      return await api.noticed(answer, PATIENCE, () => this.on.dealing(true));
    } finally {
      this.stop = null;
      this.on.dealing(false);
    }
  }

  async #failed(error) {
    if (error instanceof api.Unreachable) return this.#wait();
    if (!(error instanceof api.Refused)) throw error;
    if (error.status === 409) return this.#reload(error.message);
    this.on.refused(error.message);
  }

  /** The server is away: ask again until it is back, then show what it knows. */
  #wait() {
    if (this.isAway || this.closed) return;
    this.isAway = true;
    this.on.away(true);
    const timer = setInterval(async () => {
      try {
        const data = this.closed ? null : await api.resumeGame(this.id);
        clearInterval(timer);
        this.isAway = false;
        this.on.away(false);
        if (!data) return;
        this.#take(data);
        this.on.reloaded(null);
      } catch (error) {
        if (error instanceof api.Unreachable) return;
        clearInterval(timer);
        this.isAway = false;
        this.on.away(false);
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
