// The panel of a review: figures of the game, the current move, and better alternatives.

import { candidatesOf, GuessTable, nameChip, reasonOf } from "../../board/guesses.js";
import { renderSentence } from "../../board/hint_overlay.js";
import { busyNotice, button, cellChips, figureRows, make } from "../../lib/dom.js";
import { capitalise, hundredths, percent, plural, rate, signed, toSentence } from "../../lib/format.js";
import { withTooltip } from "../../lib/keys.js";
import { mistakeKind, mistakeMark } from "./timeline.js";

const MAX_CHIPS = 12;

export class ReviewPanel {
  constructor(commands, stage, timeline) {
    Object.assign(this, { commands, stage });
    const commandButton = (name, options) => withTooltip(button({ ...options, onclick: () => commands[name]() }), "review", name, options.label);
    const tool = (name, icon, label) => commandButton(name, { icon, label, class: "ghost" });
    const jump = (name, icon, label) => commandButton(name, { icon, text: "Mistake", label });
    this.title = make("h2", { class: "game-title" });
    this.figures = make("dl", { class: "review-figures" });
    this.count = make("p", { class: "step-count" });
    this.move = make("section", { class: "review-move", "aria-label": "This move" });
    this.guessTable = new GuessTable();
    this.alternatives = make("div", { class: "alternatives" });
    this.proof = make("p", { class: "why", hidden: true });
    this.jumps = make("section", { class: "jumps", "aria-label": "Mistakes and missed cells" });
    this.note = make("p", { class: "faint", text: "This layout was chosen to need no guess; luck is measured as if it were random." });
    this.links = make("p", { class: "review-links" });
    this.previous = tool("previous", "back", "Previous move");
    this.next = tool("next", "step", "Next move");
    this.mistakes = make(
      "span",
      { class: "tools" },
      jump("previousMistake", "back", "Previous mistake"),
      jump("nextMistake", "step", "Next mistake"),
    );
    this.root = make(
      "section",
      { class: "review", "aria-label": "Review" },
      make("h1", { class: "visually-hidden", text: "Review" }),
      make("div", { class: "review-bar" }, this.title, this.figures, stage.zoomButtons()),
      make(
        "div",
        { class: "with-panel" },
        stage.root,
        make("aside", { class: "panel", "aria-label": "Moves", tabindex: "0" }, this.move, this.alternatives, this.guessTable.root, this.proof, this.jumps, this.note, this.links),
      ),
      make("div", { class: "review-time" }, timeline.root, make("div", { class: "tools", role: "group", "aria-label": "Moves of the game" }, this.previous, this.count, this.next, this.mistakes)),
    );
  }

  showReviewing() {
    this.move.replaceChildren(make("p", { class: "faint", text: "Reviewing every move …" }));
  }

  open(data) {
    this.data = data;
    this.title.textContent = data.title;
    this.note.hidden = data.uniform;
    this.#showFigures("…");
    this.#showJumps();
  }

  /** The win chances of all moves are known. */
  showWinChances(step, move) {
    this.#showFigures("–");
    this.#showJumps();
    this.#showMove(step, move);
  }

  /** The win chances could not be estimated. */
  showNoWinChances() {
    this.#showFigures("–");
  }

  stop() {
    this.guessTable.clear();
  }

  /** Show the figures of the game; *unknown* is shown where one is not known. */
  #showFigures(unknown) {
    const { data } = this;
    const lost = data.win ? data.moves.reduce((sum, { severity, win_cost: cost }) => sum + (severity ? cost : 0), 0) : null;
    const luck = data.win?.win_luck ?? null;
    const survived = `Risks survived minus expected: ${signed(data.luck)} ± ${data.error.toFixed(2)}.`;
    const rows = [
      ["Accuracy", rate(data.accuracy), "Reveals that were not mistakes"],
      ["Lost by mistakes", lost === null ? unknown : `${points(-lost)} points`, "Win chance that the marked mistakes cost, in percentage points"],
      ["Luck", luck === null ? unknown : `${points(luck)} points`, `What numbers and mines changed in the win chance, in percentage points. ${survived}`],
      ["Mistakes", data.mistakes, "Reveals when another cell was certain or clearly safer"],
      ["Time", hundredths(data.milliseconds), "Playing time"],
    ];
    this.figures.replaceChildren(...figureRows(rows));
  }

  showStep(view, step, move) {
    const { moves } = this.data;
    this.view = view;
    this.previous.disabled = step === 1;
    this.next.disabled = step > moves.length;
    this.count.textContent = move ? `${step} of ${moves.length}` : "End";
    this.alternatives.replaceChildren();
    this.guessTable.clear();
    this.proof.hidden = true;
    this.links.replaceChildren(make("a", { href: `#/play/${encodeURIComponent(this.data.id)}`, text: "Back to the game" }));
    this.#showMove(step, move);
  }

  /** Show what was done in a step and what it changed in the win chance; null is the end of the game. */
  #showMove(step, move) {
    if (!move) return this.#showEnd();
    this.move.className = `review-move ${move.class}`;
    this.move.replaceChildren(
      make("h2", { text: `${step}. ${capitalise(moveText(move, this.view.name(move.cell)))}` }),
      make("p", {}, ...[mistakeKind(move)].filter(Boolean).map(mistakeMark), make("strong", { text: `${verdict(move)}. ` }), riskText(move)),
      ...paragraphs(moveWinText(move)),
      make("p", { class: "faint", text: `After ${hundredths(1000 * move.seconds)}${move.counts ? "" : "; luck does not count after an undo or a loss"}` }),
    );
  }

  showAnalysing() {
    this.alternatives.replaceChildren(busyNotice("Working … ", () => {})[0]);
  }

  /** Show the alternatives: the safe cells, else the cells of least risk, and the best guess. */
  showAlternatives(view, move, { safe, certain_mines: mines, least_risk: least, safest, guess, link }) {
    const rows = [];
    if (move.class === "mistake") {
      if (safe.length) rows.push(this.#chips("Safe", safe, view, "safe"));
      else rows.push(make("p", {}, make("strong", { text: `Lowest risk, ${percent(least)}: ` }), nameList(safest, view)));
      if (move.action === "chord" && mines.length) rows.push(this.#chips("Mines", mines, view, "mine"));
    }
    if (guess && move.class !== "certain") rows.push(make("p", {}, make("strong", { text: `Best guess ${view.name(guess.cell)}. ` }), ...reasonOf(guess, this.stage)));
    this.alternatives.replaceChildren(...rows);
    if (guess && guess.risk !== null && move.class !== "certain") {
      const own = move.action === "reveal" ? [{ cell: move.cell, risk: move.risk }] : [];
      this.guessTable.show(candidatesOf(guess, own), nameChip(this.stage), this.commands.winChances);
    }
    if (link) this.links.append(" · ", make("a", { href: link, text: "Analyse this position" }));
  }

  showProof(view, proof) {
    const what = proof.action === "flag" ? "is a mine" : "is safe";
    this.proof.hidden = false;
    this.proof.replaceChildren(make("strong", { text: `Why ${view.name(proof.cell)} ${what}: ` }), ...renderSentence(proof, this.stage));
  }

  showProofProblem(message) {
    this.proof.hidden = false;
    this.proof.textContent = toSentence(message);
  }

  showProblem(message) {
    this.alternatives.replaceChildren(make("p", { class: "note bad", text: toSentence(message) }));
  }

  #showEnd() {
    this.move.className = `review-move end ${this.data.outcome}`;
    this.move.replaceChildren(make("h2", { text: "End" }), make("p", { text: gameText(this.data) }), ...paragraphs(gameWinText(this.data.win)));
  }

  /** Links to every mistake and to missed safe cells. */
  #showJumps() {
    const { moves, missed } = this.data;
    const jump = (step, kind, title, ...parts) => make("button", { type: "button", class: `chip ${kind}`, title, onclick: () => this.commands.go(step) }, ...parts);
    const wrong = moves.flatMap((move, k) => (mistakeKind(move) ? [[k + 1, move]] : []));
    this.mistakes.hidden = !wrong.length;
    const overlooked = missed.filter(({ guessed }) => !guessed);
    const rows = [];
    if (wrong.length)
      rows.push(
        make("h3", { text: plural(wrong.length, "mistake") }),
        make("p", { class: "chips" }, ...wrong.map(([step, move]) => jump(step, "jump", `Move ${step}: ${riskText(move)}`, mistakeMark(mistakeKind(move)), jumpText(step, move)))),
      );
    if (overlooked.length)
      rows.push(
        make("h3", { text: "Safe cells you missed" }),
        make("p", { class: "chips" }, ...overlooked.slice(0, MAX_CHIPS).map(({ since, moves: count }) => jump(since, "missed", `You missed a certain cell for ${count} moves, from move ${since}`, `move ${since}`))),
      );
    this.jumps.replaceChildren(...rows);
  }

  #chips(title, cells, view, kind) {
    return cellChips(title, cells, view, kind, MAX_CHIPS, (cell) => this.commands.explain(cell));
  }
}

function nameList(cells, view) {
  const more = cells.length > MAX_CHIPS ? ` and ${cells.length - MAX_CHIPS} more` : "";
  return `${cells.slice(0, MAX_CHIPS).map((cell) => view.name(cell)).join(", ")}${more}`;
}

/** A change of a probability in percentage points. */
const points = (change) => signed(100 * change, 1);

/** A mistake in a list: its move and what it cost, or its risk where that is not known. */
const jumpText = (step, { severity, win_cost: cost, risk }) => `move ${step}: ${severity ? points(-cost) : `${percent(risk)} risk`}`;

/** What a move changed in the win chance; empty where that is not known. */
function moveWinText({ class: kind, win_before: before = null, win_after: after, win_cost: cost, win_luck: luck }) {
  if ([before, after, cost].includes(null)) return "";
  const parts = kind === "certain" ? "" : `: ${points(-cost)} points by the choice, ${points(luck)} by luck`;
  return `Win chance ${rate(before)} → ${rate(after)}${parts}.`;
}

const paragraphs = (text) => (text ? [make("p", { text })] : []);

/** What choices and luck changed in the win chance of a game. */
function gameWinText(win) {
  if (!win) return "";
  const { start, end, win_cost: cost, win_error: error, win_luck: luck, win_player: player } = win;
  if ([start, end, cost, luck].includes(null)) return "";
  return `Win chance from ${rate(start)} to ${rate(end)}: ${points(-cost)} ± ${(100 * error).toFixed(1)} points by your choices, ${points(luck)} by luck, compared with the player ${player}.`;
}

const MOVE_CLASSES = {
  certain: "Certain",
  "only-guess": "Forced guess",
  "best-guess": "Good guess",
  mistake: "Mistake",
};

/** How good a move was: how much win chance it lost, else by its risk. */
export const verdict = ({ severity, class: kind }) => (severity ? capitalise(severity) : MOVE_CLASSES[kind]);

const ACTIONS = { reveal: "reveal", chord: "chord on" };

/** "reveal r3c5", as the move was made. */
export const moveText = (move, name) => `${ACTIONS[move.action]} ${name}`;

/** The risk of a move, in a sentence or two. */
export function riskText(move) {
  const lost = move.survived ? "" : " It hit a mine.";
  if (move.class === "certain") return move.survived ? "No risk." : "No risk, but it hit a mine.";
  if (move.class === "only-guess") return `${percent(move.risk)} risk, like every other covered cell.${lost}`;
  if (move.class === "best-guess") return `${percent(move.risk)} risk; the lowest was ${percent(move.least_risk)}.${lost}`;
  const better = move.least_risk === 0 ? "another cell was safe" : `another cell had ${percent(move.least_risk)}`;
  return `${percent(move.risk)} risk; ${better}.${lost}`;
}

/** A whole game in one line. */
function gameText({ outcome, moves, mistakes }) {
  const how = { won: "Won", lost: "Lost", playing: "Not finished" }[outcome];
  return `${how} after ${plural(moves.length, "reveal")}, ${plural(mistakes, "mistake")}.`;
}
