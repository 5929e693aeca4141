// The print view: make paper puzzles or exercises, preview and download the worksheet, or solve them on the screen.

import { announce, notify } from "../../lib/announce.js";
import * as api from "../../lib/api.js";
import { copyButton, linkTo } from "../../lib/clipboard.js";
import { busyNotice, button, make, setAddress } from "../../lib/dom.js";
import { plural, toSentence } from "../../lib/format.js";
import { saveSetting, setting } from "../../lib/settings.js";
import { optionsForm } from "./options_form.js";
import { SolveTab } from "./solve.js";

const SLOW_DELAY = 180; // milliseconds before the view says that the server is working

export async function showPrint(root, route) {
  const view = new Print(root);
  await view.start(route);
  return () => view.leave();
}

class Print {
  constructor(root) {
    this.root = root;
    this.result = make("div", { class: "worksheet" });
    this.request = new api.LatestRequest();
    this.solve = null;
  }

  /** Show the worksheet in the address, or the options that were used last. */
  async start({ query }) {
    const token = query.get("set");
    this.form = optionsForm(await api.worksheetMenu(), setting("worksheet"), {
      submit: (options) => this.#make(options),
      restyle: (style) => this.worksheet && this.#make({ ...this.worksheet.options, ...style }),
    });
    this.root.replaceChildren(
      make(
        "section",
        { class: "print", "aria-label": "Print" },
        make(
          "div",
          { class: "side options", tabindex: "0", role: "region", "aria-label": "Options" },
          make("h1", { text: "Worksheets" }),
          make("p", { class: "faint", text: "Puzzles and exercises to print, with their solutions." }),
          this.form.root,
        ),
        this.result,
      ),
    );
    if (token) await this.#request((signal) => api.loadWorksheet(token, signal));
    else this.#showPlaceholder();
  }

  leave() {
    this.request.cancel();
    this.#closeSolve();
  }

  #showPlaceholder() {
    this.result.replaceChildren(
      make("p", { class: "empty placeholder", text: "Choose a size and a difficulty. The worksheet appears here." }),
    );
  }

  #make(options) {
    saveSetting("worksheet", { ...options, seed: undefined, code: undefined });
    return this.#request((signal) => api.makeWorksheet(options, signal));
  }

  async #request(request) {
    this.form.busy(true);
    try {
      const worksheet = await api.notifyIfSlow(this.request.run(request), SLOW_DELAY, () => this.#showWork());
      if (worksheet !== null) this.#show(worksheet);
    } catch (error) {
      this.#fail(error.message);
    }
  }

  #showWork() {
    this.#closeSolve();
    this.result.replaceChildren(
      make("div", { class: "empty placeholder" }, ...busyNotice("Making puzzles …", () => this.#cancel())),
    );
    announce("Making puzzles");
  }

  #cancel() {
    if (this.request.cancel()) this.#fail("cancelled");
  }

  #fail(message) {
    this.form.busy(false);
    this.#closeSolve();
    this.result.replaceChildren(
      make("div", { class: "empty placeholder" }, make("p", { class: "note bad", text: toSentence(message) })),
    );
    notify(message, { toast: false });
  }

  #closeSolve() {
    this.solve?.leave();
    this.solve = null;
  }

  #show(worksheet) {
    this.worksheet = worksheet;
    this.form.busy(false);
    setAddress(this.result, worksheet.link);
    this.form.fill(worksheet.options);
    const body = make("div", { class: "print-body" });
    const tabs = { sheet: () => this.#showSheet(body), solve: () => this.#showSolve(body) };
    const labels =
      worksheet.kind === "puzzle" ? { sheet: "Worksheet", solve: "Solve on screen" } : { sheet: "Worksheet" };
    const buttons = Object.entries(labels).map(([name, text]) =>
      button({ text, class: "tab", "aria-pressed": "false", onclick: () => open(name) }),
    );
    const open = (name) => {
      Object.keys(labels).forEach((key, k) => buttons[k].setAttribute("aria-pressed", key === name));
      tabs[name]();
    };
    this.result.replaceChildren(
      make(
        "div",
        { class: "bar print-bar" },
        buttons.length > 1 ? make("div", { class: "tabs", role: "group", "aria-label": "Show" }, ...buttons) : null,
        make("div", { class: "tools", role: "group", "aria-label": "Download" }, ...downloads(worksheet)),
      ),
      body,
    );
    open("sheet");
    if (matchMedia("(max-width: 46rem), (max-height: 32rem)").matches) this.result.scrollIntoView();
    announce(`${plural(worksheet.options.count, "puzzle")} ready`);
  }

  #showSheet(body) {
    const { worksheet } = this;
    this.#closeSolve();
    const pages = make("div", { class: "pages", tabindex: "0", role: "region", "aria-label": "Pages" });
    const show = (first, last) => {
      for (let page = first; page <= last; page++) pages.append(preview(worksheet, page));
    };
    show(1, worksheet.puzzle_pages);
    if (worksheet.pages > worksheet.puzzle_pages) {
      const more = button({
        text: "Show solutions",
        onclick: () => {
          more.remove();
          show(worksheet.puzzle_pages + 1, worksheet.pages);
        },
      });
      pages.append(more);
    }
    body.replaceChildren(
      make(
        "div",
        { class: "print-foot" },
        worksheet.note && make("p", { class: "note bad", text: toSentence(worksheet.note) }),
        make(
          "div",
          { class: "share-line" },
          worksheet.code && copyButton("Code", worksheet.code, `Copy code ${worksheet.code}`),
          copyButton("Link", linkTo(worksheet.link), "Copy link"),
        ),
        commandLine(worksheet),
      ),
      pages,
    );
  }

  #showSolve(body) {
    this.#closeSolve();
    this.solve = new SolveTab(body, this.worksheet);
    this.solve.open(1);
  }
}

/** The command that makes the same worksheet, for those who use a terminal. */
function commandLine({ command }) {
  return make(
    "details",
    { class: "command-line" },
    make("summary", { text: "For the command line" }),
    make(
      "div",
      { class: "share-line" },
      make("code", { text: command }),
      copyButton("Command", command, "Copy command"),
    ),
  );
}

function downloads({ token }) {
  return ["pdf", "svg", "txt"].map((suffix) =>
    make(
      "a",
      {
        class: suffix === "pdf" ? "as-button primary" : "as-button",
        href: api.worksheetFile(token, suffix),
        download: true,
      },
      suffix === "pdf" ? "Download PDF" : suffix === "svg" ? "SVG" : "Text",
    ),
  );
}

function preview({ token, page_size: size, options, puzzle_pages }, page) {
  const content = page <= puzzle_pages ? "puzzles" : "solutions";
  return make("img", {
    class: "sheet",
    src: api.worksheetPage(token, page),
    width: Math.round(size[0]),
    height: Math.round(size[1]),
    loading: "lazy",
    alt: `Page ${page} of the worksheet: ${content} (${options.count} in total). The text file is accessible to screen readers.`,
  });
}
