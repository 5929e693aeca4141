// A button that opens and closes what belongs to it: the views on a narrow screen, rare tools.

/**
 * Let *opener* show and hide *chest*. It closes on a choice in it, on Escape, and on a press
 * elsewhere; where style shows the chest at all times, the opener is not seen and nothing happens.
 */
export function foldable(opener, chest) {
  const show = (open) => {
    opener.setAttribute("aria-expanded", open);
    chest.classList.toggle("unfolded", open);
  };
  const isOpen = () => chest.classList.contains("unfolded");
  show(false);
  opener.addEventListener("click", () => show(!isOpen()));
  chest.addEventListener("click", (event) => event.target.closest("a, button") && show(false));
  const away = (event) => {
    if (!opener.isConnected) return document.removeEventListener("pointerdown", away);
    if (isOpen() && !chest.contains(event.target) && !opener.contains(event.target)) show(false);
  };
  document.addEventListener("pointerdown", away);
  for (const element of [opener, chest])
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !isOpen()) return;
      event.stopPropagation();
      show(false);
      opener.focus();
    });
}
