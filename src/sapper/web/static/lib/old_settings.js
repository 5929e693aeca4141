// Migration of settings that version 0.2 and earlier stored in browsers, profiles and exported files.

const RENAMED = { assured: "justified", train: "puzzles", tables: "worksheet" };
const RENAMED_KEYS = { nudge: "hint", odds: "probabilities", toDo: "nextNumber" };
const RENAMED_OPTIONS = { rung: "difficulty", at_most: "or_easier", mines_share: "mine_density", deal: "generator" };

/** Convert settings that an older version stored to the names of this one. */
export function migrateSettings({ swap, ...stored }) {
  const settings = rename(swap ? { first: "flag", ...stored } : stored, RENAMED);
  for (const [name, value] of Object.entries(settings))
    if (typeof value === "object" && value !== null)
      settings[name] = rename(value, name === "keys" ? RENAMED_KEYS : RENAMED_OPTIONS);
  return settings;
}

const rename = (values, names) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [names[name] ?? name, value]));
