// Synchronisation of settings: on a shared server they are stored in the profile too.

import { loadDocument, menu, saveDocument } from "./api.js";
import { allSettings, IN_DIALOG, mergeSettings, onSettingChange, setting } from "./settings.js";

const DEVICE_SETTINGS = ["flagMode", "zooms", "position", "worksheet"]; // never sent to the server
const SAVE_DELAY = 400; // milliseconds: several changes are saved together

/** On a shared server: use the settings of the profile, and save every change there. */
export async function syncSettings() {
  try {
    if (!(await menu()).shared) return;
    const { value } = await loadDocument("settings");
    if (value) mergeSettings(portable(value));
  } catch {
    return; // the view reports that the server does not respond
  }
  let timer = null;
  const send = () => saveSettings().catch(() => {});
  onSettingChange((name) => {
    if (DEVICE_SETTINGS.includes(name)) return;
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
  return IN_DIALOG.some((name) => name in value && JSON.stringify(value[name]) !== JSON.stringify(setting(name)));
}

function portable(values) {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !DEVICE_SETTINGS.includes(name)));
}
