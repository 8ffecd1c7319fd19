/** How files write that one Instance refers to another: by an attribute that names the other's id. */
import type { FileValue } from "../../roblox/model.ts";
import type { RojoNode } from "../../roblox/rojo/node.ts";
import { textOfByteString, utf8ByteString } from "../../util/bytes.ts";
import { randomHex } from "../../util/random-hex.ts";
import type { ExpectedTree } from "./expected-tree.ts";

const TARGET_PREFIX = "Rojo_Target_";
const ID_ATTRIBUTE = "Rojo_Id";
const ID_BYTES = 16;

/** `modelOf` gives the same value for Instances in one binary or XML model, where references need no attributes. */
export function writeReferences(expected: ExpectedTree, modelOf: (node: RojoNode) => unknown): void {
  for (const [node, change] of [...expected.changes]) {
    for (const name of change.references) {
      const attribute = utf8ByteString(TARGET_PREFIX + name);
      const target = node.references.get(name);
      const model = modelOf(node);
      const isNative = target !== undefined && model !== undefined && model === modelOf(target);
      if (target === undefined || isNative) {
        if (node.attributes.delete(attribute)) change.attributes.add(attribute);
        continue;
      }
      const id = idOf(target) ?? giveId(target, modelOf(target) !== undefined, expected, change.items);
      node.attributes.set(attribute, text(id));
      change.attributes.add(attribute);
    }
  }
}

function idOf({ id, attributes }: RojoNode): string | undefined {
  const value = attributes.get(ID_ATTRIBUTE)?.value;
  return id ?? (typeof value === "string" ? textOfByteString(value) : undefined);
}

function giveId(
  target: RojoNode,
  isInModel: boolean,
  expected: ExpectedTree,
  items: Parameters<ExpectedTree["touch"]>[1],
): string {
  const id = randomHex(ID_BYTES);
  const change = expected.touch(target, items);
  if (isInModel) {
    target.attributes.set(ID_ATTRIBUTE, text(id));
    change.attributes.add(ID_ATTRIBUTE);
  } else {
    target.id = id;
    change.id = true;
  }
  return id;
}

const text = (value: string): FileValue => ({ type: "String", value: utf8ByteString(value) });
