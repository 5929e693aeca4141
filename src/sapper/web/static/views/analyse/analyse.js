// The analysis view: any position, and all that follows from it.
//
// Every edit asks anew and drops the answer that was still on its way: the server hears that
// nobody waits for it any more, and stops. Board, lists and text are drawn from one answer.

import { probabilitiesOverlay } from "../../board/overlay.js";
import { Stage, entered } from "../../board/stage.js";
import { COVERED } from "../../board/view.js";
import * as api from "../../lib/api.js";
import { showAddress } from "../../lib/dom.js";
import { isTyping } from "../../lib/keys.js";
import { say, shout } from "../../lib/say.js";
import { choose, setting } from "../../lib/settings.js";
import { measureToPaint } from "../../lib/timing.js";
import { Editor, LOOK } from "./editor.js";
import { AnalysisPanel } from "./panel.js";

const WAIT = 20; // milliseconds after an edit: a drag asks once, not for every cell
const STALE = 60; // then probabilities that the edit has made stale, and that may hide it, are taken away
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
  return entered(view, view.start(route));
}

class Analyse {
  constructor(place) {
    this.trust = false;
    this.shaping = Promise.resolve();
    // Of each kind of question only the last one counts.
    this.reading = new api.Latest();
    this.analysing = new api.Latest();
    this.asking = new api.Latest();
    this.commands = {
      undo: () => this.editor.undo(),
      redo: () => this.editor.redo(),
      clear: () => this.editor.clear(),
      paintNumber: (cell, { key }) => this.editor.mark([cell], numberOf(key)),
      paintFlag: (cell) => this.editor.turn(cell),
      paintCovered: (cell) => this.editor.mark([cell], COVERED),
      tool: (tool) => this.#choose(tool),
      cancel: () => this.#cancel(),
      retry: () => this.#analyse(),
      reshape: (tiling, width, height) => this.#reshape(tiling, width, height),
      mines: (mines) => this.editor.setMines(mines),
      trust: (on) => this.#trust(on),
      read: (text) => this.#read(text),
      explain: (cell) => this.#explain(cell),
    };
    this.stage = new Stage("analyse", this.commands, {
      hands: (view) => this.editor.listen(view),
      looked: (cell) => cell !== null && this.#look(cell),
    });
    this.editor = new Editor(this.stage, {
      changed: () => this.#changed(),
      asked: (cell) => this.#explain(cell),
      opened: () => this.#opened(),
    });
    this.panel = new AnalysisPanel(this.commands, this.stage);
    place.replaceChildren(this.panel.root);
    document.addEventListener("paste", (event) => this.#paste(event), { signal: this.stage.gone.signal });
  }

  /** The position of the address: a link, a game; else the one of last time, else an example. */
  async start({ words }) {
    this.panel.fill(await api.menu());
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
    for (const questions of [this.reading, this.analysing, this.asking]) questions.drop();
    clearTimeout(this.timer);
    clearTimeout(this.stale);
    this.panel.stop();
    this.stage.leave();
  }

  async #open(request) {
    const position = await api.readPosition(request);
    if (this.left) return;
    this.panel.showText(position.text);
    await this.editor.open(position);
  }

  async #read(text) {
    try {
      const position = await this.reading.ask((signal) => api.readPosition(requestOf(text), signal));
      if (position === null) return;
      this.panel.wasRead(text);
      this.panel.showProblem(null);
      await this.editor.open(position);
    } catch (error) {
      this.panel.showProblem(error.message);
      say(error.message);
    }
  }

  /** Another board, one after another: what a second change keeps is what the first one made. */
  #reshape(tiling, width, height) {
    this.shaping = this.shaping.then(() => this.#reshapeNow(tiling, width, height));
  }

  async #reshapeNow(tiling, width, height) {
    const { position, view } = this.editor;
    const { size, mines } = position;
    const marks = new Array(width * height).fill(COVERED);
    // What is painted stays where it is, as far as the new board reaches.
    if (size)
      for (let row = 0; row < Math.min(height, size[1]); row++)
        for (let column = 0; column < Math.min(width, size[0]); column++)
          marks[row * width + column] = view.marks[row * size[0] + column];
    const board = `${tiling} ${width}x${height}`;
    try {
      const shapes = await api.shapesOf(tiling, width, height);
      await this.editor.open({ board, shapes, tiling, size: [width, height], marks, mines });
      this.panel.showProblem(null);
    } catch (error) {
      shout(error.message);
      this.panel.showPosition(this.editor);
    }
  }

  #opened() {
    this.answer = null;
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
    // An edit on the board comes after what was typed, unless that is still on its way.
    if (!this.panel.isTyping && !this.reading.running) this.panel.forgetTyped();
    this.analysing.drop();
    this.asking.drop();
    this.answer = null;
    this.proof = null;
    this.panel.showPosition(this.editor);
    this.panel.busy(true);
    this.stale ??= setTimeout(() => this.stage.overlay.wipe(), STALE);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#analyse(), WAIT);
  }

  async #analyse() {
    const { edited } = this;
    try {
      const asked = this.analysing.ask((signal) => api.analysis(this.#request(), signal));
      const answer = await api.noticed(asked, SHOW_WORK, () => this.panel.showWork(performance.now()));
      if (answer !== null) this.#show(answer, edited);
    } catch (error) {
      this.#fail(error.message);
    }
  }

  #cancel() {
    if (this.analysing.drop()) this.#fail("stopped");
  }

  #fail(message) {
    this.panel.busy(false);
    this.stage.overlay.clear();
    this.panel.showFailure(message);
    say(message);
  }

  #request() {
    return { ...this.editor.request(), trust_flags: this.trust };
  }

  #show(answer, edited) {
    this.answer = answer;
    clearTimeout(this.stale);
    this.stale = null;
    this.panel.busy(false);
    this.panel.showAnswer(answer, this.editor.view);
    this.#draw();
    this.#keep(answer);
    if (this.stage.grid.contains(document.activeElement)) this.#look(this.editor.view.current, true);
    measureToPaint("edit to probabilities", edited);
  }

  /** The overlay: probabilities, then what is looked at, or the numbers that clash. */
  #draw() {
    const { answer, proof } = this;
    const { overlay } = this.stage;
    if (answer.contradiction) {
      const { numbers } = answer.contradiction;
      const notes = new Map(numbers.map((cell) => [cell, "cannot be right"]));
      return overlay.show({ grounds: new Map(numbers.map((cell) => [cell, "lost"])), outlined: numbers, notes });
    }
    const drawn = probabilitiesOverlay(this.editor.view, answer.cells, answer.probabilities, answer.guess?.cell ?? null);
    if (proof) {
      for (const cell of proof.numbers) {
        drawn.grounds.set(cell, "proof");
        drawn.notes.set(cell, "used in the proof");
      }
      drawn.outlined = [...proof.numbers, proof.cell];
    }
    overlay.show(drawn);
  }

  /** The address and this browser remember the position. */
  #keep(answer) {
    if (answer.text.length <= MOST_KEPT) choose("position", answer.text);
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => showAddress(this.stage.root, answer.link ?? "#/analyse"), 300);
  }

  // One cell: its probabilities, the numbers that it may show, the proof of what it is.

  async #look(cell, again = false) {
    if (!this.answer || this.answer.contradiction || (cell === this.looking && !again)) return;
    if (this.proof && !again) return;
    this.looking = cell;
    this.panel.showCell(this.editor.view, this.answer, cell);
    if (!this.answer.cells.includes(cell)) return;
    // A pointer on its way over the board asks for nothing.
    await new Promise((done) => setTimeout(done, REST));
    if (this.looking !== cell || !this.answer) return;
    const found = await this.#askAbout(api.valuesIn, cell);
    if (found) this.panel.showValues(found);
  }

  async #explain(cell) {
    if (!this.answer) return;
    const { safe, certain_mines: mines, contradiction } = this.answer;
    const had = this.proof;
    this.proof = null;
    if (had) this.#draw();
    await this.#look(cell, true);
    if (contradiction || !(safe.includes(cell) || mines.includes(cell))) return;
    const proof = await this.#askAbout(api.proofIn, cell);
    if (!proof || !this.answer) return;
    this.proof = proof;
    this.#draw();
    this.stage.bringIntoSight([proof.cell, ...proof.numbers]);
    this.panel.showProof(proof, this.editor.view);
    say(proof.text);
  }

  /** The answer to a question about a cell; null where another was asked since. */
  async #askAbout(question, cell) {
    try {
      return await this.asking.ask((signal) => question({ ...this.#request(), cell }, signal));
    } catch (error) {
      this.panel.showCellProblem(error.message);
      return null;
    }
  }

  #paste(event) {
    if (isTyping(event.target)) return;
    const text = event.clipboardData?.getData("text") ?? "";
    if (!text.trim()) return;
    event.preventDefault();
    this.#read(text);
  }
}

/** The number that a key stands for. */
function numberOf(key) {
  return key === "." ? 0 : Number.parseInt(key, 13);
}

/** The request for what the user gave: a link to this page, or text. */
function requestOf(text) {
  const words = new URLSearchParams(/#\/analyse\?(\S+)/.exec(text)?.[1] ?? "");
  return words.has("position") ? { token: words.get("position") } : { text };
}
