// Messages to the user: live regions for screen readers, toasts and a banner on the screen.

import { toSentence } from "./format.js";

const find = (id) => document.getElementById(id);

/** Announce a text to screen readers politely. */
export function announce(text) {
  replace(find("status"), text);
}

/** Announce a win, a loss or an error at once, and show it as a toast. */
export function notify(text, { toast = true } = {}) {
  replace(find("alert"), text);
  if (toast) showToast(text);
}

/** Run an asynchronous action; show the message of an error that it throws. */
export async function reportErrors(action) {
  try {
    return await action();
  } catch (error) {
    notify(error.message);
    return null;
  }
}

/** Show a banner with a text, or hide it if the text is null. */
export function showBanner(text) {
  const banner = find("banner");
  banner.hidden = text === null;
  banner.textContent = text ?? "";
}

function replace(region, text) {
  // Screen readers read the same text again only if the region was empty in between.
  region.textContent = "";
  requestAnimationFrame(() => (region.textContent = text));
}

function showToast(text) {
  const toast = document.createElement("p");
  toast.className = "toast";
  toast.textContent = /[.!?…]$/.test(text) ? text : toSentence(text);
  const toasts = find("toasts");
  while (toasts.childElementCount >= 3) toasts.firstChild.remove();
  toasts.append(toast);
  setTimeout(() => toast.remove(), 4000);
}
