// Elements of HTML and SVG. Text is set as text: data is never parsed as markup.

/**
 * An element as in Hyperscript: make("p.note.bad", { hidden: true }, ...children). Properties, which may be left
 * out, are attributes and listeners (on…); children are elements and texts, and empty ones are skipped.
 */
export const make = makeWith((tag) => document.createElement(tag));

/** The same for elements of SVG. */
export const makeSvg = makeWith((tag) => document.createElementNS("http://www.w3.org/2000/svg", tag));

function makeWith(create) {
  return (selector, ...rest) => {
    const [tag, ...classes] = selector.split(".");
    const properties = rest[0]?.constructor === Object ? rest.shift() : {};
    const element = create(tag);
    if (classes.length) element.setAttribute("class", classes.join(" "));
    for (const [name, value] of Object.entries(properties)) {
      if (isEmpty(value)) continue;
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...rest.filter((child) => child !== "" && !isEmpty(child)));
    return element;
  };
}

const isEmpty = (value) => value === undefined || value === null || value === false;

/** A button; *icon* is a key of ICONS. A button without text needs a label. */
export function button({ icon: name, text, label, ...properties }) {
  return make(
    "button",
    { type: "button", "aria-label": label, title: label, ...properties },
    name && icon(name),
    text && make("span", text),
  );
}

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

export const icon = (name) =>
  makeSvg("svg.icon", { viewBox: "0 0 24 24", "aria-hidden": "true" }, makeSvg("path", { d: ICONS[name] }));

/** Escape text for use in SVG markup. */
export function escapeMarkup(text) {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A text that only screen readers get. */
export const hiddenText = (text) => make("span.visually-hidden", text);

/** Set the address of the page to what a view shows; a view that was left must not change it. */
export function setAddress(root, address) {
  if (root.isConnected) history.replaceState(null, "", address);
}
