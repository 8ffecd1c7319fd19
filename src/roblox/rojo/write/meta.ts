/** The text of `.meta.json` files: what the file or folder beside them does not say itself. */
import { setJson } from "../../../util/json-edit.ts";
import { membersOf, parseJsonc } from "../../../util/jsonc.ts";
import type { FileSchema } from "../../schema.ts";
import { changedStatement, type StatementChanges, type StatementKeys, type Unwritable } from "./statement.ts";

const KEYS: StatementKeys = {
  className: ["className"],
  id: "id",
  properties: ["properties"],
  attributes: ["attributes"],
};

export interface MetaChanges extends StatementChanges {
  readonly ignoreUnknownInstances?: boolean;
}

/**
 * `old` is undefined for a new file; so is the text for a file that says nothing any more. `className` is the class of the
 * Instance before the changes. Throws TextFault for an old text that is no JSON.
 */
export function metaText(
  schema: FileSchema,
  old: string | undefined,
  className: string,
  { ignoreUnknownInstances, ...changes }: MetaChanges,
): { readonly text: string | undefined; readonly unwritable: readonly Unwritable[] } {
  const start =
    ignoreUnknownInstances === undefined
      ? (old ?? "")
      : setJson(old ?? "", ["ignoreUnknownInstances"], ignoreUnknownInstances);
  const { text, unwritable } = changedStatement(start, [], KEYS, schema, className, changes);
  return { text: saysNothing(text) ? undefined : text, unwritable };
}

/** A comment is worth keeping, and so is a file that an editor is told the schema of together with something else. */
function saysNothing(text: string): boolean {
  if (text.trim() === "") return true;
  const root = parseJsonc(text);
  const members = root === undefined ? [] : membersOf(root);
  return (
    members.every(({ key }) => key === "$schema") && !/\/[/*]/.test(text.replace(/"(?:[^"\\]|\\.)*"/g, ""))
  );
}
