// The page: which view is shown, and what stands in the header. Adding a view is adding a row.

import { carrySettings } from "./lib/carry.js";
import { passes } from "./lib/api.js";
import { button, icon, make } from "./lib/dom.js";
import { acceptFiles } from "./lib/files.js";
import { boardCell, keepFocus } from "./lib/focus.js";
import { foldable } from "./lib/menu.js";
import { banner, say, shout } from "./lib/say.js";
import { applyLooks, change, setting } from "./lib/settings.js";
import { sentence } from "./lib/words.js";
import { showAnalyse } from "./views/analyse/analyse.js";
import { showHelp } from "./views/help/help.js";
import { showLearn } from "./views/learn/learn.js";
import { showPaper } from "./views/paper/paper.js";
import { showPlay } from "./views/play/play.js";
import { showProfile } from "./views/profile/profile.js";
import { showReview } from "./views/review/review.js";
import { openSettings } from "./views/settings/settings.js";
import { showStatistics } from "./views/statistics/statistics.js";
import { showTrain } from "./views/train/train.js";
import { showWatch } from "./views/watch/watch.js";

const VIEWS = [
  { name: "play", title: "Play", show: showPlay },
  { name: "analyse", title: "Analyse", show: showAnalyse },
  { name: "watch", title: "Watch", show: showWatch },
  { name: "paper", title: "Paper", show: showPaper },
  { name: "learn", title: "Learn", show: showLearn },
  { name: "train", title: "Train", show: showTrain },
  { name: "review", title: "Review", show: showReview },
  { name: "statistics", title: "Statistics", show: showStatistics },
  { name: "help", title: "Help", show: showHelp },
  // It stands among the tools, as a sign.
  { name: "profile", title: "Profile", show: showProfile, sign: "person" },
];

const place = document.getElementById("view");
let leave = null;
let turn = 0;
const RETRY = 1000; // milliseconds between two tries to open a view while the server is away

/** #/play/ID?size=… as {name, id, words}. */
function route() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [name, id = null] = path.split("/");
  return { name: name || "play", id: id && decoded(id), words: new URLSearchParams(query) };
}

/** An address that was cut off in the middle of a %XX is no game, but no reason to show nothing. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function show() {
  const where = route();
  const view = VIEWS.find(({ name }) => name === where.name) ?? VIEWS[0];
  const mine = ++turn;
  leave?.();
  leave = null;
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  for (const link of document.querySelectorAll("#chest a")) {
    if (link.dataset.view === view.name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.querySelector("#menu .here").textContent = view.title;
  document.title = `${view.title} · Sapper`;
  document.body.dataset.view = view.name;
  // Each view draws into a place of its own: one that answers late must not cover the next.
  const holder = make("div", { class: "holder" });
  place.replaceChildren(holder);
  const left = await opened(view, holder, where, () => mine === turn);
  if (mine === turn) leave = left;
  else left?.();
}

/** Open a view, and answer how to leave it; where the server is away, again until it is back. */
async function opened(view, holder, where, wanted) {
  let waiting = false;
  for (;;) {
    try {
      const left = (await view.show(holder, where)) ?? null;
      if (waiting) banner(null);
      if (waiting) say(`${view.title} is here again.`);
      return left;
    } catch (error) {
      if (!wanted()) return null;
      showProblem(view, holder, error);
      if (!passes(error)) return null;
      banner(`${sentence(error.message)} Trying again …`);
      waiting = true;
      await new Promise((done) => setTimeout(done, RETRY));
      if (!wanted()) return banner(null);
    }
  }
}

function showProblem(view, holder, error) {
  const text = `This cannot be shown: ${error.message}.`;
  if (holder.textContent.includes(text)) return;
  holder.replaceChildren(make("section", { class: "page" }, make("h1", { text: view.title }), make("p", { text })));
  shout(error.message, { toast: false });
}

function buildHeader() {
  document.addEventListener("settingschange", labelTheme);
  const menu = document.getElementById("menu");
  menu.append(icon("menu"), make("span", { class: "unseen", text: "Menu, now " }), make("span", { class: "here" }));
  foldable(menu, document.getElementById("chest"));
  document.getElementById("views").replaceChildren(
    ...VIEWS.filter(({ sign }) => !sign).map(({ name, title }) => make("a", { href: `#/${name}`, "data-view": name, text: title })),
  );
  document.getElementById("tools").replaceChildren(
    make("span"),
    ...VIEWS.filter(({ sign }) => sign).map(signLink),
    button({ icon: "sliders", label: "Settings", class: "ghost", onclick: openSettings }),
  );
}

function signLink({ name, title, sign }) {
  return make("a", { href: `#/${name}`, class: "tool-link", "data-view": name, "aria-label": title, title }, icon(sign));
}

const THEMES = { auto: ["auto", "light"], light: ["sun", "dark"], dark: ["moon", "auto"] };

function nextTheme() {
  change("theme", THEMES[setting("theme")][1]);
}

function labelTheme() {
  const [name] = THEMES[setting("theme")];
  const label = `Theme: ${setting("theme")}`;
  const next = button({ icon: name, label, class: "ghost", onclick: nextTheme });
  const old = document.getElementById("tools").firstChild;
  const focused = old === document.activeElement;
  old.replaceWith(next);
  if (focused) next.focus();
}

/** The address stays as it is: it names the view and the game. */
function skip(event) {
  event.preventDefault();
  (boardCell() ?? place).focus();
}

buildHeader();
applyLooks();
acceptFiles();
keepFocus(place);
document.querySelector(".skip").addEventListener("click", skip);
carrySettings().then(() => {
  // Not before: a view that was shown meanwhile would be thrown away and shown anew.
  window.addEventListener("hashchange", show);
  show();
});
