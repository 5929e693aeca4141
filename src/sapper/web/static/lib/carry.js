// Settings that go with the person: where others are let in too, they are kept in the profile.

import { loadDocument, menu, saveDocument } from "./api.js";
import { OFFERED, adopt, chosen, setting, whenChosen } from "./settings.js";

// What belongs to this screen and this hand, and stays with it.
const HERE = ["flagMode", "zooms", "position", "tables"];
const SOON = 400; // milliseconds: several choices are kept as one

/** Take over the settings of the profile, and keep what is chosen from now on; where there is one. */
export async function carrySettings() {
  try {
    if (!(await menu()).shared) return;
    const { value } = await loadDocument("settings");
    if (value) adopt(carried(value));
  } catch {
    return; // a server that is away says so where it is needed
  }
  let later = null;
  const send = () => keepSettings().catch(() => {});
  whenChosen((name) => {
    if (HERE.includes(name)) return;
    clearTimeout(later);
    later = setTimeout(send, SOON);
  });
}

/** Keep the settings of this browser with the rest, so that a file has them. */
export const keepSettings = () => saveDocument("settings", { value: carried(chosen()) });

/** Use settings that came with a file. */
export async function takeSettings(value) {
  adopt(carried(value));
  await keepSettings();
}

/** Whether settings that came with a file are others than those of this browser. */
export function differ(value) {
  return OFFERED.some((name) => name in value && JSON.stringify(value[name]) !== JSON.stringify(setting(name)));
}

function carried(values) {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !HERE.includes(name)));
}
