// Form fields that several views share.

import { make } from "./dom.js";
import { capitalise, toSentence } from "./format.js";

export function field(label, input) {
  return make("label", { class: "field" }, make("span", { text: label }), input);
}

/** Show an error below the field that it is about, or at the end of the form; null removes it, as does the next input. */
export function showFormError(form, error) {
  form.querySelector(".form-error")?.remove();
  for (const input of form.querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
  if (error === null) return;
  form.addEventListener("input", () => showFormError(form, null), { once: true });
  const text = make("p", { class: "form-error", id: "form-error", role: "alert", text: toSentence(error.message) });
  const input = form.elements[error.field];
  if (!input) {
    form.append(text);
    return text.scrollIntoView({ block: "nearest" });
  }
  const fields = input.closest(".fields");
  if (fields) fields.append(text);
  else input.closest(".field").after(text);
  input.setAttribute("aria-invalid", "true");
  input.setAttribute("aria-describedby", "form-error");
  input.focus();
}

/** A list to choose from; rows are [value, text, title]. */
export function select(name, rows, chosen = null) {
  return make("select", { name }, ...options(rows, chosen));
}

export function options(rows, chosen = null) {
  return rows.map(([value, text, title]) => make("option", { value, text, title, selected: value === chosen }));
}

/** A checkbox with a label and a description. */
export function checkbox(label, about, properties) {
  return make(
    "label",
    { class: "switch" },
    make("input", { type: "checkbox", ...properties }),
    make("span", {}, make("strong", { text: label }), make("small", { text: about })),
  );
}

export function seedInput() {
  return make("input", {
    name: "seed",
    inputmode: "numeric",
    pattern: "[0-9]{1,20}",
    placeholder: "random",
    autocomplete: "off",
  });
}

/** The fields for a new game, except its size. */
export function rulesFields({ tilings, rules, generators }, chosen) {
  const firstClicks = Object.entries(rules).reverse();
  return [
    field("Board shape", select("tiling", tilingRows(tilings), chosen.tiling)),
    field(
      "First click",
      select(
        "rule",
        firstClicks.map(([name, label]) => [name, label]),
        chosen.rule,
      ),
    ),
    field("Difficulty", select("generator", Object.entries(generators), chosen.generator ?? "plain")),
  ];
}

/** The values of `rulesFields`. */
export function readRules(form) {
  return { tiling: form.get("tiling"), rule: form.get("rule"), generator: form.get("generator") };
}

export function tilingRows(tilings) {
  return Object.entries(tilings).map(([name, { about }]) => [name, capitalise(name), about]);
}

/** The level of a size, which is its name or WxH/M; undefined for a custom size. */
export function levelOfSize(levels, size) {
  return Object.keys(levels).find((name) => name === size || levels[name] === size);
}

/** The first click and the generator of a category of games, in one phrase. */
export function rulesText({ rules, generators }, { rule, generator }) {
  const first = `first click ${rules[rule] ?? rule}`;
  if (generator === "plain") return first;
  return `${first}, ${generator in generators ? generators[generator].toLowerCase() : "given layout"}`;
}
