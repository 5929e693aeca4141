// The entry point of the page: builds the header and shows the view of the address.
// To add a view, add an entry to VIEWS. The modules of Play are loaded with the page, those of the other views as soon as
// the first view is shown.

import { announce, notify, showBanner } from "./lib/announce.js";
import { isTransient, ServerUnreachable } from "./lib/api.js";
import { button, hiddenText, icon, make } from "./lib/dom.js";
import { acceptFiles } from "./lib/files.js";
import { focusedCell, restoreLostFocus } from "./lib/focus.js";
import { toSentence } from "./lib/format.js";
import { applyAppearance, changeSetting, setting, syncSettings } from "./lib/settings.js";
import { collapsible } from "./lib/widgets.js";
import { openSettings } from "./views/settings.js";

const VIEWS = [
  { name: "play", title: "Play", load: () => import("./views/play/play.js") },
  { name: "learn", title: "Learn", load: () => import("./views/learn.js") },
  { name: "puzzles", title: "Puzzles", load: () => import("./views/puzzles.js") },
  { name: "analyse", title: "Analyse", load: () => import("./views/analyse/analyse.js") },
  { name: "review", title: "Review", load: () => import("./views/review/review.js") },
  { name: "watch", title: "Watch", load: () => import("./views/watch/watch.js") },
  { name: "print", title: "Print", load: () => import("./views/print/print.js") },
  { name: "statistics", title: "Statistics", load: () => import("./views/statistics.js") },
  { name: "help", title: "Help", load: () => import("./views/help.js") },
  // A button with an icon, beside the settings.
  { name: "profile", title: "Profile", load: () => import("./views/profile.js"), iconName: "person" },
];

const main = document.getElementById("view");
let current = new AbortController(); // aborted when the current view is left, also while it is loading
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

async function showView() {
  const route = currentRoute();
  const view = VIEWS.find(({ name }) => name === route.name) ?? VIEWS[0];
  current.abort();
  current = new AbortController();
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  for (const link of document.querySelectorAll("#header-menu a")) {
    if (link.dataset.view === view.name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.querySelector("#menu .current-view").textContent = view.title;
  document.title = `${view.title} · Sapper`;
  document.body.dataset.view = view.name;
  // Each view has its own element, so that a view that loads late does not replace the next one.
  const root = make("div.view-root");
  main.replaceChildren(root);
  await openView(view, root, route, current.signal);
}

/** Load the module of a view. */
async function load(view) {
  try {
    return await view.load();
  } catch (error) {
    if (error instanceof TypeError) throw new ServerUnreachable("the server does not respond");
    throw error;
  }
}

/** Open a view, whose signal is aborted when it is left; while the server does not respond, try again. */
async function openView(view, root, route, left) {
  for (let isRetry = false; !left.aborted; isRetry = true) {
    const failed = new AbortController();
    try {
      const { show } = await load(view);
      await show(root, { ...route, signal: AbortSignal.any([left, failed.signal]) });
      if (!isRetry) return;
      showBanner(null);
      return announce(`${view.title} is available again.`);
    } catch (error) {
      failed.abort();
      if (left.aborted) return;
      showProblem(view, root, error);
      if (!isTransient(error)) return;
      showBanner(`${toSentence(error.message)} Trying again …`);
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY));
    }
  }
  showBanner(null);
}

function showProblem(view, root, error) {
  if (root.dataset.problem === error.message) return;
  root.dataset.problem = error.message;
  const links = [make("a", { href: "#/play" }, "Play a game")];
  if (location.hash !== `#/${view.name}`)
    links.unshift(make("a", { href: `#/${view.name}` }, `Open ${view.title}`), " · ");
  root.replaceChildren(
    make(
      "section.page",
      make("h1", view.title),
      make("p", `This page cannot be shown: ${error.message}.`),
      make("p", ...links),
    ),
  );
  notify(error.message, { toast: false });
}

function buildHeader() {
  document.addEventListener("settingschange", showThemeButton);
  const menu = document.getElementById("menu");
  menu.append(icon("menu"), hiddenText("Menu, current view: "), make("span.current-view"));
  collapsible(menu, document.getElementById("header-menu"));
  const iconViews = VIEWS.filter(({ iconName }) => iconName);
  const links = VIEWS.filter(({ iconName }) => !iconName).map(({ name, title }) =>
    make("a", { href: `#/${name}`, "data-view": name }, title),
  );
  const settings = button({ icon: "sliders", label: "Settings", class: "ghost", onclick: openSettings });
  document.getElementById("views").replaceChildren(...links);
  document.getElementById("tools").replaceChildren(make("span"), ...iconViews.map(iconLink), settings);
}

function iconLink({ name, title, iconName }) {
  return make("a.tool-link", { href: `#/${name}`, "data-view": name, "aria-label": title, title }, icon(iconName));
}

const THEMES = { auto: ["auto", "light"], light: ["sun", "dark"], dark: ["moon", "auto"] }; // icon, next theme

function showThemeButton() {
  const [iconName, next] = THEMES[setting("theme")];
  const onclick = () => changeSetting("theme", next);
  const themeButton = button({ icon: iconName, label: `Theme: ${setting("theme")}`, class: "ghost", onclick });
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
await syncSettings(); // a view shown before the settings are known would have to be shown again
window.addEventListener("hashchange", showView);
await showView();
const whenIdle = window.requestIdleCallback ?? setTimeout; // Safari has no idle callbacks
whenIdle(() => VIEWS.map((view) => load(view).catch(() => {}))); // opening a view tries again
