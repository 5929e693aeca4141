// Helpers for elements, dialogs and downloads. Text is set as text: data is never parsed as markup.

/** An element with properties (class, text, on…, aria-…, any attribute) and children. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "text") element.textContent = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

/** A button; *icon* is a key of ICONS. A button without text needs a label. */
export function button({ icon: name, text, label, onclick, ...rest }) {
  const children = [];
  if (name) children.push(icon(name));
  if (text) children.push(make("span", { text }));
  return make("button", { type: "button", "aria-label": label, title: label, onclick, ...rest }, ...children);
}

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

// Each icon is a line drawing of 24 by 24 units.
const ICONS = {
  undo: "M9 7 4 12l5 5M4 12h10a5 5 0 0 1 0 10h-2",
  redo: "m15 7 5 5-5 5M20 12H10a5 5 0 0 0 0 10h2",
  flag: "M7 21V4M7 5l11 4-11 4",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  share: "M12 15V4M8 8l4-4 4 4M5 13v6h14v-6",
  again: "M20 12a8 8 0 1 1-2.5-5.800M20 3v4.500h-4.5",
  close: "M6 6l12 12M18 6 6 18",
  sliders: "M4 7h9M19 7h1M16 4.5v5M4 17h1M11 17h9M8 14.5v5",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.400M17.6 17.6 19 19M5 19l1.4-1.400M17.6 6.4 19 5",
  moon: "M20 14.500A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5",
  auto: "M12 3a9 9 0 1 0 0 18V3M12 3a9 9 0 0 1 0 18",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 7v5l3.5 2",
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
  save: "M12 4v11M8 11l4 4 4-4M5 19h14",
  lens: "M10.5 4a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13M20 20l-4.800-4.800",
  down: "m6 9 6 6 6-6",
  bulb: "M9.500 18.500h5M10.500 21.500h3M12 2.500a6.5 6.5 0 0 0-3.500 12c.6.5 1 1 1 1.800h5c0-.8.4-1.300 1-1.800a6.500 6.500 0 0 0-3.500-12",
  percent:
    "M19 5 5 19M7.500 5a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5M16.500 14a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5",
  step: "M7 5l9 7-9 7zM18.500 5v14",
  back: "M17 5l-9 7 9 7zM5.500 5v14",
  run: "M8 5l11 7-11 7z",
  pause: "M9 5v14M15 5v14",
  menu: "M4 7h16M4 12h16M4 17h16",
  more: "M5.500 12a.5.5 0 1 0-1 0 .5.5 0 0 0 1 0M12.500 12a.5.5 0 1 0-1 0 .5.5 0 0 0 1 0M19.500 12a.5.5 0 1 0-1 0 .5.5 0 0 0 1 0",
  trophy:
    "M8 4h8v5a4 4 0 0 1-8 0zM8 6H4c0 3 1.500 5 4.500 5M16 6h4c0 3-1.500 5-4.500 5M12 13v4M8 20h8M10 20c0-2 .5-3 2-3s2 1 2 3",
  explosion:
    "M12 8a4.500 4.500 0 1 0 0 9 4.500 4.500 0 0 0 0-9M12 3v2M12 20v2M3 12.500h2M19 12.500h2M5.600 6.100 7 7.500M17 17.500l1.400 1.400M5.600 18.900 7 17.500M17 7.500l1.400-1.400",
  person: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M4.500 20.500a7.500 7.500 0 0 1 15 0",
  star: "M12 3.5l2.600 5.400 5.900.8-4.300 4.100 1.100 5.900-5.300-2.900-5.300 2.900 1.100-5.900-4.300-4.100 5.900-.8z",
  book: "M12 6.500C10 5 7 4.500 4 5v13c3-.5 6 0 8 1.500 2-1.500 5-2 8-1.500V5c-3-.5-6 0-8 1.500zM12 6.500v13",
  tick: "M5 12.500l4.500 4.500L19 7.500",
};

export function icon(name) {
  const svg = svgElement("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" });
  svg.append(svgElement("path", { d: ICONS[name] }));
  return svg;
}

/** An SVG element with attributes. */
export function svgElement(tag, attributes) {
  const element = document.createElementNS(SVG_NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/** Escape text for use in SVG markup. */
export function escapeMarkup(text) {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Elements to show while the server works: a spinner with text, and a button to cancel. */
export function busyNotice(text, cancel, ...more) {
  return [
    make(
      "p",
      { class: "busy" },
      make("span", { class: "spinner", "aria-hidden": "true" }),
      make("span", { text }),
      ...more,
    ),
    button({ text: "Cancel", onclick: cancel }),
  ];
}

/** A number with an icon, and its name for screen readers. */
export function counter(iconName, name, number, title = name) {
  return make(
    "span",
    { class: "counter", title },
    icon(iconName),
    make("span", { class: "visually-hidden", text: `${name}: ` }),
    number,
  );
}

/** The rows of a description list of figures; each of *rows* is [name, value, title]. */
export function figureRows(rows) {
  return rows.map(([name, value, title]) =>
    make("div", { title }, make("dt", { text: name }), make("dd", { text: value })),
  );
}

/**
 * A table in a scrollable region. The first column has the name *first*, and head(row) returns the children of
 * its cells; the other columns are [name, text(row)]. The roles are explicit because the narrow layout displays
 * rows as blocks, which removes the implicit ones.
 */
export function dataTable(label, first, head, columns, rows) {
  const names = [first, ...columns.map(([name]) => name)].map((text) =>
    make("th", { scope: "col", role: "columnheader", text }),
  );
  const body = rows.map((row) =>
    make(
      "tr",
      { role: "row" },
      make("th", { scope: "row", role: "rowheader" }, ...head(row)),
      ...columns.map(([name, text]) => make("td", { role: "cell", text: text(row), "data-name": name })),
    ),
  );
  return make(
    "div",
    { class: "table", tabindex: "0", role: "region", "aria-label": label },
    make(
      "table",
      { role: "table" },
      make("thead", { role: "rowgroup" }, make("tr", { role: "row" }, ...names)),
      make("tbody", { role: "rowgroup" }, ...body),
    ),
  );
}

/** A modal dialog with a title and a close button; closing removes it from the page. */
export function dialog(title, ...children) {
  const close = button({ icon: "close", label: "Close", class: "ghost", onclick: () => box.close() });
  const box = make(
    "dialog",
    { "aria-label": title },
    make("div", { class: "dialog-head" }, make("h2", { text: title }), close),
    ...children,
  );
  box.addEventListener("close", () => box.remove());
  box.addEventListener("pointerdown", (event) => event.target === box && box.close());
  document.body.append(box);
  box.showModal();
  return box;
}

/** Ask for confirmation in a dialog; *cancel* and *accept* are the texts of its buttons. */
export function confirm(title, text, { cancel, accept, danger = false, action }) {
  const box = dialog(
    title,
    make("p", { text }),
    make(
      "div",
      { class: "dialog-foot" },
      button({ text: cancel, onclick: () => box.close() }),
      button({
        text: accept,
        class: danger ? "danger" : "primary",
        onclick: () => {
          box.close();
          action();
        },
      }),
    ),
  );
}

/** Offer text as a file to download. */
export function download(name, text, type = "text/plain") {
  const url = URL.createObjectURL(new Blob([text], { type }));
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** A link that downloads a file from the server. */
export const downloadLink = (text, href, name) =>
  make("a", { class: "as-button", href, download: name }, icon("save"), make("span", { text }));

/** A hidden file input, and a button that opens it; open(file) receives the chosen file. */
export function fileInput({ label, accept, open, ...options }) {
  const input = make("input", { type: "file", class: "visually-hidden", tabindex: "-1", "aria-label": label, accept });
  input.addEventListener("change", () => input.files[0] && open(input.files[0]));
  return [button({ icon: "share", onclick: () => input.click(), ...options }), input];
}

/** Set the address of the page to what a view shows; a view that was left must not change it. */
export function setAddress(root, address) {
  if (root.isConnected) history.replaceState(null, "", address);
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
