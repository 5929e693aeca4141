// The watch view: a solver or player at work, step by step, each move with its reason.

import { renderSentence } from "../../board/hints.js";
import { Stage } from "../../board/stage.js";
import { COVERED, FLAG } from "../../board/view.js";
import { candidatesOf, EvaluationBar, GuessTable } from "../../board/win_chances.js";
import { announce, notify } from "../../lib/announce.js";
import * as api from "../../lib/api.js";
import { icon, make, setAddress } from "../../lib/dom.js";
import { capitalise, plural, toSentence } from "../../lib/format.js";
import { withTooltip } from "../../lib/keys.js";
import { prefersReducedMotion, saveSetting, setting } from "../../lib/settings.js";
import { counter } from "../../lib/widgets.js";
import { WatchForm } from "./form.js";
import { MoveList, stepLetters, WatchProbabilities } from "./moves.js";
import { GuessSearch } from "./search.js";

const PREFETCH_STEPS = 100;
const SPEEDS = [1, 3, 8, 25, 80]; // steps per second
const GUESS_DELAY = 150; // milliseconds after a guess before its candidates are compared
const ERRORS_95 = 1.96; // standard errors in half of a 95% interval
const START_NOTE = "Run plays the whole game; Next step makes one move and gives the reason.";
const DEFAULTS = {
  size: "expert",
  tiling: "square",
  rule: "zero",
  generator: "plain",
  kind: "player",
  name: "careful",
};

export async function show(root, { query, signal }) {
  const watch = new Watch(root, await api.menu(), signal);
  // A link to a game shows its start; otherwise a player plays at once.
  const runs = !query.has("seed");
  await watch.begin({ ...DEFAULTS, ...setting("watch"), ...Object.fromEntries(query) }, { runs });
}

class Watch {
  constructor(root, menu, signal) {
    this.menu = menu;
    this.requests = new api.Requests(signal);
    const commands = {
      step: () => this.step(),
      back: () => this.back(),
      toggle: () => this.toggle(),
      probabilities: () => this.probabilities.toggle(),
    };
    this.evaluation = new EvaluationBar(signal, { waitsForFirst: true });
    const options = { className: "ended", touchSized: false, evaluation: this.evaluation };
    this.stage = new Stage("watch", commands, signal, options);
    this.form = new WatchForm(menu, (request) => this.begin(request, { runs: true }));
    this.title = make("h2.game-title");
    this.minesLeft = make("span.number", "0");
    this.stepCount = make("span.number", "0");
    this.backButton = this.stage.button("back", { icon: "back", label: "Previous step", class: "ghost" });
    const runButton = this.stage.button("toggle", { icon: "run", text: "Run", class: "primary run" });
    this.runButton = withTooltip(runButton, "watch", "toggle", "Run or pause");
    this.stepButton = this.stage.button("step", { icon: "step", label: "Next step", class: "ghost" });
    const range = { type: "range", min: 0, max: SPEEDS.length - 1, step: 1, value: setting("speed") };
    this.speed = make("input", { ...range, "aria-label": "Speed", oninput: () => this.#speedChanged() });
    this.verdict = make("p.verdict-text");
    this.verdictBox = make("div.verdict", { hidden: true }, this.verdict);
    this.about = make("p.watch-about");
    this.reason = make("p.watch-reason");
    this.chooser = make("details.watch-choice", make("summary", "Choose a player or a game"), this.form.root);
    this.probabilities = new WatchProbabilities(this.stage);
    this.search = new GuessSearch(this.stage, (letters) => this.#showSearch(letters));
    this.guessTable = new GuessTable(this.stage);
    this.moves = new MoveList(this.stage, (number) => this.#goTo(number));
    root.replaceChildren(this.#page());
    this.#speedChanged();
    for (const tool of [this.backButton, this.stepButton, runButton, this.probabilities.button]) tool.disabled = true;
    signal.addEventListener("abort", () => {
      this.loadToken = null;
      this.pause();
      this.#clearGuess();
    });
  }

  /**
   * Start a game; the request has size, tiling, rule, generator, player and perhaps a seed. With *runs*, it plays at
   * once.
   */
  async begin(request, { runs = false } = {}) {
    this.pause();
    // Responses for an earlier game, which have another token, are ignored.
    const token = (this.loadToken = {});
    let data, shapes;
    try {
      data = await api.watch({ ...request, seconds: request.seconds == null ? null : Number(request.seconds) });
      shapes = await api.shapes(data.board);
    } catch (error) {
      // Before the first game is shown, main.js retries.
      if (!this.data && api.isTransient(error)) throw error;
      if (token !== this.loadToken) return;
      notify(error.message, { toast: this.data !== undefined });
      this.form.fill({ ...request, seed: "" });
      if (error.field) this.form.showError(error);
      if (!this.data) this.#showProblem(error.message);
      return;
    }
    if (token !== this.loadToken) return;
    this.stage.showMessage(null);
    const { size, tiling, rule, generator, seed, kind, name } = data;
    const time = data.takes_seconds && request.seconds ? { seconds: request.seconds } : {};
    this.data = data;
    saveSetting("watch", { size, tiling, rule, generator, kind, name, ...time });
    setAddress(
      this.stage.root,
      `#/watch?${new URLSearchParams({ size, tiling, rule, generator, seed, kind, name, ...time })}`,
    );
    this.form.fill({ ...data, ...time });
    this.#showGame(shapes);
    await this.#fetch();
    if (!runs || token !== this.loadToken) return;
    if (!prefersReducedMotion()) return this.run();
    await this.step();
    this.chooser.open = true;
  }

  /** Show the error in place of the board. */
  #showProblem(message) {
    this.title.textContent = "No game to watch";
    this.stage.showMessage([
      make("p", make("strong", "Cannot watch this game.")),
      make("p", toSentence(message)),
      make("p", "Choose another one."),
    ]);
    this.chooser.open = true;
  }

  async step({ announced = true } = {}) {
    if (this.shownSteps === this.steps.length && !this.result) await this.#fetch();
    const step = this.steps[this.shownSteps];
    if (!step) return this.#showEnd();
    this.#applyStep(step);
    this.#showStep(step);
    this.stage.scrollToCells([step.cell, ...(step.numbers ?? [])], { smooth: !this.running });
    if (announced) announce(`${step.move}: ${step.reason === step.text ? "" : `${step.reason}. `}${step.text}`);
    if (this.shownSteps === this.steps.length && this.result) this.#showEnd();
    else if (!this.data.takes_seconds && this.steps.length - this.shownSteps < PREFETCH_STEPS) this.#fetch();
  }

  back() {
    if (this.shownSteps) this.#goTo(this.shownSteps - 1);
  }

  /** Show the position after a number of steps that were shown before. */
  #goTo(count) {
    this.pause();
    this.#hideEnd();
    while (this.shownSteps > count) this.#undoStep();
    while (this.shownSteps < count) this.#applyStep(this.steps[this.shownSteps]);
    const step = this.steps[count - 1] ?? null;
    this.#showStep(step);
    announce(step ? `Step ${count}: ${step.move}` : "Back to the start");
    if (this.#ended) this.#showEnd();
  }

  #applyStep(step) {
    this.marksBefore.push(step.cells.map((cell) => this.view.marks[cell]));
    this.view.paint(step.cells, step.marks);
    this.shownSteps += 1;
    if (this.shownSteps > this.moves.length) this.moves.append(step);
  }

  #undoStep() {
    this.shownSteps -= 1;
    this.view.paint(this.steps[this.shownSteps].cells, this.marksBefore.pop());
  }

  toggle() {
    if (this.running) this.pause();
    else this.run();
  }

  run() {
    if (!this.data || this.running || this.#ended) return;
    this.running = true;
    this.#showRunning();
    let last = performance.now();
    let due = 1;
    const tick = async (now) => {
      if (!this.running) return;
      due += ((now - last) / 1000) * SPEEDS[this.speed.value];
      last = now;
      // Do not catch up after a slow response.
      for (due = Math.min(due, 8); due >= 1 && this.running; due -= 1) await this.step({ announced: false });
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  pause() {
    this.running = false;
    this.#showRunning();
  }

  get view() {
    return this.stage.view;
  }

  get #ended() {
    return this.result && this.shownSteps === this.steps.length;
  }

  #showGame(shapes) {
    const { data } = this;
    this.stage.show(shapes, { title: `Board of ${data.title}, ${data.mines} mines` });
    this.title.textContent = `${capitalise(data.name)} plays ${data.title}`;
    this.about.replaceChildren(make("strong", capitalise(data.name)), ` ${this.menu.watch[data.kind][data.name]}.`);
    this.chooser.open = false;
    Object.assign(this, { steps: [], marksBefore: [], shownSteps: 0, result: null, fetching: null });
    this.moves.clear();
    this.#hideEnd();
    this.#showStep(null);
  }

  /** Fetch more steps, one request at a time. */
  #fetch() {
    if (this.result) return null;
    this.fetching ??= this.#fetchNow(this.loadToken).finally(() => (this.fetching = null));
    return this.fetching;
  }

  async #fetchNow(token) {
    try {
      const response = await this.stage.waitFor(this.requests, () => this.#requestSteps());
      if (token !== this.loadToken) return;
      this.steps.push(...response.steps);
      this.result = response.end;
    } catch (error) {
      if (token !== this.loadToken) return;
      if (error.status === 404 && !this.data.takes_seconds && (await this.#resume(token))) return;
      this.pause();
      notify(error.message);
    }
  }

  /** Start the game again if the server no longer has it, and fetch its steps up to here. */
  async #resume(token) {
    const { size, tiling, rule, generator, seed, kind, name } = this.data;
    try {
      const { id } = await api.watch({ size, tiling, rule, generator, seed, kind, name });
      const replayed = [];
      let end = null;
      while (!end && replayed.length <= this.steps.length) {
        const response = await api.steps(id, { from: replayed.length });
        replayed.push(...response.steps);
        end = response.end;
      }
      if (token !== this.loadToken) return true;
      this.data.id = id;
      this.steps.push(...replayed.slice(this.steps.length));
      this.result = end;
      return true;
    } catch {
      return false;
    }
  }

  /** Request the next steps: one at a time for a player that searches, so that the search can be shown. */
  #requestSteps() {
    const { id, takes_seconds } = this.data;
    const from = this.steps.length;
    return takes_seconds ? this.search.showUntil(id, api.steps(id, { from, max_steps: 1 })) : api.steps(id, { from });
  }

  /** Show the candidates of a search for the next move, with their letters; null: show the last step again. */
  #showSearch(letters) {
    this.reason.hidden = letters !== null;
    if (!letters) return this.#showStep(this.steps[this.shownSteps - 1] ?? null);
    this.#clearGuess();
    const cells = [...letters.keys()];
    this.stage.overlay.show({
      fills: new Map(cells.map((cell) => [cell, "guess"])),
      badges: letters,
      best: cells.slice(0, 1),
    });
  }

  /** Show a step on the board, with its reason; null at the start of a game. */
  #showStep(step) {
    const fills = new Map();
    for (const number of step?.numbers ?? []) fills.set(number, "proof");
    if (step) {
      for (const cell of step.cells.length < 60 ? step.cells : [])
        if (this.view.marks[cell] >= 0) fills.set(cell, "reveal");
      fills.set(step.cell, step.guess ? "guess" : step.action === "flag" ? "mark" : "reveal");
    }
    const numbers = step?.numbers ?? [];
    const notes = new Map(numbers.map((cell) => [cell, "number that proves this move"]));
    const badges = stepLetters(this.view, step ?? {});
    const drawing = { fills, outlined: numbers, badges, notes, best: step?.guess ? [step.cell] : [] };
    const { tiling, size, mines } = this.data;
    const position = { board: `${tiling} ${size.split("/")[0]}`, mines };
    this.probabilities.update(drawing, position);
    this.#evaluate(position);
    this.probabilities.button.disabled = false;
    const label = step?.by ? [make("strong", `${capitalise(step.by)}. `)] : [];
    this.reason.replaceChildren(...label, ...(step ? renderSentence(step, this.stage) : [START_NOTE]));
    this.#showGuess(step, position);
    this.stepCount.textContent = this.shownSteps;
    this.minesLeft.textContent = this.data.mines - this.view.marks.filter((mark) => mark === FLAG).length;
    this.backButton.disabled = !this.shownSteps;
    this.stepButton.disabled = this.runButton.disabled = this.#ended;
    this.moves.show(this.shownSteps); // a longer reason makes the log smaller
  }

  /** Compare the candidates of a guess in the position before it. */
  #showGuess(step, position) {
    this.#clearGuess();
    if (!step?.candidates.length) return;
    const marks = Array.from(this.view.marks);
    step.cells.forEach((cell, k) => (marks[cell] = this.marksBefore.at(-1)[k]));
    this.guessTimer = setTimeout(() => {
      const candidates = candidatesOf(step).map(withInterval);
      const isKnown = candidates.every(({ value }) => value !== null);
      const request = isKnown
        ? null
        : (moves, onLine, signal) => api.winChanceIn({ ...position, marks, moves, trust_flags: true }, onLine, signal);
      this.guessTable.show(step, candidates, request, { move: step.cell });
    }, GUESS_DELAY);
  }

  #clearGuess() {
    clearTimeout(this.guessTimer);
    this.guessTable.clear();
  }

  /** Show the win chance of the position on the board. */
  #evaluate(position) {
    const marks = Array.from(this.view.marks);
    if (this.#ended && this.result.outcome !== "stuck") this.evaluation.setValue(this.result.outcome === "won" ? 1 : 0);
    else if (marks.every((mark) => mark === COVERED)) this.evaluation.clear();
    else
      this.evaluation.stream((onLine, signal) =>
        api.winChanceIn({ ...position, marks, trust_flags: true }, onLine, signal),
      );
  }

  #hideEnd() {
    this.verdictBox.hidden = true;
    this.view.showEnd();
  }

  #showEnd() {
    if (!this.#ended) return;
    this.pause();
    const { outcome, why_stuck: why, exploded, mines } = this.result;
    this.view.showEnd({ exploded, won: outcome === "won", mineCells: outcome === "won" ? null : mines });
    if (outcome === "won") this.minesLeft.textContent = 0;
    const guesses = this.steps.filter(({ guess }) => guess).length;
    this.verdict.textContent = `${capitalise(outcome)} after ${plural(this.steps.length, "move")}, ${plural(guesses, "guess", "guesses")}.${why ? ` ${toSentence(why)}` : ""}`;
    this.verdictBox.className = `verdict ${outcome}`;
    this.verdictBox.hidden = false;
    this.stepButton.disabled = this.runButton.disabled = true;
    this.moves.show(this.shownSteps);
    notify(this.verdict.textContent, { toast: false });
  }

  #showRunning() {
    const focused = this.runButton === document.activeElement;
    this.runButton.replaceChildren(icon(this.running ? "pause" : "run"), make("span", this.running ? "Pause" : "Run"));
    if (focused) this.runButton.focus();
  }

  #speedChanged() {
    const speed = SPEEDS[this.speed.value];
    saveSetting("speed", Number(this.speed.value));
    this.speed.setAttribute("aria-valuetext", `${speed} steps per second`);
    this.speed.title = `${speed} steps per second`;
  }

  #page() {
    return make(
      "section.play.watch",
      { "aria-label": "Watch" },
      make("h1.visually-hidden", "Watch"),
      make(
        "div.bar",
        make("div.game-choice", this.title),
        make("div.counters", counter("flag", "Mines left", this.minesLeft), counter("step", "Steps", this.stepCount)),
        make(
          "div.tools.game-tools",
          { role: "group", "aria-label": "Playback" },
          this.backButton,
          this.runButton,
          this.stepButton,
          this.probabilities.button,
          this.speed,
        ),
      ),
      make(
        "div.with-panel",
        this.stage.root,
        make(
          "aside.panel",
          { "aria-label": "Moves" },
          this.about,
          this.verdictBox,
          this.evaluation.text,
          this.search.root,
          this.reason,
          this.guessTable.root,
          this.moves.root,
          this.chooser,
        ),
      ),
    );
  }
}

/** A candidate with the interval of its win chance, which is null where it is not known. */
function withInterval({ win_chance: value, error, ...rest }) {
  return {
    ...rest,
    value,
    low: value - ERRORS_95 * error,
    high: value + ERRORS_95 * error,
    exact: value !== null && !error,
  };
}
