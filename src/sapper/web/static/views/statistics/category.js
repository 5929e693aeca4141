// The statistics of one category: games with the same board shape, size and rules.

import { make } from "../../lib/dom.js";
import { day, hundredths, rate } from "../../lib/format.js";
import { chart } from "./chart.js";

const MAX_RESULTS = 10; // in the list of latest results

/** The personal bests, other figures, charts and lists; *storedGames* are the ids of games that can be opened. */
export function categorySections(category, storedGames) {
  const linkTo = ({ id }) => (storedGames.has(id) ? `#/play/${id}` : null);
  return [
    make("dl", { class: "bests" }, ...bests(category, linkTo)),
    make("dl", { class: "other-figures" }, ...figures(category)),
    make("div", { class: "charts" }, ...charts(category, linkTo)),
    make("div", { class: "result-lists" }, bestList(category, linkTo), latestList(category, linkTo)),
  ];
}

function bests(
  { best, best_three_bv_per_second: speed, best_streak: bestStreak, streak, games, win_rate: winRate, low, high },
  linkTo,
) {
  const [fastest] = best;
  return [
    figure(
      "Best time",
      fastest ? textOrLink(hundredths(fastest.milliseconds), linkTo(fastest)) : "–",
      fastest ? day(fastest.finished) : "no win without help yet",
    ),
    figure("Best 3BV/s", decimals(speed), "of a won game"),
    figure("Longest streak", bestStreak, `current streak: ${streak}`),
    figure(
      "Win rate",
      rate(winRate),
      games ? `95% interval: ${rate(low)} to ${rate(high)}` : "no game without help yet",
    ),
  ];
}

function figures({ games, wins, mean_milliseconds: meanTime, mean_efficiency: efficiency, helped_wins: helped }) {
  return [
    figure("Games", games),
    figure("Won", wins),
    figure("Mean time of wins", meanTime === null ? "–" : hundredths(meanTime)),
    figure("Mean efficiency", rate(efficiency)),
    figure("Won with help", helped),
  ];
}

function figure(name, value, note = null) {
  return make("div", {}, make("dt", { text: name }), make("dd", {}, value, note && make("small", { text: note })));
}

function charts({ last_wins: wins, win_rates: winRates }, linkTo) {
  const winRows = wins.map((game) => ({ label: day(game.finished), link: linkTo(game) }));
  const figures = [];
  if (wins.length) {
    let best = Infinity;
    figures.push(
      chart({
        title: `Times, ${lastOf(wins, "win")}`,
        rows: winRows,
        format: (milliseconds) => `${milliseconds / 1000} s`,
        series: [
          {
            name: "best of these so far",
            kind: "line",
            values: wins.map(({ milliseconds }) => (best = Math.min(best, milliseconds))),
            formatValue: hundredths,
          },
          {
            name: "time",
            kind: "points",
            values: wins.map(({ milliseconds }) => milliseconds),
            formatValue: hundredths,
          },
        ],
      }),
      chart({
        title: `3BV/s, ${lastOf(wins, "win")}`,
        rows: winRows,
        format: decimals,
        series: [{ name: "3BV/s", kind: "trace", values: wins.map(speedOf), formatValue: decimals }],
      }),
    );
  }
  if (winRates.length)
    figures.push(
      chart({
        title: `Win rate, ${lastOf(winRates, "game")}`,
        rows: winRates.map((game) => ({ label: day(game.finished), link: linkTo(game) })),
        format: (share) => `${Math.round(100 * share)}%`,
        maximum: 1,
        series: [
          {
            name: "95% interval",
            kind: "band",
            values: winRates.map(({ low, high }) => [low, high]),
            formatValue: ([low, high]) => `${rate(low)} to ${rate(high)}`,
          },
          {
            name: "win rate of up to 50 games",
            kind: "trace",
            values: winRates.map(({ win_rate }) => win_rate),
            formatValue: rate,
          },
        ],
      }),
    );
  return figures;
}

const lastOf = ({ length }, noun) => (length === 1 ? `last ${noun}` : `last ${length} ${noun}s`);

function bestList({ best }, linkTo) {
  if (!best.length) return list("Best times", "ul", [make("li", { class: "faint", text: "No win without help yet." })]);
  return list(
    "Best times",
    "ol",
    best.map((game) => row(game, hundredths(game.milliseconds), linkTo)),
  );
}

function latestList({ last }, linkTo) {
  const latest = last.slice(-MAX_RESULTS).reverse();
  return list(
    "Latest results",
    "ul",
    latest.map((game) => row(game, `${outcomeText(game)} ${hundredths(game.milliseconds)}`, linkTo)),
  );
}

function list(title, tag, rows) {
  return make("div", { class: "results" }, make("h2", { text: title }), make(tag, {}, ...rows));
}

function row(game, text, linkTo) {
  const speed = game.outcome === "won" ? `${decimals(speedOf(game))} 3BV/s, ` : "";
  return make(
    "li",
    { class: game.outcome },
    textOrLink(text, linkTo(game)),
    make("small", { text: `${speed}${day(game.finished)}` }),
  );
}

const textOrLink = (text, link) => (link ? make("a", { href: link, text }) : make("span", { text }));

const speedOf = ({ three_bv, milliseconds }) => (1000 * three_bv) / Math.max(1, milliseconds);

const decimals = (value) => (value === null ? "–" : value.toFixed(2));

const outcomeText = ({ outcome, helped }) =>
  outcome === "lost" ? "Lost after" : helped ? "Won with help in" : "Won in";
