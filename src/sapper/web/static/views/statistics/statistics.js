// The statistics view: results by level and rules, history, luck and accuracy.

import { notify, reportErrors } from "../../lib/announce.js";
import * as api from "../../lib/api.js";
import { button, confirm, dataTable, downloadLink, fileInput, make } from "../../lib/dom.js";
import { plural, rate, seconds } from "../../lib/format.js";
import { rulesText } from "../../lib/forms.js";
import { historySection } from "./history.js";
import { luckSection } from "./luck.js";

const COLUMNS = [
  ["Games", (row) => row.games],
  ["Won", (row) => row.wins],
  ["Win rate", (row) => winRate(row)],
  ["Streak", (row) => `${row.streak} (best ${row.best_streak})`],
  ["Best time", (row) => time(row.best_milliseconds)],
  ["Mean time", (row) => time(row.mean_milliseconds)],
  ["Best 3BV/s", (row) => row.best_three_bv_per_second?.toFixed(2) ?? "–"],
  ["Efficiency", (row) => rate(row.mean_efficiency)],
  ["With help", (row) => row.helped_wins],
];

export async function showStatistics(root) {
  const menu = await api.menu();
  const history = historySection(menu);
  const [data] = await Promise.all([api.statistics(), history.fill()]);
  const level = (row) => [make("span", { text: row.title }), make("small", { text: `${row.tiling} ${row.size}, ${rulesText(menu, row)}` })];
  root.replaceChildren(
    make(
      "section",
      { class: "page", "aria-labelledby": "statistics-title" },
      make("h1", { id: "statistics-title", text: "Statistics" }),
      data.summaries.length
        ? dataTable("Results by level", "Level", level, COLUMNS, data.summaries)
        : make("p", { class: "empty" }, "No finished games yet. ", make("a", { href: "#/play", text: "Play one." })),
      make("p", {
        class: "faint",
        text:
          "Each layout counts once. A loss stays a loss if you undo or continue it; wins with help or " +
          "an undone reveal are counted separately. The win rate is followed by its 95% interval.",
      }),
      history.root,
      luckSection(),
      actions(data.results, () => showStatistics(root)),
    ),
  );
}

function actions(results, reload) {
  const open = (file) =>
    reportErrors(async () => {
      const { added, known } = await api.importResults(file);
      notify(`${plural(added, "result")} added, ${known} already known`);
      await reload();
    });
  const remove = () =>
    confirm("Delete all statistics?", `${plural(results, "result")} will be deleted permanently. Export them first if you want to keep them.`, {
      cancel: "Cancel",
      accept: "Delete",
      danger: true,
      action: () =>
        reportErrors(async () => {
          await api.deleteResults();
          await reload();
        }),
    });
  return make(
    "div",
    { class: "page-actions" },
    results ? downloadLink("Export", api.resultsFile(), "sapper-statistics.ndjson") : null,
    ...fileInput({ label: "Statistics file", accept: ".ndjson,.json", text: "Import", open }),
    button({ text: "Delete all", class: "danger", disabled: !results, onclick: remove }),
  );
}

function winRate(row) {
  return row.win_rate === null ? "–" : `${rate(row.win_rate)} (${rate(row.low)}–${rate(row.high)})`;
}

const time = (milliseconds) => (milliseconds === null ? "–" : seconds(milliseconds));
