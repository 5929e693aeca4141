// The settings dialog. Changes take effect at once.

import { announce } from "../lib/announce.js";
import { button, make } from "../lib/dom.js";
import { chosenKeys, configurableKeys, keyConflict, keyName, keyOf } from "../lib/keys.js";
import { CHOICES, changeSetting, LONG_PRESS, SWITCHES, setting } from "../lib/settings.js";
import { checkbox, dialog } from "../lib/widgets.js";

export function openSettings() {
  const box = dialog(
    "Settings",
    make("h3", "Appearance"),
    ...["theme", "tiles", "colours", "rulers"].map(choiceOf),
    ...switchesOf("appearance"),
    make("h3", "Playing"),
    choiceOf("first"),
    longPressRange(),
    ...switchesOf("playing"),
    make("details.key-map", make("summary", "Keys in Play"), keyMap()),
    make("div.dialog-foot", button({ text: "Done", class: "primary", onclick: () => box.close() })),
  );
  box.classList.add("settings");
}

function choiceOf(name) {
  const { label, options } = CHOICES[name];
  const inputs = Object.entries(options).map(([value, text]) =>
    make(
      "label.choice",
      make("input", {
        type: "radio",
        name,
        checked: setting(name) === value,
        onchange: () => changeSetting(name, value),
      }),
      make("span", text),
    ),
  );
  const group = { role: "radiogroup", "aria-label": label };
  return make("div.setting", group, make("span.setting-name", label), make("div.choices", ...inputs));
}

function switchesOf(section) {
  const rows = Object.entries(SWITCHES).filter(([, row]) => row.part === section);
  return rows.map(([name, { label, about }]) =>
    checkbox(label, about, { checked: setting(name), onchange: (event) => changeSetting(name, event.target.checked) }),
  );
}

function longPressRange() {
  const value = setting("longPress");
  const output = make("output", `${value} ms`);
  const oninput = () => {
    changeSetting("longPress", Number(input.value));
    output.textContent = `${input.value} ms`;
  };
  const input = make("input", { type: "range", ...LONG_PRESS, value, oninput });
  return make("label.setting", make("span.setting-name", "Long press"), make("span.range", input, output));
}

/** A button for each command: press it, then the new key. Only changed keys are stored. */
function keyMap() {
  const note = make("p.faint", { role: "status" }, "Press a button, then the new key.");
  const rows = make("ul.key-rows");
  const redraw = () => rows.replaceChildren(...configurableKeys("play").map(keyRow));
  const keyRow = (row) => {
    const names = chosenKeys(row).map(keyName).join(", ");
    const keyButton = button({
      text: names,
      "aria-label": `${row.does}: ${names}`,
      onclick: () => waitForKey(row, keyButton),
    });
    return make("li", make("span", row.does), keyButton);
  };
  const report = (text) => {
    note.textContent = text;
    announce(text);
  };
  const waitForKey = (row, keyButton) => {
    keyButton.lastChild.textContent = "Press a key";
    keyButton.addEventListener(
      "keydown",
      (event) => {
        if (["Control", "Shift", "Alt", "Meta", "Tab"].includes(event.key)) return redraw();
        event.preventDefault();
        event.stopPropagation();
        if (event.key !== "Escape") assignKey(row, event);
        redraw();
        [...rows.querySelectorAll("button")][configurableKeys("play").indexOf(row)].focus();
      },
      { once: true },
    );
  };
  const assignKey = (row, event) => {
    const key = keyOf(event);
    const other = key === null ? null : keyConflict("play", key, row);
    if (key === null) return report("Keys with Alt are reserved for the browser.");
    if (other) return report(`${keyName(key)} is already used: ${other.does}.`);
    changeSetting("keys", { ...setting("keys"), [row.command]: [key] });
    report(`${keyName(key)}: ${row.does}.`);
  };
  const reset = button({
    text: "Reset",
    onclick: () => {
      changeSetting("keys", {});
      redraw();
      report("All keys were reset.");
    },
  });
  redraw();
  return make("div", note, rows, reset);
}
