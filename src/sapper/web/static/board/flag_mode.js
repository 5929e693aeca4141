// Flag mode: a first press flags and a second one reveals. It is for fingers and buttons; keys say
// what they mean.

import { button } from "../lib/dom.js";
import { say } from "../lib/say.js";
import { choose, setting } from "../lib/settings.js";

/** Whether a first press flags: in flag mode always, else as the settings say. */
export const flagging = () => setting("flagMode") || setting("first") === "flag";

export class FlagMode {
  constructor() {
    this.button = button({ icon: "flag", text: "Flag mode", class: "toggle", onclick: () => this.toggle() });
    this.#show();
  }

  toggle() {
    choose("flagMode", !setting("flagMode"));
    this.#show();
    say(setting("flagMode") ? "flag mode on" : "flag mode off");
  }

  #show() {
    this.button.setAttribute("aria-pressed", setting("flagMode"));
  }
}
