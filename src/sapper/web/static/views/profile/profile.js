// The profile view: who one is here, everything as a file, and the way to another device.

import * as api from "../../lib/api.js";
import { copyButton } from "../../lib/copy.js";
import { differ, keepSettings, takeSettings } from "../../lib/carry.js";
import { button, dialog, draw, icon, make } from "../../lib/dom.js";
import { field } from "../../lib/forms.js";
import { say, shout } from "../../lib/say.js";

export async function showProfile(place, { words }) {
  const token = words.get("take");
  // A link that lets in is nothing to leave in the address bar.
  if (token) history.replaceState(null, "", "#/profile");
  const here = await api.profile();
  // On one's own machine settings stay in the browser, but a file has everything.
  if (!here.shared) await keepSettings();
  const again = () => showProfile(place, { words: new URLSearchParams() });
  place.replaceChildren(
    make(
      "section",
      { class: "page prose profile", "aria-labelledby": "profile-title" },
      make("h1", { id: "profile-title", text: "Profile" }),
      ...(token ? [await offer(token, here, again)] : []),
      ...(here.shared ? [name(here), device()] : [alone()]),
      files(here, again),
      ...(here.shared ? [leaving(here)] : []),
    ),
  );
}

function alone() {
  return make(
    "p",
    {},
    "On this machine all windows and browsers share one profile. To play on your phone, or with others, start Sapper with ",
    make("code", { text: "--host 0.0.0.0" }),
    ": then everybody has a profile of their own.",
  );
}

function name(here) {
  const input = make("input", { name: "name", value: here.name, maxlength: 40, autocomplete: "nickname" });
  return make(
    "form",
    {
      class: "share-line profile-name",
      onsubmit: async (event) => {
        event.preventDefault();
        await told(async () => {
          input.value = (await api.renameProfile({ name: input.value })).name;
          shout("The name is kept.");
        });
      },
    },
    field("Your name", input),
    button({ text: "Keep it", type: "submit" }),
  );
}

function device() {
  const place = make("div", { class: "profile-link", "aria-live": "polite" });
  const show = () =>
    told(async () => {
      const { link, seconds, qr } = await api.profileLink();
      const input = make("input", { readonly: true, value: link, "aria-label": "Link to this profile", onfocus: () => input.select() });
      place.replaceChildren(
        code(qr),
        make("div", { class: "share-line" }, input, copyButton("Link", link)),
        make("p", { class: "faint", text: `It works once, within ${Math.round(seconds / 60)} minutes. Who opens it has your profile: keep it to yourself.` }),
      );
      input.focus();
    });
  return make(
    "section",
    { "aria-labelledby": "profile-device" },
    make("h2", { id: "profile-device", text: "On another device" }),
    make("p", { text: "Open a link there, or scan it, and the same games, settings and statistics are on both." }),
    button({ icon: "share", text: "Make a link", onclick: show }),
    place,
  );
}

/** A QR code from its rows of 0 and 1, with the light border that cameras need. */
function code(rows) {
  const border = 4;
  const side = rows.length + 2 * border;
  const dark = rows.flatMap((row, y) => [...row].map((bit, x) => (bit === "1" ? `M${x + border} ${y + border}h1v1h-1z` : ""))).join("");
  const svg = draw("svg", { viewBox: `0 0 ${side} ${side}`, class: "qr", role: "img", "aria-label": "The link as a code to scan" });
  svg.append(draw("rect", { width: side, height: side, class: "light" }), draw("path", { d: dark, class: "dark" }));
  return svg;
}

function files(here, again) {
  const file = make("input", { type: "file", accept: "application/json,.json", class: "unseen", tabindex: "-1", "aria-label": "Profile file" });
  file.addEventListener("change", () =>
    told(async () => {
      say("reading the file");
      const { games, results, settings } = await api.importProfile(file.files[0]);
      shout(`${counted(games.added, "game")} and ${counted(results.added, "result")} added, ${games.known + results.known} were here already`);
      await again();
      if (settings && differ(settings)) offerSettings(settings);
    }),
  );
  return make(
    "section",
    { "aria-labelledby": "profile-files" },
    make("h2", { id: "profile-files", text: "Everything as a file" }),
    make("p", { text: `${counted(here.games, "game")}, ${counted(here.results, "result")}, settings and progress. A file that you import adds what is not here yet; settings are replaced only if you say so.` }),
    make(
      "div",
      { class: "page-actions" },
      make("a", { class: "as-button", href: api.profileFile(), download: "sapper-profile.json" }, icon("save"), make("span", { text: "Export" })),
      button({ icon: "share", text: "Import", onclick: () => file.click() }),
      file,
    ),
  );
}

/** The file has other settings than this browser: one of the two can be used. */
function offerSettings(settings) {
  const use = async () => {
    box.close();
    await told(async () => {
      await takeSettings(settings);
      shout("The settings of the file are used now.");
    });
  };
  const box = dialog(
    "Use the settings of the file?",
    make("p", { text: "The file has other settings than this browser: looks, keys, what a tap does. Games and progress are added in any case." }),
    make(
      "div",
      { class: "dialog-foot" },
      button({ text: "Keep mine", onclick: () => box.close() }),
      button({ text: "Use those of the file", class: "primary", onclick: use }),
    ),
  );
}

function leaving(here) {
  const ask = () => {
    const box = dialog(
      "Leave on this browser?",
      make("p", {
        text: `Nothing is deleted, but this browser forgets ${called(here)}. It comes back only by a link that you make on another device first.`,
      }),
      make(
        "div",
        { class: "dialog-foot" },
        button({ text: "Stay", onclick: () => box.close() }),
        button({
          text: "Leave",
          class: "danger",
          onclick: () =>
            told(async () => {
              await api.signOut();
              location.reload();
            }),
        }),
      ),
    );
  };
  return make("div", { class: "page-actions" }, button({ text: "Leave on this browser", class: "danger", onclick: ask }));
}

/** A link was opened here that brings another profile: what it has, and what would be left. */
async function offer(token, here, again) {
  let there;
  try {
    there = await api.previewProfile({ token });
  } catch (error) {
    shout(error.message);
    return make("p", { class: "empty", text: "This link was used, or is too old. Make a new one on the other device." });
  }
  return make(
    "section",
    { class: "empty", "aria-labelledby": "profile-offer" },
    make("h2", { id: "profile-offer", text: `Take ${called(there)} to this browser?` }),
    make("p", { text: `It has ${counted(there.games, "game")} and ${counted(there.results, "result")}.` }),
    make("p", { text: `This browser then leaves ${called(here, "the profile that is here")}, with ${counted(here.games, "game")}: export it first if you want to add it.` }),
    make(
      "div",
      { class: "page-actions" },
      button({
        text: "Take it",
        class: "primary",
        onclick: () =>
          told(async () => {
            await api.switchProfile({ token });
            location.replace("/#/play");
            location.reload();
          }),
      }),
      button({ text: "Stay as I am", onclick: again }),
    ),
  );
}

async function told(act) {
  try {
    await act();
  } catch (error) {
    shout(error.message);
  }
}

const called = ({ name }, nameless = "this profile") => (name ? `the profile “${name}”` : nameless);
const counted = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;
