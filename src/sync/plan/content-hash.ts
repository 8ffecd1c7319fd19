/** The hash of one side's content of an Instance, by which a caller says which state a choice was made for. */
import type { RojoNode } from "../../roblox/rojo/node.ts";
import type { SerializedValue } from "../../protocol/values.ts";
import { publicAttribute, publicProperty } from "../../roblox/public-values.ts";
import { gitBlobHash } from "../../util/git-blob-hash.ts";
import { type Normalizer, withLf } from "./normalize.ts";

/** Of a script, what git calls its source with LF; of anything else, the hash of all that it states. */
export function contentHash(node: RojoNode, normalizer: Normalizer): string {
  const { source, properties, attributes, tags, references } = normalizer.view(node);
  if (source !== undefined) return gitBlobHash(source);
  const { className } = node;
  const { schema } = normalizer;
  const text = (json: SerializedValue) => withLf(typeof json === "string" ? json : JSON.stringify(json));
  const lines = [
    ...[...properties].map(
      ([key, { value }]) => `property ${key} ${text(publicProperty(schema, className, key, value))}`,
    ),
    ...[...attributes].map(
      ([name, value]) => `attribute ${name} ${JSON.stringify(publicAttribute(schema, value))}`,
    ),
    ...[...(tags ?? [])].map((tag) => `tag ${tag}`),
    ...[...references].map(([name, target]) => `reference ${name} ${target.className} ${target.name}`),
  ];
  return gitBlobHash([`${className} ${node.name}`, ...lines.sort()].join("\n"));
}
