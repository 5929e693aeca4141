// The focus never falls to the body: where the element that has it goes away, is hidden or disabled,
// the nearest one that is left takes it.

const WITH_FOCUS = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';

let last = null; // the element that has the focus, or had it
let around = []; // what it stands in, innermost first: a removed element has no parents any more

/** Watch over the focus of the whole page; *home* takes it where nothing else is left. */
export function keepFocus(home) {
  document.addEventListener("focusin", ({ target }) => {
    last = target;
    around = [];
    for (let one = target.parentElement; one && one !== home; one = one.parentElement) around.push(one);
  });
  new MutationObserver((changes) => {
    if (isLost(changes)) (canHave(last) ? last : refuge(home)).focus({ preventScroll: true });
  }).observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ["hidden", "disabled", "open", "aria-expanded"],
  });
}

/** The cell of the board that the keys are on, if there is a board. */
export function boardCell() {
  return document.querySelector('#view [data-cell][tabindex="0"]');
}

/** Whether the focus was somewhere that is not there any more, or that was taken out and put back. */
function isLost(changes) {
  const now = document.activeElement;
  const nowhere = now === document.body || now === null;
  if (last === null || last === document.body || (now !== last && !nowhere)) return false;
  const takenOut = () => changes.some(({ removedNodes }) => [...removedNodes].some((node) => node.contains(last)));
  return !canHave(last) || (nowhere && takenOut());
}

function canHave(element) {
  return element.isConnected && !element.disabled && element.checkVisibility();
}

/** The next element in the nearest surroundings that are still there; else the board, else home. */
function refuge(home) {
  for (const place of around) {
    if (!place.isConnected || place === document.body || place === document.documentElement) continue;
    const left = [...place.querySelectorAll(WITH_FOCUS)].filter((one) => one.tabIndex >= 0 && canHave(one));
    const after = left.find((one) => last.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
    if (left.length) return (last.isConnected && after) || left[0];
  }
  return boardCell() ?? home;
}
