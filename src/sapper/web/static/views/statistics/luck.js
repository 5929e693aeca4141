// Luck and accuracy over time.

import * as api from "../../lib/api.js";
import { make } from "../../lib/dom.js";
import { dateTime, plural, rate, signed } from "../../lib/format.js";
import { chart } from "./chart.js";

const AVERAGED_GAMES = 10; // in the moving average of accuracy

/** The section; it is filled while the server reviews the remaining games. */
export function luckSection() {
  const status = make("p", { role: "status", text: "Reviewing your games …" });
  const charts = make("div", { class: "charts" });
  const root = make(
    "section",
    { class: "luck", "aria-labelledby": "luck-title" },
    make("h2", { id: "luck-title", text: "Luck and accuracy" }),
    status,
    charts,
    make(
      "p",
      { class: "faint" },
      "The luck score counts the risks you survived minus those you were expected to survive; on random layouts it averages 0. Accuracy is the percentage of reveals that were not mistakes. ",
      make("a", { href: "#/review", text: "Review your games." }),
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
  const errors = [];
  for (const { luck, error } of games) {
    sums.push((sums.at(-1) ?? 0) + luck);
    errors.push(Math.hypot(errors.at(-1) ?? 0, error));
  }
  const largest = Math.max(...sums.map(Math.abs), ...errors, 0.1);
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
        values: errors.map((error) => [-error, error]),
        formatValue: ([, error]) => `± ${error.toFixed(2)}`,
      },
      {
        name: "sum of luck scores",
        kind: games.length > 1 ? "line" : "points",
        values: sums,
        formatValue: (value) => signed(value),
      },
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
