// The paper view: make tables, see their sheet, take it along as PDF, solve them on the screen.

import * as api from "./api.js";
import { button, make } from "./dom.js";
import { wishForm } from "./paper_form.js";
import { Solve } from "./paper_solve.js";
import { say, shout } from "./say.js";
import { choose, setting } from "./settings.js";
import { copyButton } from "./share.js";

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
    this.onKey = (event) => this.solve?.key(event);
    document.addEventListener("keydown", this.onKey);
  }

  /** The set of the address, else the wishes of last time. */
  async start({ words }) {
    const token = words.get("set");
    this.form = wishForm(await api.get("/api/paper"), setting("tables"), {
      submit: (wish) => this.#make(wish),
      restyle: (looks) => this.set && this.#make({ ...this.set.wish, ...looks }),
    });
    this.place.replaceChildren(
      make(
        "section",
        { class: "paper", "aria-label": "Paper" },
        make(
          "div",
          { class: "side wishes", tabindex: "0", role: "region", "aria-label": "Wishes" },
          make("h1", { text: "Paper tables" }),
          make("p", { class: "faint", text: "Puzzles to print: the numbers alone allow exactly one placement of the mines." }),
          this.form.root,
        ),
        this.result,
      ),
    );
    if (token) await this.#ask((signal) => fetchSet(token, signal));
    else this.#invite();
  }

  leave() {
    this.run?.abort();
    document.removeEventListener("keydown", this.onKey);
  }

  #invite() {
    this.result.replaceChildren(
      make("div", { class: "empty invite" }, make("p", { text: "Choose size and difficulty, then make tables." }), button({ text: "Make tables", class: "primary", onclick: () => this.form.submit() })),
    );
  }

  #make(wish) {
    choose("tables", { ...wish, seed: undefined, code: undefined });
    return this.#ask((signal) => api.post("/api/paper", wish, signal));
  }

  async #ask(request) {
    this.run?.abort();
    const run = (this.run = new AbortController());
    const notice = setTimeout(() => this.#showWork(), SHOW_WORK);
    this.form.busy(true);
    try {
      const set = await request(run.signal);
      if (this.run === run) this.#show(set);
    } catch (error) {
      if (this.run !== run) return;
      const words = error.name === "AbortError" ? "stopped" : error.message;
      this.#showProblem(words);
      shout(words, { toast: false });
    } finally {
      clearTimeout(notice);
      if (this.run === run) this.form.busy(false);
    }
  }

  #showWork() {
    this.solve = null;
    this.result.replaceChildren(
      make(
        "div",
        { class: "empty invite" },
        make("p", { class: "working" }, make("span", { class: "spinner", "aria-hidden": "true" }), make("span", { text: "Making tables …" })),
        button({ text: "Cancel", onclick: () => this.run.abort() }),
      ),
    );
    say("making tables");
  }

  #showProblem(message) {
    this.solve = null;
    const text = `${message[0].toUpperCase()}${message.slice(1)}.`;
    this.result.replaceChildren(make("div", { class: "empty invite" }, make("p", { class: "note bad", text })));
  }

  #show(set) {
    this.set = set;
    history.replaceState(null, "", set.link);
    this.form.fill(set.wish);
    const many = set.tables.length === 1 ? "1 table" : `${set.tables.length} tables`;
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
    say(`${many} made`);
  }

  #showSheet(body) {
    const { set } = this;
    this.solve = null;
    const pages = make("div", { class: "pages", tabindex: "0", role: "region", "aria-label": "Pages" });
    const show = (first, last) => {
      for (let page = first; page <= last; page++) pages.append(picture(set, page));
    };
    show(1, set.fronts);
    if (set.pages > set.fronts) {
      const more = button({
        text: "Show the solutions",
        onclick: () => {
          more.remove();
          show(set.fronts + 1, set.pages);
        },
      });
      pages.append(more);
    }
    const address = location.origin + location.pathname + set.link;
    body.replaceChildren(
      make(
        "div",
        { class: "paper-foot" },
        set.note && make("p", { class: "note bad", text: `${set.note}.` }),
        make("p", { class: "faint" }, "To make it again: ", make("code", { text: set.command })),
        make("div", { class: "share-line" }, set.code && copyButton("Code", set.code, `Copy code ${set.code}`), copyButton("Link", address, "Copy link")),
      ),
      pages,
    );
  }

  #showSolve(body) {
    this.solve = new Solve(body, this.set);
    this.solve.open(1);
  }
}

async function fetchSet(token, signal) {
  const response = await fetch(`/api/paper/${encodeURIComponent(token)}`, { signal });
  const data = await response.json();
  if (!response.ok) throw new api.Refused(data.error, response.status);
  return data;
}

function files({ token }) {
  return ["pdf", "svg", "txt"].map((suffix) =>
    make(
      "a",
      { class: suffix === "pdf" ? "as-button primary" : "as-button", href: `/api/paper/${token}/sheet.${suffix}`, download: true },
      suffix === "pdf" ? "Download PDF" : suffix === "svg" ? "SVG" : "Text",
    ),
  );
}

function picture({ token, shape, tables, fronts }, page) {
  const what = page <= fronts ? "tables" : "solutions";
  return make("img", {
    class: "sheet",
    src: `/api/paper/${token}/pages/${page}`,
    width: Math.round(shape[0]),
    height: Math.round(shape[1]),
    loading: "lazy",
    alt: `Page ${page} of the sheet: ${what} (${tables.length} in all). The text file has the same for readers.`,
  });
}
