// Talking to the server. Everything fails in one of two ways:
// Refused (the server said no, with one line) or Unreachable (it said nothing).

export class Refused extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

export class Unreachable extends Error {}

export async function get(path) {
  return ask(path, { method: "GET" });
}

/** *signal* of an AbortController takes the question back: the server then stops its work. */
export async function post(path, data = {}, signal = null) {
  return ask(path, {
    method: "POST",
    signal,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(data),
  });
}

export async function remove(path) {
  return ask(path, { method: "DELETE" });
}

/** Send without waiting for the answer, also while the page goes away. */
export function tell(path, data) {
  navigator.sendBeacon(path, new Blob([JSON.stringify(data)], { type: "application/json" }));
}

async function ask(path, options) {
  let response, data;
  try {
    response = await fetch(path, options);
    data = await response.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Unreachable("the server does not answer");
  }
  if (!response.ok) throw new Refused(data.error ?? `status ${response.status}`, response.status);
  return data;
}

const boards = new Map();

/** A board's shapes: fetched once, then kept for the life of the page. */
export async function board(path) {
  if (!boards.has(path)) boards.set(path, get(path));
  try {
    return await boards.get(path);
  } catch (error) {
    boards.delete(path);
    throw error;
  }
}

let menuPromise = null;

/** What a new game may be made of. */
export async function menu() {
  menuPromise ??= get("/api/menu");
  try {
    return await menuPromise;
  } catch (error) {
    menuPromise = null;
    throw error;
  }
}
