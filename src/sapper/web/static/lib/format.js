// Numbers, times and texts as the page shows them.

export const capitalise = (text) => text[0].toUpperCase() + text.slice(1);

/** Turn a one-line message of the server into a sentence. */
export const toSentence = (text) => `${capitalise(text)}.`;

export const plural = (count, singular, pluralForm = `${singular}s`) =>
  `${count} ${count === 1 ? singular : pluralForm}`;

/** A duration to the tenth of a second: 12.3 s; from a minute on, 2 min 5 s. */
export function duration(milliseconds) {
  const total = milliseconds / 1000;
  if (total < 60) return `${total.toFixed(1)} s`;
  const minutes = Math.floor(total / 60);
  return `${minutes} min ${Math.floor(total % 60)} s`;
}

/** A time of whole seconds as a clock shows it: 2:05. */
export const clockTime = (seconds) => `${Math.floor(seconds / 60)}:${twoDigits(seconds % 60)}`;

const twoDigits = (number) => String(number).padStart(2, "0");

/** A duration to the hundredth of a second: 12.34 s, 2 min 05.60 s. */
export function hundredths(milliseconds) {
  const total = Math.round(milliseconds / 10);
  const rest = (total % 6000) / 100;
  if (total < 6000) return `${rest.toFixed(2)} s`;
  return `${Math.floor(total / 6000)} min ${rest.toFixed(2).padStart(5, "0")} s`;
}

const ALMOST_ZERO = 0.001; // uncertain probabilities nearer than this to 0 or 1 are shown as a bound

/** A probability in a sentence, as sapper/wording.py writes it; only certainty is 0% or 100%. */
export function percent(p) {
  if (p === null) return "unknown";
  if (p === 0 || p === 1) return `${100 * p}%`;
  if (p < ALMOST_ZERO) return "less than 0.1%";
  return p > 1 - ALMOST_ZERO ? "more than 99.9%" : rate(p);
}

/** The same for the small space of a cell. */
export function percentLabel(p) {
  if (p === null) return "?";
  if (p === 0 || p === 1) return p ? "mine" : "safe";
  if (p < ALMOST_ZERO) return "<0.1";
  return p > 1 - ALMOST_ZERO ? ">99.9" : digits(p);
}

/** The same in a column of figures. */
export const shortPercent = (p) => (p === 0 || p === 1 ? percent(p) : `${percentLabel(p)}${p === null ? "" : "%"}`);

/** An average, a rate or an efficiency: it may be above 100%, and null is shown as a dash. */
export const rate = (value) => (value === null ? "–" : `${digits(value)}%`);

/** The efficiency of a game in progress. */
export const gameEfficiency = ({ three_bv, clicks }) => rate(clicks ? three_bv / clicks : null);

/** The step of the colour scale for an uncertain probability. */
export const percentStep = (p) => Math.min(99, Math.max(1, Math.round(100 * p)));

/** The digits of a percentage, with one decimal unless that is zero. */
const digits = (p) => String(Math.floor(1000 * p + 0.5) / 10);

/** A number with its sign; zero has no sign. */
export function signed(value, decimals = 2) {
  const absolute = Math.abs(value).toFixed(decimals);
  return Number(absolute) === 0 ? absolute : `${value < 0 ? "−" : "+"}${absolute}`;
}

/** The local date, such as 2026-11-15. */
export function today() {
  const now = new Date();
  return `${now.getFullYear()}-${twoDigits(now.getMonth() + 1)}-${twoDigits(now.getDate())}`;
}

/** How long ago a timestamp is; timestamps of the server are in seconds. */
export function ago(timestamp) {
  const minutes = Math.round((Date.now() / 1000 - timestamp) / 60);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 48 * 60) return `${Math.round(minutes / 60)} h ago`;
  return new Date(timestamp * 1000).toLocaleDateString();
}

/** The date of a timestamp. */
export const day = (timestamp) => new Date(1000 * timestamp).toLocaleDateString(undefined, { dateStyle: "medium" });

/** The date and time of a timestamp. */
export const dateTime = (timestamp) =>
  new Date(1000 * timestamp).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
