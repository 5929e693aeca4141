// The settings as a dialog: looks, playing, mouse and touch, keys. What is changed holds at once.

import { button, dialog, make } from "../../lib/dom.js";
import { tick } from "../../lib/forms.js";
import { chosenKeys, keyName, mappable, spelled, takenBy } from "../../lib/keys.js";
import { say } from "../../lib/say.js";
import { CHOICES, RANGES, SWITCHES, change, setting } from "../../lib/settings.js";

export function openSettings() {
  const box = dialog(
    "Settings",
    make("h3", { text: "Looks" }),
    ...["theme", "tiles", "colours", "rulers"].map(choiceOf),
    ...switchesOf("looks"),
    make("h3", { text: "Playing" }),
    choiceOf("first"),
    rangeOf("longPress"),
    ...switchesOf("playing"),
    make("details", { class: "key-map" }, make("summary", { text: "Keys in a game" }), keyMap()),
    make("div", { class: "dialog-foot" }, button({ text: "Done", class: "primary", onclick: () => box.close() })),
  );
  box.classList.add("settings");
}

function choiceOf(name) {
  const { label, options } = CHOICES[name];
  const inputs = Object.entries(options).map(([value, text]) =>
    make(
      "label",
      { class: "choice" },
      make("input", { type: "radio", name, value, checked: setting(name) === value, onchange: () => change(name, value) }),
      make("span", { text }),
    ),
  );
  return make(
    "div",
    { class: "setting", role: "radiogroup", "aria-label": label },
    make("span", { class: "setting-name", text: label }),
    make("div", { class: "choices" }, ...inputs),
  );
}

function switchesOf(part) {
  const rows = Object.entries(SWITCHES).filter(([, row]) => row.part === part);
  return rows.map(([name, { label, about }]) =>
    tick(label, about, { checked: setting(name), onchange: (event) => change(name, event.target.checked) }),
  );
}

function rangeOf(name) {
  const { label, least, most, step, unit } = RANGES[name];
  const shown = make("output", { text: `${setting(name)} ${unit}` });
  const input = make("input", {
    type: "range",
    min: least,
    max: most,
    step,
    value: setting(name),
    oninput: (event) => {
      change(name, Number(event.target.value));
      shown.textContent = `${event.target.value} ${unit}`;
    },
  });
  return make("label", { class: "setting" }, make("span", { class: "setting-name", text: label }), make("span", { class: "range" }, input, shown));
}

/** A button a command: press it, then the key. Only what differs from the table is kept. */
function keyMap() {
  const note = make("p", { class: "faint", role: "status", text: "Press a button, then the key that you want for it." });
  const rows = make("ul", { class: "key-rows" });
  const redraw = () => rows.replaceChildren(...mappable("play").map(keyRow));
  const keyRow = (row) => {
    const names = chosenKeys(row).map(keyName).join(", ");
    const set = button({ text: names, "aria-label": `${row.does}: ${names}`, onclick: () => listen(row, set) });
    return make("li", {}, make("span", { text: row.does }), set);
  };
  const tell = (text) => {
    note.textContent = text;
    say(text);
  };
  const listen = (row, set) => {
    set.lastChild.textContent = "Press a key";
    set.addEventListener(
      "keydown",
      (event) => {
        if (["Control", "Shift", "Alt", "Meta", "Tab"].includes(event.key)) return redraw();
        event.preventDefault();
        event.stopPropagation();
        if (event.key !== "Escape") take(row, event);
        redraw();
        [...rows.querySelectorAll("button")][mappable("play").indexOf(row)].focus();
      },
      { once: true },
    );
  };
  const take = (row, event) => {
    const key = spelled(event);
    const other = key === null ? null : takenBy("play", key, row);
    if (key === null) return tell("Keys with Alt belong to the browser.");
    if (other) return tell(`${keyName(key)} is taken: ${other.does}.`);
    change("keys", { ...setting("keys"), [row.command]: [key] });
    tell(`${keyName(key)}: ${row.does}.`);
  };
  const reset = button({
    text: "As it was",
    onclick: () => {
      change("keys", {});
      redraw();
      tell("All keys are as they were.");
    },
  });
  redraw();
  return make("div", {}, note, rows, reset);
}
