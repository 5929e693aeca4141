// The history of games: best times, latest results, and charts of times, speed and wins.

import * as api from "../../lib/api.js";
import { make } from "../../lib/dom.js";
import { hundredths, rate, seconds } from "../../lib/format.js";
import { field, rulesText, select } from "../../lib/forms.js";
import { chart } from "./chart.js";

const MAX_RESULTS = 10; // in the list of latest results

/** The section, hidden until fill() has loaded the results; *menu* has the names of rules. */
export function historySection(menu) {
  const root = make("section", { class: "history", "aria-labelledby": "history-title" });
  root.hidden = true;
  return { root, fill: () => fill(root, menu) };
}

async function fill(root, menu) {
  const { categories, available } = await api.resultHistory();
  if (!categories.length) return;
  const storedGames = new Set(available);
  const body = make("div");
  const choice = select("kind", categories.map((category, k) => [String(k), nameOf(category, menu)]), "0");
  choice.addEventListener("change", () => show(body, categories[choice.value], storedGames));
  root.replaceChildren(
    make("div", { class: "history-head" }, make("h2", { id: "history-title", text: "History" }), field("Level", choice)),
    body,
  );
  show(body, categories[0], storedGames);
  root.hidden = false;
}

function show(body, category, storedGames) {
  const linkTo = ({ id }) => (storedGames.has(id) ? `#/play/${id}` : null);
  body.replaceChildren(
    make("div", { class: "history-lists" }, bestList(category, linkTo), latestList(category, linkTo)),
    make("div", { class: "charts" }, ...charts(category, linkTo)),
  );
}

function bestList({ best }, linkTo) {
  if (!best.length) return list("Best times", "ul", [make("li", { class: "faint", text: "No wins without help yet." })]);
  return list("Best times", "ol", best.map((game) => make("li", {}, textOrLink(hundredths(game.milliseconds), linkTo(game)), make("small", { text: `${speedOf(game)} 3BV/s, ${day(game)}` }))));
}

function latestList({ last }, linkTo) {
  const rows = last.slice(-MAX_RESULTS).reverse();
  return list(
    "Latest results",
    "ul",
    rows.map((game) =>
      make(
        "li",
        { class: game.outcome },
        textOrLink(`${outcomeText(game)} ${hundredths(game.milliseconds)}`, linkTo(game)),
        make("small", { text: game.outcome === "won" ? `${speedOf(game)} 3BV/s, ${day(game)}` : day(game) }),
      ),
    ),
  );
}

function list(title, tag, rows) {
  return make("div", { class: "results" }, make("h3", { text: title }), make(tag, {}, ...rows));
}

const textOrLink = (text, link) => (link ? make("a", { href: link, text }) : make("span", { text }));

function charts({ last, months }, linkTo) {
  const wins = last.filter(({ outcome, helped }) => outcome === "won" && !helped);
  const rows = wins.map((game) => ({ label: day(game), link: linkTo(game) }));
  const byMonth = months.map(({ month }) => ({ label: month, link: null }));
  const twoDecimals = (value) => value.toFixed(2);
  const drawn = [];
  if (wins.length) {
    let best = Infinity;
    drawn.push(
      chart({
        title: `Times of the last ${wins.length} wins`,
        rows,
        format: seconds,
        series: [
          { name: "best so far", kind: "line", values: wins.map(({ milliseconds }) => (best = Math.min(best, milliseconds))), formatValue: hundredths },
          { name: "time", kind: "points", values: wins.map(({ milliseconds }) => milliseconds), formatValue: hundredths },
        ],
      }),
      chart({
        title: `3BV/s of the last ${wins.length} wins`,
        rows,
        format: twoDecimals,
        series: [{ name: "3BV/s", kind: "points", values: wins.map((game) => Number(speedOf(game))), formatValue: twoDecimals }],
      }),
    );
  }
  if (months.length)
    drawn.push(
      chart({
        title: "Win rate by month",
        rows: byMonth,
        format: (share) => `${Math.round(100 * share)}%`,
        maximum: 1,
        series: [
          { name: "95% interval", kind: "band", values: months.map(({ low, high }) => [low, high]), formatValue: ([low, high]) => `${rate(low)} to ${rate(high)}` },
          { name: "win rate", kind: "trace", values: months.map(({ win_rate }) => win_rate), formatValue: rate },
        ],
      }),
    );
  if (months.some(({ wins: won }) => won))
    drawn.push(
      chart({
        title: "Times by month",
        rows: byMonth,
        format: seconds,
        series: [
          { name: "mean time", kind: "line", values: months.map(({ mean_milliseconds }) => mean_milliseconds), formatValue: hundredths },
          { name: "best time", kind: "points", values: months.map(({ best_milliseconds }) => best_milliseconds), formatValue: hundredths },
        ],
      }),
      chart({
        title: "3BV/s by month",
        rows: byMonth,
        format: twoDecimals,
        series: [
          { name: "mean 3BV/s", kind: "line", values: months.map(({ mean_three_bv_per_second }) => mean_three_bv_per_second), formatValue: twoDecimals },
          { name: "best 3BV/s", kind: "points", values: months.map(({ best_three_bv_per_second }) => best_three_bv_per_second), formatValue: twoDecimals },
        ],
      }),
    );
  return drawn;
}

function nameOf(category, menu) {
  const shape = category.tiling === "square" ? "" : `, ${category.tiling}`;
  return `${category.title}${shape}, ${rulesText(menu, category)}`;
}

const speedOf = ({ three_bv, milliseconds }) => ((1000 * three_bv) / Math.max(1, milliseconds)).toFixed(2);

const outcomeText = ({ outcome, helped }) => (outcome === "lost" ? "Lost after" : helped ? "Won with help in" : "Won in");

const day = ({ finished }) => new Date(1000 * finished).toLocaleDateString(undefined, { year: "numeric", month: "short", day: "numeric" });
