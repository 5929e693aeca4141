// Mouse and touch on the board. Pressing previews an action; releasing performs it.
//
//   mouse   left = primary action, right = secondary action, middle or both = chord;
//           moving while pressed selects another cell, or none outside the board
//   touch   tap = primary action, long press = secondary action, moving scrolls

import { announce } from "../lib/announce.js";
import { button } from "../lib/dom.js";
import { withTooltip } from "../lib/keys.js";
import { saveSetting, setting } from "../lib/settings.js";
import { COVERED } from "./view.js";

const TOLERANCE = 10; // pixels that a finger may move during a long press
const SAMPLE_DISTANCE = 6; // pixels between two samples of a fast stroke of the brush

/** Call primary(cell), secondary(cell) and chord(cell) for presses; preview(cell) returns the cells to show pressed. */
export function listenToPresses(view, { primary, secondary, chord = () => {}, preview = () => [] }) {
  const host = view.host;
  let press = null; // {cell, id, kind, x, y, timer}

  const cancel = () => {
    if (press) clearTimeout(press.timer);
    press = null;
    view.press([]);
  };

  const startTouch = (event, cell) => {
    press = { cell, id: event.pointerId, kind: "touch", x: event.clientX, y: event.clientY };
    press.timer = setTimeout(() => {
      cancel();
      navigator.vibrate?.(15);
      secondary(cell, event);
    }, setting("longPress"));
    view.press(preview(cell, false));
  };

  const startMouse = (event, cell) => {
    const both = (event.buttons & 3) === 3;
    if (event.button === 2 && !both) {
      secondary(cell, event);
      return;
    }
    if (event.button > 2) return;
    const kind = both || event.button === 1 ? "chord" : "left";
    press = { cell, id: event.pointerId, kind };
    host.setPointerCapture(event.pointerId); // so that a press may leave the board and return
    view.press(preview(cell, kind === "chord"));
    event.preventDefault();
  };

  host.addEventListener("pointerdown", (event) => {
    const cell = view.cellAt(event.target);
    if (press && press.kind === "touch") return cancel(); // a second finger zooms
    cancel();
    if (cell === null) return;
    view.focus(cell, { ring: false });
    if (event.pointerType === "mouse") startMouse(event, cell);
    else startTouch(event, cell);
  });

  host.addEventListener("pointermove", (event) => {
    if (!press) return;
    if (press.kind === "touch") {
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) > TOLERANCE) cancel();
      return;
    }
    // A second mouse button fires pointermove, not pointerdown.
    const becomesChord = press.kind === "left" && (event.buttons & 3) === 3;
    if (becomesChord) press.kind = "chord";
    const cell = view.cellAt(document.elementFromPoint(event.clientX, event.clientY));
    if (cell === press.cell && !becomesChord) return;
    press.cell = cell;
    view.press(cell === null ? [] : preview(cell, press.kind === "chord"));
  });

  host.addEventListener("pointerup", (event) => {
    if (!press || event.pointerId !== press.id) return;
    const { cell, kind } = press;
    cancel();
    if (cell === null) return;
    if (kind === "chord") chord(cell, event);
    else primary(cell, event);
  });

  host.addEventListener("pointercancel", cancel);
  host.addEventListener("contextmenu", (event) => event.preventDefault());
  // Assistive technology clicks without a pointer.
  host.addEventListener("click", (event) => {
    const cell = view.cellAt(event.target);
    if (event.detail === 0 && cell !== null) primary(cell, event);
  });
}

/**
 * The same for a view in which a press reveals or flags: move(action, cell) is called, by flag mode and the settings.
 */
export function listenToMoves(view, { move, chord }) {
  listenToPresses(view, {
    primary: (cell) => move(primaryActionFlags() ? "flag" : "reveal", cell),
    secondary: (cell) => move(primaryActionFlags() ? "reveal" : "flag", cell),
    chord,
    preview: (cell) => (view.marks[cell] === COVERED ? [cell] : []),
  });
}

/** Call callback(cell) for the cell under the mouse, if no button is pressed, or under the focus; null for none. */
export function watchPointer(view, callback) {
  const { host } = view;
  host.addEventListener("focusin", (event) => callback(view.cellAt(event.target)));
  host.addEventListener("pointerover", (event) => {
    if (event.pointerType === "mouse" && event.buttons === 0) callback(view.cellAt(event.target));
  });
}

/** Whether the primary action is to flag: in flag mode, or by the settings. */
export const primaryActionFlags = () => setting("flagMode") || setting("first") === "flag";

/** The button for flag mode of a view, which swaps the two actions of mouse and touch; keys are not affected. */
export class FlagMode {
  constructor(view) {
    const toggle = button({ icon: "flag", text: "Flag mode", class: "toggle", onclick: () => this.toggle() });
    this.button = withTooltip(toggle, view, "flagMode", "Flag mode");
    this.#show();
  }

  toggle() {
    saveSetting("flagMode", !setting("flagMode"));
    this.#show();
    announce(setting("flagMode") ? "Flag mode on" : "Flag mode off");
  }

  #show() {
    this.button.setAttribute("aria-pressed", setting("flagMode"));
  }
}

/**
 * Let the mouse or a finger paint on a board. Call paint(cell, mark, isContinued) for each cell of a stroke;
 * *isContinued* is false for the first one. markAt(cell, isRight) returns the mark of a stroke that starts there, or
 * null; click(cell, isVirtual) is called for a click, which is virtual if assistive technology made it without a
 * pointer.
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
