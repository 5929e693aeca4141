// The game of this browser window. A window returns to its game after another view or a reload, and
// no other window, of any browser, is offered the game while this one is open.

import { RequestError, reportClosedWindow, reportOpenWindow } from "./api.js";

const STORAGE_KEY = "sapper-window";
const REPORT_INTERVAL = 20_000; // milliseconds between two reports that the window is open

// Stored in sessionStorage only while the page is unloaded: otherwise duplicating a tab would copy it.
let {
  window: windowName = crypto.getRandomValues(new Uint32Array(3)).join("-"),
  game = null,
  reports = 0,
} = takeStored();

/** The id of the game of this window, if no other window has it open; else null. */
export async function windowGame() {
  return game !== null && (await reportOpen()) === 0 ? game : null;
}

/** Set the game of this window; return how many other windows have it open. */
export function setWindowGame(id) {
  game = id;
  return reportOpen();
}

/** Report that the user is playing: without reports the server stops the clock. */
export async function reportPlaying() {
  if (document.visibilityState === "visible") await reportOpen();
}

/** How many other windows have the game open; null if the server has no such game. */
async function reportOpen() {
  try {
    return (await reportOpenWindow(game, nextReport())).others;
  } catch (error) {
    return error instanceof RequestError ? null : 0;
  }
}

/** The content of a report. The numbers grow, because the server may get reports out of order. */
function nextReport() {
  reports += 1;
  return { window: windowName, report: reports };
}

function takeStored() {
  try {
    const stored = JSON.parse(sessionStorage.getItem(STORAGE_KEY)) ?? {};
    sessionStorage.removeItem(STORAGE_KEY);
    return stored;
  } catch {
    return {};
  }
}

window.addEventListener("pagehide", () => {
  if (game !== null) reportClosedWindow(game, nextReport());
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ window: windowName, game, reports }));
  } catch {
    // The page works without storage.
  }
});
window.addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  takeStored();
  if (game !== null) reportOpen();
});
setInterval(() => game !== null && reportOpen(), REPORT_INTERVAL);
