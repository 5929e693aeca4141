// The entry point of the page: builds the header and shows the view of the address.
// To add a view, add an entry to VIEWS.

import { announce, notify, showBanner } from "./lib/announce.js";
import { isTransient } from "./lib/api.js";
import { button, collapsible, icon, make } from "./lib/dom.js";
import { acceptFiles } from "./lib/files.js";
import { focusedCell, restoreLostFocus } from "./lib/focus.js";
import { toSentence } from "./lib/format.js";
import { applyAppearance, changeSetting, setting } from "./lib/settings.js";
import { syncSettings } from "./lib/settings_sync.js";
import { showAnalyse } from "./views/analyse/analyse.js";
import { showHelp } from "./views/help.js";
import { showLearn } from "./views/learn.js";
import { showPlay } from "./views/play/play.js";
import { showPrint } from "./views/print/print.js";
import { showProfile } from "./views/profile.js";
import { showPuzzles } from "./views/puzzles.js";
import { showReview } from "./views/review/review.js";
import { openSettings } from "./views/settings.js";
import { showStatistics } from "./views/statistics/statistics.js";
import { showWatch } from "./views/watch/watch.js";

const VIEWS = [
  { name: "play", title: "Play", show: showPlay },
  { name: "learn", title: "Learn", show: showLearn },
  { name: "puzzles", title: "Puzzles", show: showPuzzles },
  { name: "analyse", title: "Analyse", show: showAnalyse },
  { name: "review", title: "Review", show: showReview },
  { name: "watch", title: "Watch", show: showWatch },
  { name: "print", title: "Print", show: showPrint },
  { name: "statistics", title: "Statistics", show: showStatistics },
  { name: "help", title: "Help", show: showHelp },
  // A button with an icon, beside the settings.
  { name: "profile", title: "Profile", show: showProfile, iconName: "person" },
];

const main = document.getElementById("view");
let leaveView = null; // the clean-up function of the current view
let latestView = 0; // a counter, so that a view that finishes loading after a later one was opened is dropped
const RETRY_DELAY = 1000; // milliseconds before opening a view again while the server does not respond

/** Parse #/play/ID?size=… into {name, id, query}. */
function currentRoute() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [name, id = null] = path.split("/");
  return { name: name || "play", id: id && decode(id), query: new URLSearchParams(query) };
}

/** Decode a part of the address; one with an incomplete %XX is returned unchanged. */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function show() {
  const route = currentRoute();
  const view = VIEWS.find(({ name }) => name === route.name) ?? VIEWS[0];
  const number = ++latestView;
  leaveView?.();
  leaveView = null;
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  for (const link of document.querySelectorAll("#header-menu a")) {
    if (link.dataset.view === view.name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.querySelector("#menu .current-view").textContent = view.title;
  document.title = `${view.title} · Sapper`;
  document.body.dataset.view = view.name;
  // Each view has its own element, so that a view that loads late does not replace the next one.
  const root = make("div", { class: "view-root" });
  main.replaceChildren(root);
  const leave = await openView(view, root, route, () => number === latestView);
  if (number === latestView) leaveView = leave;
  else leave?.();
}

/** Open a view and return its clean-up function; while the server does not respond, try again. */
async function openView(view, root, route, isCurrent) {
  let retrying = false;
  for (;;) {
    try {
      const leave = (await view.show(root, route)) ?? null;
      if (retrying) showBanner(null);
      if (retrying) announce(`${view.title} is available again.`);
      return leave;
    } catch (error) {
      if (!isCurrent()) return null;
      showProblem(view, root, error);
      if (!isTransient(error)) return null;
      showBanner(`${toSentence(error.message)} Trying again …`);
      retrying = true;
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY));
      if (!isCurrent()) return showBanner(null);
    }
  }
}

function showProblem(view, root, error) {
  if (root.dataset.problem === error.message) return;
  root.dataset.problem = error.message;
  const links = [make("a", { href: "#/play", text: "Play a game" })];
  if (location.hash !== `#/${view.name}`)
    links.unshift(make("a", { href: `#/${view.name}`, text: `Open ${view.title}` }), " · ");
  root.replaceChildren(
    make(
      "section",
      { class: "page" },
      make("h1", { text: view.title }),
      make("p", { text: `This page cannot be shown: ${error.message}.` }),
      make("p", {}, ...links),
    ),
  );
  notify(error.message, { toast: false });
}

function buildHeader() {
  document.addEventListener("settingschange", showThemeButton);
  const menu = document.getElementById("menu");
  menu.append(
    icon("menu"),
    make("span", { class: "visually-hidden", text: "Menu, current view: " }),
    make("span", { class: "current-view" }),
  );
  collapsible(menu, document.getElementById("header-menu"));
  document
    .getElementById("views")
    .replaceChildren(
      ...VIEWS.filter(({ iconName }) => !iconName).map(({ name, title }) =>
        make("a", { href: `#/${name}`, "data-view": name, text: title }),
      ),
    );
  document
    .getElementById("tools")
    .replaceChildren(
      make("span"),
      ...VIEWS.filter(({ iconName }) => iconName).map(iconLink),
      button({ icon: "sliders", label: "Settings", class: "ghost", onclick: openSettings }),
    );
}

function iconLink({ name, title, iconName }) {
  return make(
    "a",
    { href: `#/${name}`, class: "tool-link", "data-view": name, "aria-label": title, title },
    icon(iconName),
  );
}

const THEMES = { auto: ["auto", "light"], light: ["sun", "dark"], dark: ["moon", "auto"] }; // icon, next theme

function showThemeButton() {
  const [iconName, next] = THEMES[setting("theme")];
  const themeButton = button({
    icon: iconName,
    label: `Theme: ${setting("theme")}`,
    class: "ghost",
    onclick: () => changeSetting("theme", next),
  });
  const previous = document.getElementById("tools").firstChild;
  const hadFocus = previous === document.activeElement;
  previous.replaceWith(themeButton);
  if (hadFocus) themeButton.focus();
}

/** Move the focus without changing the address, which has the view and the game. */
function skipToContent(event) {
  event.preventDefault();
  (focusedCell() ?? main).focus();
}

buildHeader();
applyAppearance();
acceptFiles();
restoreLostFocus(main);
document.querySelector(".skip").addEventListener("click", skipToContent);
syncSettings().then(() => {
  // Only now: a view shown before the settings are known would have to be shown again.
  window.addEventListener("hashchange", show);
  show();
});
