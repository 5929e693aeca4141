// Everything around the board of a review: how the game went, this move, what there was instead.

import { button, make, working } from "../../lib/dom.js";
import { tipped } from "../../lib/keys.js";
import { hundredths, percent, plural, sentence, signed } from "../../lib/words.js";
import { KINDS, gameWords, moveWords, riskWords, shareOf } from "./words.js";

const MOST_CHIPS = 12;

export class ReviewPanel {
  constructor(commands, stage, timeline) {
    this.commands = commands;
    const tip = (name, options) => tipped(button({ ...options, onclick: () => commands[name]() }), "review", name, options.label);
    const tool = (name, icon, label) => tip(name, { icon, label, class: "ghost" });
    const jump = (name, icon, label) => tip(name, { icon, text: "Mistake", label });
    this.title = make("h2", { class: "game-title" });
    this.figures = make("dl", { class: "review-figures" });
    this.count = make("p", { class: "step-count" });
    this.move = make("section", { class: "review-move", "aria-label": "This move" });
    this.instead = make("div", { class: "instead" });
    this.proof = make("p", { class: "why", hidden: true });
    this.jumps = make("section", { class: "jumps", "aria-label": "Where to look" });
    this.links = make("p", { class: "review-links" });
    this.previous = tool("previous", "back", "One move back");
    this.next = tool("next", "step", "One move on");
    this.mistakes = make(
      "span",
      { class: "tools" },
      jump("previousMistake", "back", "Mistake before"),
      jump("nextMistake", "step", "Mistake after"),
    );
    this.root = make(
      "section",
      { class: "review", "aria-label": "Review" },
      make("h1", { class: "unseen", text: "Review" }),
      make("div", { class: "review-bar" }, this.title, this.figures, stage.zoomTools()),
      make(
        "div",
        { class: "with-panel" },
        stage.root,
        make("aside", { class: "panel", "aria-label": "Moves", tabindex: "0" }, this.move, this.instead, this.proof, this.jumps, this.links),
      ),
      make("div", { class: "review-time" }, timeline.root, make("div", { class: "tools", role: "group", "aria-label": "Moves of the game" }, this.previous, this.count, this.next, this.mistakes)),
    );
  }

  showWork() {
    this.move.replaceChildren(make("p", { class: "faint", text: "Judging every move …" }));
  }

  open(data) {
    this.data = data;
    this.title.textContent = data.title;
    const rows = [
      ["Luck", `${signed(data.luck)} ± ${data.error.toFixed(2)}`, `What was survived beyond expectation: ${data.survived.toFixed(2)} against ${data.expected.toFixed(2)}. Two thirds of all players with these risks lie within the error.`],
      ["Accuracy", shareOf(data.accuracy), "The share of reveals that were no mistakes"],
      ["Mistakes", data.mistakes, "Reveals where something was certain, or clearly safer"],
      ["Time", hundredths(data.milliseconds), "Time of play"],
    ];
    this.figures.replaceChildren(...rows.map(([name, value, title]) => make("div", { title }, make("dt", { text: name }), make("dd", { text: value }))));
    this.mistakes.hidden = !data.mistakes;
    this.#showJumps();
  }

  showStep(view, step, move) {
    const { moves } = this.data;
    this.view = view;
    this.previous.disabled = step === 1;
    this.next.disabled = step > moves.length;
    this.count.textContent = move ? `${step} of ${moves.length}` : "the end";
    this.instead.replaceChildren();
    this.proof.hidden = true;
    this.links.replaceChildren(make("a", { href: `#/play/${encodeURIComponent(this.data.id)}`, text: "Back to the game" }));
    if (!move) return this.#showEnd();
    this.move.className = `review-move ${move.class}`;
    this.move.replaceChildren(
      make("h2", { text: `${step}. ${sentence(moveWords(move, view.name(move.cell))).slice(0, -1)}` }),
      make("p", {}, make("strong", { text: `${KINDS[move.class]}. ` }), riskWords(move)),
      make("p", { class: "faint", text: `After ${hundredths(1000 * move.seconds)}${luckWords(move)}` }),
    );
  }

  showThinking() {
    this.instead.replaceChildren(...working("Working … ", () => this.commands.previous()).slice(0, 1));
  }

  /** What there was instead: all that was certain, else the safest cells, and the best guess. */
  showAnswer(view, move, { safe, certain_mines: mines, least_risk: least, safest, guess, link }) {
    const rows = [];
    if (move.class === "mistake") {
      if (safe.length) rows.push(this.#chips("Free", safe, view, "free"));
      else rows.push(make("p", {}, make("strong", { text: `Safest, ${percent(least)}: ` }), named(safest, view)));
      if (move.action === "chord" && mines.length) rows.push(this.#chips("Mines", mines, view, "mine"));
    }
    if (guess && move.class !== "certain") rows.push(make("p", {}, make("strong", { text: `Best guess ${view.name(guess.cell)}. ` }), sentence(guess.why)));
    this.instead.replaceChildren(...rows);
    if (link) this.links.append(" · ", make("a", { href: link, text: "Analyse this position" }));
  }

  showProof(view, proof) {
    const what = proof.action === "flag" ? "is a mine" : "is free";
    this.proof.hidden = false;
    this.proof.replaceChildren(make("strong", { text: `Why ${view.name(proof.cell)} ${what}: ` }), make("span", { text: proof.text }));
  }

  showProofProblem(message) {
    this.proof.hidden = false;
    this.proof.textContent = sentence(message);
  }

  showProblem(message) {
    this.instead.replaceChildren(make("p", { class: "note bad", text: sentence(message) }));
  }

  #showEnd() {
    this.move.className = `review-move end ${this.data.outcome}`;
    this.move.replaceChildren(make("h2", { text: "The end" }), make("p", { text: gameWords(this.data) }));
  }

  /** One click to every mistake, and to what was missed. */
  #showJumps() {
    const { moves, missed } = this.data;
    const jump = (step, text, kind, title) => make("button", { type: "button", class: `chip ${kind}`, text, title, onclick: () => this.commands.go(step) });
    const wrong = moves.flatMap((move, k) => (move.class === "mistake" ? [[k + 1, move]] : []));
    const stood = missed.filter((one) => !one.guessed);
    const rows = [];
    if (wrong.length)
      rows.push(
        make("h3", { text: plural(wrong.length, "mistake", "mistakes") }),
        make("p", { class: "chips" }, ...wrong.map(([step, move]) => jump(step, `${step}: ${percent(move.risk)}`, "mistake", `Move ${step}: ${riskWords(move)}`))),
      );
    if (stood.length)
      rows.push(
        make("h3", { text: "Overlooked for long" }),
        make("p", { class: "chips" }, ...stood.slice(0, MOST_CHIPS).map((one) => jump(one.since, `from ${one.since}`, "stood", `A certain cell stood through ${one.moves} moves from move ${one.since} on`))),
      );
    this.jumps.replaceChildren(...rows);
  }

  #chips(title, cells, view, kind) {
    const shown = cells.slice(0, MOST_CHIPS).map((cell) =>
      make("button", { type: "button", class: `chip ${kind}`, text: view.name(cell), title: `Why ${view.name(cell)}?`, onclick: () => this.commands.explain(cell) }),
    );
    const more = cells.length > MOST_CHIPS ? [make("small", { text: `and ${cells.length - MOST_CHIPS} more` })] : [];
    return make("p", { class: "chips" }, make("strong", { text: `${title} ` }), ...shown, ...more);
  }
}

function named(cells, view) {
  const more = cells.length > MOST_CHIPS ? ` and ${cells.length - MOST_CHIPS} more` : "";
  return `${cells.slice(0, MOST_CHIPS).map((cell) => view.name(cell)).join(", ")}${more}`;
}

function luckWords({ counts, luck }) {
  if (!counts) return "; luck counts no more after an undo or a loss";
  return luck ? `; luck ${signed(luck)}` : "";
}
