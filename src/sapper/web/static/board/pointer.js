// Mouse and touch on the board. A press shows what it would do; letting go does it.
//
//   mouse   left = first action, right = second action, middle or both = chord;
//           who moves on while pressing chooses another cell, and none outside of the board
//   touch   tap = first action, long press = second action, moving scrolls

import { setting } from "../lib/settings.js";

const STILL = 10; // pixels that a finger may tremble

/** Call first(cell), second(cell) and chord(cell) as the pointer asks; `preview` gives the cells to press. */
export function press(view, { first, second, chord = () => {}, preview = () => [] }) {
  const host = view.host;
  let down = null; // {cell, id, kind, x, y, both, timer}

  const drop = () => {
    if (down) clearTimeout(down.timer);
    down = null;
    view.press([]);
  };

  const touch = (event, cell) => {
    down = { cell, id: event.pointerId, kind: "touch", x: event.clientX, y: event.clientY };
    down.timer = setTimeout(() => {
      drop();
      navigator.vibrate?.(15);
      second(cell, event);
    }, setting("longPress"));
    view.press(preview(cell, false));
  };

  const mouse = (event, cell) => {
    const both = (event.buttons & 3) === 3;
    if (event.button === 2 && !both) {
      second(cell, event);
      return;
    }
    if (event.button > 2) return;
    const kind = both || event.button === 1 ? "chord" : "left";
    down = { cell, id: event.pointerId, kind };
    host.setPointerCapture(event.pointerId); // a press that leaves the board and returns goes on
    view.press(preview(cell, kind === "chord"));
    event.preventDefault();
  };

  host.addEventListener("pointerdown", (event) => {
    const cell = view.cellAt(event.target);
    if (down && down.kind === "touch") return drop(); // a second finger zooms
    drop();
    if (cell === null) return;
    view.focus(cell, { ring: false });
    if (event.pointerType === "mouse") mouse(event, cell);
    else touch(event, cell);
  });

  host.addEventListener("pointermove", (event) => {
    if (!down) return;
    if (down.kind === "touch") {
      if (Math.hypot(event.clientX - down.x, event.clientY - down.y) > STILL) drop();
      return;
    }
    // A second button does not press anew: it moves with more buttons down.
    const joins = down.kind === "left" && (event.buttons & 3) === 3;
    if (joins) down.kind = "chord";
    const cell = view.cellAt(document.elementFromPoint(event.clientX, event.clientY));
    if (cell === down.cell && !joins) return;
    down.cell = cell;
    view.press(cell === null ? [] : preview(cell, down.kind === "chord"));
  });

  host.addEventListener("pointerup", (event) => {
    if (!down || event.pointerId !== down.id) return;
    const { cell, kind } = down;
    drop();
    if (cell === null) return;
    if (kind === "chord") chord(cell, event);
    else first(cell, event);
  });

  host.addEventListener("pointercancel", drop);
  host.addEventListener("contextmenu", (event) => event.preventDefault());
  // Screen readers and switches click without a pointer.
  host.addEventListener("click", (event) => {
    const cell = view.cellAt(event.target);
    if (event.detail === 0 && cell !== null) first(cell, event);
  });
}

/** Call looked(cell) for the cell under a mouse that presses nothing, or under the focus; null for none. */
export function look(view, looked) {
  const { host } = view;
  host.addEventListener("focusin", (event) => looked(view.cellAt(event.target)));
  host.addEventListener("pointerover", (event) => {
    if (event.pointerType === "mouse" && event.buttons === 0) looked(view.cellAt(event.target));
  });
}
