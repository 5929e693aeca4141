// Files that are dropped on the page or chosen with a button; each opens in the view for its type.

import { announce, notify } from "./announce.js";
import * as api from "./api.js";
import { make } from "./dom.js";
import { saveSetting } from "./settings.js";
import { fileInput } from "./widgets.js";

const MAX_BYTES = 900_000; // a replay of an hour is smaller

let pictureHandler = null; // of the view that is shown
let pendingPicture = null; // for a view that is not shown yet

/** Let a view handle pictures, until its signal aborts. */
export function acceptPictures(handler, signal) {
  pictureHandler = handler;
  signal.addEventListener("abort", () => (pictureHandler = pictureHandler === handler ? null : pictureHandler));
}

/** Return the picture that was opened in another view, and forget it; null if there is none. */
export function takePendingPicture() {
  const file = pendingPicture;
  pendingPicture = null;
  return file;
}

/** A button that opens a file. */
export const fileButton = (text) => make("span", ...fileInput({ label: "File", text, class: "primary", open }));

/** Accept files that are dropped anywhere on the page. */
export function acceptFiles() {
  const notice = make(
    "p.drop-notice",
    { hidden: true, "aria-hidden": "true" },
    "Drop a replay, a saved game, a position or a picture of a board to open it",
  );
  document.body.append(notice);
  const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
  let depth = 0; // elements entered minus elements left while dragging
  const show = (next) => {
    depth = Math.max(0, next);
    notice.hidden = depth === 0;
  };
  document.addEventListener("dragenter", (event) => hasFiles(event) && show(depth + 1));
  document.addEventListener("dragleave", (event) => hasFiles(event) && show(depth - 1));
  document.addEventListener("dragover", (event) => hasFiles(event) && event.preventDefault());
  document.addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    show(0);
    open(event.dataTransfer.files[0]);
  });
}

async function open(file) {
  if (!file) return;
  if (file.type.startsWith("image/")) return openPicture(file);
  if (file.size > MAX_BYTES)
    return notify(`${file.name} is too large: at most ${MAX_BYTES.toLocaleString("en")} bytes can be opened`);
  announce(`Opening ${file.name}`);
  try {
    const { go, text } = await api.openFile(file);
    if (text !== null) saveSetting("position", text);
    if (location.hash === go) window.dispatchEvent(new HashChangeEvent("hashchange"));
    else location.hash = go;
  } catch (error) {
    notify(`${file.name}: ${error.message}`);
  }
}

function openPicture(file) {
  if (pictureHandler) return pictureHandler(file);
  pendingPicture = file;
  location.hash = "#/analyse";
}
