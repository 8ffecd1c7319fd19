/** The hash of one side's content of an Instance, by which a caller says which state a choice was made for. */
import type { RojoNode } from "../../roblox/rojo/node.ts";
import { gitBlobHash } from "../../util/git-blob-hash.ts";
import { attributeText, type Normalizer } from "./normalize.ts";

/** Of a script, what git calls its source with LF; of anything else, the hash of all that it states. */
export function contentHash(node: RojoNode, normalizer: Normalizer): string {
  const { source, properties, attributes, tags, references } = normalizer.view(node);
  if (source !== undefined) return gitBlobHash(source);
  const { className } = node;
  const lines = [
    ...[...properties].map(
      ([key, { name, value }]) => `property ${key} ${normalizer.textOf(className, name, value)}`,
    ),
    ...[...attributes].map(([name, value]) => `attribute ${name} ${attributeText(value)}`),
    ...[...(tags ?? [])].map((tag) => `tag ${tag}`),
    ...[...references].map(([name, target]) => `reference ${name} ${target.className} ${target.name}`),
  ];
  return gitBlobHash([`${className} ${node.name}`, ...lines.sort()].join("\n"));
}
