// The profile view: the user's name, a link for another device, export and import, signing out.

import { announce, notify, reportErrors } from "../lib/announce.js";
import * as api from "../lib/api.js";
import { copyButton } from "../lib/clipboard.js";
import { button, confirm, downloadLink, fileInput, make, svgElement } from "../lib/dom.js";
import { plural } from "../lib/format.js";
import { field } from "../lib/forms.js";
import { differFromSettings, saveSettings, useSettings } from "../lib/settings_sync.js";

export async function showProfile(root, { query }) {
  const token = query.get("take");
  // The token gives access to a profile, so it must not stay in the address bar.
  if (token) history.replaceState(null, "", "#/profile");
  const current = await api.profile();
  // On a server without profiles, settings are stored in the browser only; an export includes them.
  if (!current.shared) await saveSettings();
  const reload = () => showProfile(root, { query: new URLSearchParams() });
  root.replaceChildren(
    make(
      "section",
      { class: "page prose profile", "aria-labelledby": "profile-title" },
      make("h1", { id: "profile-title", text: "Profile" }),
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
    {},
    "All windows and browsers on this computer share one profile. To play on your phone, or with others, start Sapper with ",
    make("code", { text: "--host 0.0.0.0" }),
    ": then every user has a profile.",
  );
}

function nameForm(current) {
  const input = make("input", { name: "name", value: current.name, maxlength: 40, autocomplete: "nickname" });
  return make(
    "form",
    {
      class: "share-line profile-name",
      onsubmit: (event) => {
        event.preventDefault();
        reportErrors(async () => {
          input.value = (await api.renameProfile({ name: input.value })).name;
          notify("Name saved.");
        });
      },
    },
    field("Your name", input),
    button({ text: "Save", type: "submit" }),
  );
}

function deviceSection() {
  const result = make("div", { class: "profile-link", "aria-live": "polite" });
  const show = () =>
    reportErrors(async () => {
      const { link, seconds, qr } = await api.profileLink();
      const input = make("input", {
        readonly: true,
        value: link,
        "aria-label": "Link to this profile",
        onfocus: () => input.select(),
      });
      result.replaceChildren(
        qrCode(qr),
        make("div", { class: "share-line" }, input, copyButton("Link", link)),
        make("p", {
          class: "faint",
          text: `It works once, within ${Math.round(seconds / 60)} minutes. Anyone who opens it can use your profile: do not share it.`,
        }),
      );
      input.focus();
    });
  return make(
    "section",
    { "aria-labelledby": "profile-device" },
    make("h2", { id: "profile-device", text: "Use it on another device" }),
    make("p", {
      text: "Open the link there, or scan the code: both devices then have the same games, settings and statistics.",
    }),
    button({ icon: "share", text: "Create a link", onclick: show }),
    result,
  );
}

/** A QR code from its rows of 0 and 1, with the light border that cameras need. */
function qrCode(rows) {
  const border = 4;
  const side = rows.length + 2 * border;
  const dark = rows
    .flatMap((row, y) => [...row].map((bit, x) => (bit === "1" ? `M${x + border} ${y + border}h1v1h-1z` : "")))
    .join("");
  const svg = svgElement("svg", {
    viewBox: `0 0 ${side} ${side}`,
    class: "qr",
    role: "img",
    "aria-label": "QR code of the link",
  });
  svg.append(
    svgElement("rect", { width: side, height: side, class: "light" }),
    svgElement("path", { d: dark, class: "dark" }),
  );
  return svg;
}

function fileSection(current, reload) {
  const open = (file) =>
    reportErrors(async () => {
      announce("Importing");
      const { games, results, settings } = await api.importProfile(file);
      notify(
        `${plural(games.added, "game")} and ${plural(results.added, "result")} added, ${games.known + results.known} already here`,
      );
      await reload();
      if (settings && differFromSettings(settings)) offerSettings(settings);
    });
  return make(
    "section",
    { "aria-labelledby": "profile-files" },
    make("h2", { id: "profile-files", text: "Export and import" }),
    make("p", {
      text: `${plural(current.games, "game")}, ${plural(current.results, "result")}, settings and progress. Importing a file adds what is missing here; settings are replaced only if you confirm it.`,
    }),
    make(
      "div",
      { class: "page-actions" },
      downloadLink("Export", api.profileFile(), "sapper-profile.ndjson"),
      downloadLink("Results as CSV", api.resultsTable(), "sapper-statistics.csv"),
      ...fileInput({ label: "Profile file", accept: ".ndjson,.json", text: "Import", open }),
    ),
  );
}

function offerSettings(settings) {
  confirm(
    "Use the settings of the file?",
    "The settings in the file differ from those of this browser: appearance, keys, mouse and touch. Games and progress have been imported already.",
    {
      cancel: "Keep mine",
      accept: "Use the file's settings",
      action: () =>
        reportErrors(async () => {
          await useSettings(settings);
          notify("The settings of the file are now in use.");
        }),
    },
  );
}

function signOutSection(current) {
  const askAndSignOut = () =>
    confirm(
      "Sign out?",
      `Nothing is deleted, but this browser loses access to ${nameOf(current)}. To sign in again, you need a link from another device that uses this profile.`,
      {
        cancel: "Cancel",
        accept: "Sign out",
        danger: true,
        action: () =>
          reportErrors(async () => {
            await api.signOut();
            location.reload();
          }),
      },
    );
  return make("div", { class: "page-actions" }, button({ text: "Sign out", class: "danger", onclick: askAndSignOut }));
}

/** A link to another profile was opened in this browser: offer to switch to it. */
async function offerSection(token, current, reload) {
  let offered;
  try {
    offered = await api.previewProfile({ token });
  } catch (error) {
    notify(error.message);
    return make("p", {
      class: "empty",
      text: "This link has been used or has expired. Create a new one on the other device.",
    });
  }
  const accept = () =>
    reportErrors(async () => {
      await api.switchProfile({ token });
      location.replace("/#/play");
      location.reload();
    });
  return make(
    "section",
    { class: "empty", "aria-labelledby": "profile-offer" },
    make("h2", { id: "profile-offer", text: `Use ${nameOf(offered)} in this browser?` }),
    make("p", { text: `It has ${plural(offered.games, "game")} and ${plural(offered.results, "result")}.` }),
    make("p", {
      text: `This browser then loses access to ${nameOf(current, "its current profile")}, which has ${plural(current.games, "game")}. Export it first if you want to keep it.`,
    }),
    make(
      "div",
      { class: "page-actions" },
      button({ text: "Use it", class: "primary", onclick: accept }),
      button({ text: "Cancel", onclick: reload }),
    ),
  );
}

const nameOf = ({ name }, nameless = "this profile") => (name ? `the profile “${name}”` : nameless);
