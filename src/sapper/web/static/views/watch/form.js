// The form that chooses a player or solver and a game to watch.

import { button, make } from "../../lib/dom.js";
import { capitalise } from "../../lib/format.js";
import {
  field,
  form,
  levelOfSize,
  readRules,
  rulesFields,
  seedInput,
  select,
  showFormError,
} from "../../lib/widgets.js";

const CUSTOM = "custom";
const DEFAULT_SECONDS = 2; // of a player for a guess
const GROUPS = { player: "Players: they guess if necessary", solver: "Solvers: they stop instead of guessing" };

export class WatchForm {
  /** submit(request) is called with the choice. */
  constructor(menu, submit) {
    this.menu = menu;
    this.root = form("form.watch-form", (data) => submit(this.#read(data)));
  }

  /** Fill in a request, and show its seed if known. */
  fill({ size, kind, name, seconds = DEFAULT_SECONDS, seed = "", ...rules }) {
    const { levels, watch } = this.menu;
    const level = levelOfSize(levels, size) ?? CUSTOM;
    const custom = field(
      "Size",
      make("input", { name: "size", value: levels[level] ?? size, placeholder: "30x16/99", autocomplete: "off" }),
    );
    const rows = [...Object.keys(levels).map((known) => [known, capitalise(known)]), [CUSTOM, "Custom"]];
    const choice = select("level", rows, level);
    const showCustom = () => (custom.hidden = choice.value !== CUSTOM);
    choice.addEventListener("change", showCustom);
    showCustom();
    const players = playerChoice(watch, `${kind} ${name}`);
    const time = field(
      "Seconds per guess",
      make("input", { name: "seconds", type: "number", min: 1, max: 8, step: 1, value: seconds }),
    );
    const showTime = () => (time.hidden = !this.#takesSeconds(...players.querySelector(":checked").value.split(" ")));
    players.addEventListener("change", showTime);
    this.root.replaceChildren(
      players,
      time,
      field("Level", choice),
      custom,
      ...rulesFields(this.menu, rules),
      field("Seed", seedInput()),
      make("p.faint", seed ? `Seed of this game: ${seed}` : ""),
      button({ text: "Watch", type: "submit", class: "primary" }),
    );
    showTime();
  }

  /** Show why a game cannot be watched; the size is one field here. */
  showError({ message, field: name }) {
    showFormError(this.root, { message, field: ["width", "height", "mines"].includes(name) ? "size" : name });
  }

  #read(data) {
    const [kind, name] = data.get("player").split(" ");
    const level = data.get("level");
    const size = level === CUSTOM ? data.get("size") : level;
    const request = { size, kind, name, ...readRules(data) };
    if (this.#takesSeconds(kind, name)) request.seconds = Number(data.get("seconds"));
    return request;
  }

  #takesSeconds(kind, name) {
    return kind === "player" && this.menu.timed_players.includes(name);
  }
}

/** Radio buttons for all players and solvers, each with a description. */
function playerChoice(watch, chosen) {
  const option = (group, name, about) => {
    const value = `${group} ${name}`;
    const input = make("input", { type: "radio", name: "player", value, checked: value === chosen });
    return make("label.player", input, make("strong", capitalise(name)), make("small", about));
  };
  return make(
    "div.players",
    ...Object.entries(GROUPS).map(([group, label]) =>
      make(
        "fieldset",
        make("legend", label),
        ...Object.entries(watch[group]).map(([name, about]) => option(group, name, about)),
      ),
    ),
  );
}
