/** Reads the operations of `sb edit` from a file or from stdin. */
import { invalidInput } from "../../protocol/messages.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { CommandContext } from "../../command/context.ts";
import { checkedBy } from "../../command/input.ts";
import { defineSchema } from "../../protocol/schema.ts";
import { decodeScript, readInputFileAsync } from "../../command/scripts/script-source.ts";
import { TextFault } from "../../util/text-fault.ts";
import { operationSchema } from "./operations.ts";
import type { Operation } from "./operations.ts";

const fileSchema = defineSchema((z) =>
  z.union([z.array(operationSchema(z)), z.strictObject({ operations: z.array(operationSchema(z)) })]),
);

/** Throws FILE_ERROR for a file that cannot be read, INVALID_INPUT for one that holds no operations. */
export async function readOperationsAsync(file: string, context: CommandContext): Promise<Operation[]> {
  const name = file === "-" ? "stdin" : file;
  const text =
    file === "-" ? decodeScript(await context.readStdinAsync(), name) : await readInputFileAsync(file);
  const value = await parseAsync(text, name);
  const list = Array.isArray(value) ? value : undefined;
  // Of a list, the first operation that does not fit is named by its place.
  list?.forEach((operation, index) =>
    checkedBy(operationSchema, operation, (issues) => notOperations(name, index, issues)),
  );
  const read = checkedBy(fileSchema, value, () =>
    invalidInput(`${name} is no list of operations.`, 'It begins with [{ "op": "create", ... }, ...].'),
  );
  return Array.isArray(read) ? read : read.operations;
}

function notOperations(
  name: string,
  index: number,
  issues: readonly { readonly key: string; readonly message: string }[],
): StudioBridgeError {
  const faults = issues.map(({ key, message }) => (key === "" ? message : `${key}: ${message}`)).join("; ");
  return invalidInput(`${name}: operation ${index + 1}: ${faults}`, "`sb help edit` shows an example.");
}

async function parseAsync(text: string, name: string): Promise<unknown> {
  const { parseJsonc, valueOf } = await import("../../util/jsonc.ts");
  try {
    const root = parseJsonc(text);
    return root === undefined ? undefined : valueOf(root);
  } catch (error) {
    if (!(error instanceof TextFault)) throw error;
    throw invalidInput(`${name} is not JSON: ${error.message}`, "`sb help edit` shows an example.");
  }
}
