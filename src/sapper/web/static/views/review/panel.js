// The panel of a review: figures of the game, the current move, better alternatives, and lists of mistakes
// and of safe cells that were missed.

import { candidatesOf, GuessTable } from "../../board/guesses.js";
import { cellsLabel, renderSentence } from "../../board/hint_overlay.js";
import { busyNotice, button, figureRows, icon, make } from "../../lib/dom.js";
import { capitalise, hundredths, percent, plural, rate, signed, toSentence } from "../../lib/format.js";
import { withTooltip } from "../../lib/keys.js";
import { setting } from "../../lib/settings.js";
import { mistakeKind, mistakeMark } from "./timeline.js";

const MAX_MISSED = 12; // rows, one for all cells that became safe at the same move; the others are counted

export class ReviewPanel {
  /** onBest() is called when win chances show that another guess was the best. */
  constructor(commands, stage, timeline, onBest) {
    Object.assign(this, { commands, stage });
    const commandButton = (name, options) =>
      withTooltip(
        button({ ...options, onclick: () => commands[name]() }),
        "review",
        name,
        options.label ?? options.text,
      );
    const tool = (name, icon, label) => commandButton(name, { icon, label, class: "ghost" });
    this.title = make("h2", { class: "game-title" });
    this.figures = make("dl", { class: "review-figures" });
    this.count = make("p", { class: "step-count" });
    this.move = make("section", { class: "review-move", "aria-label": "This move" });
    this.guessTable = new GuessTable(stage, onBest);
    this.alternatives = make("div", { class: "alternatives" });
    this.proof = make("p", { class: "why", hidden: true });
    this.jumps = make("section", { class: "jumps", "aria-label": "Mistakes and missed cells" });
    this.note = make("p", { class: "faint" });
    this.links = make("p", { class: "review-links" });
    this.previous = tool("previous", "back", "Previous move");
    this.next = tool("next", "step", "Next move");
    this.run = commandButton("run", { icon: "run", label: "Play the moves", class: "ghost" });
    this.retry = commandButton("retry", { icon: "again", text: "Retry this move", class: "primary" });
    this.previousMistake = commandButton("previousMistake", { text: "Previous mistake" });
    this.nextMistake = commandButton("nextMistake", { text: "Next mistake" });
    this.root = make(
      "section",
      { class: "review", "aria-label": "Review" },
      make("h1", { class: "visually-hidden", text: "Review" }),
      make("div", { class: "review-bar" }, this.title, this.figures, stage.zoomButtons()),
      make(
        "div",
        { class: "with-panel" },
        stage.root,
        make(
          "aside",
          { class: "panel", "aria-label": "Moves", tabindex: "0" },
          this.move,
          make("div", { class: "tools move-tools" }, this.retry, this.nextMistake, this.previousMistake),
          this.alternatives,
          this.guessTable.root,
          this.proof,
          this.jumps,
          this.note,
          this.links,
        ),
      ),
      make(
        "div",
        { class: "review-time" },
        timeline.root,
        make(
          "div",
          { class: "tools", role: "group", "aria-label": "Moves of the game" },
          this.previous,
          this.run,
          this.next,
          this.count,
        ),
      ),
    );
  }

  showReviewing() {
    this.move.replaceChildren(make("p", { class: "faint", text: "Reviewing every move …" }));
  }

  open(data) {
    this.data = data;
    this.title.textContent = `${data.title}, ${gameText(data)}`;
    this.note.hidden = data.uniform;
    this.note.replaceChildren(
      "This layout was chosen to need no guess; luck is measured as if it were random. ",
      make("a", { href: `#/analyse?game=${encodeURIComponent(data.id)}`, text: "See its certificate." }),
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

  stop() {
    this.guessTable.clear();
  }

  /** Show the figures of the game; *unknown* is shown where one is not known. */
  #showFigures(unknown) {
    const { data } = this;
    const lost = lostByMistakes(data);
    const luck = data.win?.win_luck ?? null;
    const luckScore = `Luck score: ${signed(data.luck)} ± ${data.error.toFixed(2)}.`;
    const rows = [
      ["Accuracy", rate(data.accuracy), "Reveals that were not mistakes"],
      [
        "Lost by mistakes",
        lost === null ? unknown : `${points(-lost)} points`,
        "How much win chance the marked mistakes cost, in percentage points",
      ],
      [
        "Luck",
        luck === null ? unknown : `${points(luck)} points`,
        `How much the numbers and mines you found changed the win chance, in percentage points. ${luckScore}`,
      ],
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
    this.links.replaceChildren(
      make("a", { href: `#/play/${encodeURIComponent(this.data.id)}`, text: "Back to the game" }),
    );
    this.#showMove(step, move);
  }

  /** Show a move, and how it changed the win chance; null shows the end of the game. */
  #showMove(step, move) {
    if (!move) return this.#showEnd();
    const kind = mistakeKind(move);
    const description = setting("names") ? `, ${moveText(move, this.view.name(move.cell))}` : "";
    this.move.className = `review-move ${move.class}`;
    this.move.replaceChildren(
      make(
        "h2",
        {},
        ...(kind ? [mistakeMark(kind)] : []),
        `Move ${step}${description}: ${verdict(move).toLowerCase()}`,
      ),
      make("p", { text: riskText(move) }),
      ...paragraphs(moveWinText(move)),
      make("p", {
        class: "faint",
        text: `After ${hundredths(1000 * move.seconds)}${move.counts ? "" : "; luck does not count after an undo or a loss"}`,
      }),
    );
  }

  showAnalysing() {
    this.alternatives.replaceChildren(busyNotice("Working … ", () => {})[0]);
  }

  /** The cells to compare with a move that was a guess. */
  candidates(move, guess) {
    return candidatesOf(guess, move.action === "reveal" ? [{ cell: move.cell, risk: move.risk }] : []);
  }

  /** The best guess by the win chances so far; null if no guess is shown. */
  get bestGuess() {
    return this.guessTable.root.hidden ? null : this.guessTable.best;
  }

  /** Show the alternatives: the safe cells, else the cells of least risk, and the best guess. */
  showAlternatives(move, { safe, certain_mines: mines, least_risk: least, safest, guess, link }) {
    const { stage } = this;
    const rows = [];
    if (move.class === "mistake" && safe.length)
      rows.push([
        cellsLabel(safe, plural(safe.length, "cell"), stage),
        ` ${safe.length === 1 ? "was" : "were"} safe. Click a ticked cell for its proof.`,
      ]);
    else if (move.class === "mistake")
      rows.push([
        `Lowest risk, ${percent(least)}: `,
        cellsLabel(safest, safest.length === 1 ? "this cell" : `these ${safest.length} cells`, stage),
        ".",
      ]);
    if (move.class === "mistake" && move.action === "chord" && mines.length)
      rows.push([
        cellsLabel(mines, plural(mines.length, "cell"), stage),
        mines.length === 1 ? " was certainly a mine." : " were certainly mines.",
      ]);
    this.alternatives.replaceChildren(...rows.map((parts) => make("p", {}, ...parts)));
    if (guess && move.class !== "certain")
      this.guessTable.show(guess, this.candidates(move, guess), this.commands.winChances);
    if (link) this.links.append(" · ", make("a", { href: link, text: "Analyse this position" }));
  }

  showProof(proof) {
    const state = proof.action === "flag" ? "a mine" : "safe";
    this.proof.hidden = false;
    this.proof.replaceChildren(
      make("strong", {}, "Why ", cellsLabel([proof.cell], "the ringed cell", this.stage), ` is ${state}: `),
      ...renderSentence(proof, this.stage),
    );
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
    this.move.replaceChildren(
      make("h2", { text: capitalise(gameText(this.data)) }),
      ...paragraphs(summaryText(this.data)),
      ...paragraphs(gameWinText(this.data.win)),
    );
  }

  /** Buttons for every mistake and every missed safe cell. */
  #showJumps() {
    const { moves, missed } = this.data;
    const jump = (step, cell, ...parts) =>
      make(
        "li",
        {},
        make("button", { type: "button", class: "jump", onclick: () => this.commands.go(step, cell) }, ...parts),
      );
    const list = (title, rows, more = 0) => [
      make("h3", { text: title }),
      make("ul", { class: "jump-list" }, ...rows),
      ...(more > 0 ? [make("p", { class: "faint", text: `and ${more} more` })] : []),
    ];
    const wrong = moves.flatMap((move, k) => (mistakeKind(move) ? [[k + 1, move]] : []));
    this.previousMistake.hidden = this.nextMistake.hidden = !wrong.length;
    const groups = Object.values(Object.groupBy(missed, ({ since }) => since));
    const rows = [];
    if (wrong.length)
      rows.push(
        ...list(
          plural(wrong.length, "mistake"),
          wrong.map(([step, move]) =>
            jump(
              step,
              null,
              mistakeMark(mistakeKind(move)),
              make("span", { text: `Move ${step}: ${verdict(move).toLowerCase()}` }),
              make("small", { text: costText(move) }),
            ),
          ),
        ),
      );
    if (groups.length)
      rows.push(
        ...list(
          "Safe cells you missed",
          groups.slice(0, MAX_MISSED).map((group) =>
            jump(
              group[0].since,
              group[0].cell,
              make("span", { text: `Move ${group[0].since}: ${plural(group.length, "cell")}` }),
              make("small", {
                text: `missed for ${plural(Math.max(...group.map(({ moves: count }) => count)), "move")}`,
              }),
            ),
          ),
          groups.length - MAX_MISSED,
        ),
      );
    this.jumps.replaceChildren(...rows);
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

const paragraphs = (text) => (text ? [make("p", { text })] : []);

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
