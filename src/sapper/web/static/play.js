// The play view: a board, what can be done with it, and how it goes.

import * as api from "./api.js";
import { BLANK, BoardView, FLAG } from "./board.js";
import { make } from "./dom.js";
import { Game } from "./game.js";
import { Help } from "./hints.js";
import { cellAction, command, isTyping, step } from "./keys.js";
import { chooseGame } from "./new_game.js";
import { buildPanel } from "./play_panel.js";
import { listen } from "./pointer.js";
import { banner, say, shout } from "./say.js";
import { choose, setting } from "./settings.js";
import { openShare } from "./share.js";
import { Zoom } from "./zoom.js";

export async function showPlay(place, route) {
  const play = new Play(place);
  await play.open(route);
  return () => play.leave();
}

class Play {
  constructor(place) {
    this.commands = {
      new: () => this.start(this.#rules()),
      again: () => this.start({ again: this.game.id }),
      choose: () => chooseGame((request) => this.start(request)),
      undo: () => this.#besides("undo"),
      redo: () => this.#besides("redo"),
      continue: () => this.#besides("continue"),
      mines: () => this.showMines(),
      flagMode: () => this.#toggleFlagMode(),
      share: () => openShare(this.game),
      analyse: () => (location.hash = `#/analyse?game=${this.game.id}`),
      zoomIn: () => this.zoom.in(),
      zoomOut: () => this.zoom.out(),
      fit: () => this.zoom.fit(),
      help: () => (location.hash = "#/help"),
      hint: () => this.help.more(),
      odds: () => this.help.toggleOdds(),
      closeHelp: () => this.help.close(),
    };
    // Buttons and keys alike do what makes sense now, and nothing where no game could be opened.
    for (const [name, act] of Object.entries(this.commands)) {
      this.commands[name] = () => (this.panel.may(name) ? act() : undefined);
    }
    this.grid = make("div", { class: "grid" });
    this.stage = make("div", { class: "stage" }, this.grid);
    this.help = new Help({
      move: (action, cell) => this.game.move(action, cell, { cell }),
      figures: (figures) => this.#helped(figures),
      odds: (on) => this.panel.showOdds(on),
    });
    this.panel = buildPanel(this.commands, make("div", { class: "with-panel" }, this.stage, this.help.root));
    place.replaceChildren(this.panel.root);
    this.zoom = new Zoom(this.stage);
    this.panel.showFlagMode(setting("flagMode"));
    this.onKey = (event) => this.#key(event);
    // A phone that is locked, or closes the page from its list, says no more than "hidden".
    this.onHide = () => this.game?.pause();
    this.onShow = (event) => event.persisted && this.game?.resume();
    this.onTurn = () => this.#turned();
    document.addEventListener("keydown", this.onKey);
    window.addEventListener("pagehide", this.onHide);
    window.addEventListener("pageshow", this.onShow);
    document.addEventListener("visibilitychange", this.onTurn);
  }

  /** A game of the address: an id, a deal, a shared game; else the one touched last, else a new one. */
  async open({ id, words }) {
    if (words.has("game")) return this.start({ token: words.get("game") });
    if (words.has("size") || words.has("seed")) return this.start(Object.fromEntries(words));
    if (id) return this.#show(() => api.post(`/api/games/${encodeURIComponent(id)}/resume`));
    const { games } = await api.get("/api/games");
    const last = games[0];
    if (last && !last.over) return this.#show(() => api.post(`/api/games/${last.id}/resume`));
    return this.start(setting("game"));
  }

  start(request) {
    return this.#show(() => api.post("/api/games", request));
  }

  leave() {
    this.game?.pause();
    this.game?.close();
    this.panel.stop();
    this.help.stop();
    banner(null);
    document.removeEventListener("keydown", this.onKey);
    window.removeEventListener("pagehide", this.onHide);
    window.removeEventListener("pageshow", this.onShow);
    document.removeEventListener("visibilitychange", this.onTurn);
  }

  async showMines() {
    if (!this.game.over) return;
    try {
      const { mines } = await this.game.mines();
      this.mines = mines;
      this.#showEnd();
    } catch (error) {
      shout(error.message);
    }
  }

  async #show(fetch) {
    let data, shapes;
    try {
      data = await fetch();
      shapes = await api.board(data.board);
    } catch (error) {
      shout(error.message);
      if (!this.game) this.panel.showProblem(error.message, this.commands);
      return;
    }
    this.game?.pause();
    this.game?.close();
    this.game = new Game(data, {
      changed: (answer, cause) => this.#changed(answer, cause),
      reloaded: () => this.#redraw(),
      refused: (message) => shout(message),
      away: (away) => banner(away ? "The server does not answer. Trying again …" : null),
    });
    history.replaceState(null, "", `#/play/${data.id}`);
    if (data.size) choose("game", { size: data.size, tiling: data.tiling, rule: data.rule ?? "zero" });
    this.#draw(shapes, data);
  }

  #draw(shapes, data) {
    const keepsFocus = this.grid.contains(document.activeElement);
    const grid = make("div", { class: "grid" });
    this.grid.replaceWith(grid);
    this.grid = grid;
    this.view = new BoardView(grid, shapes, `Board of ${data.title}, ${data.mines} mines`);
    listen(this.view, {
      first: (cell, event) => this.game.inTurn(() => this.#first(cell, event)),
      second: (cell, event) => this.game.inTurn(() => this.#second(cell, event)),
      chord: (cell, event) => this.game.inTurn(() => this.#chord(cell, event)),
      preview: (cell, chord) => this.#preview(cell, chord),
    });
    this.zoom.show(this.view);
    this.stage.scrollTo(0, 0);
    this.panel.open(this.game, data);
    this.help.open(this.game, this.view);
    this.#redraw();
    if (keepsFocus) this.view.focus(this.view.current);
  }

  #redraw() {
    this.mines = null;
    this.view.paintAll(this.game.data.marks);
    this.#showEnd();
    this.panel.update(this.game);
    this.help.refresh();
  }

  #helped(figures) {
    Object.assign(this.game.state, figures);
    this.panel.update(this.game);
  }

  #changed(answer, { cell = null, stamp = null }) {
    const wasOver = this.ended;
    this.view.paint(answer.cells, answer.marks);
    if (this.game.over || wasOver) {
      this.mines = null;
      this.#showEnd();
    }
    this.panel.update(this.game);
    this.help.refresh();
    this.#tell(answer, cell, wasOver);
    if (stamp !== null) measure(stamp);
  }

  #showEnd() {
    const { outcome, exploded } = this.game.state;
    this.ended = outcome !== "playing";
    this.view.showEnd({
      exploded: exploded.filter((cell) => this.view.marks[cell] === BLANK),
      won: outcome === "won",
      mines: this.ended ? this.mines : null,
    });
    this.grid.classList.toggle("ended", this.ended);
    if (outcome === "lost" && setting("mines") && !this.mines) this.showMines();
  }

  #tell(answer, cell, wasOver) {
    const { outcome } = this.game.state;
    if (outcome !== "playing" && !wasOver) {
      shout(this.panel.verdict(this.game), { toast: false });
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

  #besides(action) {
    this.game.inTurn(() => (this.panel.may(action) ? { action } : null));
  }

  // What the two buttons, tap and long press, and the keys mean: a move, or null.

  #flagging() {
    return setting("flagMode") !== setting("swap");
  }

  #first(cell, event) {
    if (this.view.marks[cell] >= 0) return setting("chord") ? this.#chord(cell, event) : null;
    return this.#flagging() ? this.#flag(cell, event) : this.#reveal(cell, event);
  }

  #second(cell, event) {
    if (this.view.marks[cell] >= 0) return this.#chord(cell, event);
    return this.#flagging() ? this.#reveal(cell, event) : this.#flag(cell, event);
  }

  #reveal(cell, event) {
    return this.view.marks[cell] === BLANK ? this.#move("reveal", cell, event) : null;
  }

  #flag(cell, event) {
    const mark = this.view.marks[cell];
    return mark < 0 ? this.#move(mark === FLAG ? "unflag" : "flag", cell, event) : null;
  }

  #chord(cell, event) {
    const { marks } = this.view;
    const around = this.view.around(cell);
    const flags = around.filter((other) => marks[other] === FLAG).length;
    const blanks = around.some((other) => marks[other] === BLANK);
    if (marks[cell] < 0 || !blanks) return null;
    if (flags === marks[cell]) return this.#move("chord", cell, event);
    say(`${this.view.label(cell)}, ${flags} flags around it: no chord`);
    return null;
  }

  #move(action, cell, event) {
    return this.game.over ? null : { action, cell, cause: { cell, stamp: event.timeStamp } };
  }

  #preview(cell, chord) {
    if (this.game.over) return [];
    const open = this.view.marks[cell] >= 0;
    return chord || (open && setting("chord")) ? [cell, ...this.view.around(cell)] : [cell];
  }

  #key(event) {
    if (isTyping(event.target)) return;
    const onBoard = this.view && this.view.cellAt(event.target) !== null;
    if (onBoard && this.#boardKey(event)) return event.preventDefault();
    const name = command(event);
    if (name === null || !this.panel.may(name)) return;
    event.preventDefault();
    this.commands[name]();
  }

  #boardKey(event) {
    const next = step(this.view, event);
    if (next !== null) {
      this.view.focus(next);
      return true;
    }
    const action = cellAction(event);
    if (action === null) return false;
    const cell = this.view.current;
    this.view.focus(cell);
    // Keys say what they mean: flag mode is for fingers and buttons.
    this.game.inTurn(() => {
      if (action === "flag") return this.#flag(cell, event);
      const chord = action === "chord" || this.view.marks[cell] >= 0;
      return chord ? this.#chord(cell, event) : this.#reveal(cell, event);
    });
    return true;
  }

  #toggleFlagMode() {
    const on = !setting("flagMode");
    choose("flagMode", on);
    this.panel.showFlagMode(on);
    say(on ? "flag mode on" : "flag mode off");
  }

  #rules() {
    const { size, tiling, deal } = this.game?.data ?? {};
    return size ? { ...setting("game"), size, tiling, deal: deal === "layout" ? "plain" : deal } : setting("game");
  }
}

/** From the event to the frame after the paint, where the browser's own tools and the tests find it. */
function measure(stamp) {
  requestAnimationFrame(() =>
    setTimeout(() => {
      performance.measure("click to paint", { start: stamp, end: performance.now() });
      if (performance.getEntriesByName("click to paint").length > 500) performance.clearMeasures();
    }),
  );
}
