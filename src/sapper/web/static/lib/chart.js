// A small chart, with its data as a table that opens below it.
//
// A series has one value per row; null leaves a gap. Its kind is how it is drawn:
//
//   points   a dot for each value, a link if its row has one
//   line     a line through the values
//   trace    both
//   band     the area between two values, [low, high]

import { make, makeSvg } from "./dom.js";
import { table, tableRow } from "./widgets.js";

const [WIDTH, HEIGHT] = [600, 250];
const [LEFT, BOTTOM, TOP] = [80, 36, 10];
const TICKS = 4; // about this many above the lower end of the axis
const TICK_STEPS = [1, 2, 2.5, 5, 10];

/**
 * A figure. *rows* are {label, link}; *series* are {name, kind, values, formatValue}: formatValue(value) is the
 * text of a value. format(value) labels the axis, from *minimum* to *maximum*, which default to 0 and the
 * largest value.
 */
export function chart({ title, rows, series, format, minimum = 0, maximum = null }) {
  const scale = new Scale(series, rows.length, minimum, maximum);
  const svg = makeSvg("svg.chart", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true", focusable: "false" });
  for (const tick of scale.ticks) {
    const y = scale.y(tick);
    svg.append(
      makeSvg("path", { class: tick === 0 ? "chart-zero" : "chart-grid", d: `M${LEFT} ${y}H${WIDTH}` }),
      text(LEFT - 8, y + 7, format(tick), "end"),
    );
  }
  const [first, last] = [rows[0].label, rows.at(-1).label];
  if (first === last) svg.append(text((LEFT + WIDTH) / 2, HEIGHT - 6, first, "middle"));
  else svg.append(text(LEFT, HEIGHT - 6, first, "start"), text(WIDTH, HEIGHT - 6, last, "end"));
  for (const { kind, values, formatValue } of series)
    svg.append(...DRAWING_FUNCTIONS[kind](values, scale, rows, formatValue));
  return make("figure.chart-figure", make("figcaption", title), svg, legend(series), tableOf(title, rows, series));
}

class Scale {
  constructor(series, count, minimum, maximum) {
    const values = series.flatMap(({ values }) => values.flat()).filter((value) => value !== null);
    const range = (maximum ?? Math.max(...values, minimum + 1e-9)) - minimum;
    const magnitude = 10 ** Math.floor(Math.log10(range / TICKS));
    const step = magnitude * TICK_STEPS.find((step) => step * magnitude * TICKS >= range * 0.999);
    this.count = count;
    this.minimum = minimum;
    this.maximum = maximum ?? minimum + step * Math.ceil(range / step - 1e-9);
    const from = Math.ceil(minimum / step - 1e-9);
    const to = Math.floor(this.maximum / step + 1e-9);
    this.ticks = Array.from({ length: to - from + 1 }, (_, k) => (from + k) * step);
  }

  x(k) {
    return this.count === 1 ? (LEFT + WIDTH) / 2 : LEFT + 6 + (k / (this.count - 1)) * (WIDTH - LEFT - 12);
  }

  y(value) {
    return HEIGHT - BOTTOM - ((value - this.minimum) / (this.maximum - this.minimum)) * (HEIGHT - BOTTOM - TOP);
  }

  at(value, k) {
    return `${this.x(k).toFixed(1)} ${this.y(value).toFixed(1)}`;
  }
}

const DRAWING_FUNCTIONS = {
  points(values, scale, rows, formatValue) {
    return values.flatMap((value, k) => {
      if (value === null) return [];
      const place = { cx: scale.x(k).toFixed(1), cy: scale.y(value).toFixed(1), r: rows.length > 100 ? 3 : 5 };
      const dot = makeSvg("circle.chart-dot", place, makeSvg("title", `${formatValue(value)}, ${rows[k].label}`));
      if (!rows[k].link) return [dot];
      // Keyboard users have the same link in the table.
      return [makeSvg("a", { href: rows[k].link, tabindex: "-1" }, dot)];
    });
  },

  line(values, scale) {
    const known = values.map((value, k) => (value === null ? null : scale.at(value, k))).filter(Boolean);
    return known.length > 1 ? [makeSvg("path.chart-line", { d: `M${known.join("L")}` })] : [];
  },

  trace(...all) {
    return [...DRAWING_FUNCTIONS.line(...all), ...DRAWING_FUNCTIONS.points(...all)];
  },

  band(values, scale) {
    const halfWidth = 7; // of a single value
    const known = values.map((value, k) => value && [...value, k]).filter(Boolean);
    if (known.length === 1) {
      const [[low, high, k]] = known;
      const x = scale.x(k);
      return [
        makeSvg("path.chart-band", {
          d: `M${x - halfWidth} ${scale.y(low)}H${x + halfWidth}V${scale.y(high)}H${x - halfWidth}Z`,
        }),
      ];
    }
    const upper = known.map(([, high, k]) => scale.at(high, k));
    const lower = known.map(([low, , k]) => scale.at(low, k)).reverse();
    return [makeSvg("path.chart-band", { d: `M${[...upper, ...lower].join("L")}Z` })];
  },
};

const text = (x, y, content, anchor) => makeSvg("text.chart-text", { x, y, "text-anchor": anchor }, content);

function legend(series) {
  if (series.length < 2) return null;
  return make(
    "p.chart-legend",
    { "aria-hidden": "true" },
    ...series.map(({ kind, name }) => make("span", { class: kind }, name)),
  );
}

/** The table, newest rows first; it is filled when it is opened. */
function tableOf(title, rows, series) {
  const scroll = make("div.chart-table", { tabindex: "0", role: "region", "aria-label": `${title}, table` });
  const fill = () => {
    const elements = rows.map(({ label, link }, k) => {
      const cells = series.map(({ values, formatValue }) => (values[k] === null ? "–" : formatValue(values[k])));
      return tableRow([link ? make("a", { href: link }, label) : label, ...cells]);
    });
    scroll.replaceChildren(table(["", ...series.map(({ name }) => name)], elements.reverse()));
  };
  return make("details", { ontoggle: fill }, make("summary", "As a table"), scroll);
}
