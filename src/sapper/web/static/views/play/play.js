// The play view: a board, what can be done with it, and how it goes.

import { FlagMode } from "../../board/flag_mode.js";
import { blast, cheer, plant, spread } from "../../board/motion.js";
import { press } from "../../board/pointer.js";
import { Stage, entered } from "../../board/stage.js";
import { COVERED, FLAG } from "../../board/view.js";
import { nextToDo, openedWords } from "../../board/voice.js";
import * as api from "../../lib/api.js";
import { button, make, showAddress } from "../../lib/dom.js";
import { ownGame, setOwnGame } from "../../lib/own_game.js";
import { banner, say, shout } from "../../lib/say.js";
import { choose, setting } from "../../lib/settings.js";
import { measureToPaint } from "../../lib/timing.js";
import { percentLabel, sentence } from "../../lib/words.js";
import { chooseGame } from "./choose.js";
import { verdictOf } from "./end_card.js";
import { tellReview } from "./end_review.js";
import { Game } from "./game.js";
import { Hands } from "./hands.js";
import { Help } from "./help.js";
import { Panel } from "./panel.js";
import { openShare } from "./share.js";
import { sound } from "./sound.js";

// What is about the game on the board, and makes no sense while another one is on its way.
const OF_THIS_GAME = ["again", "undo", "redo", "continue", "showMines", "share", "analyse", "hint", "probabilities", "sayLeft", "sayOpened", "toDo"];
const MOST_SHOWN = 12; // cells that were the best guess; more say little

export async function showPlay(place, route) {
  const play = new Play(place);
  return entered(play, play.open(route));
}

class Play {
  constructor(place) {
    this.flagMode = new FlagMode();
    this.commands = {
      new: () => this.start(this.#rules()),
      again: () => this.start({ repeat: this.game.id }),
      choose: () => chooseGame((request) => this.start(request)),
      undo: () => this.#besides("undo"),
      redo: () => this.#besides("redo"),
      continue: () => this.#besides("continue"),
      showMines: () => this.showMines(),
      flagMode: () => this.flagMode.toggle(),
      share: () => openShare(this.game),
      analyse: () => (location.hash = `#/analyse?game=${this.game.id}`),
      help: () => (location.hash = "#/help"),
      hint: () => this.help.more(),
      probabilities: () => this.help.toggleProbabilities(),
      closeHelp: () => this.#closeAll(),
      sayLeft: () => say(this.panel.leftWords()),
      sayOpened: () => say(openedWords(this.view, this.opened)),
      toDo: (_, { shiftKey }) => this.#toDo(shiftKey),
      // Keys say what they mean, whatever flag mode makes of a click.
      reveal: (cell, event) => this.#inTurn(() => this.hands.open(cell, event)),
      flag: (cell, event) => this.#inTurn(() => this.hands.flag(cell, event)),
      chord: (cell, event) => this.#inTurn(() => this.hands.chord(cell, event)),
    };
    this.hands = new Hands(this);
    this.opening = null; // a promise while another game is on its way
    // Buttons and keys alike do what makes sense now, and nothing where no game could be opened.
    const may = (name) => (this.game && this.opening ? !OF_THIS_GAME.includes(name) : this.panel.may(name));
    for (const [name, act] of Object.entries(this.commands)) {
      this.commands[name] = (...given) => (may(name) ? act(...given) : undefined);
    }
    const dock = make("div", { class: "dock" });
    this.stage = new Stage("play", this.commands, {
      may,
      dock,
      hands: (view) => this.#listen(view),
      looked: (cell) => this.help.lookAt(cell),
    });
    this.help = new Help(this.stage, {
      move: (action, cell) => this.game.move(action, cell, { cell }),
      figures: (figures) => this.#helped(figures),
      probabilities: (on) => this.panel.showProbabilities(on),
    });
    dock.append(this.help.root);
    this.panel = new Panel(
      this.commands,
      { ended: tellReview, compared: (fatal) => this.#showFatal(fatal) },
      { flagMode: this.flagMode.button, zoom: this.stage.zoomTools(), stage: this.stage.root, dock },
    );
    place.replaceChildren(this.panel.root);
    const { signal } = this.stage.gone;
    // A phone that is locked, or closes the page from its list, says no more than "hidden".
    window.addEventListener("pagehide", () => this.game?.pause(), { signal });
    window.addEventListener("pageshow", (event) => event.persisted && this.game?.resume(), { signal });
    document.addEventListener("visibilitychange", () => this.#turned(), { signal });
    document.addEventListener("settingschange", () => this.#resettled(), { signal });
  }

  /**
   * A game of the address: an id, a deal, a shared game. Else the window's own, else the one touched
   * last that no other window has open, else a new one.
   */
  async open({ id, words }) {
    if (words.has("game")) return this.start({ token: words.get("game") });
    if (words.has("size") || words.has("seed")) return this.start(Object.fromEntries(words));
    const known = id ?? (await ownGame()) ?? (await this.#unheld());
    return known === null ? this.start(setting("game")) : this.#show(() => api.resumeGame(known));
  }

  async #unheld() {
    const { games } = await api.recentGames();
    return games.find(({ finished, open }) => !finished && !open)?.id ?? null;
  }

  start(request) {
    return this.#show(() => api.newGame(request));
  }

  leave() {
    this.turn = null;
    this.opening = null; // a click that waits for a game would wait for ever
    this.game?.pause();
    this.game?.close();
    this.stage.leave();
    this.panel.stop();
    this.help.stop();
    banner(null);
  }

  async showMines() {
    if (!this.game.over) return;
    try {
      this.mineCells = await this.game.mineCells();
      this.stage.overlay.clear();
      this.#showEnd();
    } catch (error) {
      shout(error.message);
    }
  }

  #show(question) {
    this.opening = this.#opened(question);
    return this.opening;
  }

  /** Show a game once it is there, unless another one was asked for since, or the view was left. */
  async #opened(question) {
    const turn = (this.turn = {});
    try {
      await this.#fetched(question, () => turn === this.turn && this.panel.root.isConnected);
    } finally {
      if (turn === this.turn) this.opening = null;
    }
  }

  async #fetched(question, isWanted) {
    let data, shapes;
    try {
      data = await question();
      shapes = await api.shapes(data.board);
      if (!isWanted()) return;
    } catch (error) {
      if (!isWanted()) return;
      // A view that never showed anything comes back by itself.
      if (!this.game && api.passes(error)) throw error;
      shout(error.message);
      if (!this.game) this.panel.end.showProblem(error.message);
      return;
    }
    this.game?.pause();
    this.game?.close();
    this.game = new Game(data, {
      changed: (answer, cause) => this.#changed(answer, cause),
      reloaded: (why) => this.#reloaded(why),
      refused: (message) => shout(message),
      dealing: (on) => this.#showDealing(on),
      away: (away) => banner(away ? "The server does not answer. Trying again …" : null),
    });
    showAddress(this.panel.root, `#/play/${data.id}`);
    setOwnGame(data.id).then((others) => others && shout("This game is also open in another window."));
    if (data.size) choose("game", { size: data.size, tiling: data.tiling, rule: data.rule ?? "zero", generator: generatorOf(data) });
    this.#draw(shapes, data);
  }

  /**
   * Make a move when those before it are answered. Who clicks while another game is on its way
   * means that one: the click waits for it, and is dropped where it has other cells.
   */
  async #inTurn(decide) {
    const { data } = this.view;
    const leaving = this.opening && this.game;
    while (this.opening) await this.opening;
    // Of several the last one counts, whichever is there first; where none came, none was meant.
    if (this.game !== leaving && this.view.data === data) return this.game.inTurn(decide);
  }

  #draw(shapes, data) {
    this.help.open(this.game);
    this.panel.end.clear();
    this.panel.open(this.game, data);
    this.stage.show(shapes, { title: `Board of ${data.title}, ${data.mines} mines` });
    this.opened = [];
    this.#redraw();
    this.#announce(data);
  }

  #announce({ title, mines, state }) {
    const { rows, columns } = this.view;
    const size = this.view.data.names ? `${this.view.count} cells` : `${rows} rows, ${columns} columns`;
    const what = state.events ? "Game" : "New game";
    say(`${what}: ${title}, ${size}, ${mines} mines. ${state.events ? this.panel.leftWords() : ""}`);
  }

  #toDo(back) {
    const found = nextToDo(this.view, this.view.current, back);
    if (!found) return say("No number has something plain to do around it.");
    this.view.focus(found.cell);
    say(`${this.view.label(found.cell)}: ${found.words}`);
  }

  #listen(view) {
    press(view, {
      first: (cell, event) => this.#inTurn(() => this.hands.first(cell, event)),
      second: (cell, event) => this.#inTurn(() => this.hands.second(cell, event)),
      chord: (cell, event) => this.#inTurn(() => this.hands.chord(cell, event)),
      preview: (cell, chord) => this.hands.preview(cell, chord),
    });
  }

  get view() {
    return this.stage.view;
  }

  #redraw() {
    this.mineCells = null;
    this.view.paintAll(this.game.data.marks);
    this.view.showDoubts(this.game.data.questionMarks);
    this.help.refresh();
    this.#showEnd();
    this.panel.update(this.game);
  }

  /** The game has gone on elsewhere: it is shown as it stands, and what happened is said. */
  #reloaded(why) {
    this.#redraw();
    if (why) shout(sentence(why));
  }

  /** A board without guesses is searched for, and that takes a while. */
  #showDealing(on) {
    const words = "Looking for a board that needs no guess …";
    this.stage.tell(on ? [make("p", { text: words }), button({ text: "Stop", onclick: () => this.#stopDealing() })] : null);
    if (on) say(`${words} Escape stops it.`);
  }

  #stopDealing() {
    if (this.game.stop?.()) shout("Stopped: nothing was opened.");
  }

  #helped(figures) {
    Object.assign(this.game.state, figures);
    this.panel.update(this.game);
  }

  #changed(answer, { cell = null, stamp = null }) {
    const wasOver = this.ended;
    this.view.paint(answer.cells, answer.marks);
    this.help.refresh();
    if (this.game.over || wasOver) {
      this.mineCells = null;
      this.#showEnd();
    }
    this.panel.update(this.game);
    this.#animate(answer, cell, wasOver);
    this.#tell(answer, cell, wasOver);
    if (stamp !== null) measureToPaint("click to paint", stamp);
  }

  /** What a move looks and sounds like. */
  #animate({ cells, marks }, cell, wasOver) {
    const { outcome, exploded } = this.game.state;
    const opened = cells.filter((_, k) => marks[k] >= 0);
    if (opened.length) this.opened = opened;
    spread(this.view, opened, cell);
    if (cells.length === 1 && marks[0] === FLAG) plant(this.view, cells[0]);
    if (this.ended && !wasOver) {
      if (outcome === "lost") blast(this.view, exploded);
      else cheer(this.view, cell);
      sound(outcome);
    } else if (opened.length) sound(opened.length > 1 ? "area" : "open");
    else if (cells.length === 1) sound(marks[0] === FLAG ? "flag" : "unflag");
  }

  /** The risk on the cell that lost the game, and where the least was. */
  #showFatal({ cell, risk, least_risk: least, safest }) {
    if (this.mineCells || !this.ended) return;
    const safer = risk - least > 1e-9 && safest.length <= MOST_SHOWN ? safest : [];
    const labels = new Map(safer.map((other) => [other, percentLabel(least)]));
    this.stage.overlay.show({ labels, outlined: [...safer, cell] });
  }

  #closeAll() {
    this.#stopDealing();
    this.help.close();
    this.panel.end.close();
  }

  #showEnd() {
    const { outcome, exploded } = this.game.state;
    this.ended = outcome !== "playing";
    this.view.showEnd({
      exploded: exploded.filter((cell) => this.view.marks[cell] === COVERED),
      won: outcome === "won",
      mineCells: this.ended ? this.mineCells : null,
    });
    this.stage.grid.classList.toggle("ended", this.ended);
    if (this.ended) this.panel.end.show(this.game, this.view);
    else this.panel.end.clear();
    this.stage.spare(this.ended ? exploded : []);
    if (outcome === "lost" && setting("mines") && !this.mineCells) this.showMines();
  }

  #tell(answer, cell, wasOver) {
    const { outcome } = this.game.state;
    if (outcome !== "playing" && !wasOver) {
      shout(verdictOf(this.game.state), { toast: false });
      return;
    }
    const many = answer.cells.length > 1 ? `${answer.cells.length} cells changed. ` : "";
    const shown = cell ?? answer.cells[0];
    if (shown !== undefined) say(many + this.view.label(shown));
  }

  #turned() {
    if (document.visibilityState === "hidden") this.game?.pause();
    else if (this.game && !this.game.over) this.game.resume();
  }

  /** Settings were changed in the middle of a game. */
  #resettled() {
    this.panel.resettle();
    if (setting("noHelp")) this.help.close();
  }

  #besides(action) {
    this.game.inTurn(() => (this.panel.may(action) ? { action } : null));
  }

  #rules() {
    const { size, tiling, generator } = this.game?.data ?? {};
    return size ? { ...setting("game"), size, tiling, generator: generatorOf({ generator }) } : setting("game");
  }
}

/** The generator of a game; a game on a given layout has none. */
function generatorOf({ generator }) {
  return generator === "layout" ? "plain" : generator;
}
