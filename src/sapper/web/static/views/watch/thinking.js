// How far a player is with a guess that it thinks over: candidates, how often each wins, how sure
// that is. Shown while the next step is waited for, with a button that ends the thinking.

import * as api from "../../lib/api.js";
import { button, make } from "../../lib/dom.js";
import { shout } from "../../lib/say.js";
import { percent } from "../../lib/words.js";

const EVERY = 300; // milliseconds between two looks
const SLOW = 250; // what is decided sooner is not worth a look

export class Thinking {
  /** *mark* is called with the cells that are compared, the best first, or with none. */
  constructor(mark) {
    this.mark = mark;
    this.title = make("p", { class: "pondering-title", role: "status" });
    this.rows = make("tbody");
    const heads = ["Cell", "Wins", "Tries"].map((text) => make("th", { scope: "col", text }));
    this.enough = button({ text: "Decide now", class: "pondering-enough", onclick: () => this.#decide() });
    this.root = make(
      "section",
      { class: "pondering", "aria-label": "Thinking", hidden: true },
      this.title,
      make("table", {}, make("thead", {}, make("tr", {}, ...heads)), this.rows),
      this.enough,
    );
  }

  /** Look on at a watched game while *answer* is waited for. */
  async during(id, answer) {
    const turn = (this.turn = { id });
    const ended = answer.catch(() => null).finally(() => (turn.over = true));
    await Promise.race([ended, wait(SLOW)]);
    while (!turn.over && turn === this.turn) {
      await this.#look(turn);
      await Promise.race([ended, wait(EVERY)]);
    }
    if (turn === this.turn) this.#hide();
    return answer;
  }

  async #look(turn) {
    try {
      const { search } = await api.guessSearch(turn.id);
      if (turn.over || turn !== this.turn) return;
      if (search) this.#show(search);
      else this.#hide();
    } catch {
      // The answer that is waited for tells what went wrong.
      this.#hide();
    }
  }

  async #decide() {
    try {
      await api.decideNow(this.turn.id);
    } catch (error) {
      shout(error.message);
    }
  }

  #show({ samples, first, candidates }) {
    if (this.root.hidden) this.title.textContent = "Thinking a guess over";
    this.rows.replaceChildren(...candidates.map((one) => row(one, one.cell === first)));
    this.root.hidden = false;
    this.root.dataset.samples = samples;
    this.mark(candidates.map(({ cell }) => cell));
  }

  #hide() {
    if (this.root.hidden) return;
    this.root.hidden = true;
    this.mark([]);
  }
}

function row({ name, rate, error, samples }, first) {
  const share = Math.min(1, Math.max(0, rate));
  return make(
    "tr",
    {},
    make("th", { scope: "row", text: first ? `${name} (first)` : name }),
    make("td", { text: `${percent(share).replace(" %", "")} ± ${(100 * error).toFixed(1)} %` }),
    make("td", { text: samples }),
  );
}

const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
