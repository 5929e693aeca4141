// The timeline of a game: a graph of the win chance, a bar for the risk of each move, marks for mistakes,
// and a slider.
//
// The slider is a transparent range input over the graph, so that clicks, drags and the arrow keys work
// as on every slider.

import { make, makeSvg } from "../../lib/dom.js";

const WIDTH = 1000; // units of the drawing
const HEIGHT = 100;
const MIN_BAR_HEIGHT = 3; // of a move without risk
const MAX_BAR_WIDTH = 10;
const MAX_NUMBERS = 10; // on the axis of moves
const NUMBER_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000];

// Each kind of mistake has its own shape, so that colour is not the only difference.
const SHAPES = {
  blunder: "M0 -6 6 0 0 6 -6 0Z",
  mistake: "M0 -5.5 6 5 -6 5Z",
  inaccuracy: "M-4.500 0a4.500 4.500 0 1 0 9 0a4.500 4.500 0 1 0 -9 0Z",
  unclear: "M-4.500 -4.500h9v9h-9Z",
};

/** The kind of a mistake: its severity by win chance; "unclear" for one that cost little or nothing; else null. */
export function mistakeKind(move) {
  return move.severity ?? (move.class === "mistake" ? "unclear" : null);
}

/** The mark of a kind of mistake. */
export function mistakeMark(kind) {
  const svg = makeSvg("svg", { class: `mistake-mark ${kind}`, viewBox: "-7 -7 14 14", "aria-hidden": "true" });
  svg.append(makeSvg("path", { d: SHAPES[kind] }));
  return svg;
}

export class Timeline {
  /** go(step) is called with the chosen step, from 1; describe(step) returns its description. */
  constructor(go, describe) {
    this.describe = describe;
    const percentages = [0, 50, 100];
    const lines = percentages.map((percentage) =>
      makeSvg("line.grid", { x1: 0, x2: WIDTH, y1: HEIGHT - percentage, y2: HEIGHT - percentage }),
    );
    this.currentMove = makeSvg("line.current", { y1: 0, y2: HEIGHT });
    this.bars = makeSvg("g.move-bars");
    this.curve = makeSvg("g");
    this.svg = makeSvg("svg.graph", {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    });
    this.svg.append(...lines, this.bars, this.curve, this.currentMove);
    this.marks = make("div.marks", { "aria-hidden": "true" });
    this.slider = make("input.timeline-slider", {
      type: "range",
      min: 1,
      step: 1,
      "aria-label": "Move",
      oninput: () => go(Number(this.slider.value)),
    });
    this.numbers = make("div.move-numbers", { "aria-hidden": "true" });
    this.root = make(
      "div.timeline",
      make(
        "div.percentages",
        { "aria-hidden": "true" },
        ...percentages.toReversed().map((percentage) => make("span", `${percentage}%`)),
      ),
      make("div.plot", this.svg, this.marks, this.slider),
      this.numbers,
      make(
        "p.legend",
        { "aria-hidden": "true" },
        make("span.win-chance-key", "win chance"),
        make("span.risk-key", "risk of a move"),
      ),
    );
  }

  /** Draw the moves of a game; the last step is its end, after which the win chance is *end*. */
  show(moves, end = null) {
    this.steps = moves.length + 1;
    this.slider.max = this.steps;
    const width = Math.min(MAX_BAR_WIDTH, (0.8 * WIDTH) / this.steps);
    this.bars.replaceChildren(...moves.map((move, k) => this.#bar(move, k + 1, width)));
    const chances = [...moves.map((move) => move.win_before ?? null), end];
    // After the part of the game that counts, the last win chance is that after its last move.
    const last = moves.findLastIndex((move) => (move.win_after ?? null) !== null);
    if (last >= 0) chances[last + 1] ??= moves[last].win_after;
    this.#drawCurve(chances);
    this.marks.replaceChildren(...moves.flatMap((move, k) => this.#mark(move, k + 1, chances[k])));
    this.#showNumbers();
  }

  setStep(step) {
    this.slider.value = step;
    this.slider.setAttribute("aria-valuetext", this.describe(step));
    for (const end of ["x1", "x2"]) this.currentMove.setAttribute(end, this.#x(step));
  }

  #x(step) {
    return this.steps > 1 ? ((step - 1) / (this.steps - 1)) * WIDTH : WIDTH / 2;
  }

  #bar(move, step, width) {
    const height = Math.max(MIN_BAR_HEIGHT, HEIGHT * move.risk);
    return makeSvg("rect", {
      class: `move ${move.class}`,
      x: this.#x(step) - width / 2,
      y: HEIGHT - height,
      width,
      height,
    });
  }

  /** Draw the win chances before each step, and the area below them; null where one is not known. */
  #drawCurve(chances) {
    const parts = [];
    chances.forEach((chance, k) => {
      if (chance === null) return;
      const point = `${this.#x(k + 1).toFixed(2)} ${(HEIGHT * (1 - chance)).toFixed(2)}`;
      if (k > 0 && chances[k - 1] !== null) parts.at(-1).push(point);
      else parts.push([point]);
    });
    this.curve.replaceChildren(
      ...parts.flatMap((points) => {
        const [first, last] = [points[0], points.at(-1)].map((point) => point.split(" ")[0]);
        return [
          makeSvg("path.graph-area", { d: `M${first} ${HEIGHT}L${points.join("L")}L${last} ${HEIGHT}Z` }),
          makeSvg("path.graph-line", { d: `M${points.join("L")}` }),
        ];
      }),
    );
  }

  #mark(move, step, chance) {
    const kind = mistakeKind(move);
    if (!kind) return [];
    const mark = mistakeMark(kind);
    mark.style.left = `${(100 * this.#x(step)) / WIDTH}%`;
    mark.style.top = `${100 * (1 - (chance ?? move.risk))}%`;
    return [mark];
  }

  /** Show numbers of moves below the graph, as many as fit. */
  #showNumbers() {
    const step = NUMBER_STEPS.find((size) => this.steps / size <= MAX_NUMBERS) ?? NUMBER_STEPS.at(-1);
    const numbers = Array.from({ length: this.steps - 1 }, (_, k) => k + 1).filter(
      (number) => number === 1 || (number % step === 0 && number > step / 2),
    );
    this.numbers.replaceChildren(
      ...numbers.map((number) => {
        const label = make("span", number);
        label.style.left = `${(100 * this.#x(number)) / WIDTH}%`;
        return label;
      }),
    );
  }
}
