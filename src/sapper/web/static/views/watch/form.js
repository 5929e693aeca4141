// Choosing what to watch: who plays, and on which deal.

import { button, make } from "../../lib/dom.js";
import { field, levelOf, readRules, rulesFields, seedInput, select } from "../../lib/forms.js";

const OWN = "custom";
const SECONDS = 2; // that a player thinks about a guess
const GROUPS = { player: "Players guess when they must", solver: "Solvers stop when stuck" };

export class WatchForm {
  /** *submit* gets the request that was chosen. */
  constructor(menu, submit) {
    this.menu = menu;
    this.root = make("form", {
      class: "watch-form",
      onsubmit: (event) => {
        event.preventDefault();
        submit(this.#read());
      },
    });
  }

  /** Show a request, and the seed of its deal where it is known. */
  fill({ size, kind, name, seconds = SECONDS, seed = "", ...rules }) {
    const { levels, watch } = this.menu;
    const level = levelOf(levels, size) ?? OWN;
    const own = field("Size", make("input", { name: "size", value: levels[level] ?? size, placeholder: "30x16/99", autocomplete: "off" }));
    const rows = [...Object.keys(levels).map((known) => [known, known]), [OWN, "own size"]];
    const choice = select("level", rows, level);
    const showOwn = () => (own.hidden = choice.value !== OWN);
    choice.addEventListener("change", showOwn);
    showOwn();
    const who = whoSelect(watch, `${kind} ${name}`);
    const time = field("Seconds for a guess", make("input", { name: "seconds", type: "number", min: 1, max: 8, step: 1, value: seconds }));
    const showTime = () => (time.hidden = !this.#takes_seconds(...who.value.split(" ")));
    who.addEventListener("change", showTime);
    showTime();
    this.root.replaceChildren(
      field("Who", who),
      time,
      field("Level", choice),
      own,
      ...rulesFields(this.menu, rules),
      field("Seed", seedInput()),
      make("p", { class: "faint", text: seed ? `This deal has seed ${seed}.` : "" }),
      button({ text: "Watch", type: "submit" }),
    );
  }

  #read() {
    const form = new FormData(this.root);
    const [kind, name] = form.get("who").split(" ");
    const level = form.get("level");
    const size = level === OWN ? form.get("size") : level;
    const request = { size, kind, name, ...readRules(form) };
    if (form.get("seed")) request.seed = form.get("seed");
    if (this.#takes_seconds(kind, name)) request.seconds = Number(form.get("seconds"));
    return request;
  }

  #takes_seconds(kind, name) {
    return kind === "player" && this.menu.timed_players.includes(name);
  }
}

function whoSelect(watch, chosen) {
  const option = (group, name, about) => {
    const value = `${group} ${name}`;
    return make("option", { value, text: name, title: about, selected: value === chosen });
  };
  return make(
    "select",
    { name: "who" },
    ...Object.entries(GROUPS).map(([group, label]) =>
      make("optgroup", { label }, ...Object.entries(watch[group]).map(([name, about]) => option(group, name, about))),
    ),
  );
}
