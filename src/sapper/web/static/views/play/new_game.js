// The dialog to start a new game, continue one, or open one from a text or link.

import { reportErrors } from "../../lib/announce.js";
import * as api from "../../lib/api.js";
import { button, dialog, make } from "../../lib/dom.js";
import { capitalise } from "../../lib/format.js";
import { field, levelOfSize, readRules, rulesFields, rulesInQuery, seedInput } from "../../lib/forms.js";
import { setting } from "../../lib/settings.js";

const MAX_LISTED = 3; // games in progress

/** Open the dialog; start(request) is called with the choice. */
export async function openNewGameDialog(start) {
  const loaded = await reportErrors(() => Promise.all([api.menu(), api.recentGames()]));
  if (!loaded) return;
  const [menu, recent] = loaded;
  const go = (request) => {
    box.close();
    start(request);
  };
  // The game on the board is not listed.
  const others = recent.games.filter(({ id }) => location.hash !== `#/play/${id}`);
  const box = dialog(
    "Choose a game",
    gamesInProgress(others.filter(({ finished }) => !finished)),
    rulesForm(menu, go),
    moreGames("Finished games", others.filter(({ finished }) => finished)),
    openForm(go),
  );
}

function rulesForm(menu, go) {
  const now = setting("game");
  const levels = { ...menu.levels, custom: null };
  const known = levelOfSize(menu.levels, now.size);
  const [width, height, mines] = (menu.levels[known] ?? now.size).split(/[x/]/);
  const custom = {
    width: numberField("Width", width, 1),
    height: numberField("Height", height, 1),
    mines: numberField("Mines", mines, 0),
  };
  const customFields = make("div", { class: "fields three", hidden: known !== undefined }, ...Object.values(custom));
  const cards = make("div", { class: "cards", role: "radiogroup", "aria-label": "Level" });
  for (const [name, size] of Object.entries(levels)) {
    cards.append(levelCard(name, size, name === (known ?? "custom"), () => (customFields.hidden = name !== "custom")));
  }
  return make(
    "form",
    {
      onsubmit: (event) => {
        event.preventDefault();
        const form = new FormData(event.target);
        const level = form.get("level");
        const size = level === "custom" ? `${form.get("width")}x${form.get("height")}/${form.get("mines")}` : level;
        const request = { size, ...readRules(form) };
        if (form.get("seed")) request.seed = form.get("seed");
        go(request);
      },
    },
    cards,
    customFields,
    make("div", { class: "fields" }, ...rulesFields(menu, now), field("Seed", seedInput())),
    make("div", { class: "dialog-foot" }, button({ text: "Play", class: "primary", type: "submit" })),
  );
}

function levelCard(name, size, checked, onchange) {
  const [width, height, mines] = size ? size.split(/[x/]/) : [];
  const about = size ? `${width} × ${height}, ${mines} mines` : "choose a size";
  return make(
    "label",
    { class: "card" },
    make("input", { type: "radio", name: "level", value: name, checked, autofocus: checked, onchange }),
    make("span", { class: "card-face" }, make("strong", { text: capitalise(name) }), make("small", { text: about })),
  );
}

function numberField(label, value, min) {
  const name = label.toLowerCase();
  return field(label, make("input", { name, type: "number", min, max: 20000, step: 1, value, required: true }));
}

/** Games in progress: always visible, so that they are not forgotten. */
function gamesInProgress(games) {
  if (!games.length) return null;
  const more = moreGames("More games in progress", games.slice(MAX_LISTED));
  return make("section", { class: "in-progress" }, make("h3", { text: "Continue" }), gameList(games.slice(0, MAX_LISTED)), more);
}

function moreGames(title, games) {
  return games.length ? make("details", {}, make("summary", { text: title }), gameList(games)) : null;
}

function gameList(games) {
  const rows = games.map((game) =>
    make(
      "li",
      {},
      make(
        "button",
        {
          type: "button",
          class: "row",
          onclick: (event) => {
            event.target.closest("dialog").close();
            location.hash = `#/play/${game.id}`;
          },
        },
        make("span", { text: game.title }),
        make("small", { text: `${game.open ? "open in another window, " : ""}${ago(game.updated)}` }),
      ),
      game.finished ? make("a", { href: `#/review/${encodeURIComponent(game.id)}`, text: "Review", "aria-label": `Review ${game.title}` }) : null,
    ),
  );
  return make("ul", { class: "rows" }, ...rows);
}

function openForm(go) {
  const text = make("textarea", {
    name: "text",
    rows: 5,
    required: true,
    spellcheck: "false",
    "aria-label": "Saved game, layout or shared link",
    placeholder: "A saved game, a layout (rows of * and .) or a shared link",
  });
  const form = make(
    "form",
    {
      onsubmit: (event) => {
        event.preventDefault();
        go(requestOf(text.value));
      },
    },
    text,
    make("div", { class: "dialog-foot" }, button({ text: "Open", type: "submit" })),
  );
  return make("details", {}, make("summary", { text: "Open a saved or shared game" }), form);
}

/** The request for a pasted link to this page, or for a text. */
function requestOf(text) {
  const query = new URLSearchParams(/#\/play\?(\S+)/.exec(text)?.[1] ?? "");
  if (query.has("game")) return { token: query.get("game") };
  if (query.has("size")) return rulesInQuery(query);
  return { text };
}

function ago(timestamp) {
  const minutes = Math.round((Date.now() / 1000 - timestamp) / 60);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 48 * 60) return `${Math.round(minutes / 60)} h ago`;
  return new Date(timestamp * 1000).toLocaleDateString();
}
