// Luck and accuracy over time: what the risks of all games add up to, and how often none was needless.

import * as api from "../../lib/api.js";
import { draw, make } from "../../lib/dom.js";
import { percent, plural, signed } from "../../lib/words.js";

const [WIDE, HIGH] = [600, 140];
const RECENT = 10; // games that the line of accuracy looks back
const LISTED = 100; // of the last games in the table

/** The section, filled as the server judges the games that nobody has reviewed yet. */
export function luckSection() {
  const words = make("p", { role: "status", text: "Judging your games …" });
  const charts = make("div", { class: "luck-charts" });
  const table = make("tbody");
  const root = make(
    "section",
    { class: "luck", "aria-labelledby": "luck-title" },
    make("h2", { id: "luck-title", text: "Luck and accuracy" }),
    words,
    charts,
    behind(table),
    make("p", { class: "faint" }, "Luck is what you survived beyond expectation; over many games its mean is 0, however you play. Accuracy is the share of reveals that were no mistakes. ", make("a", { href: "#/review", text: "Review your games." })),
  );
  root.hidden = true;
  fill(root, words, charts, table);
  return root;
}

async function fill(root, words, charts, table) {
  let found;
  do {
    try {
      found = await api.luckOfResults();
    } catch (error) {
      words.textContent = `This cannot be shown: ${error.message}.`;
      return;
    }
    root.hidden = !found.games.length;
    words.textContent = summary(found);
    if (found.games.length > 1) charts.replaceChildren(luckChart(found), accuracyChart(found));
    table.replaceChildren(...lines(found));
    await new Promise((done) => setTimeout(done));
  } while (found.remaining && root.isConnected);
}

/** The same as a table, the last games first, each a link to its review. */
function behind(body) {
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
      make("th", { scope: "row" }, make("a", { href: `#/review/${encodeURIComponent(id)}`, text: new Date(1000 * finished).toLocaleString() })),
      ...[outcome, signed(luck), accuracy === null ? "–" : percent(accuracy)].map((text) => make("td", { text })),
    ),
  );
}

function summary({ games, luck, error, accuracy, remaining }) {
  const more = remaining ? `; ${remaining} more are being judged` : "";
  return `Luck ${signed(luck)} ± ${error.toFixed(2)} over ${plural(games.length, "game", "games")}, accuracy ${accuracy === null ? "–" : percent(accuracy)}${more}.`;
}

/** The sum of luck from game to game, and the band in which two thirds of all players lie. */
function luckChart({ games }) {
  const sums = [0];
  const errors = [0];
  for (const { luck, error } of games) {
    sums.push(sums.at(-1) + luck);
    errors.push(Math.hypot(errors.at(-1), error));
  }
  const most = Math.max(...sums.map(Math.abs), ...errors, 0.1);
  const place = (value, k) => [(k / games.length) * WIDE, HIGH / 2 - (value / most) * (HIGH / 2)];
  const band = [...errors.map(place), ...errors.map((error, k) => place(-error, k)).reverse()];
  return chart(
    "Luck",
    `The sum of luck over ${games.length} games: from 0 to ${signed(sums.at(-1))}, usual within ${errors.at(-1).toFixed(2)}`,
    [`+${most.toFixed(1)}`, `−${most.toFixed(1)}`],
    draw("path", { class: "luck-band", d: `${path(band)}Z` }),
    draw("path", { class: "luck-zero", d: `M0 ${HIGH / 2}H${WIDE}` }),
    draw("path", { class: "luck-line", d: path(sums.map(place)) }),
  );
}

/** Each game as a dot, and the mean of the last ones. */
function accuracyChart({ games }) {
  const shares = games.map(({ accuracy }) => accuracy ?? 1);
  const least = Math.min(0.9, ...shares);
  const place = (share, k) => [((k + 1) / games.length) * WIDE, HIGH - ((share - least) / (1 - least)) * HIGH];
  const means = shares.map((_, k) => {
    const last = shares.slice(Math.max(0, k + 1 - RECENT), k + 1);
    return last.reduce((sum, share) => sum + share, 0) / last.length;
  });
  return chart(
    "Accuracy",
    `Accuracy of ${games.length} games: ${percent(means.at(-1))} over the last ${Math.min(RECENT, games.length)}`,
    ["100 %", percent(least)],
    ...shares.map((share, k) => {
      const [cx, cy] = place(share, k);
      return draw("circle", { class: "luck-dot", cx, cy, r: 2.5 });
    }),
    draw("path", { class: "luck-line", d: path(means.map(place)) }),
  );
}

function chart(title, label, [top, bottom], ...parts) {
  const svg = draw("svg", { viewBox: `-4 -4 ${WIDE + 8} ${HIGH + 8}`, role: "img", "aria-label": label });
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
