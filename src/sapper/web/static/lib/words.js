// Words and figures as people read them.

export const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** One line of the server as a sentence. */
export const sentence = (text) => `${capital(text)}.`;

export const plural = (count, one, many) => `${count} ${count === 1 ? one : many}`;

export function seconds(milliseconds) {
  const total = milliseconds / 1000;
  if (total < 60) return `${total.toFixed(1)} s`;
  const minutes = Math.floor(total / 60);
  return `${minutes} min ${Math.floor(total % 60)} s`;
}

/** The same to the hundredth: 12.34 s, 2 min 05.60 s. */
export function hundredths(milliseconds) {
  const total = Math.round(milliseconds / 10);
  const rest = (total % 6000) / 100;
  if (total < 6000) return `${rest.toFixed(2)} s`;
  return `${Math.floor(total / 6000)} min ${rest.toFixed(2).padStart(5, "0")} s`;
}

/** 3BV for each click, null where there was none. It is no probabilities: chords may make it more than 100 %. */
export const efficiency = (share) => (share === null ? "–" : `${(100 * share).toFixed(1)} %`);

/** The same of a game as it stands. */
export const efficiencyOf = ({ three_bv, clicks }) => efficiency(clicks ? three_bv / clicks : null);

const LEAST = 0.001; // uncertain probabilities nearer to 0 or 1 are told as a bound

/** Probabilities in a sentence, with the digits of the package (sapper/wording.py); 0 and 100 are kept for what is certain. */
export function percent(p) {
  if (p === null) return "unknown";
  if (p > 0 && p < LEAST) return "less than 0.1%";
  if (p > 1 - LEAST && p < 1) return "more than 99.9%";
  return `${digits(p).replace(/\.0$/, "")}%`;
}

/** The same digits in the little room of a cell. */
export function percentLabel(p) {
  if (p === null) return "?";
  if (p === 0 || p === 1) return p ? "mine" : "safe";
  if (p < LEAST) return "<0.1";
  return p > 1 - LEAST ? ">99.9" : digits(p);
}

/** The step of the colours for probabilities that are not certain. */
export const wholePercent = (p) => Math.min(99, Math.max(1, Math.round(100 * p)));

function digits(p) {
  const tenths = Math.floor(1000 * p + 0.5);
  return `${Math.floor(tenths / 10)}.${tenths % 10}`;
}

/** Luck with its sign, none where it is 0 in print; a true minus. */
export function signed(value) {
  const digits = Math.abs(value).toFixed(2);
  return Number(digits) === 0 ? digits : `${value < 0 ? "−" : "+"}${digits}`;
}
