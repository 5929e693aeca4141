// The paper view: make puzzles, see their sheet, take it along as PDF, solve them on the screen.

import * as api from "../../lib/api.js";
import { copyButton, linkTo } from "../../lib/copy.js";
import { button, make, showAddress, working } from "../../lib/dom.js";
import { say, shout } from "../../lib/say.js";
import { choose, setting } from "../../lib/settings.js";
import { plural, sentence } from "../../lib/words.js";
import { wishForm } from "./form.js";
import { Solve } from "./solve.js";

const SHOW_WORK = 180; // milliseconds: a quick answer needs no notice that it is being made

export async function showPaper(place, route) {
  const view = new Paper(place);
  await view.start(route);
  return () => view.leave();
}

class Paper {
  constructor(place) {
    this.place = place;
    this.result = make("div", { class: "paper-result" });
    this.making = new api.Latest();
    this.solve = null;
  }

  /** The set of the address, else the wishes of last time. */
  async start({ words }) {
    const token = words.get("set");
    this.form = wishForm(await api.worksheetMenu(), setting("tables"), {
      submit: (wish) => this.#make(wish),
      restyle: (looks) => this.set && this.#make({ ...this.set.options, ...looks }),
    });
    this.place.replaceChildren(
      make(
        "section",
        { class: "paper", "aria-label": "Paper" },
        make(
          "div",
          { class: "side wishes", tabindex: "0", role: "region", "aria-label": "Wishes" },
          make("h1", { text: "Paper puzzles" }),
          make("p", { class: "faint", text: "Puzzles to print: the numbers alone leave exactly one way to place the mines." }),
          this.form.root,
        ),
        this.result,
      ),
    );
    if (token) await this.#ask((signal) => api.loadWorksheet(token, signal));
    else this.#invite();
  }

  leave() {
    this.making.drop();
    this.#closeSolve();
  }

  #invite() {
    this.result.replaceChildren(
      make("div", { class: "empty invite" }, make("p", { text: "Choose size and difficulty, then make puzzles." }), button({ text: "Make puzzles", class: "primary", onclick: () => this.form.submit() })),
    );
  }

  #make(wish) {
    choose("tables", { ...wish, seed: undefined, code: undefined });
    return this.#ask((signal) => api.makeWorksheet(wish, signal));
  }

  async #ask(question) {
    this.form.busy(true);
    try {
      const set = await api.noticed(this.making.ask(question), SHOW_WORK, () => this.#showWork());
      if (set !== null) this.#show(set);
    } catch (error) {
      this.#fail(error.message);
    }
  }

  #showWork() {
    this.#closeSolve();
    this.result.replaceChildren(make("div", { class: "empty invite" }, ...working("Making puzzles …", () => this.#cancel())));
    say("making puzzles");
  }

  #cancel() {
    if (this.making.drop()) this.#fail("stopped");
  }

  #fail(message) {
    this.form.busy(false);
    this.#closeSolve();
    this.result.replaceChildren(make("div", { class: "empty invite" }, make("p", { class: "note bad", text: sentence(message) })));
    shout(message, { toast: false });
  }

  #closeSolve() {
    this.solve?.leave();
    this.solve = null;
  }

  #show(set) {
    this.set = set;
    this.form.busy(false);
    showAddress(this.result, set.link);
    this.form.fill(set.options);
    const body = make("div", { class: "paper-body" });
    const tabs = { sheet: () => this.#showSheet(body), solve: () => this.#showSolve(body) };
    const buttons = Object.entries({ sheet: "Sheet", solve: "Solve on screen" }).map(([name, text]) =>
      button({ text, class: "tab", "aria-pressed": "false", onclick: () => open(name) }),
    );
    const open = (name) => {
      Object.keys(tabs).forEach((key, k) => buttons[k].setAttribute("aria-pressed", key === name));
      tabs[name]();
    };
    this.result.replaceChildren(
      make(
        "div",
        { class: "bar paper-bar" },
        make("div", { class: "tabs", role: "group", "aria-label": "Show" }, ...buttons),
        make("div", { class: "tools", role: "group", "aria-label": "Download" }, ...files(set)),
      ),
      body,
    );
    open("sheet");
    if (matchMedia("(max-width: 46rem)").matches) this.result.scrollIntoView();
    say(`${plural(set.paper_puzzles.length, "puzzle", "puzzles")} made`);
  }

  #showSheet(body) {
    const { set } = this;
    this.#closeSolve();
    const pages = make("div", { class: "pages", tabindex: "0", role: "region", "aria-label": "Pages" });
    const show = (first, last) => {
      for (let page = first; page <= last; page++) pages.append(picture(set, page));
    };
    show(1, set.puzzle_pages);
    if (set.pages > set.puzzle_pages) {
      const more = button({
        text: "Show the solutions",
        onclick: () => {
          more.remove();
          show(set.puzzle_pages + 1, set.pages);
        },
      });
      pages.append(more);
    }
    body.replaceChildren(
      make(
        "div",
        { class: "paper-foot" },
        set.note && make("p", { class: "note bad", text: `${set.note}.` }),
        make("p", { class: "faint" }, "To make it again: ", make("code", { text: set.command })),
        make("div", { class: "share-line" }, set.code && copyButton("Code", set.code, `Copy code ${set.code}`), copyButton("Link", linkTo(set.link), "Copy link")),
      ),
      pages,
    );
  }

  #showSolve(body) {
    this.#closeSolve();
    this.solve = new Solve(body, this.set);
    this.solve.open(1);
  }
}

function files({ token }) {
  return ["pdf", "svg", "txt"].map((suffix) =>
    make(
      "a",
      { class: suffix === "pdf" ? "as-button primary" : "as-button", href: api.sheetAddress(token, suffix), download: true },
      suffix === "pdf" ? "Download PDF" : suffix === "svg" ? "SVG" : "Text",
    ),
  );
}

function picture({ token, page_size: size, paper_puzzles, puzzle_pages }, page) {
  const what = page <= puzzle_pages ? "puzzles" : "solutions";
  return make("img", {
    class: "sheet",
    src: api.pageAddress(token, page),
    width: Math.round(size[0]),
    height: Math.round(size[1]),
    loading: "lazy",
    alt: `Page ${page} of the sheet: ${what} (${paper_puzzles.length} in all). The text file has the same for readers.`,
  });
}
