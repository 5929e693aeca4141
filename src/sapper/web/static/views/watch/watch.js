// The watch view: a solver or a player at work, forwards and back, each move with its reason.

import { Stage, entered } from "../../board/stage.js";
import { lettersOf, pointing } from "../../board/told/number.js";
import { COVERED, FLAG } from "../../board/view.js";
import * as api from "../../lib/api.js";
import { button, counter, icon, make, showAddress } from "../../lib/dom.js";
import { tipped } from "../../lib/keys.js";
import { say, shout } from "../../lib/say.js";
import { choose, setting } from "../../lib/settings.js";
import { capital, sentence } from "../../lib/words.js";
import { WatchForm } from "./form.js";
import { WatchProbabilities } from "./probabilities.js";
import { Thinking } from "./thinking.js";

const AHEAD = 100; // steps that are fetched before they are needed
const MOST_LINES = 300; // of the log
// Steps a second; the last one is as fast as the screen.
const SPEEDS = [1, 3, 8, 25, 80];
const PATIENCE = 300; // milliseconds before the page says that it is working
const USUAL = { size: "expert", tiling: "square", rule: "zero", generator: "plain", kind: "player", name: "careful" };

export async function showWatch(place, { words }) {
  const watch = new Watch(place, await api.menu());
  return entered(watch, watch.begin({ ...USUAL, ...setting("watch"), ...Object.fromEntries(words) }));
}

class Watch {
  constructor(place, menu) {
    this.form = new WatchForm(menu, (request) => this.begin(request));
    this.title = make("h2", { class: "game-title" });
    this.left = make("span", { class: "number", text: "0" });
    this.count = make("span", { class: "number", text: "0" });
    const tool = (command, label, options) => tipped(button({ onclick: () => this[command](), ...options }), "watch", command, label);
    this.backButton = tool("back", "One step back", { icon: "back", label: "One step back", class: "ghost" });
    this.runButton = tool("toggle", "Run or pause", { icon: "run", text: "Run", class: "primary run" });
    this.stepButton = tool("step", "One step", { icon: "step", label: "One step", class: "ghost" });
    this.speed = make("input", { type: "range", min: 0, max: SPEEDS.length - 1, step: 1, value: setting("speed") ?? 2, "aria-label": "Speed" });
    this.speed.addEventListener("input", () => this.#speedChanged());
    this.verdict = make("p", { class: "verdict-text" });
    this.end = make("div", { class: "verdict", hidden: true }, this.verdict);
    this.thinking = new Thinking((cells) => this.#compare(cells));
    this.reason = make("p", { class: "watch-reason" });
    this.log = make("ol", { class: "log", "aria-label": "Moves", tabindex: "0" });
    this.choice = make("details", { class: "watch-choice" }, make("summary", { text: "Watch another game" }), this.form.root);
    const commands = { step: () => this.step(), back: () => this.back(), toggle: () => this.toggle(), probabilities: () => this.probabilities.toggle() };
    this.stage = new Stage("watch", commands, { kind: "ended", held: false });
    this.probabilities = new WatchProbabilities(this.stage);
    place.replaceChildren(this.#page());
    this.#speedChanged();
    // Nothing can be stepped through before there is a game.
    this.backButton.disabled = this.stepButton.disabled = this.runButton.disabled = this.probabilities.button.disabled = true;
  }

  /** Start to watch; the request has a size, a tiling, a rule, who, and maybe a seed. */
  async begin(request) {
    this.pause();
    const turn = (this.turn = {});
    let data, shapes;
    try {
      data = await api.watch({ ...request, seconds: request.seconds == null ? null : Number(request.seconds) });
      shapes = await api.shapes(data.board);
    } catch (error) {
      // A view that never showed anything comes back by itself.
      if (!this.data && api.passes(error)) throw error;
      if (turn !== this.turn) return;
      shout(error.message, { toast: this.data !== undefined });
      this.form.fill({ ...request, seed: "" });
      if (!this.data) this.#showProblem(error.message);
      return;
    }
    if (turn !== this.turn) return;
    this.stage.tell(null);
    const { size, tiling, rule, generator, seed, kind, name } = data;
    const time = data.takes_seconds && request.seconds ? { seconds: request.seconds } : {};
    this.data = data;
    choose("watch", { size, tiling, rule, generator, kind, name, ...time });
    showAddress(this.stage.root, `#/watch?${new URLSearchParams({ size, tiling, rule, generator, seed, kind, name, ...time })}`);
    this.form.fill({ ...data, ...time });
    this.#draw(shapes);
    await this.#fetch();
  }

  /** Where the board would be: why there is none, and what to do about it. */
  #showProblem(message) {
    this.title.textContent = "No game to watch";
    this.stage.tell([make("p", {}, make("strong", { text: "This game cannot be watched." })), make("p", { text: sentence(message) }), make("p", { text: "Choose another one." })]);
    this.choice.open = true;
  }

  leave() {
    this.turn = null;
    this.pause();
    this.probabilities.stop();
    this.stage.leave();
  }

  async step({ aloud = true } = {}) {
    if (this.done === this.steps.length && !this.outcome) await this.#fetch();
    const step = this.steps[this.done];
    if (!step) return this.#showEnd();
    this.before.push(step.cells.map((cell) => this.view.marks[cell]));
    this.view.paint(step.cells, step.marks);
    this.done += 1;
    this.#write(step);
    this.#mark(step);
    this.stage.bringIntoSight([step.cell, ...(step.numbers ?? [])], { gently: !this.running });
    if (aloud) say(`${step.move}: ${step.reason === step.text ? "" : `${step.reason}. `}${step.text}`);
    if (this.done === this.steps.length && this.outcome) this.#showEnd();
    else if (!this.data.takes_seconds && this.steps.length - this.done < AHEAD) this.#fetch();
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
    say(step ? `back to ${step.move}` : "back to the start");
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
    let owed = 1;
    const tick = async (now) => {
      if (!this.running) return;
      owed += ((now - last) / 1000) * SPEEDS[this.speed.value];
      last = now;
      // A slow answer of the server is not made up for.
      for (owed = Math.min(owed, 8); owed >= 1 && this.running; owed -= 1) await this.step({ aloud: false });
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
    this.title.textContent = `${capital(data.name)} plays ${data.title}`;
    Object.assign(this, { steps: [], before: [], done: 0, outcome: null, fetching: null });
    this.log.replaceChildren();
    this.#showPlaying();
    this.#mark(null);
  }

  /** More steps, one request at a time. */
  #fetch() {
    if (this.outcome) return null;
    this.fetching ??= this.#fetchNow(this.turn).finally(() => (this.fetching = null));
    return this.fetching;
  }

  async #fetchNow(turn) {
    const { root } = this.stage;
    try {
      const found = this.#ask();
      const { steps, end } = await api.noticed(found, PATIENCE, () => (root.ariaBusy = "true"));
      if (turn !== this.turn) return;
      this.steps.push(...steps);
      this.outcome = end;
    } catch (error) {
      if (turn !== this.turn) return;
      if (error.status === 404 && !this.data.takes_seconds && (await this.#resume(turn))) return;
      this.pause();
      shout(error.message);
    } finally {
      root.ariaBusy = null;
    }
  }

  /** The server has forgotten the game, after a restart perhaps: it is played anew up to here. */
  async #resume(turn) {
    const { size, tiling, rule, generator, seed, kind, name } = this.data;
    try {
      const { id } = await api.watch({ size, tiling, rule, generator, seed, kind, name });
      const again = [];
      let end = null;
      while (!end && again.length <= this.steps.length) {
        const found = await api.steps(id, { from: again.length });
        again.push(...found.steps);
        end = found.end;
      }
      if (turn !== this.turn) return true;
      this.data.id = id;
      this.steps.push(...again.slice(this.steps.length));
      this.outcome = end;
      return true;
    } catch {
      return false;
    }
  }

  /** The next steps; of a player that thinks its guesses over one by one, so that one can look on. */
  #ask() {
    const { id, takes_seconds } = this.data;
    const from = this.steps.length;
    return takes_seconds ? this.thinking.during(id, api.steps(id, { from, most: 1 })) : api.steps(id, { from });
  }

  /** Show the cells that a player compares, or the last step again. */
  #compare(cells) {
    if (!cells.length) return this.#mark(this.steps[this.done - 1] ?? null);
    const grounds = new Map(cells.map((cell) => [cell, "guess"]));
    this.stage.overlay.show({ grounds, best: cells.slice(0, 1) });
  }

  #mark(step) {
    const grounds = new Map();
    for (const number of step?.numbers ?? []) grounds.set(number, "proof");
    if (step) {
      for (const cell of step.cells.length < 60 ? step.cells : []) if (this.view.marks[cell] >= 0) grounds.set(cell, "reveal");
      grounds.set(step.cell, step.guess ? "guess" : step.action === "flag" ? "mark" : "reveal");
    }
    const numbers = step?.numbers ?? [];
    const notes = new Map(numbers.map((cell) => [cell, "a number that gives this move"]));
    const drawn = { grounds, outlined: numbers, badges: lettersOf(this.view, numbers), notes, best: step?.guess ? [step.cell] : [] };
    const { tiling, size, mines } = this.data;
    this.probabilities.follow(drawn, { board: `${tiling} ${size.split("/")[0]}`, mines });
    this.probabilities.button.disabled = false;
    const how = step?.by ? [make("strong", { text: `${capital(step.by)}. ` })] : [];
    this.reason.replaceChildren(...how, ...(step?.pieces ? pointing(step, this.stage) : step ? [sentence(step.text)] : []));
    this.count.textContent = this.done;
    this.left.textContent = this.data.mines - this.view.marks.filter((mark) => mark === FLAG).length;
    this.backButton.disabled = !this.done;
    this.stepButton.disabled = this.runButton.disabled = this.#ended;
    this.#follow(); // the words above the list may have taken room from it
  }

  #write(step) {
    this.log.append(
      make("li", { value: this.done, class: step.guess ? "guessed" : null }, make("strong", { text: step.move }), make("span", { text: step.text })),
    );
    if (this.log.childElementCount > MOST_LINES) this.log.firstChild.remove();
  }

  /** The line of the last step is marked, and in sight. */
  #follow() {
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
    this.verdict.textContent = sentence(summary);
    this.end.className = `verdict ${outcome}`;
    this.end.hidden = false;
    this.stepButton.disabled = this.runButton.disabled = true;
    this.#follow();
    shout(this.verdict.textContent, { toast: false });
  }

  #showRunning() {
    const focused = this.runButton === document.activeElement;
    this.runButton.replaceChildren(icon(this.running ? "pause" : "run"), make("span", { text: this.running ? "Pause" : "Run" }));
    if (focused) this.runButton.focus();
  }

  #speedChanged() {
    const speed = SPEEDS[this.speed.value];
    choose("speed", Number(this.speed.value));
    this.speed.setAttribute("aria-valuetext", `${speed} steps a second`);
    this.speed.title = `${speed} steps a second`;
  }

  #page() {
    return make(
      "section",
      { class: "play watch", "aria-label": "Watch" },
      make("h1", { class: "unseen", text: "Watch" }),
      make(
        "div",
        { class: "bar" },
        make("div", { class: "game-choice" }, this.title),
        make("div", { class: "counters" }, counter("flag", "Mines left", this.left), counter("step", "Steps", this.count)),
        make("div", { class: "tools hands", role: "group", "aria-label": "WatchSessions" }, this.backButton, this.runButton, this.stepButton, this.probabilities.button, this.speed),
      ),
      make(
        "div",
        { class: "with-panel" },
        this.stage.root,
        make(
          "aside",
          { class: "panel", "aria-label": "Moves and choice" },
          this.end,
          this.thinking.root,
          this.reason,
          this.log,
          this.choice,
        ),
      ),
    );
  }
}
