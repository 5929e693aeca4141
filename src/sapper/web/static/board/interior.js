// The interior: covered cells that no number touches. They all have the same probabilities, which are told once.

const SAME = 1e-9;

/** The cells of the interior that share one uncertain value of the probabilities, where several do. */
export function interiorOf(view, cells, probabilities) {
  const inside = new Map();
  cells.forEach((cell, k) => {
    const certain = probabilities[k] === 0 || probabilities[k] === 1;
    if (!certain && view.around(cell).every((other) => view.marks[other] < 0)) inside.set(cell, probabilities[k]);
  });
  const [first] = inside.values();
  const same = (p) => (p === null || first === null ? p === first : Math.abs(p - first) < SAME);
  return new Set(inside.size > 1 && [...inside.values()].every(same) ? inside.keys() : []);
}

/**
 * The cell of these that is farthest from all others and from the rim, the first of equals, and how
 * many steps that is: a label has most room there. A cell of the rim is one step from the outside.
 */
export function roomiest(view, cells) {
  const { offsets } = view.data;
  const degree = (cell) => offsets[cell + 1] - offsets[cell];
  const most = Math.max(...Array.from({ length: view.count }, (_, cell) => degree(cell)));
  const steps = new Int32Array(view.count).fill(-1);
  const queue = [];
  for (let cell = 0; cell < view.count; cell++) if (!cells.has(cell)) push(cell, 0);
  for (const cell of cells) if (degree(cell) < most) push(cell, 1);
  for (let k = 0; k < queue.length; k++)
    for (const other of view.around(queue[k])) if (steps[other] < 0) push(other, steps[queue[k]] + 1);
  const better = (one, other) => steps[one] - steps[other] || other - one;
  const cell = [...cells].reduce((best, other) => (better(other, best) > 0 ? other : best));
  return { cell, room: steps[cell] };

  function push(cell, far) {
    steps[cell] = far;
    queue.push(cell);
  }
}
