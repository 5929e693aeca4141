// Form fields that several views share.

import { make } from "./dom.js";
import { capitalise, toSentence } from "./format.js";

/** A form; submit(data, element) is called with its FormData instead of sending it. */
export function form(selector, submit, ...children) {
  const onsubmit = (event) => {
    event.preventDefault();
    submit(new FormData(event.target), event.target);
  };
  return make(selector, { onsubmit }, ...children);
}

export function field(label, input) {
  return make("label.field", make("span", label), input);
}

/** Show an error below the field that it is about, or at the end of the form; null removes it, as does the next input. */
export function showFormError(form, error) {
  form.querySelector(".form-error")?.remove();
  for (const input of form.querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
  if (error === null) return;
  form.addEventListener("input", () => showFormError(form, null), { once: true });
  const text = make("p.form-error", { id: "form-error", role: "alert" }, toSentence(error.message));
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
  return rows.map(([value, text, title]) => make("option", { value, title, selected: value === chosen }, text));
}

export const numberInput = (min, max, properties) =>
  make("input", { type: "number", step: 1, min, max, ...properties });

/** An input for a mine count, empty if it is unknown; changed(mines) is called with a number or null. */
export function minesInput(changed, properties) {
  const oninput = () => input.checkValidity() && changed(input.value === "" ? null : Number(input.value));
  const input = numberInput(0, null, { placeholder: "unknown", oninput, ...properties });
  return input;
}

/** Set the value of an input unless the user is typing in it. */
export function setUnlessFocused(input, value) {
  if (document.activeElement !== input) input.value = value;
}

/** A checkbox with a label and a description. */
export function checkbox(label, about, properties) {
  return make(
    "label.switch",
    make("input", { type: "checkbox", ...properties }),
    make("span", make("strong", label), make("small", about)),
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
  return [
    field("Board shape", select("tiling", tilingRows(tilings), chosen.tiling)),
    field("First click", select("rule", Object.entries(rules).reverse(), chosen.rule)),
    field("Difficulty", select("generator", Object.entries(generators), chosen.generator ?? "plain")),
  ];
}

/** The values of `rulesFields`, and the seed if one was given. */
export function readRules(data) {
  const rules = { tiling: data.get("tiling"), rule: data.get("rule"), generator: data.get("generator") };
  return data.get("seed") ? { ...rules, seed: data.get("seed") } : rules;
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
