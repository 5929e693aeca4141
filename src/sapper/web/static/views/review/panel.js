// The panel of a review: figures of the game, the current move, better alternatives, and lists of mistakes
// and of safe cells that were missed.

import { cellsLabel, renderSentence } from "../../board/hints.js";
import { candidatesOf, GuessTable } from "../../board/win_chances.js";
import { icon, make } from "../../lib/dom.js";
import { capitalise, hundredths, percent, plural, rate, signed, toSentence } from "../../lib/format.js";
import { setting } from "../../lib/settings.js";
import { busyNotice, figureRows } from "../../lib/widgets.js";
import { mistakeKind, mistakeMark } from "./timeline.js";

const MAX_MISSED = 12; // rows, one for all cells that became safe at the same move; the others are counted

export class ReviewPanel {
  /** onBest() is called when win chances show that another guess was the best. */
  constructor(stage, timeline, onBest) {
    this.stage = stage;
    this.commands = stage.commands;
    this.title = make("h2.game-title");
    this.figures = make("dl.review-figures");
    this.count = make("p.step-count");
    this.move = make("section.review-move", { "aria-label": "This move" });
    this.guessTable = new GuessTable(stage, onBest);
    this.alternatives = make("div.alternatives");
    this.proof = make("p.why", { hidden: true });
    this.jumps = make("section.jumps", { "aria-label": "Mistakes and missed cells" });
    this.note = make("p.faint");
    this.links = make("p.review-links");
    this.previous = stage.button("previous", { icon: "back", label: "Previous move", class: "ghost" });
    this.next = stage.button("next", { icon: "step", label: "Next move", class: "ghost" });
    this.run = stage.button("run", { icon: "run", label: "Play the moves", class: "ghost" });
    this.retry = stage.button("retry", { icon: "again", text: "Retry this move", class: "primary" });
    this.previousMistake = stage.button("previousMistake", { text: "Previous mistake" });
    this.nextMistake = stage.button("nextMistake", { text: "Next mistake" });
    const playback = { role: "group", "aria-label": "Moves of the game" };
    this.root = make(
      "section.review",
      { "aria-label": "Review" },
      make("h1.visually-hidden", "Review"),
      make("div.review-bar", this.title, this.figures, stage.zoomButtons()),
      make(
        "div.with-panel",
        stage.root,
        make(
          "aside.panel",
          { "aria-label": "Moves", tabindex: "0" },
          this.move,
          make("div.tools.move-tools", this.retry, this.nextMistake, this.previousMistake),
          this.alternatives,
          this.guessTable.root,
          this.proof,
          this.jumps,
          this.note,
          this.links,
        ),
      ),
      make(
        "div.review-time",
        timeline.root,
        make("div.tools", playback, this.previous, this.run, this.next, this.count),
      ),
    );
  }

  showReviewing() {
    this.move.replaceChildren(make("p.faint", "Reviewing every move …"));
  }

  open(data) {
    this.data = data;
    this.title.textContent = `${data.title}, ${gameText(data)}`;
    this.note.hidden = data.uniform;
    this.note.replaceChildren(
      "This layout was chosen to need no guess; luck is measured as if it were random. ",
      make("a", { href: `#/analyse?game=${encodeURIComponent(data.id)}` }, "See its certificate."),
    );
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

  /** Show whether the moves are played one after another. */
  showRunning(on) {
    this.run.replaceChildren(icon(on ? "pause" : "run"));
    this.run.setAttribute("aria-pressed", on);
  }

  /** Show the figures of the game; *unknown* is shown where one is not known. */
  #showFigures(unknown) {
    const { data } = this;
    const lost = lostByMistakes(data);
    const luck = data.win?.win_luck ?? null;
    const luckScore = `Luck score: ${signed(data.luck)} ± ${data.error.toFixed(2)}.`;
    const aboutLost = "How much win chance the marked mistakes cost, in percentage points";
    const aboutLuck = "How much the numbers and mines you found changed the win chance, in percentage points.";
    const inPoints = (change) => (change === null ? unknown : `${points(change)} points`);
    const rows = [
      ["Accuracy", rate(data.accuracy), "Reveals that were not mistakes"],
      ["Lost by mistakes", inPoints(lost && -lost), aboutLost],
      ["Luck", inPoints(luck), `${aboutLuck} ${luckScore}`],
      ["Time", hundredths(data.milliseconds), "Playing time"],
    ];
    this.figures.replaceChildren(...figureRows(rows));
  }

  showStep(view, step, move) {
    const { moves } = this.data;
    this.view = view;
    this.previous.disabled = step === 1;
    this.next.disabled = step > moves.length;
    this.retry.hidden = !move;
    this.previousMistake.disabled = !moves.slice(0, step - 1).some(mistakeKind);
    this.nextMistake.disabled = !moves.slice(step).some(mistakeKind);
    this.count.textContent = move ? `${step} of ${moves.length}` : "End";
    this.alternatives.replaceChildren();
    this.guessTable.clear();
    this.proof.hidden = true;
    this.links.replaceChildren(make("a", { href: `#/play/${encodeURIComponent(this.data.id)}` }, "Back to the game"));
    this.#showMove(step, move);
  }

  /** Show a move, and how it changed the win chance; null shows the end of the game. */
  #showMove(step, move) {
    if (!move) return this.#showEnd();
    const kind = mistakeKind(move);
    const description = setting("names") ? `, ${moveText(move, this.view.name(move.cell))}` : "";
    const uncounted = move.counts ? "" : "; luck does not count after an undo or a loss";
    this.move.className = `review-move ${move.class}`;
    this.move.replaceChildren(
      make("h2", ...(kind ? [mistakeMark(kind)] : []), `Move ${step}${description}: ${verdict(move).toLowerCase()}`),
      make("p", riskText(move)),
      ...paragraphs(moveWinText(move)),
      make("p.faint", `After ${hundredths(1000 * move.seconds)}${uncounted}`),
    );
  }

  showAnalysing() {
    this.alternatives.replaceChildren(busyNotice("Working … ", () => {})[0]);
  }

  /** The cells to compare with a move that was a guess. */
  candidates(move, guess) {
    return candidatesOf(guess, move.action === "reveal" ? [{ cell: move.cell, risk: move.risk }] : []);
  }

  /** Show the alternatives: the safe cells, else the cells of least risk, and the best guess. */
  showAlternatives(move, { safe, certain_mines: mines, least_risk: least, safest, guess, link }) {
    const label = (cells, text = plural(cells.length, "cell")) => cellsLabel(cells, text, this.stage);
    const rows = [];
    if (move.class === "mistake" && safe.length)
      rows.push([label(safe), ` ${safe.length === 1 ? "was" : "were"} safe. Click a ticked cell for its proof.`]);
    else if (move.class === "mistake") {
      const which = safest.length === 1 ? "this cell" : `these ${safest.length} cells`;
      rows.push([`Lowest risk, ${percent(least)}: `, label(safest, which), "."]);
    }
    if (move.class === "mistake" && move.action === "chord" && mines.length)
      rows.push([label(mines), mines.length === 1 ? " was certainly a mine." : " were certainly mines."]);
    this.alternatives.replaceChildren(...rows.map((parts) => make("p", ...parts)));
    if (guess && move.class !== "certain")
      this.guessTable.show(guess, this.candidates(move, guess), this.commands.winChances);
    if (link) this.links.append(" · ", make("a", { href: link }, "Analyse this position"));
  }

  showProof(proof) {
    const state = proof.action === "flag" ? "a mine" : "safe";
    this.proof.hidden = false;
    this.proof.replaceChildren(
      make("strong", "Why ", cellsLabel([proof.cell], "the ringed cell", this.stage), ` is ${state}: `),
      ...renderSentence(proof, this.stage),
    );
  }

  showProofProblem(message) {
    this.proof.hidden = false;
    this.proof.textContent = toSentence(message);
  }

  showProblem(message) {
    this.alternatives.replaceChildren(make("p.note.bad", toSentence(message)));
  }

  #showEnd() {
    this.move.className = `review-move end ${this.data.outcome}`;
    this.move.replaceChildren(
      make("h2", capitalise(gameText(this.data))),
      ...paragraphs(summaryText(this.data)),
      ...paragraphs(gameWinText(this.data.win)),
    );
  }

  /** Buttons for every mistake and every missed safe cell. */
  #showJumps() {
    const { moves, missed } = this.data;
    const jump = (step, cell, text, note, mark = null) => {
      const onclick = () => this.commands.go(step, cell);
      const parts = [mark, make("span", `Move ${step}: ${text}`), make("small", note)];
      return make("li", make("button.jump", { type: "button", onclick }, ...parts));
    };
    const list = (title, rows, more = 0) => [
      ...(rows.length ? [make("h3", title), make("ul.jump-list", ...rows)] : []),
      ...(more > 0 ? [make("p.faint", `and ${more} more`)] : []),
    ];
    const mistakes = moves.flatMap((move, k) => {
      const kind = mistakeKind(move);
      return kind ? [jump(k + 1, null, verdict(move).toLowerCase(), costText(move), mistakeMark(kind))] : [];
    });
    const groups = Object.values(Object.groupBy(missed, ({ since }) => since));
    const cells = groups.slice(0, MAX_MISSED).map((group) => {
      const longest = Math.max(...group.map(({ moves: count }) => count));
      return jump(group[0].since, group[0].cell, plural(group.length, "cell"), `missed for ${plural(longest, "move")}`);
    });
    this.previousMistake.hidden = this.nextMistake.hidden = !mistakes.length;
    this.jumps.replaceChildren(
      ...list(plural(mistakes.length, "mistake"), mistakes),
      ...list("Safe cells you missed", cells, groups.length - MAX_MISSED),
    );
  }
}

/** A change of a probability in percentage points. */
const points = (change) => signed(100 * change, 1);

/** The win chance that all marked mistakes cost; null where it is not known. */
const lostByMistakes = ({ win, moves }) =>
  win ? moves.reduce((sum, { severity, win_cost: cost }) => sum + (severity ? cost : 0), 0) : null;

/** What a mistake cost, or its risk where that is not known. */
const costText = ({ severity, win_cost: cost, risk }) =>
  severity ? `${points(-cost)} points` : `${percent(risk)} risk`;

/** How a move changed the win chance; empty if that is not known. */
function moveWinText({ class: kind, win_before: before = null, win_after: after, win_cost: cost, win_luck: luck }) {
  if ([before, after, cost].includes(null)) return "";
  const parts = kind === "certain" ? "" : `: ${points(-cost)} points by the choice, ${points(luck)} by luck`;
  return `Win chance ${rate(before)} → ${rate(after)}${parts}.`;
}

const paragraphs = (text) => (text ? [make("p", text)] : []);

/** How mistakes and luck changed the win chance, in one sentence. */
function summaryText(data) {
  const lost = lostByMistakes(data);
  const luck = data.win?.win_luck ?? null;
  if (lost === null || luck === null) return `${plural(data.mistakes, "mistake")}.`;
  const count = data.moves.filter(({ severity }) => severity).length;
  const mistakes = count
    ? `${plural(count, "mistake")} cost you ${points(lost).slice(1)} points of win chance`
    : "No mistake cost you win chance";
  return `${mistakes}; luck ${luck < 0 ? "took" : "gave"} ${Math.abs(100 * luck).toFixed(1)}.`;
}

/** The win chance at the start and at the end of a game. */
function gameWinText(win) {
  if (!win) return "";
  const { start, end, win_cost: cost, win_error: error, win_player: player } = win;
  if ([start, end, cost].includes(null)) return "";
  return `Win chance from ${rate(start)} to ${rate(end)}. All your choices: ${points(-cost)} ± ${(100 * error).toFixed(1)} points, compared with the player ${player}.`;
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
  if (move.class === "best-guess")
    return `${percent(move.risk)} risk; the lowest was ${percent(move.least_risk)}.${lost}`;
  const better = move.least_risk === 0 ? "another cell was safe" : `another cell had ${percent(move.least_risk)}`;
  return `${percent(move.risk)} risk; ${better}.${lost}`;
}

/** How a game ended. */
function gameText({ outcome, moves }) {
  const how = { won: "won", lost: "lost", playing: "not finished" }[outcome];
  return `${how} after ${plural(moves.length, "reveal")}`;
}
