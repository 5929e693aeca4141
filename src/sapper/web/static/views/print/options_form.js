// The form for a worksheet: the options of the command `sapper worksheet`.

import { button, make } from "../../lib/dom.js";
import { capitalise } from "../../lib/format.js";
import { checkbox, field, seedInput, select } from "../../lib/widgets.js";

const AUTOMATIC = ["", "automatic"];
const PUZZLES_ONLY = ["or_easier", "open", "open_cells", "method"];
const STYLE_FIELDS = ["title", "paper", "per_page", "large_print", "high_contrast", "solutions"];

/**
 * The form. submit(options) is called when it is sent, restyle(options) when the style of the sheet
 * changes. The server chooses the values that are left empty.
 */
export function optionsForm(menu, last, { submit, restyle }) {
  const input = (name, options = {}) => make("input", { name, autocomplete: "off", ...options });
  const number = (name, min, max, options = {}) => input(name, { type: "number", min, max, step: 1, ...options });
  const check = (name, label, about, checked = false) => checkbox(label, about, { name, checked });
  const names = (list) => list.map((name) => [name, name]);

  const send = button({ text: "Make puzzles", class: "primary", type: "submit" });
  const root = make(
    "form",
    {
      onsubmit: (event) => {
        event.preventDefault();
        submit(read(root));
      },
      onchange: (event) => {
        if (event.target.name === "kind") showFieldsOf(root, menu);
        if (STYLE_FIELDS.includes(event.target.name)) restyle(styleOf(root));
      },
    },
    make(
      "div.fields",
      field(
        "Task",
        select(
          "kind",
          Object.entries(menu.kinds).map(([name, { about }]) => [name, capitalise(about)]),
        ),
      ),
      make(
        "div.pair",
        field("Width", number("width", 1, 100, { value: 8, required: true })),
        field("Height", number("height", 1, 100, { value: 8, required: true })),
      ),
      field(
        "Board shape",
        select(
          "tiling",
          Object.entries(menu.tilings).map(([name, about]) => [name, capitalise(name), about]),
        ),
      ),
      field("Difficulty", select("difficulty", [["", "any"], ...Object.entries(menu.difficulties)])),
    ),
    check("or_easier", "Include easier", "Also use easier puzzles."),
    make(
      "div.fields",
      make(
        "div.pair",
        field("Number of puzzles", number("count", 1, menu.max_paper_puzzles, { value: 6, required: true })),
        field("Seed", seedInput()),
      ),
    ),
    make(
      "details",
      make("summary", "Page layout"),
      make(
        "div.fields",
        field("Title", input("title", { maxlength: 100, placeholder: menu.kinds.puzzle.title })),
        make(
          "div.pair",
          field("Paper size", select("paper", names(menu.papers))),
          field("Per page", number("per_page", 1, 80, { placeholder: "automatic" })),
        ),
      ),
      check("large_print", "Large print", "Large cells and text."),
      check("high_contrast", "High contrast", "Black on white, thick lines."),
      check("solutions", "Solutions", "On separate pages at the end.", true),
    ),
    make(
      "details",
      make("summary", "Advanced"),
      make(
        "div.fields",
        field("Revealed cells", select("open", [AUTOMATIC, ...names(menu.open)])),
        field("Revealed cells by name", input("open_cells", { placeholder: "r1c1, r1c3, …", spellcheck: "false" })),
        field("Method", select("method", [AUTOMATIC, ...names(menu.methods)])),
        field(
          "Mine density",
          input("mine_density", { type: "number", min: 0.001, max: 0.999, step: 0.001, placeholder: "automatic" }),
        ),
        field("Graph as JSON, instead of a size", make("textarea", { name: "board", rows: 3, spellcheck: "false" })),
        field("Code from the bottom of a worksheet", input("code", { spellcheck: "false" })),
      ),
    ),
    make("div.dialog-foot", send),
  );
  if (last) write(root, last);
  showFieldsOf(root, menu);
  return {
    root,
    busy: (on) => (send.disabled = on),
    // A random seed is not filled in, so that the next worksheet is a new one.
    fill: (chosen) => {
      // Neither is the difficulty that the server chose for an exercise.
      const difficulty =
        chosen.kind === "puzzle" ? chosen.difficulty : root.elements.difficulty.value && chosen.difficulty;
      write(root, { ...chosen, difficulty, seed: root.elements.seed.value && chosen.seed });
      showFieldsOf(root, menu);
    },
  };
}

/** Show only the fields that the chosen kind of worksheet has. */
function showFieldsOf({ elements }, menu) {
  const kind = elements.kind.value;
  const hide = (name, hidden) => {
    elements[name].disabled = hidden;
    elements[name].closest("label").hidden = hidden;
  };
  for (const name of PUZZLES_ONLY) hide(name, kind !== "puzzle");
  hide("difficulty", kind === "probability");
  // A paper puzzle has no mine count.
  for (const option of elements.difficulty.options)
    option.hidden = option.disabled = option.value === "count" && kind === "puzzle";
  elements.title.placeholder = menu.kinds[kind].title;
}

function read(form) {
  const { width, height, ...values } = Object.fromEntries(new FormData(form));
  const chosen = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
  for (const box of form.querySelectorAll("input[type=checkbox]:enabled")) chosen[box.name] = box.checked;
  for (const name of ["count", "per_page", "mine_density"]) if (name in chosen) chosen[name] = Number(chosen[name]);
  if (chosen.code) return chosen;
  if (!chosen.board) chosen.size = `${width}x${height}`;
  if (!chosen.difficulty) delete chosen.or_easier;
  return chosen;
}

/** The style options; null for those that are empty. */
function styleOf(form) {
  const chosen = read(form);
  return Object.fromEntries(STYLE_FIELDS.map((name) => [name, chosen[name] ?? null]));
}

function write(form, chosen) {
  const [width, height] = (chosen.size ?? "").split("x");
  const values = { ...chosen, ...(width && { width, height }), code: "" };
  for (const field of form.elements) {
    if (!field.name || !(field.name in values)) continue;
    if (field.type === "checkbox") field.checked = Boolean(values[field.name]);
    // Values that the server chose are not filled in, because they may not suit another board.
    else if (!["open", "method", "mine_density"].includes(field.name)) field.value = values[field.name] ?? "";
  }
}
