// Kinds of games in a player's words: what the first click does, and whether guesses are needed.

/** What the rules of some games promise; *menu* has the words. */
export function promise({ rules, generators }, { rule, generator }) {
  const board = generator === "plain" ? "" : `, ${generators[generator] ?? "a given board"}`;
  return `${rules[rule] ?? rule}${board}`;
}
