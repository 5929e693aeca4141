// The share dialog: links to the layout and the game, and both as text.

import { reportErrors } from "../../lib/announce.js";
import * as api from "../../lib/api.js";
import { copyButton, linkTo } from "../../lib/clipboard.js";
import { button, dialog, download, make } from "../../lib/dom.js";

export async function openShare(game) {
  const shared = await reportErrors(() => api.shareLinks(game.id));
  if (!shared) return;
  dialog(
    "Share",
    line(
      "Same layout",
      "Starts a new game with the same mines. Anyone with the link can find the mines.",
      linkTo(shared.layout),
    ),
    line("This game", "Opens the game with all its moves so far.", linkTo(shared.game)),
    block("Position", "What the board shows, for commands such as sapper analyse.", shared.position),
    block("Saved game", "Can be opened here or on another computer.", shared.text, "game.txt"),
  );
}

function line(title, about, value) {
  const input = make("input", { readonly: true, value, "aria-label": `${title}, link`, onfocus: () => input.select() });
  return part(title, about, make("div", { class: "share-line" }, input, copyButton(title, value)));
}

function block(title, about, text, file = null) {
  const save = file && button({ icon: "save", text: "Download", onclick: () => download(file, text) });
  return part(
    title,
    about,
    make("textarea", { readonly: true, rows: 4, "aria-label": title, text }),
    make("div", { class: "share-line" }, copyButton(title, text), save),
  );
}

function part(title, about, ...children) {
  return make(
    "section",
    { class: "share" },
    make("h3", { text: title }),
    make("p", { class: "faint", text: about }),
    ...children,
  );
}
