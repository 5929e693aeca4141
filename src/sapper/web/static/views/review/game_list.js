// The list of games that can be reviewed.

import * as api from "../../lib/api.js";
import { dataTable, make } from "../../lib/dom.js";
import { fileButton } from "../../lib/files.js";
import { dateTime, rate, signed } from "../../lib/format.js";

const COLUMNS = [
  ["Ended", ({ updated }) => dateTime(updated)],
  ["Result", ({ outcome }) => outcome ?? "–"],
  ["Luck score", ({ luck }) => (luck === null ? "–" : signed(luck))],
  ["Accuracy", ({ accuracy }) => rate(accuracy)],
];

export async function showGames(root) {
  const { games } = await api.reviewedGames();
  const link = ({ id, title }) => [make("a", { href: `#/review/${encodeURIComponent(id)}`, text: title })];
  root.replaceChildren(
    make(
      "section",
      { class: "page", "aria-labelledby": "review-title" },
      make("h1", { id: "review-title", text: "Review" }),
      make("p", {
        text: "See which moves were mistakes, and where you were just unlucky. Every reveal is judged by what you could know at that moment.",
      }),
      make(
        "div",
        { class: "drop-area" },
        make("p", { text: "Drop a replay (avf, evf, mvf, rmv) or a saved game on this page, or" }),
        fileButton("Open a file"),
      ),
      make("h2", { text: "Your games" }),
      games.length
        ? dataTable("Finished games", "Game", link, COLUMNS, games)
        : make("p", { class: "empty" }, "No finished games yet. ", make("a", { href: "#/play", text: "Play one." })),
    ),
  );
}
