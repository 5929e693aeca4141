// The analyse view: edit any position and see its analysis.
//
// Every edit requests a new analysis and cancels the previous request, so that the server stops working
// on it. Board, lists and text show one response.

import { drawNumbers } from "../../board/hints.js";
import { emptyDrawing } from "../../board/overlay.js";
import { Stage } from "../../board/stage.js";
import { COVERED } from "../../board/view.js";
import { EvaluationBar } from "../../board/win_chances.js";
import { announce, notify } from "../../lib/announce.js";
import * as api from "../../lib/api.js";
import { setAddress } from "../../lib/dom.js";
import { acceptPictures } from "../../lib/files.js";
import { isTyping } from "../../lib/keys.js";
import { saveSetting, setting } from "../../lib/settings.js";
import { parametersIn } from "../../lib/widgets.js";
import { CertificateList } from "./certificate.js";
import { Editor, SELECT } from "./editor.js";
import { AnalysisPanel } from "./panel.js";
import { PictureReader } from "./picture.js";

// All in milliseconds:
const EDIT_DELAY = 20; // from an edit to its request, so that a drag is one request
const STALE_DELAY = 60; // before outdated probabilities are removed
const HOVER_DELAY = 40; // before the numbers that the cell under the pointer may show are requested
const ADDRESS_DELAY = 300; // before the address changes
const MAX_STORED = 30000; // characters of a position that the browser stores

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

export async function show(root, route) {
  await new Analyse(root, route.signal).start(route);
}

class Analyse {
  constructor(root, signal) {
    this.signal = signal;
    this.trustFlags = false;
    this.reshapes = Promise.resolve();
    this.readRequest = new api.LatestRequest(signal);
    this.analysisRequest = new api.LatestRequest(signal);
    this.cellRequest = new api.LatestRequest(signal);
    this.commands = {
      undo: () => this.editor.undo(),
      redo: () => this.editor.redo(),
      clear: () => this.editor.clear(),
      paintNumber: (cell, { key }) => this.editor.mark([cell], numberOfKey(key)),
      paintFlag: (cell) => this.editor.toggleFlag(cell),
      paintCovered: (cell) => this.editor.mark([cell], COVERED),
      tool: (tool) => this.#choose(tool),
      cancel: () => this.#cancel(),
      retry: () => this.#analyse(),
      reshape: (tiling, width, height) => this.#reshape(tiling, width, height),
      mines: (mines) => this.editor.setMines(mines),
      trustFlags: (on) => this.#setTrustFlags(on),
      read: (text) => this.#read(text),
      explain: (cell) => this.#explain(cell),
      winChances: (moves, onLine, signal) => api.winChanceIn({ ...this.#request(), moves }, onLine, signal),
    };
    this.evaluation = new EvaluationBar(signal);
    this.stage = new Stage("analyse", this.commands, signal, {
      listen: (view) => this.editor.listen(view),
      onPointedCell: (cell) => cell !== null && this.#select(cell),
      evaluation: this.evaluation,
    });
    this.editor = new Editor(this.stage, {
      changed: () => this.#changed(),
      clicked: (cell) => this.picture.showNextReading(cell) || this.#explain(cell),
      opened: () => this.#opened(),
    });
    this.picture = new PictureReader(this.stage, this.editor, {
      open: (reading) => this.editor.open(reading),
      setMines: this.commands.mines,
      redraw: () => this.analysis && this.#draw(),
    });
    this.certificate = new CertificateList((marks, step) => this.#showStep(marks, step), signal);
    const elements = {
      evaluation: this.evaluation.text,
      picture: this.picture.root,
      certificate: this.certificate.root,
    };
    this.panel = new AnalysisPanel(this.stage, elements, () => this.analysis && this.#draw());
    root.replaceChildren(this.panel.root);
    acceptPictures((file) => this.picture.read(file), signal);
    document.addEventListener("paste", (event) => this.#paste(event), { signal });
  }

  /** Open the position in the address, else the stored one, else an example. */
  async start({ query }) {
    const menu = await api.menu();
    this.panel.showTilings(menu);
    const request = query.has("position")
      ? { token: query.get("position") }
      : query.has("game")
        ? { game: query.get("game") }
        : { text: setting("position") ?? EXAMPLE };
    try {
      await this.#open(request);
    } catch (error) {
      notify(error.message);
      await this.#open({ text: EXAMPLE });
      this.panel.showProblem(error.message);
    }
    this.panel.showTool(SELECT);
    this.panel.text.readOnly = false;
    this.picture.start(menu);
  }

  async #open(request) {
    const position = await api.readPosition(request);
    if (this.signal.aborted) return;
    this.panel.showText(position.text);
    await this.editor.open(position);
    this.certificate.open(position.layout);
  }

  /** Show the position before a step of the certificate, with the step. */
  async #showStep(marks, step) {
    await this.editor.open({ ...this.editor.position, marks });
    this.step = step;
    this.stage.scrollToCells([...step.flag, ...step.reveal, ...step.numbers]);
  }

  async #read(text) {
    if (!text.trim()) {
      this.readRequest.cancel();
      return this.panel.showProblem(null);
    }
    try {
      const position = await this.readRequest.run((signal) => api.readPosition(requestOf(text), signal));
      if (position === null) return;
      this.panel.acceptTyped(text);
      this.panel.showProblem(null);
      await this.editor.open(position);
      this.certificate.open(position.layout);
    } catch (error) {
      this.panel.showProblem(`${error.message}. The board has not changed`);
      announce(error.message);
    }
  }

  /** Change tiling and size; changes run one after another, since each keeps the marks of the previous board. */
  #reshape(tiling, width, height) {
    this.reshapes = this.reshapes.then(() => this.#reshapeNow(tiling, width, height));
  }

  async #reshapeNow(tiling, width, height) {
    const { position, view } = this.editor;
    const { size, mines } = position;
    const marks = new Array(width * height).fill(COVERED);
    // Keep the marks in the part that both boards have.
    if (size)
      for (let row = 0; row < Math.min(height, size[1]); row++)
        for (let column = 0; column < Math.min(width, size[0]); column++)
          marks[row * width + column] = view.marks[row * size[0] + column];
    const board = `${tiling} ${width}x${height}`;
    try {
      const shapes = await api.shapesOf(tiling, width, height);
      await this.editor.open({ board, shapes, tiling, size: [width, height], marks, mines });
      this.certificate.open(null);
      this.panel.showProblem(null);
    } catch (error) {
      notify(error.message);
      this.panel.showPosition(this.editor);
    }
  }

  #opened() {
    this.analysis = null;
    this.step = null;
    this.picture.clear();
    this.panel.showPalette(this.editor);
  }

  #choose(tool) {
    this.editor.choose(tool);
    this.panel.showTool(tool);
  }

  #setTrustFlags(on) {
    this.trustFlags = on;
    this.#changed();
  }

  #changed() {
    // An edit on the board replaces typed text, unless the server is still reading that.
    if (!this.panel.isTyping && !this.readRequest.running) this.panel.discardTyped();
    this.analysisRequest.cancel();
    this.cellRequest.cancel();
    this.evaluation.stop();
    this.panel.guessTable.clear();
    this.step = null;
    this.analysis = null;
    this.proof = null;
    this.panel.showPosition(this.editor);
    this.picture.showMines(this.editor.position.mines);
    this.panel.setBusy(true);
    this.staleTimer ??= setTimeout(() => this.stage.overlay.clearDrawing(), STALE_DELAY);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#analyse(), EDIT_DELAY);
  }

  async #analyse() {
    if (this.editor.position.mines === null) this.evaluation.clear("A win chance needs the mine count.");
    else this.evaluation.stream((onLine, signal) => api.winChanceIn(this.#request(), onLine, signal));
    try {
      const send = (signal) => api.analysis(this.#request(), signal);
      const analysis = await this.analysisRequest.run(send, () => this.panel.showProgress());
      if (analysis !== null) this.#show(analysis);
    } catch (error) {
      this.#fail(error.message);
    }
  }

  #cancel() {
    if (this.analysisRequest.cancel()) this.#fail("cancelled");
  }

  #fail(message) {
    this.panel.setBusy(false);
    this.stage.overlay.clear();
    this.panel.showFailure(message);
    announce(message);
  }

  #request() {
    return { ...this.editor.request(), trust_flags: this.trustFlags };
  }

  #show(analysis) {
    this.analysis = analysis;
    clearTimeout(this.staleTimer);
    this.staleTimer = null;
    this.panel.setBusy(false);
    this.panel.showAnalysis(analysis);
    if (analysis.contradiction) this.evaluation.clear();
    this.#draw();
    this.#store(analysis);
    if (this.stage.grid.contains(document.activeElement)) this.#select(this.editor.view.current, true);
  }

  /** Draw the probabilities and the current proof, or the contradictory numbers. */
  #draw() {
    const { analysis, proof } = this;
    const { overlay } = this.stage;
    if (analysis.contradiction) {
      const { numbers } = analysis.contradiction;
      const notes = new Map(numbers.map((cell) => [cell, "contradiction"]));
      const fills = new Map(numbers.map((cell) => [cell, "lost"]));
      const drawing = { ...emptyDrawing(), fills, outlined: numbers, notes };
      return overlay.show(this.picture.addUnsureCells(drawing));
    }
    const drawing = this.panel.guessTable.drawing(analysis);
    const { step } = this;
    if (proof ?? step) drawNumbers(drawing, this.editor.view, proof ?? step, "used in the proof");
    if (proof) drawing.ring = [proof.cell];
    else if (step) drawing.ring = [...step.flag, ...step.reveal];
    overlay.show(this.picture.addUnsureCells(drawing));
  }

  /** Store the position in the browser and in the address. */
  #store(analysis) {
    if (analysis.text.length <= MAX_STORED) saveSetting("position", analysis.text);
    clearTimeout(this.addressTimer);
    this.addressTimer = setTimeout(() => setAddress(this.stage.root, analysis.link ?? "#/analyse"), ADDRESS_DELAY);
  }

  /** Show the probability of a cell and the numbers that it may show. */
  async #select(cell, again = false) {
    if (!this.analysis || this.analysis.contradiction || (cell === this.selected && !again)) return;
    if (this.proof && !again) return;
    this.selected = cell;
    this.panel.showCell(this.editor.view, this.analysis, cell);
    if (!this.analysis.cells.includes(cell)) return;
    // No request while the pointer is moving over the board.
    await new Promise((resolve) => setTimeout(resolve, HOVER_DELAY));
    if (this.selected !== cell || !this.analysis) return;
    const response = await this.#requestCell(api.valuesIn, cell);
    if (response) this.panel.showValues(response);
  }

  async #explain(cell) {
    if (!this.analysis) return;
    const { safe, certain_mines: mines, contradiction } = this.analysis;
    const hadProof = Boolean(this.proof);
    this.proof = null;
    if (hadProof) this.#draw();
    await this.#select(cell, true);
    if (contradiction || !(safe.includes(cell) || mines.includes(cell))) return;
    const proof = await this.#requestCell(api.proofIn, cell);
    if (!proof || !this.analysis) return;
    this.proof = proof;
    this.#draw();
    this.stage.scrollToCells([proof.cell, ...proof.numbers]);
    this.panel.showProof(proof);
    announce(proof.text);
  }

  /** Request information about a cell; null if it failed or a newer request replaced it. */
  async #requestCell(route, cell) {
    try {
      return await this.cellRequest.run((signal) => route({ ...this.#request(), cell }, signal));
    } catch (error) {
      this.panel.showCellProblem(error.message);
      return null;
    }
  }

  #paste(event) {
    const picture = [...(event.clipboardData?.files ?? [])].find((file) => file.type.startsWith("image/"));
    if (picture) {
      event.preventDefault();
      this.picture.read(picture);
      return;
    }
    if (isTyping(event.target)) return;
    const text = event.clipboardData?.getData("text") ?? "";
    if (!text.trim()) return;
    event.preventDefault();
    this.#read(text);
  }
}

/** The number that a key types; "a" is 10. */
const numberOfKey = (key) => (key === "." ? 0 : Number.parseInt(key, 13));

/** The request for a pasted link to this page, or for a text. */
function requestOf(text) {
  const query = parametersIn(text, "analyse");
  return query.has("position") ? { token: query.get("position") } : { text };
}
