// The card at the end of a game: the result, how it compares, the fatal move, luck and accuracy, and
// what to do next.

import { playBestTime } from "../../board/effects.js";
import { cellsLabel } from "../../board/hints.js";
import { announce } from "../../lib/announce.js";
import * as api from "../../lib/api.js";
import { button, icon, make } from "../../lib/dom.js";
import { capitalise, gameEfficiency, hundredths, percent, plural, rate, signed } from "../../lib/format.js";
import { setting } from "../../lib/settings.js";
import { figureRows } from "../../lib/widgets.js";

const MAX_NAMED = 3; // cells whose names are announced to screen readers

export class EndCard {
  /** showFatal(fatal) marks the fatal move on the board of *stage*. */
  constructor(stage, showFatal) {
    Object.assign(this, { showFatal, stage });
    this.request = new api.LatestRequest(stage.signal);
    this.buttons = {
      new: stage.button("new", { text: "New game", class: "primary" }),
      undo: stage.button("undo", { icon: "undo", text: "Undo" }),
      continue: stage.button("continue", { text: "Continue" }),
      showMines: stage.button("showMines", { text: "Show mines" }),
      again: stage.button("again", { text: "Replay" }),
    };
    this.icon = make("span.end-icon");
    this.verdict = make("h2.verdict");
    this.figures = make("dl.end-figures");
    this.record = make("p.end-record", { hidden: true }, icon("star"), make("strong"));
    this.fatal = make("p.end-fatal");
    this.review = make("p.end-review");
    this.actions = make("div.end-actions");
    this.root = make(
      "section.end-card",
      { "aria-label": "Result", hidden: true },
      make(
        "div.end-head",
        this.icon,
        this.verdict,
        button({ icon: "close", label: "Close", class: "ghost", onclick: () => this.close() }),
      ),
      this.record,
      this.figures,
      make("div.end-text", this.fatal, this.review),
      this.actions,
    );
  }

  /** Show the end of a game, unless it is shown already. */
  show(game) {
    if (this.game === game && this.events === game.state.events) return;
    Object.assign(this, { game, events: game.state.events });
    const { outcome } = game.state;
    this.root.className = `end-card ${outcome}`;
    this.root.hidden = false;
    this.icon.replaceChildren(icon(outcome === "won" ? "trophy" : "explosion"));
    this.verdict.textContent = outcomeText(game.state);
    this.record.hidden = true;
    this.fatal.textContent = "";
    this.#showFigures();
    const afterLoss = ["undo", "continue", ...(setting("showMines") ? [] : ["showMines"])];
    const actions = ["new", ...(outcome === "lost" ? afterLoss : []), "again"];
    this.actions.replaceChildren(...actions.map((name) => this.buttons[name]));
    this.#showReview(game);
    this.#compare(game);
  }

  /** Hide the card: the game continues, or another one is shown. */
  clear() {
    this.request.cancel();
    this.game = null;
    this.close();
  }

  close() {
    this.root.hidden = true;
  }

  /** Request best times, streaks and the risk of the fatal move. */
  async #compare(game) {
    try {
      const end = await this.request.run((signal) => api.endOf(game.id, signal));
      if (end === null || this.game !== game) return;
      this.#showFigures(end.record);
      if (end.record && isRecord(game.state, end.record)) this.#showRecord(end.record);
      if (end.fatal) this.#showFatal(end.fatal);
    } catch {
      // The page has already reported that the server does not respond.
      if (this.game === game) this.#showFigures(null);
    }
  }

  #showFigures(record) {
    const { state } = this.game;
    const seconds = state.milliseconds / 1000;
    const three_bv = state.outcome === "won" ? state.three_bv : `${state.three_bv} of ${state.three_bv_total}`;
    const rows = [
      ["3BV", three_bv, "The smallest number of clicks that reveals this layout"],
      ["3BV/s", seconds ? (state.three_bv / seconds).toFixed(2) : "–", "3BV per second"],
      ["Efficiency", gameEfficiency(state), "3BV per click"],
      ...(record === null
        ? [] // a game without a result, such as one that was opened from a file
        : [
            ["Best", record ? best(state, record) : "…", "Best time with these rules"],
            ["Streak", record ? streak(state, record) : "…", "Wins in a row with these rules"],
          ]),
    ];
    this.figures.replaceChildren(...figureRows(rows));
  }

  #showRecord({ best_milliseconds: least }) {
    this.record.hidden = false;
    this.record.lastChild.textContent = least === null ? "Your first win with these rules" : "New best time";
    playBestTime(this.record);
    announce(this.record.textContent);
  }

  #showFatal(fatal) {
    const sentence = [...mistake(fatal), " ", ...alternative(fatal)];
    this.fatal.replaceChildren(
      ...sentence.map((part) => (part.cells ? cellsLabel(part.cells, part.text, this.stage) : part)),
    );
    const name = (cell) => this.stage.view.name(cell);
    announce(
      sentence
        .map((part) => (part.cells ? `${part.text} (${part.cells.slice(0, MAX_NAMED).map(name).join(", ")})` : part))
        .join("")
        .trim(),
    );
    this.showFatal(fatal);
  }

  /** Luck and accuracy of the whole game, with links to its review and to the certificate of a no-guess board. */
  async #showReview(game) {
    const text = make("span", "How did you play?");
    const link = (view, name) => make("a", { href: `#/${view}${encodeURIComponent(game.id)}` }, name);
    const links = make(
      "span",
      ...(game.isNoGuess ? [link("analyse?game=", "Certificate"), " · "] : []),
      link("review/", "Review"),
    );
    this.review.replaceChildren(text, links);
    try {
      const { luck, accuracy, mistakes } = await api.reviewOf(game.id);
      const accuracyText = accuracy === null ? "" : `Accuracy ${rate(accuracy)}, ${plural(mistakes, "mistake")}, `;
      text.textContent = capitalise(`${accuracyText}luck score ${signed(luck)}`);
    } catch {
      // The review itself shows the error.
    }
  }
}

/** What was wrong with the fatal move, as texts and references to cells. */
function mistake({ action, cell, risk }) {
  if (action === "chord")
    return [
      { text: "This chord", cells: [cell] },
      risk === 1 ? " certainly hit a mine." : ` had a ${percent(risk)} risk of hitting a mine.`,
    ];
  return [
    { text: "This cell", cells: [cell] },
    risk === 1 ? " was certainly a mine." : ` had a ${percent(risk)} chance of being a mine.`,
  ];
}

/** What would have been better, as texts and references to cells. */
function alternative({ class: kind, risk, least_risk: least, safest }) {
  if (kind === "certain") return [];
  if (kind === "only-guess") return ["Every other cell was as risky."];
  if (risk - least < 1e-9) return ["No cell was safer."];
  const cells = { text: plural(safest.length, "cell"), cells: safest };
  if (least === 0) return [cells, safest.length === 1 ? " was safe." : " were safe."];
  return [`The lowest risk was ${percent(least)}: `, cells, "."];
}

/** The result of a game in one sentence. */
export function outcomeText(state) {
  const time = hundredths(state.milliseconds);
  if (state.outcome === "lost") return `Lost after ${time}.`;
  if (state.losses > 0) return `Finished after ${plural(state.losses, "loss", "losses")}, in ${time}.`;
  const how = state.helped ? " with help" : state.repeated ? " again" : "";
  return `Won${how} in ${time}.`;
}

/** Whether a game is compared with the best time; not after a loss that was undone or continued. */
const isTimed = ({ outcome, losses }, { counts }) => outcome === "won" && losses === 0 && counts;

const isRecord = (state, record) =>
  isTimed(state, record) && state.milliseconds < (record.best_milliseconds ?? Infinity);

function best(state, record) {
  const { best_milliseconds: least } = record;
  if (least === null) return isTimed(state, record) ? "first win" : "–";
  const gap = state.milliseconds - least;
  if (!isTimed(state, record)) return hundredths(least);
  return gap < 0 ? `new, by ${hundredths(-gap)}` : `${hundredths(least)} (+${hundredths(gap)})`;
}

function streak({ outcome }, { counts, streak: now, streak_before: before, best_streak: most }) {
  if (!counts) return "not counted";
  if (outcome === "lost") return before > 1 ? `ended at ${before}` : "0";
  return now > most && most > 0 ? `${now}, your longest` : `${now}`;
}
