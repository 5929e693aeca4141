// The watch view: a solver or player at work, step by step, each move with its reason.

import { lettersOf, renderSentence } from "../../board/hint_overlay.js";
import { openView, Stage } from "../../board/stage.js";
import { COVERED, FLAG } from "../../board/view.js";
import { announce, notify } from "../../lib/announce.js";
import * as api from "../../lib/api.js";
import { button, counter, icon, make, setAddress } from "../../lib/dom.js";
import { capitalise, toSentence } from "../../lib/format.js";
import { rulesInQuery } from "../../lib/forms.js";
import { withTooltip } from "../../lib/keys.js";
import { saveSetting, setting } from "../../lib/settings.js";
import { WatchForm } from "./form.js";
import { WatchProbabilities } from "./probabilities.js";
import { GuessSearch } from "./search.js";

const PREFETCH = 100; // steps that are fetched in advance
const MAX_LINES = 300; // of the log
const SPEEDS = [1, 3, 8, 25, 80]; // steps per second
const SLOW_DELAY = 300; // milliseconds before the board is marked as busy
const DEFAULTS = { size: "expert", tiling: "square", rule: "zero", generator: "plain", kind: "player", name: "careful" };

export async function showWatch(root, { query }) {
  const watch = new Watch(root, await api.menu());
  return openView(watch, watch.begin({ ...DEFAULTS, ...setting("watch"), ...rulesInQuery(query) }));
}

class Watch {
  constructor(root, menu) {
    this.form = new WatchForm(menu, (request) => this.begin(request));
    this.title = make("h2", { class: "game-title" });
    this.left = make("span", { class: "number", text: "0" });
    this.count = make("span", { class: "number", text: "0" });
    const tool = (command, label, options) => withTooltip(button({ onclick: () => this[command](), ...options }), "watch", command, label);
    this.backButton = tool("back", "Previous step", { icon: "back", label: "Previous step", class: "ghost" });
    this.runButton = tool("toggle", "Run or pause", { icon: "run", text: "Run", class: "primary run" });
    this.stepButton = tool("step", "Next step", { icon: "step", label: "Next step", class: "ghost" });
    this.speed = make("input", { type: "range", min: 0, max: SPEEDS.length - 1, step: 1, value: setting("speed") ?? 2, "aria-label": "Speed" });
    this.speed.addEventListener("input", () => this.#speedChanged());
    this.verdict = make("p", { class: "verdict-text" });
    this.end = make("div", { class: "verdict", hidden: true }, this.verdict);
    this.search = new GuessSearch((cells) => this.#compare(cells));
    this.reason = make("p", { class: "watch-reason" });
    this.log = make("ol", { class: "log", "aria-label": "Moves", tabindex: "0" });
    this.choice = make("details", { class: "watch-choice" }, make("summary", { text: "Watch another game" }), this.form.root);
    const commands = { step: () => this.step(), back: () => this.back(), toggle: () => this.toggle(), probabilities: () => this.probabilities.toggle() };
    this.stage = new Stage("watch", commands, { className: "ended", touchSized: false });
    this.probabilities = new WatchProbabilities(this.stage);
    root.replaceChildren(this.#page());
    this.#speedChanged();
    this.backButton.disabled = this.stepButton.disabled = this.runButton.disabled = this.probabilities.button.disabled = true;
  }

  /** Start a game; the request has size, tiling, rule, generator, player and perhaps a seed. */
  async begin(request) {
    this.pause();
    const turn = (this.turn = {});
    let data, shapes;
    try {
      data = await api.watch({ ...request, seconds: request.seconds == null ? null : Number(request.seconds) });
      shapes = await api.shapes(data.board);
    } catch (error) {
      // Before the first game is shown, the page tries again by itself.
      if (!this.data && api.isTransient(error)) throw error;
      if (turn !== this.turn) return;
      notify(error.message, { toast: this.data !== undefined });
      this.form.fill({ ...request, seed: "" });
      if (!this.data) this.#showProblem(error.message);
      return;
    }
    if (turn !== this.turn) return;
    this.stage.showMessage(null);
    const { size, tiling, rule, generator, seed, kind, name } = data;
    const time = data.takes_seconds && request.seconds ? { seconds: request.seconds } : {};
    this.data = data;
    saveSetting("watch", { size, tiling, rule, generator, kind, name, ...time });
    // The address of a game of version 0.2 keeps the key that gives its mines.
    const source = data.deal ? { deal: data.deal } : { generator };
    setAddress(this.stage.root, `#/watch?${new URLSearchParams({ size, tiling, rule, ...source, seed, kind, name, ...time })}`);
    this.form.fill({ ...data, ...time });
    this.#draw(shapes);
    await this.#fetch();
  }

  /** Explain why there is no board. */
  #showProblem(message) {
    this.title.textContent = "No game to watch";
    this.stage.showMessage([make("p", {}, make("strong", { text: "Cannot watch this game." })), make("p", { text: toSentence(message) }), make("p", { text: "Choose another one." })]);
    this.choice.open = true;
  }

  leave() {
    this.turn = null;
    this.pause();
    this.probabilities.stop();
    this.stage.leave();
  }

  async step({ announced = true } = {}) {
    if (this.done === this.steps.length && !this.outcome) await this.#fetch();
    const step = this.steps[this.done];
    if (!step) return this.#showEnd();
    this.before.push(step.cells.map((cell) => this.view.marks[cell]));
    this.view.paint(step.cells, step.marks);
    this.done += 1;
    this.#write(step);
    this.#mark(step);
    this.stage.scrollToCells([step.cell, ...(step.numbers ?? [])], { smooth: !this.running });
    if (announced) announce(`${step.move}: ${step.reason === step.text ? "" : `${step.reason}. `}${step.text}`);
    if (this.done === this.steps.length && this.outcome) this.#showEnd();
    else if (!this.data.takes_seconds && this.steps.length - this.done < PREFETCH) this.#fetch();
  }

  back() {
    this.pause();
    if (!this.done) return;
    this.done -= 1;
    this.#showPlaying();
    this.view.paint(this.steps[this.done].cells, this.before.pop());
    this.log.lastChild?.remove();
    const step = this.steps[this.done - 1];
    this.#mark(step ?? null);
    announce(step ? `Back to ${step.move}` : "Back to the start");
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
    return this.outcome && this.done === this.steps.length;
  }

  #draw(shapes) {
    const { data } = this;
    this.stage.show(shapes, { title: `Board of ${data.title}, ${data.mines} mines` });
    this.title.textContent = `${capitalise(data.name)} plays ${data.title}`;
    Object.assign(this, { steps: [], before: [], done: 0, outcome: null, fetching: null });
    this.log.replaceChildren();
    this.#showPlaying();
    this.#mark(null);
  }

  /** Fetch more steps, one request at a time. */
  #fetch() {
    if (this.outcome) return null;
    this.fetching ??= this.#fetchNow(this.turn).finally(() => (this.fetching = null));
    return this.fetching;
  }

  async #fetchNow(turn) {
    const { root } = this.stage;
    try {
      const found = this.#request();
      const { steps, end } = await api.notifyIfSlow(found, SLOW_DELAY, () => (root.ariaBusy = "true"));
      if (turn !== this.turn) return;
      this.steps.push(...steps);
      this.outcome = end;
    } catch (error) {
      if (turn !== this.turn) return;
      if (error.status === 404 && !this.data.takes_seconds && (await this.#resume(turn))) return;
      this.pause();
      notify(error.message);
    } finally {
      root.ariaBusy = null;
    }
  }

  /** The server no longer has the game, perhaps after a restart: play it again up to here. */
  async #resume(turn) {
    const { size, tiling, rule, generator, deal, seed, kind, name } = this.data;
    try {
      const { id } = await api.watch({ size, tiling, rule, generator, deal, seed, kind, name });
      const replayed = [];
      let end = null;
      while (!end && replayed.length <= this.steps.length) {
        const found = await api.steps(id, { from: replayed.length });
        replayed.push(...found.steps);
        end = found.end;
      }
      if (turn !== this.turn) return true;
      this.data.id = id;
      this.steps.push(...replayed.slice(this.steps.length));
      this.outcome = end;
      return true;
    } catch {
      return false;
    }
  }

  /** Request the next steps: one at a time for a player that searches, so that the search can be shown. */
  #request() {
    const { id, takes_seconds } = this.data;
    const from = this.steps.length;
    return takes_seconds ? this.search.during(id, api.steps(id, { from, max_steps: 1 })) : api.steps(id, { from });
  }

  /** Mark the candidates of a search, or the last step. */
  #compare(cells) {
    if (!cells.length) return this.#mark(this.steps[this.done - 1] ?? null);
    const fills = new Map(cells.map((cell) => [cell, "guess"]));
    this.stage.overlay.show({ fills, best: cells.slice(0, 1) });
  }

  #mark(step) {
    const fills = new Map();
    for (const number of step?.numbers ?? []) fills.set(number, "proof");
    if (step) {
      for (const cell of step.cells.length < 60 ? step.cells : []) if (this.view.marks[cell] >= 0) fills.set(cell, "reveal");
      fills.set(step.cell, step.guess ? "guess" : step.action === "flag" ? "mark" : "reveal");
    }
    const numbers = step?.numbers ?? [];
    const notes = new Map(numbers.map((cell) => [cell, "number that proves this move"]));
    const drawing = { fills, outlined: numbers, badges: lettersOf(this.view, numbers), notes, best: step?.guess ? [step.cell] : [] };
    const { tiling, size, mines } = this.data;
    this.probabilities.update(drawing, { board: `${tiling} ${size.split("/")[0]}`, mines });
    this.probabilities.button.disabled = false;
    const label = step?.by ? [make("strong", { text: `${capitalise(step.by)}. ` })] : [];
    this.reason.replaceChildren(...label, ...(step?.pieces ? renderSentence(step, this.stage) : step ? [toSentence(step.text)] : []));
    this.count.textContent = this.done;
    this.left.textContent = this.data.mines - this.view.marks.filter((mark) => mark === FLAG).length;
    this.backButton.disabled = !this.done;
    this.stepButton.disabled = this.runButton.disabled = this.#ended;
    this.#scrollLog(); // a longer reason makes the log smaller
  }

  #write(step) {
    this.log.append(
      make("li", { value: this.done, class: step.guess ? "guessed" : null }, make("strong", { text: step.move }), make("span", { text: step.text })),
    );
    if (this.log.childElementCount > MAX_LINES) this.log.firstChild.remove();
  }

  /** Mark the last step in the log and scroll to it. */
  #scrollLog() {
    this.log.querySelector("[aria-current]")?.removeAttribute("aria-current");
    this.log.lastChild?.setAttribute("aria-current", "step");
    this.log.scrollTop = this.log.scrollHeight;
  }

  #showPlaying() {
    this.end.hidden = true;
    this.view.showEnd({ exploded: [], won: false, mineCells: null });
  }

  #showEnd() {
    if (!this.#ended) return;
    this.pause();
    const { outcome, summary, exploded, mines } = this.outcome;
    this.view.showEnd({ exploded: exploded.filter((cell) => this.view.marks[cell] === COVERED), won: outcome === "won", mineCells: outcome === "won" ? null : mines });
    if (outcome === "won") this.left.textContent = 0;
    this.verdict.textContent = toSentence(summary);
    this.end.className = `verdict ${outcome}`;
    this.end.hidden = false;
    this.stepButton.disabled = this.runButton.disabled = true;
    this.#scrollLog();
    notify(this.verdict.textContent, { toast: false });
  }

  #showRunning() {
    const focused = this.runButton === document.activeElement;
    this.runButton.replaceChildren(icon(this.running ? "pause" : "run"), make("span", { text: this.running ? "Pause" : "Run" }));
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
      "section",
      { class: "play watch", "aria-label": "Watch" },
      make("h1", { class: "visually-hidden", text: "Watch" }),
      make(
        "div",
        { class: "bar" },
        make("div", { class: "game-choice" }, this.title),
        make("div", { class: "counters" }, counter("flag", "Mines left", this.left), counter("step", "Steps", this.count)),
        make("div", { class: "tools game-tools", role: "group", "aria-label": "Playback" }, this.backButton, this.runButton, this.stepButton, this.probabilities.button, this.speed),
      ),
      make(
        "div",
        { class: "with-panel" },
        this.stage.root,
        make(
          "aside",
          { class: "panel", "aria-label": "Moves" },
          this.end,
          this.search.root,
          this.reason,
          this.log,
          this.choice,
        ),
      ),
    );
  }
}
