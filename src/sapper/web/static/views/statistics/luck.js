// Luck and accuracy over time.

import * as api from "../../lib/api.js";
import { make, svgElement } from "../../lib/dom.js";
import { dateTime, plural, rate, signed } from "../../lib/format.js";

const [WIDTH, HEIGHT] = [600, 140];
const RECENT = 10; // games in the moving average of accuracy
const LISTED = 100; // games in the table

/** The section; it is filled while the server reviews the remaining games. */
export function luckSection() {
  const status = make("p", { role: "status", text: "Reviewing your games …" });
  const charts = make("div", { class: "luck-charts" });
  const table = make("tbody");
  const root = make(
    "section",
    { class: "luck", "aria-labelledby": "luck-title" },
    make("h2", { id: "luck-title", text: "Luck and accuracy" }),
    status,
    charts,
    tableSection(table),
    make("p", { class: "faint" }, "Luck is the risk you survived minus the risk you were expected to survive; over many games on random layouts it averages 0. Accuracy is the percentage of reveals that were not mistakes. ", make("a", { href: "#/review", text: "Review your games." })),
  );
  root.hidden = true;
  fill(root, status, charts, table);
  return root;
}

async function fill(root, status, charts, table) {
  let answer;
  do {
    try {
      answer = await api.luckOfResults();
    } catch (error) {
      status.textContent = `Cannot load this section: ${error.message}.`;
      return;
    }
    root.hidden = !answer.games.length;
    status.textContent = summary(answer);
    if (answer.games.length > 1) charts.replaceChildren(luckChart(answer), accuracyChart(answer));
    table.replaceChildren(...lines(answer));
    await new Promise((done) => setTimeout(done));
  } while (answer.remaining && root.isConnected);
}

/** The same as a table, newest games first, with links to their reviews. */
function tableSection(body) {
  const head = ["Ended", "Result", "Luck", "Accuracy"].map((text) => make("th", { scope: "col", text }));
  const scroll = make("div", { class: "chart-table", tabindex: "0", role: "region", "aria-label": "Luck and accuracy, table" });
  scroll.append(make("table", {}, make("thead", {}, make("tr", {}, ...head)), body));
  return make("details", {}, make("summary", { text: "Luck and accuracy as a table" }), scroll);
}

function lines({ games }) {
  return games.slice(-LISTED).reverse().map(({ id, finished, outcome, luck, accuracy }) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, make("a", { href: `#/review/${encodeURIComponent(id)}`, text: dateTime(finished) })),
      ...[outcome, signed(luck), rate(accuracy)].map((text) => make("td", { text })),
    ),
  );
}

function summary({ games, luck, error, accuracy, remaining }) {
  const more = remaining ? `; ${remaining} more are being reviewed` : "";
  return `Luck ${signed(luck)} ± ${error.toFixed(2)} over ${plural(games.length, "game")}, accuracy ${rate(accuracy)}${more}.`;
}

/** The sum of luck over time, and the band that contains two thirds of all players. */
function luckChart({ games }) {
  const sums = [0];
  const errors = [0];
  for (const { luck, error } of games) {
    sums.push(sums.at(-1) + luck);
    errors.push(Math.hypot(errors.at(-1), error));
  }
  const maximum = Math.max(...sums.map(Math.abs), ...errors, 0.1);
  const pointAt = (value, k) => [(k / games.length) * WIDTH, HEIGHT / 2 - (value / maximum) * (HEIGHT / 2)];
  const band = [...errors.map(pointAt), ...errors.map((error, k) => pointAt(-error, k)).reverse()];
  return chart(
    "Luck",
    `The sum of luck over ${games.length} games: from 0 to ${signed(sums.at(-1))}, typically within ${errors.at(-1).toFixed(2)}`,
    [`+${maximum.toFixed(1)}`, `−${maximum.toFixed(1)}`],
    svgElement("path", { class: "luck-band", d: `${path(band)}Z` }),
    svgElement("path", { class: "luck-zero", d: `M0 ${HEIGHT / 2}H${WIDTH}` }),
    svgElement("path", { class: "luck-line", d: path(sums.map(pointAt)) }),
  );
}

/** Each game as a dot, and a moving average. */
function accuracyChart({ games }) {
  const shares = games.map(({ accuracy }) => accuracy ?? 1);
  const least = Math.min(0.9, ...shares);
  const pointAt = (share, k) => [((k + 1) / games.length) * WIDTH, HEIGHT - ((share - least) / (1 - least)) * HEIGHT];
  const means = shares.map((_, k) => {
    const last = shares.slice(Math.max(0, k + 1 - RECENT), k + 1);
    return last.reduce((sum, share) => sum + share, 0) / last.length;
  });
  return chart(
    "Accuracy",
    `Accuracy of ${games.length} games: ${rate(means.at(-1))} over the last ${Math.min(RECENT, games.length)}`,
    ["100%", rate(least)],
    ...shares.map((share, k) => {
      const [cx, cy] = pointAt(share, k);
      return svgElement("circle", { class: "luck-dot", cx, cy, r: 2.5 });
    }),
    svgElement("path", { class: "luck-line", d: path(means.map(pointAt)) }),
  );
}

function chart(title, label, [top, bottom], ...parts) {
  const svg = svgElement("svg", { viewBox: `-4 -4 ${WIDTH + 8} ${HEIGHT + 8}`, role: "img", "aria-label": label });
  svg.append(...parts);
  return make(
    "figure",
    { class: "luck-chart" },
    make("figcaption", { text: title }),
    make("div", { class: "luck-scale", "aria-hidden": "true" }, make("span", { text: top }), make("span", { text: bottom })),
    svg,
  );
}

const path = (points) => points.map(([x, y], k) => `${k ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
