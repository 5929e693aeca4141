// The play view.

import { playExplosion, playFlag, playOpening, playSound, playWin } from "../../board/effects.js";
import { drawCertain, emptyDrawing } from "../../board/overlay.js";
import { listenToPresses } from "../../board/pointer.js";
import { Stage } from "../../board/stage.js";
import { COVERED, describeRevealed, FLAG, nextObviousNumber } from "../../board/view.js";
import { EvaluationBar } from "../../board/win_chances.js";
import { announce, notify, reportErrors, showBanner } from "../../lib/announce.js";
import * as api from "../../lib/api.js";
import { button, make, setAddress } from "../../lib/dom.js";
import { percentLabel, toSentence } from "../../lib/format.js";
import { saveSetting, setting } from "../../lib/settings.js";
import { openNewGameDialog, openShare } from "./dialogs.js";
import { outcomeText } from "./end_card.js";
import { Game, MoveInput, reportPlaying, setWindowGame, windowGame } from "./game.js";
import { HintPanel } from "./hints.js";
import { levelsWithButtons, Panel } from "./panel.js";

// Commands that are disabled while another game is being loaded.
const GAME_COMMANDS = [
  "again",
  "undo",
  "redo",
  "continue",
  "showMines",
  "share",
  "analyse",
  "hint",
  "probabilities",
  "sayLeft",
  "sayOpened",
  "nextNumber",
];
const REPORT_INTERVAL = 2000; // milliseconds between two reports while the clock runs
const NO_RESPONSE = "The server does not respond. Trying again …";
const WILL_RETRY = "The server does not respond. Your move will be made as soon as it does.";
const MAX_SAFEST = 12; // cells of least risk that are marked after a loss

export async function show(root, route) {
  await new Play(root, await api.menu(), route.signal).open(route);
}

class Play {
  constructor(root, menu, signal) {
    const levels = levelsWithButtons(menu);
    this.commands = {
      new: () => this.start(this.#rules()),
      ...Object.fromEntries(Object.keys(levels).map((level) => [level, () => this.#startLevel(level)])),
      noGuess: () => this.start({ ...this.#rules(), generator: this.game?.isNoGuess ? "plain" : "no-guess" }),
      again: () => this.start({ repeat: this.game.id }),
      choose: () => openNewGameDialog(menu, (request) => this.#load(() => api.newGame(request))),
      undo: () => this.#send("undo"),
      redo: () => this.#send("redo"),
      continue: () => this.#send("continue"),
      showMines: () => this.showMines(),
      share: () => openShare(this.game),
      analyse: () => (location.hash = `#/analyse?game=${this.game.id}`),
      help: () => (location.hash = "#/help"),
      hint: () => this.hints.showMore(),
      probabilities: () => this.hints.toggleProbabilities(),
      closeHelp: () => this.#closePanels(),
      sayLeft: () => announce(this.panel.statusText()),
      sayOpened: () => announce(describeRevealed(this.view, this.lastRevealed)),
      nextNumber: (_, { shiftKey }) => this.#nextNumber(shiftKey),
      // Flag mode does not affect keys.
      reveal: (cell) => this.#enqueue(() => this.input.reveal(cell)),
      flag: (cell) => this.#enqueue(() => this.input.flag(cell)),
      chord: (cell) => this.#enqueue(() => this.input.chord(cell)),
    };
    this.input = new MoveInput(this);
    this.loading = null; // a promise while another game is being loaded
    const isEnabled = (name) =>
      this.game && this.loading ? !GAME_COMMANDS.includes(name) : this.panel.isEnabled(name);
    for (const [name, command] of Object.entries(this.commands)) {
      this.commands[name] = (...args) => (isEnabled(name) ? command(...args) : undefined);
    }
    const dock = make("div.dock");
    const evaluation = new EvaluationBar(signal);
    this.stage = new Stage("play", this.commands, signal, {
      isEnabled,
      dock,
      evaluation,
      listen: (view) => this.#listen(view),
      onPointedCell: (cell) => this.hints.showCell(cell),
    });
    this.hints = new HintPanel(this.stage, evaluation, menu.hint_details, {
      makeMove: (action, cell) =>
        this.game.enqueue(() => (this.view.marks[cell] === COVERED ? this.input.move(action, cell) : null)),
      figures: (figures) => {
        Object.assign(this.game.state, figures);
        this.panel.update(this.game);
      },
      probabilities: (on) => this.panel.showProbabilities(on),
    });
    dock.append(this.hints.root);
    this.panel = new Panel(levels, this.stage, dock, (fatal) => {
      this.fatal = fatal;
      this.#drawFatal();
    });
    root.replaceChildren(this.panel.root);
    const report = () => this.game?.state.running && !this.game.isOffline && reportPlaying();
    this.reports = setInterval(report, REPORT_INTERVAL);
    signal.addEventListener("abort", () => this.#leave());
    // When a phone is locked or closes the page, "hidden" may be the last event.
    window.addEventListener("pagehide", () => this.game?.pause(), { signal });
    window.addEventListener("pageshow", (event) => event.persisted && this.game?.resume(), { signal });
    document.addEventListener("visibilitychange", () => this.#visibilityChanged(), { signal });
    document.addEventListener("settingschange", () => this.#settingsChanged(), { signal });
  }

  /**
   * Open the game in the address (an id, rules or a shared game), else the game of this window, else a new
   * one.
   */
  async open({ id, query }) {
    if (query.has("game")) return this.start({ token: query.get("game") });
    if (query.has("size") || query.has("seed")) return this.start(Object.fromEntries(query));
    const gameId = id ?? (await windowGame());
    return gameId === null ? this.start(setting("game")) : this.#show(() => api.resumeGame(gameId));
  }

  start(request) {
    return this.#show(() => api.newGame(request));
  }

  #leave() {
    this.latestLoad = null;
    this.loading = null; // a click may be waiting for the game
    this.game?.pause();
    this.game?.close();
    clearInterval(this.reports);
    showBanner(null);
  }

  async showMines() {
    const { game } = this;
    const { events } = game.state;
    await reportErrors(async () => {
      const mineCells = await game.mineCells();
      if (this.game !== game || game.state.events !== events) return; // the game has continued
      this.mineCells = mineCells;
      this.#showEnd();
      this.#drawFatal();
    });
  }

  /** Show a game, or an error message. */
  async #show(request) {
    try {
      await this.#load(request);
    } catch (error) {
      // Before the first game is shown, main.js retries.
      if (!this.game && api.isTransient(error)) throw error;
      notify(error.message, { toast: this.game !== undefined });
      if (!this.game) this.#showProblem(error.message);
    }
  }

  #showProblem(message) {
    this.stage.showMessage([
      make("h2", "This game cannot be opened"),
      make("p", toSentence(message)),
      make(
        "div.message-actions",
        button({ text: "New game", class: "primary", onclick: this.commands.new }),
        button({ text: "Choose a game", onclick: this.commands.choose }),
      ),
    ]);
  }

  /** Show a game once it is loaded, unless another one was requested since or the view was left. */
  #load(request) {
    const load = (this.latestLoad = {});
    const isCurrent = () => load === this.latestLoad && this.panel.root.isConnected;
    const end = () => {
      if (load === this.latestLoad) this.loading = null;
    };
    this.loading = this.#fetchAndDraw(request, isCurrent).finally(end);
    return this.loading;
  }

  async #fetchAndDraw(request, isCurrent) {
    let data, shapes;
    try {
      data = await request();
      shapes = await api.shapes(data.board);
    } catch (error) {
      if (isCurrent()) throw error;
    }
    if (!isCurrent()) return;
    this.game?.pause();
    this.game?.close();
    this.game = new Game(data, {
      changed: (response, cause) => this.#changed(response, cause),
      reloaded: (reason) => this.#reloaded(reason),
      refused: (message) => notify(message),
      generating: (on) => this.#showGenerating(on),
      offline: (offline, hasMove) => showBanner(offline ? (hasMove ? WILL_RETRY : NO_RESPONSE) : null),
    });
    setAddress(this.panel.root, `#/play/${data.id}`);
    this.game.registered = setWindowGame(data.id);
    this.game.registered.then((others) => others && notify("This game is also open in another window."));
    const { size, tiling, rule } = data;
    if (size) saveSetting("game", { size, tiling, rule: rule ?? "zero", generator: generatorOf(data) });
    this.#draw(shapes, data);
  }

  /**
   * Make a move after the responses to those before it. A click while another game is being loaded is
   * meant for that one: it waits, and is dropped if the board is a different one.
   */
  async #enqueue(decide) {
    const { data } = this.view;
    const previous = this.loading && this.game;
    while (this.loading) await this.loading.catch(() => {});
    if (this.game !== previous && this.view.data === data) return this.game.enqueue(decide);
  }

  #draw(shapes, data) {
    this.stage.showMessage(null);
    this.hints.open(this.game);
    this.panel.end.clear();
    this.panel.open(this.game, data);
    this.stage.show(shapes, { title: `Board of ${data.title}, ${data.mines} mines` });
    this.lastRevealed = [];
    this.#redraw();
    this.#announceGame(data);
  }

  #announceGame({ title, mines, state }) {
    const { rows, columns } = this.view;
    const size = this.view.data.names ? `${this.view.count} cells` : `${rows} rows, ${columns} columns`;
    const prefix = state.events ? "Game" : "New game";
    announce(`${prefix}: ${title}, ${size}, ${mines} mines. ${state.events ? this.panel.statusText() : ""}`);
  }

  #nextNumber(back) {
    const number = nextObviousNumber(this.view, this.view.current, back);
    if (!number) return announce("No number has an obvious move.");
    this.view.focus(number.cell);
    announce(`${this.view.label(number.cell)}: ${number.text}`);
  }

  #listen(view) {
    listenToPresses(view, {
      primary: (cell) => this.#enqueue(() => this.input.primary(cell)),
      secondary: (cell) => this.#enqueue(() => this.input.secondary(cell)),
      chord: (cell) => this.#enqueue(() => this.input.chord(cell)),
      preview: (cell, chord) => this.input.preview(cell, chord),
    });
  }

  get view() {
    return this.stage.view;
  }

  #redraw() {
    this.mineCells = null;
    this.view.paintAll(this.game.data.marks);
    this.view.showQuestionMarks(this.game.data.question_marks);
    this.hints.refresh();
    this.#showEnd();
    this.panel.update(this.game);
  }

  #reloaded(reason) {
    this.#redraw();
    if (reason) notify(toSentence(reason));
  }

  /** Show or hide the message that a no-guess layout is being generated. */
  #showGenerating(on) {
    const text = "Generating a no-guess board …";
    const stop = button({ text: "Stop", onclick: () => this.#stopGenerating() });
    this.stage.showMessage(on ? [make("p", text), stop] : null);
    if (on) announce(`${text} Press Escape to stop.`);
  }

  #stopGenerating() {
    if (this.game.cancelGeneration?.()) notify("Stopped: no cell was revealed.");
  }

  #changed(response, { cell = null }) {
    const wasOver = this.ended;
    this.view.paint(response.cells, response.marks);
    this.hints.refresh();
    if (this.game.over || wasOver) {
      this.mineCells = null;
      this.#showEnd();
    }
    this.panel.update(this.game);
    this.#animate(response, cell, wasOver);
    this.#announceMove(response, cell, wasOver);
  }

  /** Play the animation and the sound of a move. */
  #animate({ cells, marks }, cell, wasOver) {
    const { outcome, exploded } = this.game.state;
    const revealed = cells.filter((_, k) => marks[k] >= 0);
    if (revealed.length) this.lastRevealed = revealed;
    playOpening(this.view, revealed, cell);
    if (cells.length === 1 && marks[0] === FLAG) playFlag(this.view, cells[0]);
    if (this.ended && !wasOver) {
      if (outcome === "lost") playExplosion(this.view, exploded);
      else playWin(this.view, cell);
      playSound(outcome);
    } else if (revealed.length) playSound(revealed.length > 1 ? "opening" : "reveal");
    else if (cells.length === 1) playSound(marks[0] === FLAG ? "flag" : "unflag");
  }

  /** Mark the fatal cell, and the cells of least risk. */
  #drawFatal() {
    if (!this.ended || !this.fatal) return;
    const { cell, risk, least_risk: least, safest } = this.fatal;
    const safer = risk - least > 1e-9 && safest.length <= MAX_SAFEST ? safest : [];
    // A mine that is shown has no space for a label.
    const labelled = safer.filter((other) => !this.mineCells?.includes(other));
    const drawing = { ...emptyDrawing(), outlined: [cell] };
    for (const other of labelled) {
      if (least === 0) drawCertain(drawing, other, false);
      else drawing.labels.set(other, percentLabel(least));
    }
    if (least > 0) drawing.outlined.push(...safer);
    this.stage.overlay.show(drawing);
  }

  #closePanels() {
    this.#stopGenerating();
    this.hints.close();
    this.panel.end.close();
  }

  #showEnd() {
    const { outcome, exploded } = this.game.state;
    this.ended = outcome !== "playing";
    if (!this.ended) this.fatal = null;
    this.view.showEnd({ exploded, won: outcome === "won", mineCells: this.ended ? this.mineCells : null });
    this.stage.grid.classList.toggle("ended", this.ended);
    if (this.ended) this.panel.end.show(this.game);
    else this.panel.end.clear();
    if (this.ended) this.stage.keepVisible(exploded);
    if (outcome === "lost" && setting("showMines") && !this.mineCells) this.showMines();
  }

  #announceMove({ cells }, cell, wasOver) {
    const { outcome } = this.game.state;
    if (outcome !== "playing" && !wasOver) return notify(outcomeText(this.game.state), { toast: false });
    const changed = cells.length > 1 ? `${cells.length} cells changed. ` : "";
    const announced = cell ?? cells[0];
    if (announced !== undefined) announce(changed + this.view.label(announced));
  }

  #visibilityChanged() {
    if (document.visibilityState === "hidden") this.game?.pause();
    else if (this.game && !this.game.over) this.game.resume();
  }

  #settingsChanged() {
    this.panel.applySettings();
    if (setting("noHelp")) this.hints.close();
  }

  #send(action) {
    this.game.enqueue(() => (this.panel.isEnabled(action) ? { action } : null));
  }

  /** Start a level, on a square board and with the other rules of the last game. */
  #startLevel(size) {
    return this.start({ ...this.#rules(), size, tiling: "square" });
  }

  #rules() {
    const { size, tiling } = this.game?.data ?? {};
    return size ? { ...setting("game"), size, tiling, generator: generatorOf(this.game.data) } : setting("game");
  }
}

/** The generator of a game; a game on a given layout has none. */
function generatorOf({ generator }) {
  return generator === "layout" ? "plain" : generator;
}
