// The game of this window: it comes back to it after another view or a reload, and no other window
// is led into it.

const KEY = "sapper-game";

/** The id of the game that this window has played, or null. */
export function ownGame() {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Remember the game of this window. */
export function setOwnGame(id) {
  try {
    sessionStorage.setItem(KEY, id);
  } catch {
    // A browser that keeps nothing still plays.
  }
}
