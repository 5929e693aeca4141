// Buttons that copy a text to the clipboard.

import { announce, notify } from "./announce.js";
import { button, make } from "./dom.js";

export function copyButton(title, text, label = "Copy") {
  const copy = button({
    icon: "copy",
    text: label,
    "aria-label": `Copy ${title.toLowerCase()}`,
    onclick: async () => {
      if (!(await copyText(text, copy))) return notify("This browser does not allow copying: select the text and copy it yourself.");
      copy.lastChild.textContent = "Copied";
      announce("Copied");
    },
  });
  return copy;
}

/** Copy a text; return whether that worked. */
async function copyText(text, neighbour) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text, neighbour);
  }
}

/** The fallback for plain HTTP, where browsers offer no clipboard API. */
function copyBySelection(text, neighbour) {
  const area = make("textarea", { class: "visually-hidden", readonly: true, "aria-hidden": "true", text });
  // While a dialog is open, only text inside it can be selected.
  neighbour.after(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  neighbour.focus();
  return done;
}

/** The complete address of a part of this page, such as #/play. */
export const linkTo = (part) => location.origin + location.pathname + part;
