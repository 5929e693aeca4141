// The dialogs of Play: choose a game (start, continue or open one), and share a game.

import { notify, reportErrors } from "../../lib/announce.js";
import * as api from "../../lib/api.js";
import { button, make } from "../../lib/dom.js";
import { ago } from "../../lib/format.js";
import { setting } from "../../lib/settings.js";
import {
  copyButton,
  dialog,
  download,
  field,
  form,
  linkLine,
  linkTo,
  numberInput,
  parametersIn,
  readRules,
  rulesFields,
  seedInput,
  showFormError,
} from "../../lib/widgets.js";
import { levelButtons, levelsWithButtons, noGuessSwitch } from "./panel.js";

const MAX_LISTED = 3; // games in progress

/** Open the dialog; it calls start(request), and closes when that has finished. */
export async function openNewGameDialog(menu, start) {
  const recent = await reportErrors(api.recentGames);
  if (!recent) return;
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
    levelSection(levelsWithButtons(menu), setting("game"), startAndClose),
    customForm(menu, setting("game"), startAndClose),
    gamesInProgress(others.filter((game) => !isFinished(game))),
    moreGames("Finished games", others.filter(isFinished)),
    openForm(startAndClose),
  );
}

const isFinished = ({ finished }) => finished;

/** The same buttons as above the board, for screens that have no space for them there. */
function levelSection(levels, rules, start) {
  const isNoGuess = rules.generator.startsWith("no-guess");
  const noGuess = noGuessSwitch(isNoGuess, () => noGuess.setAttribute("aria-checked", !isOn()));
  const isOn = () => noGuess.getAttribute("aria-checked") === "true";
  const generator = () => (isOn() === isNoGuess ? rules.generator : isOn() ? "no-guess" : "plain");
  const startLevel = (size) => start({ ...rules, size, tiling: "square", generator: generator() });
  return make(
    "section.dialog-levels",
    make("div.levels", { role: "group", "aria-label": "Level" }, ...levelButtons(levels, startLevel, rules)),
    noGuess,
  );
}

function customForm(menu, rules, start) {
  const [width, height, mines] = (menu.levels[rules.size] ?? rules.size).split(/[x/]/);
  const [shape, ...others] = rulesFields(menu, rules);
  const submit = (data, element) => {
    const size = `${data.get("width")}x${data.get("height")}/${data.get("mines")}`;
    start({ size, ...readRules(data) }, element);
  };
  return form(
    "form.custom-game",
    submit,
    make(
      "div.fields.three",
      numberField("Width", width, 1),
      numberField("Height", height, 1),
      numberField("Mines", mines, 0),
    ),
    make("div.fields", shape, ...others, field("Seed", seedInput())),
    make("div.dialog-foot", button({ text: "Play", class: "primary", type: "submit", autofocus: true })),
  );
}

function numberField(label, value, min) {
  const name = label.toLowerCase();
  return field(label, numberInput(min, 20000, { name, value, required: true }));
}

/** Games in progress: always visible, so that they are not forgotten. */
function gamesInProgress(games) {
  if (!games.length) return null;
  const more = moreGames("More games in progress", games.slice(MAX_LISTED));
  return make("section.in-progress", make("h3", "Continue"), gameList(games.slice(0, MAX_LISTED)), more);
}

function moreGames(title, games) {
  return games.length ? make("details", make("summary", title), gameList(games)) : null;
}

function gameList(games) {
  const rows = games.map((game) =>
    make(
      "li",
      make(
        "button.row",
        { type: "button", onclick: () => (location.hash = `#/play/${game.id}`) },
        make("span", game.title),
        make("small", `${game.open ? "open in another window, " : ""}${ago(game.updated)}`),
      ),
      game.finished
        ? make("a", { href: `#/review/${encodeURIComponent(game.id)}`, "aria-label": `Review ${game.title}` }, "Review")
        : null,
    ),
  );
  return make("ul.rows", ...rows);
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
  const foot = make("div.dialog-foot", button({ text: "Open", type: "submit" }));
  const submit = (data, element) => start(requestOf(data.get("text")), element);
  return make("details", make("summary", "Open a saved or shared game"), form("form", submit, text, foot));
}

/** The request for a pasted link to this page, or for a text. */
function requestOf(text) {
  const query = parametersIn(text, "play");
  if (query.has("game")) return { token: query.get("game") };
  if (query.has("size")) return Object.fromEntries(query);
  return { text };
}

/** Open the share dialog: links to the layout and the game, and both as text. */
export async function openShare(game) {
  const shared = await reportErrors(() => api.shareLinks(game.id));
  if (!shared) return;
  dialog(
    "Share",
    line(
      "Same layout",
      "Starts a new game with the same mines. Anyone with the link can find the mines.",
      linkTo(shared.layout),
    ),
    line("This game", "Opens the game with all its moves so far.", linkTo(shared.game)),
    block("Position", "What the board shows, for commands such as sapper analyse.", shared.position),
    block("Saved game", "Can be opened here or on another computer.", shared.text, "game.txt"),
  );
}

function line(title, about, value) {
  return part(title, about, linkLine(`${title}, link`, title, value));
}

function block(title, about, text, file = null) {
  const save = file && button({ icon: "save", text: "Download", onclick: () => download(file, text) });
  return part(
    title,
    about,
    make("textarea", { readonly: true, rows: 4, "aria-label": title }, text),
    make("div.share-line", copyButton(title, text), save),
  );
}

function part(title, about, ...children) {
  return make("section.share", make("h3", title), make("p.faint", about), ...children);
}
