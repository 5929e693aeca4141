// The wishes for a set of tables: all that the command `sapper worksheet` takes.

import { button, make } from "../../lib/dom.js";
import { field, seedInput, select, tick } from "../../lib/forms.js";

const AUTOMATIC = ["", "as fits"];

const LOOKS = ["title", "paper", "per_page", "large_print", "high_contrast", "solutions"];

/**
 * A form; *submit* gets the wish, *restyle* the looks of the sheet as soon as they are changed.
 * Values that are not chosen are left to the server.
 */
export function wishForm(menu, last, { submit, restyle }) {
  const input = (name, options = {}) => make("input", { name, autocomplete: "off", ...options });
  const number = (name, min, max, options = {}) => input(name, { type: "number", min, max, step: 1, ...options });
  const check = (name, label, about, checked = false) => tick(label, about, { name, checked });
  const names = (list) => list.map((name) => [name, name]);

  const send = button({ text: "Make tables", class: "primary", type: "submit" });
  const root = make(
    "form",
    {
      onsubmit: (event) => {
        event.preventDefault();
        submit(read(root));
      },
      onchange: (event) => LOOKS.includes(event.target.name) && restyle(looks(root)),
    },
    make("div", { class: "fields" },
      make("div", { class: "pair" }, field("Width", number("width", 1, 100, { value: 8, required: true })), field("Height", number("height", 1, 100, { value: 8, required: true }))),
      field("Tiling", select("tiling", Object.entries(menu.tilings).map(([name, about]) => [name, name, about]))),
      field("Difficulty", select("difficulty", [["", "any"], ...Object.entries(menu.difficulties)])),
    ),
    check("or_easier", "That or easier", "Easier tables are welcome too."),
    make("div", { class: "fields" },
      make("div", { class: "pair" }, field("How many", number("count", 1, menu.max_paper_puzzles, { value: 6, required: true })), field("Seed", seedInput())),
    ),
    make("details", {}, make("summary", { text: "Sheet" }),
      make("div", { class: "fields" },
        field("Title", input("title", { maxlength: 100, placeholder: menu.title })),
        make("div", { class: "pair" }, field("Paper", select("paper", names(menu.papers))), field("On a page", number("per_page", 1, 80, { placeholder: "as fits" }))),
      ),
      check("large_print", "Large print", "Large cells and letters."),
      check("high_contrast", "High contrast", "Black on white, heavy lines."),
      check("solutions", "Solutions", "On pages of their own, at the end.", true),
    ),
    make("details", {}, make("summary", { text: "How they are made" }),
      make("div", { class: "fields" },
        field("Open cells", select("open", [AUTOMATIC, ...names(menu.open)])),
        field("Open cells by name", input("open_cells", { placeholder: "r1c1, r1c3, …", spellcheck: "false" })),
        field("Mines are drawn", select("method", [AUTOMATIC, ...names(menu.methods)])),
        field("Share of mines", input("mine_density", { type: "number", min: 0.001, max: 0.999, step: 0.001, placeholder: "as fits" })),
        field("A graph, as JSON, instead of a size", make("textarea", { name: "board", rows: 3, spellcheck: "false" })),
        field("A code from the foot of a sheet", input("code", { spellcheck: "false" })),
      ),
    ),
    make("div", { class: "dialog-foot" }, send),
  );
  if (last) write(root, last);
  return {
    root,
    submit: () => root.requestSubmit(),
    busy: (on) => (send.disabled = on),
    // The seed is shown where it can be copied, and a fresh one is wanted the next time.
    fill: (wish) => write(root, { ...wish, seed: root.elements.seed.value && wish.seed }),
  };
}

function read(form) {
  const { width, height, ...values } = Object.fromEntries(new FormData(form));
  const wish = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
  for (const box of form.querySelectorAll("input[type=checkbox]")) wish[box.name] = box.checked;
  for (const name of ["count", "per_page", "mine_density"]) if (name in wish) wish[name] = Number(wish[name]);
  if (wish.code) return wish;
  if (!wish.board) wish.size = `${width}x${height}`;
  if (!wish.difficulty) delete wish.or_easier;
  return wish;
}

/** The looks alone; null where one is left to the server. */
function looks(form) {
  const wish = read(form);
  return Object.fromEntries(LOOKS.map((name) => [name, wish[name] ?? null]));
}

function write(form, wish) {
  const [width, height] = (wish.size ?? "").split("x");
  const values = { ...wish, ...(width && { width, height }), code: "" };
  for (const field of form.elements) {
    if (!field.name || !(field.name in values)) continue;
    if (field.type === "checkbox") field.checked = Boolean(values[field.name]);
    // What the server filled in stays its choice, also on another board.
    else if (!["open", "method", "mine_density"].includes(field.name)) field.value = values[field.name] ?? "";
  }
}
