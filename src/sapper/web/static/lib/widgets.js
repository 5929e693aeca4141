// Parts of several views: notices, figures, tables, dialogs, files, panels that open and close, fields of forms.

import { announce, notify } from "./announce.js";
import { button, hiddenText, icon, make } from "./dom.js";
import { capitalise, toSentence } from "./format.js";

/** A page or a part of one, with a heading that is also its name; *selector* is that of `make`. */
export const page = (selector, title, ...children) =>
  make(selector, { "aria-label": title }, make("h1", title), ...children);
export const section = (selector, title, ...children) =>
  make(selector, { "aria-label": title }, make("h2", title), ...children);

/** What a list shows that is empty until a game is finished. */
export const noGamesNote = () => make("p.empty", "No finished games yet. ", make("a", { href: "#/play" }, "Play one."));

/** Elements to show while the server works: a spinner with text, and a button to cancel. */
export function busyNotice(text, cancel, ...more) {
  return [
    make("p.busy", make("span.spinner", { "aria-hidden": "true" }), make("span", text), ...more),
    button({ text: "Cancel", onclick: cancel }),
  ];
}

/** A number with an icon, and its name for screen readers. */
export function counter(iconName, name, number, title = name) {
  return make("span.counter", { title }, icon(iconName), hiddenText(`${name}: `), number);
}

/**
 * The rows of a description list of figures; each of *rows* is [name, value, title], and a value has one or more
 * parts.
 */
export function figureRows(rows) {
  return rows.map(([name, value, title]) => make("div", { title }, make("dt", name), make("dd", ...[value].flat())));
}

/** Show the reply to an answer of the user that was right, wrong (false) or neither (null). */
export function showReply(element, parts, right = null) {
  element.className = right === null ? "reply" : `reply ${right ? "right" : "wrong"}`;
  element.replaceChildren(...parts);
  if (element.textContent) announce(element.textContent);
}

/** A table with these *headings*; the first cell of a row is its heading. Each of *rows* is an element. */
export function table(headings, rows, properties = {}) {
  const head = headings.map((text) => (text ? make("th", { scope: "col" }, text) : make("td")));
  return make("table", properties, make("thead", make("tr", ...head)), make("tbody", ...rows));
}

/** A row of a table; the content of each cell is a text, an element, or several of them. */
export function tableRow([heading, ...cells], properties = {}) {
  const data = cells.map((content) => make("td", ...[content].flat()));
  return make("tr", properties, make("th", { scope: "row" }, ...[heading].flat()), ...data);
}

/** A modal dialog with a title and a close button; closing removes it from the page. */
export function dialog(title, ...children) {
  const close = button({ icon: "close", label: "Close", class: "ghost", onclick: () => box.close() });
  const box = make("dialog", { "aria-label": title }, make("div.dialog-head", make("h2", title), close), ...children);
  box.addEventListener("close", () => box.remove());
  box.addEventListener("pointerdown", (event) => event.target === box && box.close());
  document.body.append(box);
  box.showModal();
  return box;
}

/** Ask for confirmation in a dialog; *cancel* and *accept* are the texts of its buttons. */
export function confirm(title, text, { cancel = "Cancel", accept, className = "danger", action }) {
  const close = () => box.close();
  const acceptButton = button({ text: accept, class: className, onclick: close });
  acceptButton.addEventListener("click", action);
  const foot = make("div.dialog-foot", button({ text: cancel, onclick: close }), acceptButton);
  const box = dialog(title, make("p", text), foot);
}

/** Offer text as a file to download. */
export function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** A link that downloads a file from the server. */
export const downloadLink = (text, href, name) =>
  make("a.as-button", { href, download: name }, icon("save"), make("span", text));

/** A hidden file input, and a button that opens it; open(file) receives the chosen file. */
export function fileInput({ label, accept, open, ...options }) {
  const input = make("input.visually-hidden", { type: "file", tabindex: "-1", "aria-label": label, accept });
  input.addEventListener("change", () => input.files[0] && open(input.files[0]));
  return [button({ icon: "share", onclick: () => input.click(), ...options }), input];
}

/** A button that copies a text to the clipboard. */
export function copyButton(title, text, label = "Copy") {
  const copy = button({
    icon: "copy",
    text: label,
    "aria-label": `Copy ${title.toLowerCase()}`,
    onclick: async () => {
      if (!(await copyText(text, copy)))
        return notify("This browser does not allow copying: select the text and copy it yourself.");
      copy.lastChild.textContent = "Copied";
      announce("Copied");
    },
  });
  return copy;
}

/** Copy a text; return whether that worked. The button that was clicked is needed by the fallback. */
async function copyText(text, clicked) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text, clicked);
  }
}

/** The fallback for plain HTTP, where browsers offer no clipboard API. */
function copyBySelection(text, clicked) {
  const area = make("textarea.visually-hidden", { readonly: true, "aria-hidden": "true" }, text);
  // While a dialog is open, only text inside it can be selected.
  clicked.after(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  clicked.focus();
  return isCopied;
}

/** A link as text, with a button that copies it; *title* is what the button copies. */
export function linkLine(label, title, link) {
  const input = make("input", { readonly: true, value: link, "aria-label": label, onfocus: () => input.select() });
  return make("div.share-line", input, copyButton(title, link));
}

/** The absolute URL of a fragment such as #/play. */
export const linkTo = (fragment) => location.origin + location.pathname + fragment;

/** The parameters of a link to a view of the page in a text that was pasted; there are none in other texts. */
export function parametersIn(text, view) {
  const [, fragment, query] = /#\/(\w+)\?(\S+)/.exec(text) ?? [];
  return new URLSearchParams(fragment === view ? query : "");
}

/**
 * Let a button open and close a panel. The panel closes on Escape, on a click outside, and on a click on a
 * link or button in it, except a button with data-keeps-open, which is often clicked several times. Where
 * the style sheet always shows the panel, it hides the button.
 */
export function collapsible(opener, panel) {
  const show = (open) => {
    opener.setAttribute("aria-expanded", open);
    panel.classList.toggle("expanded", open);
  };
  const isOpen = () => panel.classList.contains("expanded");
  show(false);
  opener.addEventListener("click", () => show(!isOpen()));
  panel.addEventListener("click", (event) => event.target.closest("a, button:not([data-keeps-open])") && show(false));
  const closeOnOutsideClick = (event) => {
    if (!opener.isConnected) return document.removeEventListener("pointerdown", closeOnOutsideClick);
    if (isOpen() && !panel.contains(event.target) && !opener.contains(event.target)) show(false);
  };
  document.addEventListener("pointerdown", closeOnOutsideClick);
  for (const element of [opener, panel])
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !isOpen()) return;
      event.stopPropagation();
      show(false);
      opener.focus();
    });
}

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

/**
 * Show an error below the field that it is about, or at the end of the form; null removes it, as does the next input.
 */
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
