// Settings that go with the person: where others are let in too, they are kept in the profile.

import { keep, kept, menu } from "./api.js";
import { adopt, chosen, whenChosen } from "./settings.js";

// What belongs to this screen and this hand, and stays with it.
const HERE = ["flagMode", "zooms", "doubts", "position", "tables"];
const SOON = 400; // milliseconds: several choices are kept as one

/** Take over the settings of the profile, and keep what is chosen from now on; where there is one. */
export async function carrySettings() {
  try {
    if (!(await menu()).shared) return;
    const { value } = await kept("settings");
    if (value) adopt(carried(value));
  } catch {
    return; // a server that is away says so where it is needed
  }
  let later = null;
  const send = () => keep("settings", { value: carried(chosen()) }).catch(() => {});
  whenChosen((name) => {
    if (HERE.includes(name)) return;
    clearTimeout(later);
    later = setTimeout(send, SOON);
  });
}

function carried(values) {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !HERE.includes(name)));
}
