// A button that copies a text.

import { button } from "./dom.js";
import { say, shout } from "./say.js";

export function copyButton(title, text, words = "Copy") {
  const copy = button({
    icon: "copy",
    text: words,
    "aria-label": `Copy ${title.toLowerCase()}`,
    onclick: async () => {
      try {
        await navigator.clipboard.writeText(text);
        copy.lastChild.textContent = "Copied";
        say("copied");
      } catch {
        shout("the browser does not let this page copy: select the text and copy it by hand");
      }
    },
  });
  return copy;
}

/** The whole address of a part of this page, such as #/play. */
export const linkTo = (part) => location.origin + location.pathname + part;
