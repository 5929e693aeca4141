// Focus recovery: when the focused element is removed, hidden or disabled, the nearest remaining
// element gets the focus instead of the body.

const FOCUSABLE = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';

let last = null; // the element that has or had the focus
let ancestors = []; // of that element, innermost first: a removed element has no parents

/** Recover the focus on the whole page; *fallback* gets it if nothing else is left. */
export function restoreLostFocus(fallback) {
  document.addEventListener("focusin", ({ target }) => {
    last = target;
    ancestors = [];
    for (let parent = target.parentElement; parent && parent !== fallback; parent = parent.parentElement)
      ancestors.push(parent);
  });
  new MutationObserver((changes) => {
    if (isLost(changes)) (canHaveFocus(last) ? last : nextTarget(fallback)).focus({ preventScroll: true });
  }).observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ["hidden", "disabled", "open", "aria-expanded"],
  });
}

/** The cell of the board that keys act on, if there is a board. */
export function focusedCell() {
  return document.querySelector('#view [data-cell][tabindex="0"]');
}

/** Whether the focused element is gone, or was removed and inserted again. */
function isLost(changes) {
  const focused = document.activeElement;
  const hasNone = focused === document.body || focused === null;
  if (last === null || last === document.body || (focused !== last && !hasNone)) return false;
  const wasRemoved = () => changes.some(({ removedNodes }) => [...removedNodes].some((node) => node.contains(last)));
  return !canHaveFocus(last) || (hasNone && wasRemoved());
}

function canHaveFocus(element) {
  return element.isConnected && !element.disabled && element.checkVisibility();
}

/** The next element in the innermost remaining ancestor; else the board, else the fallback. */
function nextTarget(fallback) {
  for (const ancestor of ancestors) {
    if (!ancestor.isConnected || ancestor === document.body || ancestor === document.documentElement) continue;
    const remaining = [...ancestor.querySelectorAll(FOCUSABLE)].filter(
      (element) => element.tabIndex >= 0 && canHaveFocus(element),
    );
    const next = remaining.find((element) => last.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING);
    if (remaining.length) return (last.isConnected && next) || remaining[0];
  }
  return focusedCell() ?? fallback;
}
