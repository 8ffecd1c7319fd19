/** Makes lists of changes for results from those of the plugin, and shows them to people. */
import type { WireChange } from "../../protocol/fields/changes.ts";
import { inOrder } from "../../protocol/values.ts";
import type { SerializedValue } from "../../protocol/values.ts";
import type { Style } from "../../util/style.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import type { Change, ValuePair } from "./change-schema.ts";
import { diffText, unifiedDiff } from "../../scripts/unified-diff.ts";
import { literalText } from "../../output/value-text.ts";

/** Paths in results are given without `game.`. */
export function changeOf({ path: full, source, properties, attributes, ...rest }: WireChange): Change {
  const path = full.replace(/^game\./, "");
  const diff = source === undefined ? undefined : unifiedDiff(path, source.before, source.after);
  return {
    path,
    ...rest,
    properties: sorted(properties),
    ...(attributes === undefined ? {} : { attributes: sorted(attributes) }),
    ...(diff === undefined ? {} : { source: diff }),
  };
}

function sorted(pairs: { readonly [name: string]: ValuePair }): { [name: string]: ValuePair } {
  const entries = Object.entries(pairs).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(
    entries.map(([name, { before, after }]) => [
      name,
      {
        ...(before === undefined ? {} : { before: shownValue(before) }),
        ...(after === undefined ? {} : { after: shownValue(after) }),
      },
    ]),
  );
}

function shownValue(value: SerializedValue): SerializedValue {
  const ordered = inOrder(value);
  if (typeof ordered !== "object" || ordered === null || Array.isArray(ordered)) return ordered;
  const path = Reflect.get(ordered, "path");
  return typeof path === "string" ? { ...ordered, path: path.replace(/^game\./, "") } : ordered;
}

const SIGNS = { added: "+", removed: "-", moved: ">", changed: "~" } as const;

/** One line for each Instance, and below it one for each value that differs. */
export function changesText(changes: readonly Change[], style: Style): string {
  return changes.map((change) => changeText(change, style)).join("\n");
}

function changeText({ path, className, change, ...parts }: Change, style: Style): string {
  const { body, dim } = style;
  const { properties, attributes = {}, tags, source } = parts;
  const head = `${SIGNS[change]} ${visibleOnOneLine(path)}`;
  const lines = [`${painted(change, body(head), style)} ${dim(className)}`];
  const write = (name: string, pair: ValuePair) =>
    lines.push(`    ${visibleOnOneLine(name)}: ${pairText(pair, style)}`);
  for (const [name, pair] of Object.entries(properties)) write(name, pair);
  for (const [name, pair] of Object.entries(attributes)) write(`attribute ${name}`, pair);
  if (tags !== undefined) write("tags", { before: tags.before.join(", "), after: tags.after.join(", ") });
  if (source !== undefined) lines.push(diffText(source, style));
  return lines.join("\n");
}

function painted(change: Change["change"], text: string, { green, red, cyan }: Style): string {
  if (change === "added") return green(text);
  return change === "removed" ? red(text) : cyan(text);
}

function pairText({ before, after }: ValuePair, style: Style): string {
  const [old, fresh] = [before, after].map((value) =>
    value === undefined ? undefined : literalText(value, style),
  );
  if (old === undefined) return fresh ?? "";
  return `${old} -> ${fresh ?? style.dim("none")}`;
}
