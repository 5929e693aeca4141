// Walking over the board with the keys.

const PAGE = 5; // rows

/** Where an arrow, Home, End or Page key leads from the current cell; on a torus arrows go round. */
export function walk({ current, columns, count, data: { wraps } }, { key, ctrlKey, metaKey }) {
  const column = current % columns;
  const start = current - column;
  const end = Math.min(start + columns, count) - 1;
  const whole = ctrlKey || metaKey;
  switch (key) {
    case "ArrowLeft":
      return wraps && column === 0 ? end : Math.max(start, current - 1);
    case "ArrowRight":
      return wraps && current === end ? start : Math.min(end, current + 1);
    case "ArrowUp":
      return rows(-1);
    case "ArrowDown":
      return rows(1);
    case "Home":
      return whole ? 0 : start;
    case "End":
      return whole ? count - 1 : end;
    case "PageUp":
      return rows(-PAGE);
    case "PageDown":
      return rows(PAGE);
    default:
      throw new Error(`expected a key to walk with, got ${key}`);
  }

  /** So many rows down, or up, as far as the column has a cell. */
  function rows(many) {
    const last = column + columns * Math.floor((count - 1 - column) / columns);
    if (wraps) return (((current + many * columns) % count) + count) % count;
    return Math.max(column, Math.min(last, current + many * columns));
  }
}
