// Talking to the server: every route that the page asks, what may go wrong, taking a question back.
//
// docs/http-api.md says what each route is asked and what it answers; a test holds that page, this file
// and the server together. A function below takes the names in its path, then the data of a POST,
// then the signal of an AbortController: the server stops work that nobody waits for any more.

export const recentGames = route("GET", "/api/games");
export const newGame = route("POST", "/api/games");
export const resumeGame = route("POST", "/api/games/{game}/resume");
export const reportOpenWindow = route("POST", "/api/games/{game}/open");
export const move = route("POST", "/api/games/{game}/moves");
export const saveQuestionMarks = route("POST", "/api/games/{game}/question-marks");
export const minesOf = route("GET", "/api/games/{game}/mines");
export const endOf = route("GET", "/api/games/{game}/end");
export const reviewOf = route("GET", "/api/games/{game}/review");
export const reviewedGames = route("GET", "/api/reviews");
export const shareOf = route("GET", "/api/games/{game}/share");
export const hint = route("POST", "/api/games/{game}/hint");
export const probabilities = route("POST", "/api/games/{game}/probabilities");
export const values = route("POST", "/api/games/{game}/values");
export const justified = route("POST", "/api/games/{game}/justified");

export const profile = route("GET", "/api/profile");
export const renameProfile = route("POST", "/api/profile");
export const profileLink = route("POST", "/api/profile/link");
export const previewProfile = route("POST", "/api/profile/preview");
export const switchProfile = route("POST", "/api/profile/switch");
export const signOut = route("POST", "/api/profile/sign-out");
export const profileFile = address("/api/profile/export");
export const loadDocument = route("GET", "/api/documents/{name}");
export const saveDocument = route("POST", "/api/documents/{name}");

const takeFile = route("POST", "/api/files");

export const readPosition = route("POST", "/api/position");
export const analysis = route("POST", "/api/analysis");
export const valuesIn = route("POST", "/api/analysis/values");
export const proofIn = route("POST", "/api/analysis/proof");

export const watch = route("POST", "/api/watch");
export const steps = route("POST", "/api/watch/{watch}/steps");
export const guessSearch = route("GET", "/api/watch/{watch}/search");
export const decideNow = route("POST", "/api/watch/{watch}/decide");

export const lessons = route("GET", "/api/learn");
export const newExercise = route("POST", "/api/learn/{lesson}/exercise");
export const judgeMove = route("POST", "/api/learn/{lesson}/moves");
export const pictureAddress = address("/api/learn/{lesson}/picture");

export const puzzleOverview = route("GET", "/api/puzzles/days/{day}");
export const nextPuzzle = route("POST", "/api/puzzles/next");
export const puzzleOf = route("GET", "/api/puzzles/{puzzle}");
export const answerPuzzle = route("POST", "/api/puzzles/{puzzle}");
// The browser fetches it itself: a link to a file.
export const puzzleSheet = address("/api/puzzles/{puzzle}/worksheet.pdf");

export const worksheetMenu = route("GET", "/api/worksheets");
export const makeWorksheet = route("POST", "/api/worksheets");
export const loadWorksheet = route("GET", "/api/worksheets/{token}");
export const checkPaperPuzzle = route("POST", "/api/worksheets/{token}/puzzles/{number}/check");
export const solutionOf = route("GET", "/api/worksheets/{token}/puzzles/{number}/solution");
// The browser fetches these two itself: a link to a file, and a picture.
export const sheetAddress = address("/api/worksheets/{token}/sheet.{suffix}");
export const pageAddress = address("/api/worksheets/{token}/pages/{page}");

export const statistics = route("GET", "/api/statistics");
export const luckOfResults = route("GET", "/api/statistics/luck");
export const importResults = route("POST", "/api/statistics");
export const deleteResults = route("DELETE", "/api/statistics");
export const resultHistory = route("GET", "/api/statistics/history");
export const exportResults = route("GET", "/api/statistics/export");

const profileImport = address("/api/profile/import");
const menuAddress = address("/api/menu");
const boardAddress = address("/api/boards/{tiling}/{size}");
const movesAddress = address("/api/games/{game}/moves");
const closeAddress = address("/api/games/{game}/close");

/** What games, positions and watchers may be made of. */
export const menu = () => once(menuAddress());

/** The shapes of a board, by the address that an answer names; those of a graph are in the answer. */
export async function shapes(given) {
  return typeof given === "string" ? once(given) : given;
}

/** Where the shapes of a tiling's board are; the version keeps the browser from drawing old ones. */
export async function shapesOf(tiling, width, height) {
  const { version } = await menu();
  return `${boardAddress(tiling, `${width}x${height}`)}?v=${version}`;
}

/** Where the page goes with a file, and the text of a position. */
export async function openFile(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return takeFile({ hex: Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("") });
}

/** Add what an exported file has; the browser sends it as it lies on disk. */
export const importProfile = (file, signal) => ask("POST", profileImport(), file, signal);

/** Stop the clock of a game, also while the page goes away: nobody waits for the answer. */
export function pauseGame(game) {
  tell(movesAddress(game), { action: "pause" });
}

/** Say that a window has a game open no more. */
export function reportClosedWindow(game, window) {
  tell(closeAddress(game), { window });
}

/** The server said no, with one line. */
export class Refused extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** The server said nothing. */
export class Unreachable extends Error {}

/** Whether the same question may be answered a moment later: nobody was there, or the file is held. */
export const passes = (error) => error instanceof Unreachable || error.status === 503;

/** Questions that can be taken back, all together. */
export class Questions {
  #running = new Set();

  get running() {
    return this.#running.size > 0;
  }

  /** The answer to question(signal); null where it was dropped. */
  async ask(question) {
    const one = new AbortController();
    this.#running.add(one);
    try {
      const answer = await question(one.signal);
      return this.#running.has(one) ? answer : null;
    } catch (error) {
      if (this.#running.has(one)) throw error;
      return null;
    } finally {
      this.#running.delete(one);
    }
  }

  /** Take them back; answers whether there were any. */
  drop() {
    const dropped = [...this.#running];
    this.#running.clear();
    for (const one of dropped) one.abort();
    return dropped.length > 0;
  }
}

/** Questions of which only the last one counts: asking anew takes the one before back. */
export class Latest extends Questions {
  ask(question) {
    this.drop();
    return super.ask(question);
  }
}

/** Wait for an answer; *notice* is called where that takes longer than so many milliseconds. */
export async function noticed(answer, milliseconds, notice) {
  const late = setTimeout(notice, milliseconds);
  try {
    return await answer;
  } finally {
    clearTimeout(late);
  }
}

/** Say something, also while the page goes away; nobody waits for the answer. */
function tell(path, data) {
  navigator.sendBeacon(path, new Blob([JSON.stringify(data)], { type: "application/json" }));
}

function route(method, path) {
  const fill = address(path);
  return (...given) => {
    const names = given.splice(0, fill.length);
    const data = method === "POST" ? (given.shift() ?? {}) : undefined;
    return ask(method, fill(...names), data, given[0]);
  };
}

/** A path as a function of the names in it. */
function address(path) {
  const [start, ...rest] = path.split(/\{\w+\}/);
  const fill = (...names) => rest.reduce((done, piece, k) => done + encodeURIComponent(names[k]) + piece, start);
  return Object.defineProperty(fill, "length", { value: rest.length });
}

async function ask(method, path, data, signal = null) {
  const sent = data instanceof Blob ? data : JSON.stringify(data);
  const body = data && { headers: { "content-type": "application/json" }, body: sent };
  let response, answer;
  try {
    response = await fetch(path, { method, signal, ...body });
    answer = await response.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Unreachable("the server does not answer");
  }
  if (!response.ok) throw new Refused(answer.error ?? `status ${response.status}`, response.status);
  return answer;
}

const answered = new Map();

/** What never changes is asked for once in the life of the page. */
async function once(path) {
  if (!answered.has(path)) answered.set(path, ask("GET", path));
  try {
    return await answered.get(path);
  } catch (error) {
    answered.delete(path);
    throw error;
  }
}
