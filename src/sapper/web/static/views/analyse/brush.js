// Painting on a board by dragging the mouse or a finger.

const SAMPLE_DISTANCE = 6; // pixels between two samples of a fast stroke

/**
 * Call paint(cell, mark, isContinued) for each cell of a stroke; *isContinued* is false for the first one.
 * markAt(cell, isRight) returns the mark of a stroke that starts there, or null; click(cell, isVirtual)
 * is called for a click, which is virtual if assistive technology made it without a pointer.
 */
export function listenToBrush(view, { markAt, paint, click }) {
  const { host } = view;
  let stroke = null; // {id, mark, x, y, isContinued}

  const paintOnce = (cell) => {
    if (cell === null || view.marks[cell] === stroke.mark) return;
    paint(cell, stroke.mark, stroke.isContinued);
    stroke.isContinued = true;
  };

  host.addEventListener("pointerdown", (event) => {
    const cell = view.cellAt(event.target);
    if (cell === null) return;
    view.focus(cell, { ring: false });
    const isRight = event.pointerType === "mouse" && event.button === 2;
    const mark = isRight || event.button === 0 ? markAt(cell, isRight) : null;
    if (mark === null) return;
    stroke = { id: event.pointerId, mark, x: event.clientX, y: event.clientY, isContinued: false };
    event.preventDefault();
    paintOnce(cell);
  });

  host.addEventListener("pointermove", (event) => {
    if (!stroke || event.pointerId !== stroke.id) return;
    const { clientX, clientY } = event;
    const distance = Math.hypot(clientX - stroke.x, clientY - stroke.y);
    const samples = Math.max(1, Math.ceil(distance / SAMPLE_DISTANCE));
    for (let k = 1; k <= samples; k++) {
      const fraction = k / samples;
      const x = stroke.x + (clientX - stroke.x) * fraction;
      const y = stroke.y + (clientY - stroke.y) * fraction;
      paintOnce(view.cellAt(document.elementFromPoint(x, y)));
    }
    Object.assign(stroke, { x: clientX, y: clientY });
  });

  const end = () => (stroke = null);
  host.addEventListener("pointerup", end);
  host.addEventListener("pointercancel", end);
  host.addEventListener("contextmenu", (event) => event.preventDefault());
  host.addEventListener("click", (event) => {
    const cell = view.cellAt(event.target);
    if (cell !== null) click(cell, event.detail === 0);
  });
}
