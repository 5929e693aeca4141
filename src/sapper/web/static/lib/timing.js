// How long the page takes, where the browser's own tools and the tests find it.

const MOST = 500; // measures that are kept of each name

/** Measure from *start* to the position after the next paint. */
export function measureToPaint(name, start) {
  requestAnimationFrame(() =>
    setTimeout(() => {
      performance.measure(name, { start, end: performance.now() });
      if (performance.getEntriesByName(name).length > MOST) performance.clearMeasures(name);
    }),
  );
}
