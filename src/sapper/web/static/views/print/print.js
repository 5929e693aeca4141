// The print view: make paper puzzles or exercises, preview and download the worksheet, or solve them on the screen.

import { announce, notify } from "../../lib/announce.js";
import * as api from "../../lib/api.js";
import { button, make, setAddress } from "../../lib/dom.js";
import { plural, toSentence } from "../../lib/format.js";
import { saveSetting, setting } from "../../lib/settings.js";
import { busyNotice, copyButton, linkTo } from "../../lib/widgets.js";
import { optionsForm } from "./options_form.js";
import { SolveTab } from "./solve.js";

export async function show(root, route) {
  await new Print(root, route.signal).start(route);
}

class Print {
  constructor(root, signal) {
    Object.assign(this, { root, signal });
    this.result = make("div.worksheet");
    this.request = new api.LatestRequest(signal);
    this.solving = new AbortController(); // aborted when the tab for solving is closed
  }

  /** Show the worksheet in the address, or the options that were used last. */
  async start({ query }) {
    this.form = optionsForm(await api.worksheetMenu(), setting("worksheet"), {
      submit: (options) => this.#make(options),
      restyle: (style) => this.worksheet && this.#make({ ...this.worksheet.options, ...style }),
    });
    this.root.replaceChildren(
      make(
        "section.print",
        { "aria-label": "Print" },
        make(
          "div.side.options",
          { tabindex: "0", role: "region", "aria-label": "Options" },
          make("h1", "Worksheets"),
          make("p.faint", "Puzzles and exercises to print, with their solutions."),
          this.form.root,
        ),
        this.result,
      ),
    );
    if (query.size) await this.#request((signal) => api.makeWorksheet(Object.fromEntries(query), signal));
    else this.#showPlaceholder();
  }

  #showPlaceholder() {
    this.result.replaceChildren(
      make("p.empty.placeholder", "Choose a size and a difficulty. The worksheet appears here."),
    );
  }

  #make(options) {
    saveSetting("worksheet", { ...options, seed: undefined });
    return this.#request((signal) => api.makeWorksheet(options, signal));
  }

  async #request(request) {
    this.form.busy(true);
    try {
      const worksheet = await this.request.run(request, () => this.#showWork());
      if (worksheet !== null) this.#show(worksheet);
    } catch (error) {
      this.#fail(error.message);
    }
  }

  #showWork() {
    this.solving.abort();
    this.result.replaceChildren(make("div.empty.placeholder", ...busyNotice("Making puzzles …", () => this.#cancel())));
    announce("Making puzzles");
  }

  #cancel() {
    if (this.request.cancel()) this.#fail("cancelled");
  }

  #fail(message) {
    this.form.busy(false);
    this.solving.abort();
    this.result.replaceChildren(make("div.empty.placeholder", make("p.note.bad", toSentence(message))));
    notify(message, { toast: false });
  }

  #show(worksheet) {
    this.worksheet = worksheet;
    this.form.busy(false);
    setAddress(this.result, worksheet.link);
    this.form.fill(worksheet.options);
    const body = make("div.print-body");
    const tabs = { sheet: () => this.#showSheet(body), solve: () => this.#showSolve(body) };
    const labels = worksheet.paper_puzzles.length
      ? { sheet: "Worksheet", solve: "Solve on screen" }
      : { sheet: "Worksheet" };
    const buttons = Object.entries(labels).map(([name, text]) =>
      button({ text, class: "tab", "aria-pressed": "false", onclick: () => open(name) }),
    );
    const open = (name) => {
      Object.keys(labels).forEach((key, k) => buttons[k].setAttribute("aria-pressed", key === name));
      tabs[name]();
    };
    this.result.replaceChildren(
      make(
        "div.bar.print-bar",
        buttons.length > 1 ? make("div.tabs", { role: "group", "aria-label": "Show" }, ...buttons) : null,
        make("div.tools", { role: "group", "aria-label": "Download" }, ...downloads(worksheet)),
      ),
      body,
    );
    open("sheet");
    if (matchMedia("(max-width: 46rem), (max-height: 32rem)").matches) this.result.scrollIntoView();
    announce(`${plural(worksheet.options.count, "puzzle")} ready`);
  }

  #showSheet(body) {
    const { worksheet } = this;
    this.solving.abort();
    const pages = make("div.pages", { tabindex: "0", role: "region", "aria-label": "Pages" });
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
        "div.print-foot",
        worksheet.note && make("p.note.bad", toSentence(worksheet.note)),
        make("div.share-line", copyButton("Link", linkTo(worksheet.link), "Copy link")),
        commandLine(worksheet),
      ),
      pages,
    );
  }

  #showSolve(body) {
    this.solving = new AbortController();
    new SolveTab(body, this.worksheet, AbortSignal.any([this.signal, this.solving.signal])).open(1);
  }
}

/** The command that makes the same worksheet, for those who use a terminal. */
function commandLine({ command }) {
  return make(
    "details.command-line",
    make("summary", "For the command line"),
    make("div.share-line", make("code", command), copyButton("Command", command, "Copy command")),
  );
}

function downloads({ query }) {
  return ["pdf", "svg", "txt"].map((suffix) =>
    make(
      "a",
      {
        class: suffix === "pdf" ? "as-button primary" : "as-button",
        href: `${api.worksheetFile(suffix)}?${query}`,
        download: true,
      },
      suffix === "pdf" ? "Download PDF" : suffix === "svg" ? "SVG" : "Text",
    ),
  );
}

function preview({ query, page_size: size, options, puzzle_pages }, page) {
  const content = page <= puzzle_pages ? "puzzles" : "solutions";
  return make("img.sheet", {
    src: `${api.worksheetPage(page)}?${query}`,
    width: Math.round(size[0]),
    height: Math.round(size[1]),
    loading: "lazy",
    alt: `Page ${page} of the worksheet: ${content} (${options.count} in total). The text file is accessible to screen readers.`,
  });
}
