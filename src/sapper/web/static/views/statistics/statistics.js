// The statistics view: what the score book adds up to.

import * as api from "../../lib/api.js";
import { button, dialog, download, make } from "../../lib/dom.js";
import { say, shout } from "../../lib/say.js";
import { efficiency, percent, seconds } from "../../lib/words.js";
import { historySection } from "./history.js";
import { promise } from "./kinds.js";
import { luckSection } from "./luck.js";

const COLUMNS = [
  ["Games", (row) => row.games],
  ["Won", (row) => row.wins],
  ["Share", (row) => share(row)],
  ["Streak", (row) => `${row.streak} (best ${row.best_streak})`],
  ["Best time", (row) => time(row.best_milliseconds)],
  ["Mean time", (row) => time(row.mean_milliseconds)],
  ["Best 3BV/s", (row) => row.best_three_bv_per_second?.toFixed(2) ?? "–"],
  ["Efficiency", (row) => efficiency(row.mean_efficiency)],
  ["With help", (row) => row.helped_wins],
];

export async function showStatistics(place) {
  const menu = await api.menu();
  const history = historySection(menu);
  const [data] = await Promise.all([api.statistics(), history.fill()]);
  const again = () => showStatistics(place);
  place.replaceChildren(
    make(
      "section",
      { class: "page", "aria-labelledby": "statistics-title" },
      make("h1", { id: "statistics-title", text: "Statistics" }),
      data.summaries.length ? table(data.summaries, menu) : empty(),
      make("p", {
        class: "faint",
        text:
          "Each deal counts once. A loss stays a loss when it is undone or continued; a win after " +
          "help or the undo of a reveal is counted apart. The share is followed by its 95 % interval.",
      }),
      history.root,
      luckSection(),
      actions(data.results, again),
    ),
  );
}

function table(rows, menu) {
  const head = make(
    "tr",
    { role: "row" },
    ...["Kind", ...COLUMNS.map(([text]) => text)].map((text) => make("th", { scope: "col", role: "columnheader", text })),
  );
  const body = rows.map((row) =>
    make(
      "tr",
      { role: "row" },
      make("th", { scope: "row", role: "rowheader" }, make("span", { text: row.title }), make("small", { text: `${row.tiling} ${row.size}, ${promise(menu, row)}` })),
      ...COLUMNS.map(([name, show]) => make("td", { role: "cell", text: show(row), "data-name": name })),
    ),
  );
  return make(
    "div",
    { class: "table", tabindex: "0", role: "region", "aria-label": "Results by kind of game" },
    // Roles in words: on a phone the rows are laid out as blocks, which would lose them.
    make("table", { role: "table" }, make("thead", { role: "rowgroup" }, head), make("tbody", { role: "rowgroup" }, ...body)),
  );
}

function empty() {
  return make("p", { class: "empty" }, "No game has ended yet. ", make("a", { href: "#/play", text: "Play one." }));
}

function actions(results, again) {
  const file = make("input", { type: "file", accept: "application/json,.json", class: "unseen", tabindex: "-1", "aria-label": "Statistics file" });
  file.addEventListener("change", async () => {
    try {
      const { added, known } = await api.importResults(JSON.parse(await file.files[0].text()));
      shout(`${added} results added, ${known} were here already`);
      await again();
    } catch (error) {
      shout(error instanceof SyntaxError ? "expected a file that was exported here, got another" : error.message);
    }
  });
  return make(
    "div",
    { class: "page-actions" },
    button({ icon: "save", text: "Export", disabled: !results, onclick: exportResults }),
    button({ icon: "share", text: "Import", onclick: () => file.click() }),
    file,
    button({ text: "Delete all", class: "danger", disabled: !results, onclick: () => forget(results, again) }),
  );
}

async function exportResults() {
  try {
    const book = await api.exportResults();
    download("sapper-statistics.json", JSON.stringify(book, null, 1), "application/json");
    say("exported");
  } catch (error) {
    shout(error.message);
  }
}

function forget(results, again) {
  const box = dialog(
    "Delete all statistics?",
    make("p", { text: `${results} results will be gone for good, unless you have exported them.` }),
    make(
      "div",
      { class: "dialog-foot" },
      button({ text: "Keep them", onclick: () => box.close() }),
      button({
        text: "Delete",
        class: "danger",
        onclick: async () => {
          box.close();
          try {
            await api.deleteResults();
            await again();
          } catch (error) {
            shout(error.message);
          }
        },
      }),
    ),
  );
}

function share(row) {
  if (row.win_rate === null) return "–";
  const [low, high] = [row.low, row.high].map((end) => percent(end).replace(" %", ""));
  return `${percent(row.win_rate)} (${low}–${high})`;
}

const time = (milliseconds) => (milliseconds === null ? "–" : seconds(milliseconds));
