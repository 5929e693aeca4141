// Buttons that copy a text to the clipboard.

import { announce, notify } from "./announce.js";
import { button, make } from "./dom.js";

export function copyButton(title, text, label = "Copy") {
  const copy = button({
    icon: "copy",
    text: label,
    "aria-label": `Copy ${title.toLowerCase()}`,
    onclick: async () => {
      if (!(await copyText(text, copy)))
        return notify("This browser does not allow copying: select the text and copy it yourself.");
      copy.lastChild.textContent = "Copied";
      announce("Copied");
    },
  });
  return copy;
}

/** Copy a text; return whether that worked. The button that was clicked is needed by the fallback. */
async function copyText(text, clicked) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text, clicked);
  }
}

/** The fallback for plain HTTP, where browsers offer no clipboard API. */
function copyBySelection(text, clicked) {
  const area = make("textarea", { class: "visually-hidden", readonly: true, "aria-hidden": "true", text });
  // While a dialog is open, only text inside it can be selected.
  clicked.after(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  clicked.focus();
  return isCopied;
}

/** The absolute URL of a fragment such as #/play. */
export const linkTo = (fragment) => location.origin + location.pathname + fragment;
