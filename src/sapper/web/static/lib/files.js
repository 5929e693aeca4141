// Files: dropped anywhere on the page, or chosen with a button, they are opened where they belong.

import * as api from "./api.js";
import { button, make } from "./dom.js";
import { say, shout } from "./say.js";
import { choose } from "./settings.js";

const MOST = 900_000; // bytes; a replay of an hour has fewer

/** A button that asks for a file; its input is the browser's own. */
export function fileButton(text) {
  const input = make("input", { type: "file", class: "unseen", tabindex: "-1", "aria-label": "File", onchange: () => open(input.files) });
  return make("span", {}, button({ icon: "share", text, class: "primary", onclick: () => input.click() }), input);
}

/** Take files that are dropped on the page; a veil shows that they may be. */
export function acceptFiles() {
  const veil = make("p", { class: "veil", hidden: true, "aria-hidden": "true", text: "Drop it: a replay, a saved game or a position" });
  document.body.append(veil);
  const carries = (event) => event.dataTransfer?.types.includes("Files");
  let depth = 0; // dragging over the page leaves and enters its elements
  const show = (more) => {
    depth = Math.max(0, more);
    veil.hidden = depth === 0;
  };
  document.addEventListener("dragenter", (event) => carries(event) && show(depth + 1));
  document.addEventListener("dragleave", (event) => carries(event) && show(depth - 1));
  document.addEventListener("dragover", (event) => carries(event) && event.preventDefault());
  document.addEventListener("drop", (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    show(0);
    open(event.dataTransfer.files);
  });
}

async function open([file]) {
  if (!file) return;
  if (file.size > MOST) return shout(`expected a file of at most ${MOST.toLocaleString("en")} bytes, got ${file.name}`);
  say(`opening ${file.name}`);
  try {
    const { go, text } = await api.openFile(file);
    if (text !== null) choose("position", text);
    if (location.hash === go) window.dispatchEvent(new HashChangeEvent("hashchange"));
    else location.hash = go;
  } catch (error) {
    shout(`${file.name}: ${error.message}`);
  }
}
