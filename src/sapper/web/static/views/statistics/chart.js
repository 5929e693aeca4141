// A small chart, with its data as a table for screen readers.
//
// A series has one value per row; null leaves a gap. Its kind is how it is drawn:
//
//   points   a dot for each value, a link if its row has one
//   line     a line through the values
//   trace    both
//   band     the area between two values, [low, high]

import { make, svgElement } from "../../lib/dom.js";

const [WIDTH, HEIGHT] = [600, 230];
const [LEFT, BOTTOM, TOP] = [80, 32, 10];
const STEPS = [1, 2, 2.5, 5, 10];

/**
 * A figure. *rows* are {label, link}; *series* are {name, kind, values, formatValue}: formatValue(value) is the
 * text of a value. format(value) labels the axis; *maximum* is its upper end if known.
 */
export function chart({ title, rows, series, format, maximum = null }) {
  const scale = new Scale(series, rows.length, maximum);
  const svg = svgElement("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", "aria-hidden": "true", focusable: "false" });
  for (const tick of scale.ticks) {
    const y = scale.y(tick);
    svg.append(svgElement("path", { class: "chart-grid", d: `M${LEFT} ${y}H${WIDTH}` }), text(LEFT - 8, y + 7, format(tick), "end"));
  }
  for (const k of new Set([0, Math.floor((rows.length - 1) / 2), rows.length - 1])) {
    const anchor = rows.length === 1 ? "middle" : k === 0 ? "start" : k === rows.length - 1 ? "end" : "middle";
    svg.append(text(scale.x(k), HEIGHT - 6, rows[k].label, anchor));
  }
  for (const { kind, values } of series) svg.append(...DRAWN[kind](values, scale, rows));
  return make("figure", { class: "chart-figure" }, make("figcaption", { text: title }), svg, legend(series), tableOf(title, rows, series));
}

class Scale {
  constructor(series, count, maximum) {
    const values = series.flatMap(({ values }) => values.flat()).filter((value) => value !== null);
    const wanted = maximum ?? Math.max(...values, 1e-9);
    const size = 10 ** Math.floor(Math.log10(wanted / 4));
    const step = size * STEPS.find((step) => step * size * 4 >= wanted * 0.999);
    this.count = count;
    this.maximum = maximum ?? step * Math.ceil(wanted / step - 1e-9);
    this.ticks = Array.from({ length: Math.round(this.maximum / step) + 1 }, (_, k) => k * step);
  }

  x(k) {
    return this.count === 1 ? (LEFT + WIDTH) / 2 : LEFT + 6 + (k / (this.count - 1)) * (WIDTH - LEFT - 12);
  }

  y(value) {
    return HEIGHT - BOTTOM - (value / this.maximum) * (HEIGHT - BOTTOM - TOP);
  }

  at(value, k) {
    return `${this.x(k).toFixed(1)} ${this.y(value).toFixed(1)}`;
  }
}

const DRAWN = {
  points(values, scale, rows) {
    return values.flatMap((value, k) => {
      if (value === null) return [];
      const dot = svgElement("circle", { class: "chart-dot", cx: scale.x(k).toFixed(1), cy: scale.y(value).toFixed(1), r: 4 });
      if (!rows[k].link) return [dot];
      // Keyboard users have the same link in the table.
      const link = svgElement("a", { href: rows[k].link, tabindex: "-1" });
      link.append(dot);
      return [link];
    });
  },

  line(values, scale) {
    const known = values.map((value, k) => (value === null ? null : scale.at(value, k))).filter(Boolean);
    return known.length > 1 ? [svgElement("path", { class: "chart-line", d: `M${known.join("L")}` })] : [];
  },

  trace(values, scale, rows) {
    return [...DRAWN.line(values, scale), ...DRAWN.points(values, scale, rows)];
  },

  band(values, scale) {
    const halfWidth = 7; // of a single value
    const known = values.map((value, k) => value && [...value, k]).filter(Boolean);
    if (known.length === 1) {
      const [[low, high, k]] = known;
      const x = scale.x(k);
      return [svgElement("path", { class: "chart-band", d: `M${x - halfWidth} ${scale.y(low)}H${x + halfWidth}V${scale.y(high)}H${x - halfWidth}Z` })];
    }
    const upper = known.map(([, high, k]) => scale.at(high, k));
    const lower = known.map(([low, , k]) => scale.at(low, k)).reverse();
    return [svgElement("path", { class: "chart-band", d: `M${[...upper, ...lower].join("L")}Z` })];
  },
};

function text(x, y, content, anchor) {
  const element = svgElement("text", { x, y, class: "chart-text", "text-anchor": anchor });
  element.textContent = content;
  return element;
}

function legend(series) {
  if (series.length < 2) return null;
  return make("p", { class: "chart-legend", "aria-hidden": "true" }, ...series.map(({ kind, name }) => make("span", { class: kind, text: name })));
}

function tableOf(title, rows, series) {
  const head = make("tr", {}, make("td"), ...series.map(({ name }) => make("th", { scope: "col", text: name })));
  const body = rows.map(({ label, link }, k) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, link ? make("a", { href: link, text: label }) : label),
      ...series.map(({ values, formatValue }) => make("td", { text: values[k] === null ? "–" : formatValue(values[k]) })),
    ),
  );
  const scroll = make("div", { class: "chart-table", tabindex: "0", role: "region", "aria-label": `${title}, table` });
  scroll.append(make("table", {}, make("thead", {}, head), make("tbody", {}, ...body)));
  return make("details", {}, make("summary", { text: `${title} as a table` }), scroll);
}
