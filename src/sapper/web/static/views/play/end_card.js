// The end of a game: how it went, how that compares, what lost it, and what may come next.
//
// It lies over the stage and moves nothing. `slot` is a place for what is told of a whole game
// elsewhere (luck, its review): it is emptied for each new end, then `on.ended(game, slot)` may
// fill it, at once or later; a slot that stays empty takes no room.

import * as api from "../../lib/api.js";
import { button, icon, make } from "../../lib/dom.js";
import { tipped } from "../../lib/keys.js";
import { say } from "../../lib/say.js";
import { efficiencyOf, hundredths, percent, plural } from "../../lib/words.js";

const MAX_NAMED = 3; // cells; of more, their number

export class EndCard {
  /** *commands* has a function for each button; *on* has ended(game, slot) and compared(fatal). */
  constructor(commands, on) {
    this.on = on;
    this.asking = new api.Latest();
    const act = (name, options) => tipped(button({ onclick: commands[name], ...options }), "play", name, options.text);
    this.buttons = {
      new: act("new", { text: "New game", class: "primary" }),
      undo: act("undo", { icon: "undo", text: "Undo" }),
      continue: act("continue", { text: "Continue" }),
      showMines: act("showMines", { text: "Show mines" }),
      again: act("again", { text: "Same again" }),
      choose: act("choose", { text: "Choose a game", class: "primary" }),
    };
    this.sign = make("span", { class: "end-sign" });
    this.verdict = make("h2", { class: "verdict" });
    this.figures = make("dl", { class: "end-figures" });
    this.fatal = make("p", { class: "end-fatal" });
    this.slot = make("div", { class: "end-slot" });
    this.actions = make("div", { class: "end-actions" });
    this.root = make(
      "section",
      { class: "end-card", "aria-label": "The end of the game", hidden: true },
      make(
        "div",
        { class: "end-head" },
        this.sign,
        this.verdict,
        button({ icon: "close", label: "Close", class: "ghost", onclick: () => this.close() }),
      ),
      this.figures,
      make("div", { class: "end-told" }, this.fatal, this.slot),
      this.actions,
    );
  }

  /** Show the end of a game that is over; nothing where it is shown already. */
  show(game, view) {
    if (this.game === game && this.at === game.state.events) return;
    Object.assign(this, { game, at: game.state.events, view });
    const { outcome } = game.state;
    this.#open(outcome, verdictOf(game.state), outcome === "won" ? "trophy" : "blast");
    this.#tell(null);
    this.#offer(outcome === "lost" ? ["new", "undo", "continue", "showMines", "again"] : ["new", "again"]);
    this.slot.replaceChildren();
    this.on.ended(game, this.slot);
    this.#compare(game);
  }

  /** A game that could not be opened. */
  showProblem(message) {
    this.#open("lost", `This game cannot be opened: ${message}.`, "blast");
    this.figures.replaceChildren();
    this.#offer(["choose"]);
  }

  /** The game goes on, or another one does. */
  clear() {
    this.asking.drop();
    this.game = null;
    this.close();
  }

  close() {
    this.root.hidden = true;
  }

  #open(outcome, verdict, sign) {
    this.root.className = `end-card ${outcome}`;
    this.root.hidden = false;
    this.sign.replaceChildren(icon(sign));
    this.verdict.textContent = verdict;
    this.fatal.textContent = "";
  }

  #offer(names) {
    this.actions.replaceChildren(...names.map((name) => this.buttons[name]));
  }

  /** Best times, streaks and probabilities are asked for: they come a moment after the end. */
  async #compare(game) {
    try {
      const answer = await this.asking.ask((signal) => api.endOf(game.id, signal));
      if (answer === null || this.game !== game) return;
      this.#tell(answer.record);
      if (answer.fatal) this.#tellFatal(answer.fatal);
    } catch {
      // A server that is away has said so already; the card stands without it.
      if (this.game === game) this.#tell(null);
    }
  }

  #tell(record) {
    const { state } = this.game;
    const seconds = state.milliseconds / 1000;
    const three_bv = state.outcome === "won" ? state.three_bv : `${state.three_bv} of ${state.three_bv_total}`;
    const rows = [
      ["3BV", three_bv, "The clicks that the board needs at least"],
      ["3BV/s", seconds ? (state.three_bv / seconds).toFixed(2) : "–", "3BV for each second"],
      ["Efficiency", efficiencyOf(state), "3BV for each click"],
      ["Best", record ? best(state, record) : "…", "The best time of games like this one"],
      ["Streak", record ? streak(state, record) : "…", "Wins in a row of games like this one"],
    ];
    this.figures.replaceChildren(
      ...rows.map(([name, value, title]) => make("div", { title }, make("dt", { text: name }), make("dd", { text: value }))),
    );
  }

  #tellFatal(fatal) {
    const name = this.view.name(fatal.cell);
    const met = fatal.action === "chord" ? `The chord on ${name} met a mine` : `${name} was a mine`;
    this.fatal.textContent = `${met} with probabilities of ${percent(fatal.risk)}. ${this.#best(fatal)}`;
    say(this.fatal.textContent);
    this.on.compared(fatal);
  }

  #best({ class: kind, risk, least_risk: least, safest }) {
    if (kind === "certain") return "";
    if (kind === "only-guess") return "Every other cell was as risky.";
    if (risk - least < 1e-9) return "There was no safer one.";
    const named = safest.length <= MAX_NAMED ? safest.map((cell) => this.view.name(cell)).join(", ") : `one of ${safest.length} cells`;
    return least === 0 ? `Certainly free: ${named}.` : `The best there was: ${named}, ${percent(least)}.`;
  }
}

/** How a game ended, in one sentence. */
export function verdictOf(state) {
  const time = hundredths(state.milliseconds);
  if (state.outcome === "lost") return `Boom: lost after ${time}.`;
  if (state.deaths > 0) return `Finished after ${plural(state.deaths, "loss", "losses")}, in ${time}.`;
  const how = state.helped ? " with help" : state.repeated ? " again" : "";
  return `Won${how} in ${time}.`;
}

/** A loss that was undone or continued stays a loss, and sets no best time. */
function best({ outcome, deaths, milliseconds }, { counts, best_milliseconds: least }) {
  if (outcome !== "won" || deaths > 0 || !counts) return least === null ? "–" : hundredths(least);
  if (least === null) return "the first";
  const gap = milliseconds - least;
  return gap < 0 ? `new, by ${hundredths(-gap)}` : `${hundredths(least)} (+${hundredths(gap)})`;
}

function streak({ outcome }, { counts, streak: now, streak_before: before, best_streak: most }) {
  if (!counts) return "not counted";
  if (outcome === "lost") return before > 1 ? `ended at ${before}` : "0";
  return now > most && most > 0 ? `${now}, the longest yet` : `${now}`;
}
