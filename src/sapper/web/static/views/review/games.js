// Games that can be reviewed: those that are over, and whatever is dropped or chosen as a file.

import * as api from "../../lib/api.js";
import { make } from "../../lib/dom.js";
import { fileButton } from "../../lib/files.js";
import { signed } from "../../lib/words.js";
import { shareOf } from "./words.js";

export async function showGames(place) {
  const { games } = await api.reviewedGames();
  place.replaceChildren(
    make(
      "section",
      { class: "page", "aria-labelledby": "review-title" },
      make("h1", { id: "review-title", text: "Review" }),
      make("p", { text: "Every reveal of a game judged by what could be known: where you were wrong, and where only unlucky." }),
      make(
        "div",
        { class: "drop-here" },
        make("p", { text: "Drop a replay (avf, evf, mvf, rmv) or a saved game anywhere on this page, or" }),
        fileButton("Open a file"),
      ),
      make("h2", { text: "Your games" }),
      games.length ? table(games) : make("p", { class: "empty" }, "No game has ended yet. ", make("a", { href: "#/play", text: "Play one." })),
    ),
  );
}

const COLUMNS = [
  ["Ended", ({ updated }) => new Date(1000 * updated).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })],
  ["Result", ({ outcome }) => outcome ?? "–"],
  ["Luck", ({ luck }) => (luck === null ? "–" : signed(luck))],
  ["Accuracy", ({ accuracy }) => shareOf(accuracy)],
];

function table(games) {
  const head = ["Game", ...COLUMNS.map(([name]) => name)].map((text) => make("th", { scope: "col", role: "columnheader", text }));
  const body = games.map((game) =>
    make(
      "tr",
      { role: "row" },
      make("th", { scope: "row", role: "rowheader" }, make("a", { href: `#/review/${encodeURIComponent(game.id)}`, text: game.title })),
      ...COLUMNS.map(([name, show]) => make("td", { role: "cell", text: show(game), "data-name": name })),
    ),
  );
  return make(
    "div",
    { class: "table", tabindex: "0", role: "region", "aria-label": "Games that are over" },
    // Roles in words: on a phone the rows are laid out as blocks, which would lose them.
    make("table", { role: "table" }, make("thead", { role: "rowgroup" }, make("tr", { role: "row" }, ...head)), make("tbody", { role: "rowgroup" }, ...body)),
  );
}
