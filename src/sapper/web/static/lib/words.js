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

/** Odds as the command writes them; 0 % and 100 % are kept for what is certain. */
export function percent(p) {
  if (p === null) return "?";
  if (p === 0 || p === 1) return `${100 * p}%`;
  const rounded = halfToEven(100 * p);
  if (rounded < 1) return "<1%";
  return rounded > 99 ? ">99%" : `${rounded}%`;
}

/** The same for ears: signs such as < are often passed over. */
export function spoken(p) {
  return percent(p).replace("<", "below ").replace(">", "above ");
}

/** The step of the colours for odds: the ends are kept for what is certain. */
export function wholePercent(p) {
  return p === 0 || p === 1 ? 100 * p : Math.min(99, Math.max(1, halfToEven(100 * p)));
}

function halfToEven(value) {
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}
