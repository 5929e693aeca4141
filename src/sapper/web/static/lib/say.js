// Telling the user: quietly to screen readers, shortly on the screen, loudly when it matters.

const find = (id) => document.getElementById(id);

/** For screen readers alone, when they have time. */
export function say(text) {
  replace(find("say"), text);
}

/** For everybody at once: a win, a loss, an error. */
export function shout(text, { toast = true } = {}) {
  replace(find("shout"), text);
  if (toast) showToast(text);
}

/** A banner stays until it is taken away with null. */
export function banner(text) {
  const place = find("banner");
  place.hidden = text === null;
  place.textContent = text ?? "";
}

function replace(place, text) {
  // The same text twice is read twice only if it goes away in between.
  place.textContent = "";
  requestAnimationFrame(() => (place.textContent = text));
}

function showToast(text) {
  const toast = document.createElement("p");
  toast.className = "toast";
  toast.textContent = text;
  const place = find("toasts");
  while (place.childElementCount >= 3) place.firstChild.remove();
  place.append(toast);
  setTimeout(() => toast.remove(), 4000);
}
