// The form for a worksheet, made from the server's table of options.

import { button, make } from "../../lib/dom.js";
import { capitalise } from "../../lib/format.js";
import { checkbox, field, numberInput, seedInput, select } from "../../lib/widgets.js";

const FIRST_OPTIONS = { size: "8x8", count: 6, solutions: true };

/**
 * The form. submit(options) is called when it is sent, restyle(options) when the style of the sheet
 * changes. The server chooses the values that are left empty.
 */
export function optionsForm({ kinds, options }, last, { submit, restyle }) {
  const styleNames = options.filter(({ style }) => style).map(({ name }) => name);
  const kindNames = new Set(Object.values(kinds).flatMap((kind) => kind.options));
  const send = button({ text: "Make puzzles", class: "primary", type: "submit" });
  const groups = Object.groupBy(options, ({ group }) => group);
  const root = make(
    "form",
    {
      onsubmit: (event) => {
        event.preventDefault();
        submit(read(root));
      },
      onchange: (event) => {
        if (event.target.name === "kind") showFieldsOfKind();
        if (styleNames.includes(event.target.name)) restyle(styleOf(root, styleNames));
      },
    },
    ...Object.entries(groups).map(([heading, rows]) => {
      const fields = make("div.fields", ...rows.flatMap(optionField));
      return heading ? make("details", make("summary", heading), fields) : fields;
    }),
    make("div.dialog-foot", send),
  );

  /** Show only the fields that the chosen kind of worksheet has. */
  function showFieldsOfKind() {
    const kind = kinds[root.elements.kind.value];
    for (const name of kindNames) {
      const control = root.elements[name];
      control.disabled = !kind.options.includes(name);
      control.closest("label").hidden = control.disabled;
    }
    for (const choice of root.elements.difficulty.options)
      choice.hidden = choice.disabled = Boolean(choice.value) && !kind.difficulties.includes(choice.value);
    root.elements.title.placeholder = kind.title;
  }

  function fill(chosen) {
    write(root, chosen);
    showFieldsOfKind();
  }

  fill(last ?? FIRST_OPTIONS);
  return {
    root,
    busy: (on) => (send.disabled = on),
    // A random seed is not filled in, so that the next worksheet is a new one.
    fill: (chosen) => fill({ ...chosen, seed: root.elements.seed.value && chosen.seed }),
  };
}

function optionField({ name, label, about, control, choices, limits, example, empty }) {
  if (name === "size")
    return ["Width", "Height"].map((side) =>
      field(side, numberInput(1, 100, { name: side.toLowerCase(), required: true })),
    );
  if (name === "seed") return field(label, seedInput());
  if (name === "board") return field(label, make("textarea", { name, rows: 3, spellcheck: "false" }));
  if (control === "checkbox") return checkbox(label, `${about}.`, { name });
  if (control === "choice") {
    const rows = choices.map((choice) => [choice.name, capitalise(choice.text), choice.about]);
    return field(label, select(name, empty ? [["", empty], ...rows] : rows));
  }
  if (control === "number") return field(label, numberInput(...limits, { name, step: limits[0], placeholder: empty }));
  return field(label, make("input", { name, placeholder: example, autocomplete: "off", spellcheck: "false" }));
}

function read(form) {
  const { width, height, ...values } = Object.fromEntries(new FormData(form));
  const chosen = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
  for (const box of form.querySelectorAll("input[type=checkbox]:enabled")) chosen[box.name] = box.checked;
  if (!chosen.board) chosen.size = `${width}x${height}`;
  if (!chosen.difficulty) delete chosen.or_easier;
  return chosen;
}

/** The style options; null for those that are empty. */
function styleOf(form, names) {
  const chosen = read(form);
  return Object.fromEntries(names.map((name) => [name, chosen[name] ?? null]));
}

function write(form, chosen) {
  const [width, height] = (chosen.size ?? "").split("x");
  const values = { ...chosen, ...(width && { width, height }) };
  for (const control of form.elements) {
    if (!(control.name in values)) continue;
    if (control.type === "checkbox") control.checked = Boolean(values[control.name]);
    else control.value = values[control.name] ?? "";
  }
}
