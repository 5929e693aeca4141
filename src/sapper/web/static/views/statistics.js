// The statistics view: personal bests and charts of each level, luck and accuracy, export and import.

import { announce, reportErrors } from "../lib/announce.js";
import * as api from "../lib/api.js";
import { chart } from "../lib/chart.js";
import { button, make } from "../lib/dom.js";
import { dateTime, day, hundredths, plural, rate, signed } from "../lib/format.js";
import { confirm, downloadLink, figureRows, noGamesNote, page, rulesText, section } from "../lib/widgets.js";

const MAX_LEVELS = 8; // shown without a click

export async function show(root) {
  const [menu, { results, summaries, available }] = await Promise.all([api.menu(), api.statistics()]);
  root.replaceChildren(
    page(
      "section.page.statistics",
      "Statistics",
      ...(summaries.length ? [...levels(menu, summaries, new Set(available)), luckSection()] : [noGamesNote()]),
      make(
        "p.faint",
        "Each layout counts once. A loss stays a loss if you undo or continue it; wins with help or " +
          "an undone reveal are counted separately, and have no time here.",
      ),
      results ? actions(results, () => show(root)) : null,
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
  const isMore = summaries.indexOf(latest) >= MAX_LEVELS;
  const summary = make("summary", `${more.length} more`);
  choose(latest);
  return [
    make("div.level-cards", { role: "group", "aria-label": "Level" }, ...buttons.slice(0, MAX_LEVELS)),
    ...(more.length ? [make("details.more-levels", { open: isMore }, summary, make("div.level-cards", ...more))] : []),
    body,
  ];
}

function levelButton(menu, summary, onclick) {
  const { best_milliseconds: best, games, win_rate: winRate } = summary;
  return make(
    "button.level-card",
    { type: "button", onclick },
    make("strong", nameOf(summary)),
    make("small", rulesText(menu, summary)),
    make("span.level-best", best === null ? "No win yet" : hundredths(best)),
    make("small", winRate === null ? "only with help" : `${plural(games, "game")}, ${rate(winRate)} won`),
  );
}

const nameOf = ({ title, tiling }) => (tiling === "square" ? title : `${title}, ${tiling}`);

function actions(results, reload) {
  const remove = () =>
    reportErrors(async () => {
      await api.deleteResults();
      await reload();
    });
  const text = `${plural(results, "result")} will be deleted permanently. Export them first if you want to keep them.`;
  const ask = () => confirm("Delete all statistics?", text, { accept: "Delete", action: remove });
  return make(
    "div.page-actions",
    downloadLink("Export as CSV", api.resultsTable(), "sapper-statistics.csv"),
    make("a", { href: "#/profile" }, "Export or import everything"),
    button({ text: "Delete all", class: "danger", onclick: ask }),
  );
}

const MAX_RESULTS = 10; // in the list of latest results

/**
 * The personal bests, other figures, charts and lists of a category; *storedGames* are the games that can be opened.
 */
function categorySections(category, storedGames) {
  const linkTo = ({ id }) => (storedGames.has(id) ? `#/play/${id}` : null);
  return [
    make("dl.bests", ...bests(category, linkTo)),
    make("dl.other-figures", ...figures(category)),
    make("div.charts", ...charts(category, linkTo)),
    make("div.result-lists", bestList(category, linkTo), latestList(category, linkTo)),
  ];
}

function bests(category, linkTo) {
  const { best, best_three_bv_per_second: speed, best_streak: bestStreak, streak } = category;
  const { games, win_rate: winRate, low, high } = category;
  const [fastest] = best;
  const time = fastest ? textOrLink(hundredths(fastest.milliseconds), linkTo(fastest)) : "–";
  const interval = games ? `95% interval: ${rate(low)} to ${rate(high)}` : "no game without help yet";
  const withNote = (value, note) => [value, make("small", note)];
  return figureRows([
    ["Best time", withNote(time, fastest ? day(fastest.finished) : "no win without help yet")],
    ["Best 3BV/s", withNote(decimals(speed), "of a won game")],
    ["Longest streak", withNote(bestStreak, `current streak: ${streak}`)],
    ["Win rate", withNote(rate(winRate), interval)],
  ]);
}

function figures({ games, wins, mean_milliseconds: meanTime, mean_efficiency: efficiency, helped_wins: helped }) {
  return figureRows([
    ["Games", games],
    ["Won", wins],
    ["Mean time of wins", meanTime === null ? "–" : hundredths(meanTime)],
    ["Mean efficiency", rate(efficiency)],
    ["Won with help", helped],
  ]);
}

function charts({ last_wins: wins, win_rates: winRates }, linkTo) {
  const rowsOf = (games) => games.map((game) => ({ label: day(game.finished), link: linkTo(game) }));
  return [
    ...(wins.length ? winCharts(wins, rowsOf(wins)) : []),
    ...(winRates.length ? [rateChart(winRates, rowsOf(winRates))] : []),
  ];
}

function winCharts(wins, rows) {
  const times = wins.map(({ milliseconds }) => milliseconds);
  const bestSoFar = times.map((_, k) => Math.min(...times.slice(0, k + 1)));
  return [
    chart({
      title: `Times, ${lastOf(wins, "win")}`,
      rows,
      format: (milliseconds) => `${milliseconds / 1000} s`,
      series: [
        { name: "best of these so far", kind: "line", values: bestSoFar, formatValue: hundredths },
        { name: "time", kind: "points", values: times, formatValue: hundredths },
      ],
    }),
    chart({
      title: `3BV/s, ${lastOf(wins, "win")}`,
      rows,
      format: decimals,
      series: [{ name: "3BV/s", kind: "trace", values: wins.map(speedOf), formatValue: decimals }],
    }),
  ];
}

function rateChart(winRates, rows) {
  const intervals = winRates.map(({ low, high }) => [low, high]);
  const formatInterval = ([low, high]) => `${rate(low)} to ${rate(high)}`;
  const rates = winRates.map(({ win_rate }) => win_rate);
  return chart({
    title: `Win rate, ${lastOf(winRates, "game")}`,
    rows,
    format: (share) => `${Math.round(100 * share)}%`,
    maximum: 1,
    series: [
      { name: "95% interval", kind: "band", values: intervals, formatValue: formatInterval },
      { name: "win rate of up to 50 games", kind: "trace", values: rates, formatValue: rate },
    ],
  });
}

const lastOf = ({ length }, noun) => (length === 1 ? `last ${noun}` : `last ${length} ${noun}s`);

function bestList({ best }, linkTo) {
  const rows = best.map((game) => row(game, hundredths(game.milliseconds), linkTo));
  if (!rows.length) return list("Best times", "ul", [make("li.faint", "No win without help yet.")]);
  return list("Best times", "ol", rows);
}

function latestList({ last }, linkTo) {
  const latest = last.slice(-MAX_RESULTS).reverse();
  const rows = latest.map((game) => row(game, `${outcomeText(game)} ${hundredths(game.milliseconds)}`, linkTo));
  return list("Latest results", "ul", rows);
}

function list(title, tag, rows) {
  return make("div.results", make("h2", title), make(tag, ...rows));
}

function row(game, text, linkTo) {
  const speed = game.outcome === "won" ? `${decimals(speedOf(game))} 3BV/s, ` : "";
  const about = make("small", `${speed}${day(game.finished)}`);
  return make(`li.${game.outcome}`, textOrLink(text, linkTo(game)), about);
}

const textOrLink = (text, link) => (link ? make("a", { href: link }, text) : make("span", text));

const speedOf = ({ three_bv, milliseconds }) => (1000 * three_bv) / Math.max(1, milliseconds);

const decimals = (value) => (value === null ? "–" : value.toFixed(2));

const outcomeText = ({ outcome, helped }) =>
  outcome === "lost" ? "Lost after" : helped ? "Won with help in" : "Won in";

const AVERAGED_GAMES = 10; // in the moving average of accuracy

/** Luck and accuracy over time; the section is filled while the server reviews the remaining games. */
function luckSection() {
  const status = make("p", { role: "status" }, "Reviewing your games …");
  const charts = make("div.charts");
  const root = section(
    "section.luck",
    "Luck and accuracy",
    status,
    charts,
    make(
      "p.faint",
      "The luck score counts the risks you survived minus those you were expected to survive; on random layouts it averages 0. Accuracy is the percentage of reveals that were not mistakes. ",
      make("a", { href: "#/review" }, "Review your games."),
    ),
  );
  root.hidden = true;
  fill(root, status, charts);
  return root;
}

async function fill(root, status, charts) {
  let luck;
  do {
    try {
      luck = await api.luckOfResults();
    } catch (error) {
      status.textContent = `Cannot load this section: ${error.message}.`;
      return;
    }
    root.hidden = !luck.games.length;
    status.textContent = summary(luck);
    if (luck.games.length) charts.replaceChildren(luckChart(luck), accuracyChart(luck));
  } while (luck.remaining && root.isConnected);
}

function summary({ games, luck, error, accuracy, remaining }) {
  const more = remaining ? `; ${remaining} more are being reviewed` : "";
  return `Luck score ${signed(luck)} ± ${error.toFixed(2)} over ${plural(games.length, "game")}, accuracy ${rate(accuracy)}${more}.`;
}

/** The sum of luck scores over time, and the band in which two thirds of all players are. */
function luckChart({ games }) {
  const sums = [];
  const bands = []; // of each game, the negative and the positive error of the sum
  for (const { luck, error } of games) {
    const total = Math.hypot(bands.at(-1)?.[1] ?? 0, error);
    sums.push((sums.at(-1) ?? 0) + luck);
    bands.push([-total, total]);
  }
  const largest = Math.max(...sums.map(Math.abs), ...bands.map(([, error]) => error), 0.1);
  return chart({
    title: `Luck score, summed over ${plural(games.length, "game")}`,
    rows: reviewRows(games),
    format: (value) => signed(value, 1),
    minimum: -largest,
    maximum: largest,
    series: [
      {
        name: "two thirds of players",
        kind: "band",
        values: bands,
        formatValue: ([, error]) => `± ${error.toFixed(2)}`,
      },
      { name: "sum of luck scores", kind: games.length > 1 ? "line" : "points", values: sums, formatValue: signed },
    ],
  });
}

/** Each game as a dot, and a moving average. */
function accuracyChart({ games }) {
  const shares = games.map(({ accuracy }) => accuracy);
  const means = shares.map((_, k) => {
    const last = shares.slice(Math.max(0, k + 1 - AVERAGED_GAMES), k + 1).filter((share) => share !== null);
    return last.length ? last.reduce((sum, share) => sum + share, 0) / last.length : null;
  });
  return chart({
    title: `Accuracy of ${plural(games.length, "game")}`,
    rows: reviewRows(games),
    format: (share) => `${Math.round(100 * share)}%`,
    minimum: Math.floor(10 * Math.min(0.9, ...shares.map((share) => share ?? 1))) / 10,
    maximum: 1,
    series: [
      { name: `mean of the last ${AVERAGED_GAMES} games`, kind: "line", values: means, formatValue: rate },
      { name: "game", kind: "points", values: shares, formatValue: rate },
    ],
  });
}

const reviewRows = (games) =>
  games.map(({ id, finished }) => ({ label: dateTime(finished), link: `#/review/${encodeURIComponent(id)}` }));
