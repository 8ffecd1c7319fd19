/** Turns a path as people and agents write it into the form that the plugin reads. */

/** A path of the plugin starts at `game`, which people may leave out, or at the id of an Instance. */
export function wirePath(expression: string): string {
  if (/^[@$]/.test(expression)) return expression;
  if (/^game(?![^.[])/.test(expression)) return expression;
  return expression.startsWith("[") ? `game${expression}` : `game.${expression}`;
}

/** A path of the plugin as results show it: without `game`. */
export function shownPath(wire: string): string {
  if (wire.startsWith("game[")) return wire.slice("game".length);
  return wire.startsWith("game.") ? wire.slice("game.".length) : wire;
}

/** A text of the plugin with its paths as results show them. */
export function withoutGame(text: string): string {
  return text.replace(/(?<![\w.])game\./g, "");
}
