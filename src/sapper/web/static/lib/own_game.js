// The game of this window: it comes back to it after another view or a reload, and no other window
// is led into it while this one lives, of whatever browser.

import { reportOpenWindow, Refused, reportClosedWindow } from "./api.js";

const KEY = "sapper-window";
const AGAIN = 20_000; // milliseconds between two words to the server that the window is there

// Kept in the session only while the page is away: a tab that is duplicated would copy it.
let { window: name = crypto.getRandomValues(new Uint32Array(3)).join("-"), game = null } = take();

/** Whether this window comes back to a game that no other one has open: its id, or null. */
export async function ownGame() {
  return game !== null && (await hold()) === 0 ? game : null;
}

/** This is the game of this window now; answers how many others have it open. */
export function setOwnGame(id) {
  game = id;
  return hold();
}

/** How many other windows have the game open; null where the server knows no such game. */
async function hold() {
  try {
    return (await reportOpenWindow(game, { window: name })).others;
  } catch (error) {
    return error instanceof Refused ? null : 0;
  }
}

function take() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY)) ?? {};
    sessionStorage.removeItem(KEY);
    return kept;
  } catch {
    return {};
  }
}

window.addEventListener("pagehide", () => {
  if (game !== null) reportClosedWindow(game, name);
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ window: name, game }));
  } catch {
    // A browser that keeps nothing still plays.
  }
});
window.addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  take();
  if (game !== null) hold();
});
setInterval(() => game !== null && hold(), AGAIN);
