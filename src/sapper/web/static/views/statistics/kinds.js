// Kinds of games in a player's words: what the first click does, and whether guesses are needed.

/** What the rules of some games promise; *menu* has the words. */
export function promise({ rules, deals }, { rule, deal }) {
  const dealt = deal === "plain" ? "" : `, ${deals[deal] ?? "a given board"}`;
  return `${rules[rule] ?? rule}${dealt}`;
}
