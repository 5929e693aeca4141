// Settings that follow the user: on a shared server they are stored in the profile too.

import { loadDocument, menu, saveDocument } from "./api.js";
import { migrated } from "./old_settings.js";
import { IN_DIALOG, allSettings, mergeSettings, onSettingChange, setting } from "./settings.js";

const THIS_DEVICE = ["flagMode", "zooms", "position", "worksheet"]; // never sent to the server
const SAVE_DELAY = 400; // milliseconds: several changes are saved together

/** On a shared server: use the settings of the profile, and save every change there. */
export async function syncSettings() {
  try {
    if (!(await menu()).shared) return;
    const { value } = await loadDocument("settings");
    if (value) mergeSettings(portable(value));
  } catch {
    return; // the view reports a server that does not answer
  }
  let timer = null;
  const send = () => saveSettings().catch(() => {});
  onSettingChange((name) => {
    if (THIS_DEVICE.includes(name)) return;
    clearTimeout(timer);
    timer = setTimeout(send, SAVE_DELAY);
  });
}

/** Save the settings of this browser in the profile, so that an exported file contains them. */
export const saveSettings = () => saveDocument("settings", { value: portable(allSettings()) });

/** Use the settings of an imported file. */
export async function useSettings(value) {
  mergeSettings(portable(value));
  await saveSettings();
}

/** Whether the settings of an imported file differ from those of this browser. */
export function differFromSettings(value) {
  const given = migrated(value);
  return IN_DIALOG.some((name) => name in given && JSON.stringify(given[name]) !== JSON.stringify(setting(name)));
}

function portable(values) {
  return Object.fromEntries(Object.entries(migrated(values)).filter(([name]) => !THIS_DEVICE.includes(name)));
}
