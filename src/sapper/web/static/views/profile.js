// The profile view: the user's name, a link for another device, export and import, signing out.

import { announce, notify, reportErrors } from "../lib/announce.js";
import * as api from "../lib/api.js";
import { button, make, makeSvg } from "../lib/dom.js";
import { plural } from "../lib/format.js";
import { differFromSettings, saveSettings, useSettings } from "../lib/settings.js";
import { confirm, downloadLink, field, fileInput, form, linkLine, page, section } from "../lib/widgets.js";

export async function show(root, { query }) {
  const token = query.get("take");
  // The token gives access to a profile, so it must not stay in the address bar.
  if (token) history.replaceState(null, "", "#/profile");
  const current = await api.profile();
  // On a server without profiles, settings are stored in the browser only; an export includes them.
  if (!current.shared) await saveSettings();
  const reload = () => show(root, { query: new URLSearchParams() });
  root.replaceChildren(
    page(
      "section.page.prose.profile",
      "Profile",
      ...(token ? [await offerSection(token, current, reload)] : []),
      ...(current.shared ? [nameForm(current), deviceSection()] : [localNote()]),
      fileSection(current, reload),
      ...(current.shared ? [signOutSection(current)] : []),
    ),
  );
}

function localNote() {
  return make(
    "p",
    "All windows and browsers on this computer share one profile. To play on your phone, or with others, start Sapper with ",
    make("code", "--host 0.0.0.0"),
    ": then every user has a profile.",
  );
}

function nameForm(current) {
  const input = make("input", { name: "name", value: current.name, maxlength: 40, autocomplete: "nickname" });
  const save = () =>
    reportErrors(async () => {
      input.value = (await api.renameProfile({ name: input.value })).name;
      notify("Name saved.");
    });
  const submit = button({ text: "Save", type: "submit" });
  return form("form.share-line.profile-name", save, field("Your name", input), submit);
}

function deviceSection() {
  const result = make("div.profile-link", { "aria-live": "polite" });
  const show = () =>
    reportErrors(async () => {
      const { link, seconds, qr } = await api.profileLink();
      const note = `It works once, within ${Math.round(seconds / 60)} minutes. Anyone who opens it can use your profile: do not share it.`;
      const line = linkLine("Link to this profile", "Link", link);
      result.replaceChildren(qrCode(qr), line, make("p.faint", note));
      line.firstChild.focus();
    });
  return section(
    "section",
    "Use it on another device",
    make("p", "Open the link there, or scan the code: both devices then have the same games, settings and statistics."),
    button({ icon: "share", text: "Create a link", onclick: show }),
    result,
  );
}

/** A QR code from its rows of 0 and 1, with the light border that cameras need. */
function qrCode(rows) {
  const border = 4;
  const side = rows.length + 2 * border;
  const squareAt = (x, y) => `M${x + border} ${y + border}h1v1h-1z`;
  const squares = rows.flatMap((row, y) => [...row].map((bit, x) => (bit === "1" ? squareAt(x, y) : "")));
  return makeSvg(
    "svg.qr",
    { viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": "QR code of the link" },
    makeSvg("rect.light", { width: side, height: side }),
    makeSvg("path.dark", { d: squares.join("") }),
  );
}

function fileSection(current, reload) {
  const open = (file) =>
    reportErrors(async () => {
      announce("Importing");
      const { games, results, settings } = await api.importProfile(file);
      const added = `${plural(games.added, "game")} and ${plural(results.added, "result")} added`;
      notify(`${added}, ${games.known + results.known} already here`);
      await reload();
      if (settings && differFromSettings(settings)) offerSettings(settings);
    });
  return section(
    "section",
    "Export and import",
    make(
      "p",
      `${plural(current.games, "game")}, ${plural(current.results, "result")}, settings and progress. Importing a file adds what is missing here; settings are replaced only if you confirm it.`,
    ),
    make(
      "div.page-actions",
      downloadLink("Export", api.profileFile(), "sapper-profile.ndjson"),
      downloadLink("Results as CSV", api.resultsTable(), "sapper-statistics.csv"),
      ...fileInput({ label: "Profile file", accept: ".ndjson,.json", text: "Import", open }),
    ),
  );
}

function offerSettings(settings) {
  const use = () =>
    reportErrors(async () => {
      await useSettings(settings);
      notify("The settings of the file are now in use.");
    });
  confirm(
    "Use the settings of the file?",
    "The settings in the file differ from those of this browser: appearance, keys, mouse and touch. Games and progress have been imported already.",
    { cancel: "Keep mine", accept: "Use the file's settings", className: "primary", action: use },
  );
}

function signOutSection(current) {
  const signOut = () =>
    reportErrors(async () => {
      await api.signOut();
      location.reload();
    });
  const text = `Nothing is deleted, but this browser loses access to ${nameOf(current)}. To sign in again, you need a link from another device that uses this profile.`;
  const ask = () => confirm("Sign out?", text, { accept: "Sign out", action: signOut });
  return make("div.page-actions", button({ text: "Sign out", class: "danger", onclick: ask }));
}

/** A link to another profile was opened in this browser: offer to switch to it. */
async function offerSection(token, current, reload) {
  let offered;
  try {
    offered = await api.previewProfile({ token });
  } catch (error) {
    notify(error.message);
    return make("p.empty", "This link has been used or has expired. Create a new one on the other device.");
  }
  const accept = () =>
    reportErrors(async () => {
      await api.switchProfile({ token });
      location.replace("#/play");
      location.reload();
    });
  return section(
    "section.empty",
    `Use ${nameOf(offered)} in this browser?`,
    make("p", `It has ${plural(offered.games, "game")} and ${plural(offered.results, "result")}.`),
    make(
      "p",
      `This browser then loses access to ${nameOf(current, "its current profile")}, which has ${plural(current.games, "game")}. Export it first if you want to keep it.`,
    ),
    make(
      "div.page-actions",
      button({ text: "Use it", class: "primary", onclick: accept }),
      button({ text: "Cancel", onclick: reload }),
    ),
  );
}

const nameOf = ({ name }, nameless = "this profile") => (name ? `the profile “${name}”` : nameless);
