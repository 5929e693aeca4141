// The dialog to start a new game, continue a game, or open a saved or shared game.

import { notify, reportErrors } from "../../lib/announce.js";
import * as api from "../../lib/api.js";
import { button, dialog, make } from "../../lib/dom.js";
import { ago } from "../../lib/format.js";
import { field, readRules, rulesFields, seedInput, showFormError } from "../../lib/forms.js";
import { setting } from "../../lib/settings.js";
import { levelButtons, noGuessSwitch } from "./levels.js";

const MAX_LISTED = 3; // games in progress

/** Open the dialog; it calls start(request), and closes when that has finished. */
export async function openNewGameDialog(start) {
  const loaded = await reportErrors(() => Promise.all([api.menu(), api.recentGames()]));
  if (!loaded) return;
  const [menu, recent] = loaded;
  const startAndClose = async (request, form = null) => {
    try {
      if (form) showFormError(form, null);
      await start(request);
      box.close();
    } catch (error) {
      if (form) showFormError(form, error);
      else notify(error.message);
    }
  };
  // The game on the board is not listed.
  const others = recent.games.filter(({ id }) => location.hash !== `#/play/${id}`);
  const box = dialog(
    "Choose a game",
    levels(setting("game"), startAndClose),
    customForm(menu, setting("game"), startAndClose),
    gamesInProgress(others.filter(({ finished }) => !finished)),
    moreGames(
      "Finished games",
      others.filter(({ finished }) => finished),
    ),
    openForm(startAndClose),
  );
}

/** The same buttons as above the board, for screens that have no space for them there. */
function levels(rules, start) {
  const isNoGuess = rules.generator.startsWith("no-guess");
  const noGuess = noGuessSwitch(isNoGuess, () => noGuess.setAttribute("aria-checked", !isOn()));
  const isOn = () => noGuess.getAttribute("aria-checked") === "true";
  const generator = () => (isOn() === isNoGuess ? rules.generator : isOn() ? "no-guess" : "plain");
  const startLevel = (size) => start({ ...rules, size, tiling: "square", generator: generator() });
  return make(
    "section",
    { class: "dialog-levels" },
    make("div", { class: "levels", role: "group", "aria-label": "Level" }, ...levelButtons(startLevel, rules)),
    noGuess,
  );
}

function customForm(menu, rules, start) {
  const [width, height, mines] = (menu.levels[rules.size] ?? rules.size).split(/[x/]/);
  const [shape, ...others] = rulesFields(menu, rules);
  return make(
    "form",
    {
      class: "custom-game",
      onsubmit: (event) => {
        event.preventDefault();
        const form = new FormData(event.target);
        const request = { size: `${form.get("width")}x${form.get("height")}/${form.get("mines")}`, ...readRules(form) };
        if (form.get("seed")) request.seed = form.get("seed");
        start(request, event.target);
      },
    },
    make(
      "div",
      { class: "fields three" },
      numberField("Width", width, 1),
      numberField("Height", height, 1),
      numberField("Mines", mines, 0),
    ),
    make("div", { class: "fields" }, shape, ...others, field("Seed", seedInput())),
    make("div", { class: "dialog-foot" }, button({ text: "Play", class: "primary", type: "submit", autofocus: true })),
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
  return make(
    "section",
    { class: "in-progress" },
    make("h3", { text: "Continue" }),
    gameList(games.slice(0, MAX_LISTED)),
    more,
  );
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
      game.finished
        ? make("a", {
            href: `#/review/${encodeURIComponent(game.id)}`,
            text: "Review",
            "aria-label": `Review ${game.title}`,
          })
        : null,
    ),
  );
  return make("ul", { class: "rows" }, ...rows);
}

function openForm(start) {
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
        start(requestOf(text.value), event.target);
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
  if (query.has("size")) return Object.fromEntries(query);
  return { text };
}
