// The analysis view: any position, and all that follows from it.
//
// Every edit asks anew and drops the answer that was still on its way: the server hears that
// nobody waits for it any more, and stops. Board, lists and text are drawn from one answer.

import { AnalysisPanel } from "./analyse_panel.js";
import * as api from "./api.js";
import { BLANK } from "./board.js";
import { make } from "./dom.js";
import { Editor, LOOK } from "./editor.js";
import { isTyping } from "./keys.js";
import { oddsOverlay } from "./overlay.js";
import { say, shout } from "./say.js";
import { choose, setting } from "./settings.js";
import { Zoom } from "./zoom.js";

const WAIT = 20; // milliseconds after an edit: a drag asks once, not for every cell
const STALE = 60; // then odds that the edit has made stale, and that may hide it, are taken away
const SHOW_WORK = 180; // a quick answer needs no notice that it is being made
const REST = 40; // a pointer that rests so long on a cell looks at it
const MOST_KEPT = 30000; // letters of a position that this browser remembers

const EXAMPLE = `mines: 10
#########
#########
#########
###1112##
###1..111
###1.....
###21....
####1....
####1....
`;

export async function showAnalyse(place, route) {
  const view = new Analyse(place);
  await view.start(route);
  return () => view.leave();
}

class Analyse {
  constructor(place) {
    this.commands = {
      undo: () => this.editor.undo(),
      redo: () => this.editor.redo(),
      clear: () => this.editor.mark([...this.editor.view.marks.keys()], BLANK),
      tool: (tool) => this.#choose(tool),
      cancel: () => this.#cancel(),
      retry: () => this.#analyse(),
      reshape: (tiling, width, height) => this.#reshape(tiling, width, height),
      mines: (mines) => this.editor.setMines(mines),
      trust: (on) => this.#trust(on),
      read: (text) => this.#read(text),
      explain: (cell) => this.#explain(cell),
      zoomIn: () => this.zoom.in(),
      zoomOut: () => this.zoom.out(),
      fit: () => this.zoom.fit(),
    };
    this.trust = false;
    this.stage = make("div", { class: "stage" });
    this.panel = new AnalysisPanel(this.commands, this.stage);
    place.replaceChildren(this.panel.root);
    this.zoom = new Zoom(this.stage);
    this.editor = new Editor(this.stage, {
      changed: () => this.#changed(),
      looked: (cell) => this.#look(cell),
      asked: (cell) => this.#explain(cell),
      opened: (view) => this.#opened(view),
    });
    this.onKey = (event) => this.#key(event);
    this.onPaste = (event) => this.#paste(event);
    document.addEventListener("keydown", this.onKey);
    document.addEventListener("paste", this.onPaste);
  }

  /** The position of the address: a link, a game; else the one of last time, else an example. */
  async start({ words }) {
    await this.panel.fill(await api.menu());
    const request = words.has("position")
      ? { token: words.get("position") }
      : words.has("game")
        ? { game: words.get("game") }
        : { text: setting("position") ?? EXAMPLE };
    try {
      await this.#open(request);
    } catch (error) {
      shout(error.message);
      await this.#open({ text: EXAMPLE });
      this.panel.showProblem(error.message);
    }
    this.panel.showTool(LOOK);
    this.panel.text.readOnly = false;
  }

  leave() {
    this.left = true;
    this.run?.abort();
    this.ask?.abort();
    clearTimeout(this.timer);
    clearTimeout(this.stale);
    this.panel.stop();
    document.removeEventListener("keydown", this.onKey);
    document.removeEventListener("paste", this.onPaste);
  }

  async #open(request) {
    const position = await api.post("/api/position", request);
    if (this.left) return;
    this.panel.showText(position.text);
    await this.editor.open(position);
  }

  async #read(text) {
    this.reading?.abort();
    const reading = (this.reading = new AbortController());
    try {
      const position = await api.post("/api/position", requestOf(text), reading.signal);
      if (this.left || this.reading !== reading) return;
      this.panel.showProblem(null);
      await this.editor.open(position);
    } catch (error) {
      if (error.name === "AbortError") return;
      this.panel.showProblem(error.message);
      say(error.message);
    }
  }

  async #reshape(tiling, width, height) {
    const { version } = await api.menu();
    const { size } = this.editor.position;
    const old = this.editor.view.marks;
    const marks = new Array(width * height).fill(BLANK);
    // What is painted stays where it is, as far as the new board reaches.
    if (size)
      for (let row = 0; row < Math.min(height, size[1]); row++)
        for (let column = 0; column < Math.min(width, size[0]); column++)
          marks[row * width + column] = old[row * size[0] + column];
    const position = {
      board: `${tiling} ${width}x${height}`,
      shapes: `/api/boards/${tiling}/${width}x${height}?v=${version}`,
      tiling,
      size: [width, height],
      marks,
      mines: this.editor.position.mines,
    };
    try {
      await this.editor.open(position);
      this.panel.showProblem(null);
    } catch (error) {
      shout(error.message);
      this.panel.showPosition(this.editor);
    }
  }

  #opened(view) {
    this.answer = null;
    this.zoom.show(view);
    this.stage.scrollTo(0, 0);
    view.host.addEventListener("focusin", () => this.#look(view.current));
    view.host.addEventListener("pointerover", (event) => {
      const cell = view.cellAt(event.target);
      if (event.pointerType === "mouse" && event.buttons === 0 && cell !== null) this.#look(cell);
    });
    this.panel.opened(this.editor);
  }

  #choose(tool) {
    this.editor.choose(tool);
    this.panel.showTool(tool);
  }

  #trust(on) {
    this.trust = on;
    this.#changed();
  }

  // One analysis at a time: the last edit's.

  #changed() {
    this.edited = performance.now();
    this.run?.abort();
    this.ask?.abort();
    this.answer = null;
    this.proof = null;
    this.panel.showPosition(this.editor);
    this.panel.busy(true);
    this.stale ??= setTimeout(() => this.editor.overlay.wipe(), STALE);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#analyse(), WAIT);
  }

  async #analyse() {
    const run = (this.run = new AbortController());
    const { edited } = this;
    const notice = setTimeout(() => this.panel.showWork(performance.now()), SHOW_WORK);
    try {
      const request = { ...this.editor.request(), trust_flags: this.trust };
      const answer = await api.post("/api/analysis", request, run.signal);
      if (this.run === run) this.#show(answer, edited);
    } catch (error) {
      if (this.run !== run || error.name === "AbortError") return;
      this.editor.overlay.clear();
      this.panel.showFailure(error.message);
      say(error.message);
    } finally {
      clearTimeout(notice);
      if (this.run === run) this.panel.busy(false);
    }
  }

  #cancel() {
    const { run } = this;
    this.run = null;
    run?.abort();
    if (!run) return;
    this.panel.busy(false);
    this.editor.overlay.clear();
    this.panel.showFailure("stopped");
    say("stopped");
  }

  #show(answer, edited) {
    this.answer = answer;
    clearTimeout(this.stale);
    this.stale = null;
    this.panel.showAnswer(answer, this.editor);
    this.#draw();
    this.#keep(answer);
    if (this.editor.grid.contains(document.activeElement)) this.#look(this.editor.view.current, true);
    measure(edited);
  }

  /** The overlay: odds, then what is looked at, or the hints that clash. */
  #draw() {
    const { answer, proof } = this;
    const { overlay } = this.editor;
    if (answer.contradiction) {
      const { hints } = answer.contradiction;
      const notes = new Map(hints.map((cell) => [cell, "cannot hold"]));
      return overlay.show({ grounds: new Map(hints.map((cell) => [cell, "lost"])), outlined: hints, notes });
    }
    const drawn = oddsOverlay(answer.cells, answer.odds);
    drawn.outlined = answer.guess ? [answer.guess.cell] : [];
    if (answer.guess) drawn.notes.set(answer.guess.cell, `${drawn.notes.get(answer.guess.cell)}, best guess`);
    if (proof) {
      for (const cell of proof.hints) {
        drawn.grounds.set(cell, "proof");
        drawn.notes.set(cell, "used in the proof");
      }
      drawn.outlined = [...proof.hints, proof.cell];
    }
    overlay.show(drawn);
  }

  /** The address and this browser remember the position. */
  #keep(answer) {
    if (answer.text.length <= MOST_KEPT) choose("position", answer.text);
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => {
      if (!this.left) history.replaceState(null, "", answer.link ?? "#/analyse");
    }, 300);
  }

  // One cell: its odds, the numbers that it may show, the proof of what it is.

  async #look(cell, again = false) {
    if (!this.answer || this.answer.contradiction || (cell === this.looking && !again)) return;
    if (this.proof && !again) return;
    this.looking = cell;
    this.panel.showCell(this.editor, this.answer, cell);
    if (!this.answer.cells.includes(cell)) return;
    // A pointer on its way over the board asks for nothing.
    await new Promise((done) => setTimeout(done, REST));
    if (this.looking !== cell || !this.answer) return;
    const found = await this.#askAbout("numbers", cell);
    if (found) this.panel.showNumbers(found);
  }

  async #explain(cell) {
    if (!this.answer) return;
    const { reveal, flag, contradiction } = this.answer;
    const had = this.proof;
    this.proof = null;
    if (had) this.#draw();
    await this.#look(cell, true);
    if (contradiction || !(reveal.includes(cell) || flag.includes(cell))) return;
    const proof = await this.#askAbout("proof", cell);
    if (!proof || !this.answer) return;
    this.proof = proof;
    this.#draw();
    this.panel.showProof(proof, this.editor);
    say(proof.text);
  }

  /** The answer to a question about a cell; null where another was asked since. */
  async #askAbout(what, cell) {
    this.ask?.abort();
    const ask = (this.ask = new AbortController());
    const request = { ...this.editor.request(), trust_flags: this.trust, cell };
    try {
      const found = await api.post(`/api/analysis/${what}`, request, ask.signal);
      return this.ask === ask ? found : null;
    } catch (error) {
      if (error.name !== "AbortError") this.panel.showCellProblem(error.message);
      return null;
    }
  }

  #key(event) {
    if (!this.editor.view || isTyping(event.target)) return;
    const onBoard = this.editor.view.cellAt(event.target) !== null;
    if (onBoard && this.editor.key(event)) return event.preventDefault();
    const name = command(event);
    if (name === null) return;
    event.preventDefault();
    this.commands[name]();
  }

  #paste(event) {
    if (isTyping(event.target)) return;
    const text = event.clipboardData?.getData("text") ?? "";
    if (!text.trim()) return;
    event.preventDefault();
    this.#read(text);
  }
}

function command(event) {
  const key = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey) {
    if (key === "z") return event.shiftKey ? "redo" : "undo";
    return key === "y" ? "redo" : null;
  }
  if (event.altKey) return null;
  return { u: "undo", r: "redo", "+": "zoomIn", "=": "zoomIn", "-": "zoomOut", escape: "cancel" }[key] ?? null;
}

/** The request for what the user gave: a link to this page, or text. */
function requestOf(text) {
  const words = new URLSearchParams(/#\/analyse\?(\S+)/.exec(text)?.[1] ?? "");
  return words.has("position") ? { token: words.get("position") } : { text };
}

/** From the edit to the frame after the paint, where the browser's own tools and the tests find it. */
function measure(start) {
  requestAnimationFrame(() =>
    setTimeout(() => {
      performance.measure("edit to odds", { start, end: performance.now() });
      if (performance.getEntriesByName("edit to odds").length > 500) performance.clearMeasures();
    }),
  );
}
