// Parts of forms that several views have.

import { make } from "./dom.js";

export function field(label, input) {
  return make("label", { class: "field" }, make("span", { text: label }), input);
}

/** A list to choose from; rows are [value, text, title]. */
export function select(name, rows, chosen = null) {
  return make("select", { name }, ...options(rows, chosen));
}

export function options(rows, chosen = null) {
  return rows.map(([value, text, title]) => make("option", { value, text, title, selected: value === chosen }));
}

/** A switch with its name and what it does. */
export function tick(label, about, properties) {
  return make(
    "label",
    { class: "switch" },
    make("input", { type: "checkbox", ...properties }),
    make("span", {}, make("strong", { text: label }), make("small", { text: about })),
  );
}

export function seedInput() {
  return make("input", { name: "seed", inputmode: "numeric", pattern: "[0-9]{1,20}", placeholder: "a fresh one", autocomplete: "off" });
}

/** The fields for what the menu offers besides sizes: tilings, first clicks, layout generators. */
export function rulesFields({ tilings, rules, generators }, chosen) {
  const firstClicks = Object.keys(rules).reverse();
  return [
    field("Tiling", select("tiling", tilingRows(tilings), chosen.tiling)),
    field("The first click", select("rule", firstClicks.map((name) => [name, rules[name].replace("first click ", "")]), chosen.rule)),
    field("Guessing", select("generator", Object.entries(generators).map(generatorRow), chosen.generator ?? "plain")),
  ];
}

function generatorRow([name, about]) {
  return [name, name === "plain" ? "may be needed" : about.replace("won without a guess", "never needed"), about];
}

/** What the fields of `rulesFields` say. */
export function readRules(form) {
  return { tiling: form.get("tiling"), rule: form.get("rule"), generator: form.get("generator") };
}

export function tilingRows(tilings) {
  return Object.entries(tilings).map(([name, { about }]) => [name, name, about]);
}

/** The level that has this size, by name or by figures; undefined for an own size. */
export function levelOf(levels, size) {
  return Object.keys(levels).find((name) => name === size || levels[name] === size);
}
