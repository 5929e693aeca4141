// The watch view: a solver or a player at work, forwards and back, each move with its reason.

import * as api from "./api.js";
import { BLANK, BoardView } from "./board.js";
import { button, icon, make } from "./dom.js";
import { isTyping, step as walk } from "./keys.js";
import { FIRST_CLICK, field, select } from "./new_game.js";
import { Overlay } from "./overlay.js";
import { say, shout } from "./say.js";
import { choose, setting } from "./settings.js";
import { Zoom } from "./zoom.js";

const AHEAD = 100; // steps that are fetched before they are needed
const MOST_LINES = 300; // of the log
// Steps a second; the last one is as fast as the screen.
const SPEEDS = [1, 3, 8, 25, 80];
const USUAL = { size: "expert", tiling: "square", rule: "zero", kind: "player", name: "careful" };

export async function showWatch(place, { words }) {
  const watch = new Watch(place, await api.menu());
  await watch.begin({ ...USUAL, ...setting("watch"), ...Object.fromEntries(words) });
  return () => watch.leave();
}

class Watch {
  constructor(place, menu) {
    this.menu = menu;
    this.form = make("form", { class: "watch-form", onsubmit: (event) => this.#submit(event) });
    this.title = make("h2", { class: "game-title" });
    this.left = make("span", { class: "number", text: "0" });
    this.count = make("span", { class: "number", text: "0" });
    this.backButton = button({ icon: "back", label: "One step back", class: "ghost", onclick: () => this.back() });
    this.runButton = button({ icon: "run", text: "Run", class: "primary run", onclick: () => this.toggle() });
    this.stepButton = button({ icon: "step", label: "One step", class: "ghost", onclick: () => this.step() });
    this.speed = make("input", { type: "range", min: 0, max: SPEEDS.length - 1, step: 1, value: setting("speed") ?? 2, "aria-label": "Speed" });
    this.speed.addEventListener("input", () => this.#speedChanged());
    this.verdict = make("p", { class: "verdict-text" });
    this.end = make("div", { class: "verdict", hidden: true }, this.verdict);
    this.log = make("ol", { class: "log", "aria-label": "Moves", tabindex: "0" });
    this.grid = make("div", { class: "grid" });
    this.stage = make("div", { class: "stage" }, this.grid);
    this.zoom = new Zoom(this.stage);
    place.replaceChildren(this.#page());
    this.#speedChanged();
    // Nothing can be stepped through before there is a game.
    this.backButton.disabled = this.stepButton.disabled = this.runButton.disabled = true;
    this.onKey = (event) => this.#key(event);
    document.addEventListener("keydown", this.onKey);
  }

  /** Start to watch; the request has a size, a tiling, a rule, who, and maybe a seed. */
  async begin(request) {
    this.pause();
    const turn = (this.turn = {});
    let data, shapes;
    try {
      data = await api.post("/api/watch", request);
      shapes = await api.board(data.board);
    } catch (error) {
      shout(error.message);
      this.#fillForm(request);
      return;
    }
    if (turn !== this.turn) return;
    const { size, tiling, rule, seed, kind, name } = data;
    this.data = data;
    choose("watch", { size, tiling, rule, kind, name });
    history.replaceState(null, "", `#/watch?${new URLSearchParams({ size, tiling, rule, seed, kind, name })}`);
    this.#fillForm(data);
    this.#draw(shapes);
    await this.#fetch();
  }

  leave() {
    this.turn = null;
    this.pause();
    document.removeEventListener("keydown", this.onKey);
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
    this.view.cells[step.cell].scrollIntoView({ block: "nearest", inline: "nearest" });
    if (aloud) say(`${step.move}: ${step.reason}`);
    if (this.done === this.steps.length && this.outcome) this.#showEnd();
    else if (this.steps.length - this.done < AHEAD) this.#fetch();
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

  get #ended() {
    return this.outcome && this.done === this.steps.length;
  }

  #draw(shapes) {
    const { data } = this;
    const grid = make("div", { class: "grid ended" });
    this.grid.replaceWith(grid);
    this.grid = grid;
    this.view = new BoardView(grid, shapes, `Board of ${data.title}, ${data.mines} mines`);
    this.overlay = new Overlay(this.view);
    this.zoom.show(this.view);
    this.title.textContent = `${capital(data.name)} plays ${data.title}`;
    Object.assign(this, { steps: [], before: [], done: 0, flags: 0, outcome: null, fetching: null });
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
    const late = setTimeout(() => (this.stage.ariaBusy = "true"), 300);
    try {
      const { steps, end } = await api.post(`/api/watch/${this.data.id}/steps`, { from: this.steps.length });
      if (turn !== this.turn) return;
      this.steps.push(...steps);
      this.outcome = end;
    } catch (error) {
      if (turn !== this.turn) return;
      this.pause();
      shout(error.message);
    } finally {
      clearTimeout(late);
      this.stage.ariaBusy = null;
    }
  }

  #mark(step) {
    const grounds = new Map();
    const signs = new Map();
    for (const hint of step?.hints ?? []) grounds.set(hint, "proof");
    if (step) {
      for (const cell of step.cells.length < 60 ? step.cells : []) if (this.view.marks[cell] >= 0) grounds.set(cell, "reveal");
      grounds.set(step.cell, step.guess ? "guess" : step.action === "flag" ? "mark" : "reveal");
    }
    this.overlay.show({ grounds, signs, outlined: step?.hints ?? [] });
    this.count.textContent = this.done;
    this.left.textContent = this.data.mines - this.view.marks.filter((mark) => mark === -2).length;
    this.backButton.disabled = !this.done;
    this.stepButton.disabled = this.runButton.disabled = this.#ended;
  }

  #write(step) {
    this.log.append(
      make("li", { value: this.done, class: step.guess ? "guessed" : null }, make("strong", { text: step.move }), make("span", { text: step.reason })),
    );
    if (this.log.childElementCount > MOST_LINES) this.log.firstChild.remove();
    this.log.scrollTop = this.log.scrollHeight;
  }

  #showPlaying() {
    this.end.hidden = true;
    this.view.showEnd({ exploded: [], won: false, mines: null });
  }

  #showEnd() {
    if (!this.#ended) return;
    this.pause();
    const { outcome, summary, exploded } = this.outcome;
    this.view.showEnd({ exploded: exploded.filter((cell) => this.view.marks[cell] === BLANK), won: outcome === "won", mines: null });
    this.verdict.textContent = `${capital(summary)}.`;
    this.end.className = `verdict ${outcome}`;
    this.end.hidden = false;
    this.stepButton.disabled = this.runButton.disabled = true;
    shout(this.verdict.textContent, { toast: false });
  }

  #showRunning() {
    const focused = this.runButton === document.activeElement;
    this.runButton.replaceChildren(icon(this.running ? "pause" : "run"), make("span", { text: this.running ? "Pause" : "Run" }));
    if (focused) this.runButton.focus();
  }

  #speedChanged() {
    const speed = SPEEDS[this.speed.value];
    choose("speed", this.speed.value);
    this.speed.setAttribute("aria-valuetext", `${speed} steps a second`);
    this.speed.title = `${speed} steps a second`;
  }

  #key(event) {
    if (!this.view || isTyping(event.target) || event.ctrlKey || event.altKey || event.metaKey) return;
    const next = this.view.cellAt(event.target) === null ? null : walk(this.view, event);
    const does = { s: () => this.step(), b: () => this.back(), r: () => this.toggle(), "+": () => this.zoom.in(), "-": () => this.zoom.out(), 0: () => this.zoom.fit() }[event.key.toLowerCase()];
    if (next === null && !does) return;
    event.preventDefault();
    if (next !== null) this.view.focus(next);
    else does();
  }

  #submit(event) {
    event.preventDefault();
    const form = new FormData(this.form);
    const [kind, name] = form.get("who").split(" ");
    const level = form.get("level");
    const size = level === "custom" ? form.get("size") : level;
    const request = { size, kind, name, tiling: form.get("tiling"), rule: form.get("rule") };
    if (form.get("seed")) request.seed = form.get("seed");
    this.begin(request);
  }

  #fillForm({ size, tiling, rule, kind, name, seed = "" }) {
    const { levels, tilings, rules, watch } = this.menu;
    const level = Object.keys(levels).find((known) => known === size || levels[known] === size) ?? "custom";
    const own = make("input", { name: "size", value: levels[level] ?? size, placeholder: "30x16/99", autocomplete: "off" });
    const ownField = field("Size", own);
    ownField.hidden = level !== "custom";
    const levelSelect = select("level", [...Object.keys(levels), "custom"].map((known) => [known, known === "custom" ? "own size" : known]), level);
    levelSelect.addEventListener("change", () => (ownField.hidden = levelSelect.value !== "custom"));
    this.form.replaceChildren(
      field("Who", whoSelect(watch, kind, name)),
      field("Level", levelSelect),
      ownField,
      field("Tiling", select("tiling", Object.entries(tilings).map(([known, row]) => [known, known, row.about]), tiling)),
      field("The first click", select("rule", Object.keys(rules).reverse().map((known) => [known, FIRST_CLICK[known] ?? known]), rule)),
      field("Seed", make("input", { name: "seed", inputmode: "numeric", pattern: "[0-9]{1,20}", placeholder: "a fresh one", autocomplete: "off" })),
      make("p", { class: "faint", text: seed ? `This deal has seed ${seed}.` : "" }),
      button({ text: "Watch", type: "submit" }),
    );
  }

  #page() {
    const counter = (name, words, number) =>
      make("span", { class: "counter", title: words }, name, make("span", { class: "unseen", text: `${words}: ` }), number);
    return make(
      "section",
      { class: "play watch", "aria-label": "Watch" },
      make("h1", { class: "unseen", text: "Watch" }),
      make(
        "div",
        { class: "bar" },
        make("div", { class: "game-choice" }, this.title),
        make("div", { class: "counters" }, counter(icon("flag"), "Mines left", this.left), counter(icon("step"), "Steps", this.count)),
        make("div", { class: "tools hands", role: "group", "aria-label": "Watching" }, this.backButton, this.runButton, this.stepButton, this.speed),
      ),
      make(
        "div",
        { class: "with-panel" },
        this.stage,
        make(
          "aside",
          { class: "panel", "aria-label": "Moves and choice" },
          this.end,
          this.log,
          make("details", { class: "watch-choice" }, make("summary", { text: "Watch another game" }), this.form),
        ),
      ),
    );
  }
}

function whoSelect(watch, kind, name) {
  const groups = { player: "Players guess when they must", solver: "Solvers stop when stuck" };
  const chosen = `${kind} ${name}`;
  return make(
    "select",
    { name: "who" },
    ...Object.entries(groups).map(([group, label]) =>
      make(
        "optgroup",
        { label },
        ...Object.entries(watch[group]).map(([known, about]) =>
          make("option", { value: `${group} ${known}`, text: known, title: about, selected: `${group} ${known}` === chosen }),
        ),
      ),
    ),
  );
}

const capital = (word) => word[0].toUpperCase() + word.slice(1);
