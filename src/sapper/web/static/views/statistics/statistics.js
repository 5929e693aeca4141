// The statistics view: personal bests and charts of each level, luck and accuracy, export and import.

import { announce, notify, reportErrors } from "../../lib/announce.js";
import * as api from "../../lib/api.js";
import { button, confirm, downloadLink, fileInput, make } from "../../lib/dom.js";
import { hundredths, plural, rate } from "../../lib/format.js";
import { rulesText } from "../../lib/forms.js";
import { categorySections } from "./category.js";
import { luckSection } from "./luck.js";

const MAX_LEVELS = 8; // shown without a click

export async function showStatistics(root) {
  const [menu, { results, summaries, available }] = await Promise.all([api.menu(), api.statistics()]);
  root.replaceChildren(
    make(
      "section",
      { class: "page statistics", "aria-labelledby": "statistics-title" },
      make("h1", { id: "statistics-title", text: "Statistics" }),
      ...(summaries.length
        ? [...levels(menu, summaries, new Set(available)), luckSection()]
        : [make("p", { class: "empty" }, "No finished games yet. ", make("a", { href: "#/play", text: "Play one." }))]),
      make("p", {
        class: "faint",
        text:
          "Each layout counts once. A loss stays a loss if you undo or continue it; wins with help or " +
          "an undone reveal are counted separately, and have no time here.",
      }),
      actions(results, () => showStatistics(root)),
    ),
  );
}

/** A button for each category, and the statistics of the selected one, at first the one that was played last. */
function levels(menu, summaries, storedGames) {
  const body = make("div");
  const buttons = summaries.map((summary) => levelButton(menu, summary, () => choose(summary)));
  const choose = (chosen) => {
    summaries.forEach((summary, k) => buttons[k].setAttribute("aria-pressed", summary === chosen));
    body.replaceChildren(...categorySections(chosen, storedGames));
    announce(`${nameOf(chosen)}: ${plural(chosen.games, "game")}`);
  };
  const finished = ({ last }) => last.at(-1).finished;
  const latest = summaries.reduce((one, other) => (finished(other) > finished(one) ? other : one));
  const more = buttons.slice(MAX_LEVELS);
  choose(latest);
  return [
    make("div", { class: "level-cards", role: "group", "aria-label": "Level" }, ...buttons.slice(0, MAX_LEVELS)),
    more.length
      ? make(
          "details",
          { class: "more-levels", open: summaries.indexOf(latest) >= MAX_LEVELS },
          make("summary", { text: `${more.length} more` }),
          make("div", { class: "level-cards" }, ...more),
        )
      : "",
    body,
  ];
}

function levelButton(menu, summary, onclick) {
  const { best_milliseconds: best, games, win_rate: winRate } = summary;
  return make(
    "button",
    { type: "button", class: "level-card", onclick },
    make("strong", { text: nameOf(summary) }),
    make("small", { text: rulesText(menu, summary) }),
    make("span", { class: "level-best", text: best === null ? "No win yet" : hundredths(best) }),
    make("small", { text: winRate === null ? "only with help" : `${plural(games, "game")}, ${rate(winRate)} won` }),
  );
}

const nameOf = ({ title, tiling }) => (tiling === "square" ? title : `${title}, ${tiling}`);

function actions(results, reload) {
  const open = (file) =>
    reportErrors(async () => {
      const { added, known } = await api.importResults(file);
      notify(`${plural(added, "result")} added, ${known} already here`);
      await reload();
    });
  const remove = () =>
    confirm(
      "Delete all statistics?",
      `${plural(results, "result")} will be deleted permanently. Export them first if you want to keep them.`,
      {
        cancel: "Cancel",
        accept: "Delete",
        danger: true,
        action: () =>
          reportErrors(async () => {
            await api.deleteResults();
            await reload();
          }),
      },
    );
  const exports = [
    downloadLink("Export as JSON", api.resultsFile(), "sapper-statistics.ndjson"),
    downloadLink("Export as CSV", api.resultsTable(), "sapper-statistics.csv"),
  ];
  return make(
    "div",
    { class: "page-actions" },
    ...(results ? exports : []),
    ...fileInput({ label: "Statistics file", accept: ".ndjson,.json", text: "Import JSON", open }),
    results ? button({ text: "Delete all", class: "danger", onclick: remove }) : "",
  );
}
