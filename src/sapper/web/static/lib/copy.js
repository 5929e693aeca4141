// A button that copies a text.

import { button, make } from "./dom.js";
import { say, shout } from "./say.js";

export function copyButton(title, text, words = "Copy") {
  const copy = button({
    icon: "copy",
    text: words,
    "aria-label": `Copy ${title.toLowerCase()}`,
    onclick: async () => {
      if (!(await toClipboard(text, copy))) {
        shout("the browser does not let this page copy: select the text and copy it by hand");
        return;
      }
      copy.lastChild.textContent = "Copied";
      say("copied");
    },
  });
  return copy;
}

/** Whether a text was copied. */
async function toClipboard(text, beside) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return byHand(text, beside);
  }
}

/** The old way, for a page that came over plain HTTP: there browsers have no clipboard. */
function byHand(text, beside) {
  const area = make("textarea", { class: "unseen", readonly: true, "aria-hidden": "true", text });
  // In a dialog nothing beyond it can be selected.
  beside.after(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  beside.focus();
  return done;
}

/** The whole address of a part of this page, such as #/play. */
export const linkTo = (part) => location.origin + location.pathname + part;
