// The HTTP client: one function per route, errors, and requests that can be cancelled.
//
// docs/http-api.md describes every route; a test compares it with this file and the server. A
// function takes the parameters of its path, then the body of a POST, then the signal of an
// AbortController: the server stops working on a cancelled request.

export const recentGames = route("GET", "/api/games");
export const newGame = route("POST", "/api/games");
export const resumeGame = route("POST", "/api/games/{game}/resume");
export const reportOpenWindow = route("POST", "/api/games/{game}/open");
export const move = route("POST", "/api/games/{game}/moves");
export const saveQuestionMarks = route("POST", "/api/games/{game}/question-marks");
export const minesOf = route("GET", "/api/games/{game}/mines");
export const endOf = route("GET", "/api/games/{game}/end");
export const reviewOf = route("GET", "/api/games/{game}/review");
export const reviewWinChances = route("GET", "/api/games/{game}/review/win-chance");
export const reviewedGames = route("GET", "/api/reviews");
export const shareLinks = route("GET", "/api/games/{game}/share");
export const hint = route("POST", "/api/games/{game}/hint");
export const probabilities = route("POST", "/api/games/{game}/probabilities");
export const values = route("POST", "/api/games/{game}/values");
export const winChance = stream("/api/games/{game}/win-chance");
export const justified = route("POST", "/api/games/{game}/justified");

export const profile = route("GET", "/api/profile");
export const renameProfile = route("POST", "/api/profile");
export const profileLink = route("POST", "/api/profile/link");
export const previewProfile = route("POST", "/api/profile/preview");
export const switchProfile = route("POST", "/api/profile/switch");
export const signOut = route("POST", "/api/profile/sign-out");
export const profileFile = urlTemplate("/api/profile/export");
export const importProfile = route("POST", "/api/profile/import");
export const loadProfileSettings = route("GET", "/api/settings");
export const saveProfileSettings = route("POST", "/api/settings");

const sendFile = route("POST", "/api/files");
export const readPicture = route("POST", "/api/picture", "application/octet-stream");

export const readPosition = route("POST", "/api/position");
export const analysis = route("POST", "/api/analysis");
export const valuesIn = route("POST", "/api/analysis/values");
export const winChanceIn = stream("/api/analysis/win-chance");
export const proofIn = route("POST", "/api/analysis/proof");
export const certificate = route("POST", "/api/analysis/certificate");

export const watch = route("POST", "/api/watch");
export const steps = route("POST", "/api/watch/{watch}/steps");
export const guessSearch = route("GET", "/api/watch/{watch}/search");
export const decideNow = route("POST", "/api/watch/{watch}/decide");

export const lessons = route("GET", "/api/learn");
export const newExercise = route("POST", "/api/learn/{lesson}/exercise");
export const judgeMove = route("POST", "/api/learn/{lesson}/moves");
export const lessonPicture = urlTemplate("/api/learn/{lesson}/picture/{theme}");

export const puzzleOverview = route("GET", "/api/puzzles/days/{day}");
export const nextPuzzle = route("POST", "/api/puzzles/next");
export const puzzleOf = route("GET", "/api/puzzles/{puzzle}");
export const answerPuzzle = route("POST", "/api/puzzles/{puzzle}");
export const puzzleWorksheet = urlTemplate("/api/puzzles/{puzzle}/worksheet.pdf");

export const worksheetMenu = route("GET", "/api/worksheets");
export const makeWorksheet = route("POST", "/api/worksheets");
export const checkPaperPuzzle = route("POST", "/api/worksheets/puzzles/{number}/check");
export const solutionOf = route("POST", "/api/worksheets/puzzles/{number}/solution");
export const worksheetFile = urlTemplate("/api/worksheets/sheet.{suffix}");
export const worksheetPage = urlTemplate("/api/worksheets/pages/{page}");

export const statistics = route("GET", "/api/statistics");
export const luckOfResults = route("GET", "/api/statistics/luck");
export const deleteResults = route("DELETE", "/api/statistics");
export const resultsTable = urlTemplate("/api/statistics/export.csv");

const menuUrl = urlTemplate("/api/menu");
const boardUrl = urlTemplate("/api/boards/{tiling}/{size}");
const movesUrl = urlTemplate("/api/games/{game}/moves");
const closeUrl = urlTemplate("/api/games/{game}/close");

/** The options for games, positions and watched games. */
export const menu = () => cached(menuUrl());

/** The shapes of a board: loaded from a URL, or for a graph included in an earlier response. */
export async function shapes(urlOrShapes) {
  return typeof urlOrShapes === "string" ? cached(urlOrShapes) : urlOrShapes;
}

/** The URL of the shapes of a tiling's board; the version avoids outdated cached ones. */
export async function shapesOf(tiling, width, height) {
  const { version } = await menu();
  return `${boardUrl(tiling, `${width}x${height}`)}?v=${version}`;
}

/** Find out which view opens a file, and the text of a position in it. */
export async function openFile(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return sendFile({ hex: Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("") });
}

/** Stop the clock of a game, even while the page is unloaded. */
export function pauseGame(game) {
  sendBeacon(movesUrl(game), { action: "pause" });
}

/** Report that a window no longer has a game open. */
export function reportClosedWindow(game, report) {
  sendBeacon(closeUrl(game), report);
}

/** The server refused a request; the message is one line. */
export class RequestError extends Error {
  constructor(message, status, field = null) {
    super(message);
    this.status = status;
    this.field = field; // the name of the form field with the bad value, if any
  }
}

/** The server did not respond. */
export class ServerUnreachable extends Error {}

/** Whether the same request may succeed later: the server is down or busy. */
export const isTransient = (error) => error instanceof ServerUnreachable || error.status === 503;

const SLOW_DELAY = 250; // milliseconds before the page says that the server is working

/** Requests that can be cancelled together; the *signal* of a view cancels them when the view is left. */
export class Requests {
  #running = new Set();

  constructor(signal = null) {
    this.signal = signal;
    signal?.addEventListener("abort", () => this.cancel());
  }

  get running() {
    return this.#running.size > 0;
  }

  /** The response to request(signal); null if it was cancelled. onSlow() is called if the response takes long. */
  async run(request, onSlow = () => {}) {
    if (this.signal?.aborted) return null;
    const controller = new AbortController();
    this.#running.add(controller);
    const timer = setTimeout(onSlow, SLOW_DELAY);
    try {
      const response = await request(controller.signal);
      return this.#running.has(controller) ? response : null;
    } catch (error) {
      if (this.#running.has(controller)) throw error;
      return null;
    } finally {
      clearTimeout(timer);
      this.#running.delete(controller);
    }
  }

  /** Cancel all; return whether any was running. */
  cancel() {
    const cancelled = [...this.#running];
    this.#running.clear();
    for (const controller of cancelled) controller.abort();
    return cancelled.length > 0;
  }
}

/** A new request cancels the previous one. */
export class LatestRequest extends Requests {
  run(...args) {
    this.cancel();
    return super.run(...args);
  }
}

function sendBeacon(url, data) {
  navigator.sendBeacon(url, new Blob([JSON.stringify(data)], { type: "application/json" }));
}

function route(method, path, type) {
  const url = urlTemplate(path);
  return async (...args) => {
    const parameters = args.splice(0, url.length);
    const data = method === "POST" ? (args.shift() ?? {}) : undefined;
    const response = await request(method, url(...parameters), data, args[0], type);
    return orServerUnreachable(response.json());
  };
}

/**
 * A POST whose response has a line of JSON for each estimate; the arguments after the body are onLine(object) and the
 * signal.
 */
function stream(path) {
  const url = urlTemplate(path);
  return async (...args) => {
    const [data, onLine, signal] = args.splice(url.length);
    const response = await request("POST", url(...args), data, signal);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await orServerUnreachable(reader.read());
      if (done) return;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const line of lines) onLine(JSON.parse(line));
    }
  };
}

/**
 * A function from the parameters of a path to its URL, which is relative to the page; its length is the number of
 * parameters.
 */
function urlTemplate(path) {
  const [start, ...rest] = path.slice(1).split(/\{\w+\}/);
  const url = (...parameters) =>
    rest.reduce((joined, piece, k) => joined + encodeURIComponent(parameters[k]) + piece, start);
  return Object.defineProperty(url, "length", { value: rest.length });
}

/** Send a request with JSON or a file; throws a RequestError if the server refuses it. */
async function request(method, url, data, signal = null, type = "application/json") {
  const content = data instanceof Blob ? data : JSON.stringify(data);
  const body = data && { headers: { "content-type": type }, body: content };
  const response = await orServerUnreachable(fetch(url, { method, signal, ...body }));
  if (response.ok) return response;
  const { error = `status ${response.status}`, field } = await orServerUnreachable(response.json());
  throw new RequestError(error, response.status, field);
}

/** Wait for a promise of the network; throws ServerUnreachable for any failure but cancelling. */
async function orServerUnreachable(promise) {
  try {
    return await promise;
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ServerUnreachable("the server does not respond");
  }
}

const responses = new Map();

/** Request a resource that does not change, only once. */
async function cached(url) {
  if (!responses.has(url))
    responses.set(
      url,
      request("GET", url).then((response) => response.json()),
    );
  try {
    return await responses.get(url);
  } catch (error) {
    responses.delete(url);
    throw error;
  }
}
