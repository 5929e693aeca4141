// Sharing: the deal or the game as a link, the game and the position as text.

import * as api from "../../lib/api.js";
import { copyButton, linkTo } from "../../lib/copy.js";
import { button, dialog, download, make } from "../../lib/dom.js";
import { shout } from "../../lib/say.js";

export async function openShare(game) {
  let forms;
  try {
    forms = await api.shareOf(game.id);
  } catch (error) {
    return shout(error.message);
  }
  dialog(
    "Share",
    line("This deal", "Opens the same mines before the first click. Who has it can look them up.", linkTo(forms.layout)),
    line("This game", "Opens the game with all moves so far.", linkTo(forms.game)),
    block("Position", "What the board shows, for the other commands: sapper analyse, sapper explain.", forms.position),
    block("Saved game", "Can be opened here again, also on another machine.", forms.text, "game.txt"),
  );
}

function line(title, about, value) {
  const input = make("input", { readonly: true, value, "aria-label": `${title}, link`, onfocus: () => input.select() });
  return part(title, about, make("div", { class: "share-line" }, input, copyButton(title, value)));
}

function block(title, about, text, file = null) {
  const keep = file && button({ icon: "save", text: "Download", onclick: () => download(file, text) });
  return part(
    title,
    about,
    make("textarea", { readonly: true, rows: 4, "aria-label": title, text }),
    make("div", { class: "share-line" }, copyButton(title, text), keep),
  );
}

function part(title, about, ...children) {
  return make("section", { class: "share" }, make("h3", { text: title }), make("p", { class: "faint", text: about }), ...children);
}
