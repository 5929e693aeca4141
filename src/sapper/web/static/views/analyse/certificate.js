// The no-guess certificate of a layout: the steps that win it from its first click. A click on a step shows
// the position before it, with its numbers and the cells that they decide.

import { announce } from "../../lib/announce.js";
import * as api from "../../lib/api.js";
import { make } from "../../lib/dom.js";
import { plural, toSentence } from "../../lib/format.js";

export class CertificateList {
  /** show(marks, step) is called with the position before a step. */
  constructor(show, signal) {
    this.show = show;
    this.request = new api.LatestRequest(signal);
    this.verdict = make("p.certificate-verdict");
    this.steps = make("ol.certificate-steps");
    this.list = make("details", make("summary", "Certificate"), this.steps);
    this.root = make(
      "section.certificate",
      { "aria-label": "No-guess certificate", hidden: true },
      this.verdict,
      this.list,
    );
  }

  /** Check whether a layout needs a guess; null hides the certificate, for a position without a known layout. */
  async open(layout) {
    this.request.cancel();
    this.root.hidden = layout === null;
    if (layout === null) return;
    this.list.hidden = true;
    this.verdict.textContent = "Checking whether this layout needs a guess …";
    try {
      const certificate = await this.request.run((signal) => api.certificate({ layout }, signal));
      if (certificate) this.#show(certificate);
    } catch (error) {
      this.verdict.textContent = toSentence(error.message);
    }
  }

  #show({ steps, start, guesses, difficulty_text: hardest }) {
    this.list.hidden = !steps?.length;
    if (!steps)
      this.verdict.textContent = `Not a no-guess board: it needs ${plural(guesses, "guess", "guesses")} from the first click.`;
    else
      this.verdict.replaceChildren(
        make("strong", "No-guess board. "),
        `Certain moves win it from the first click, in ${plural(steps.length, "step")}${hardest ? `; the hardest needs ${hardest}` : ""}.`,
      );
    announce(this.verdict.textContent);
    const marks = start ? [...start] : [];
    this.steps.replaceChildren(
      ...(steps ?? []).map((step) => {
        const before = [...marks];
        step.cells.forEach((cell, k) => (marks[cell] = step.marks[k]));
        return make(
          "li",
          make(
            "button.jump",
            { type: "button", onclick: () => this.show(before, step) },
            make("span", movesText(step)),
            make("small", step.difficulty_text),
          ),
        );
      }),
    );
  }
}

/** What a step does: "Flag 1 cell, reveal 2 cells". */
function movesText({ flag, reveal }) {
  const parts = [
    flag.length ? `flag ${plural(flag.length, "cell")}` : "",
    reveal.length ? `reveal ${plural(reveal.length, "cell")}` : "",
  ];
  return toSentence(parts.filter(Boolean).join(", ")).slice(0, -1);
}
