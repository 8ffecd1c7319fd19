/** Reads the operations of `sb edit` from a file or from stdin. */
import { invalidInput } from "../../protocol/messages.ts";
import type { CommandContext } from "../../command-kit/context.ts";
import { checkedBy, placeOf } from "../../protocol/input.ts";
import { decodeScript, readInputFileAsync } from "../../files/script-source.ts";
import { isTerminal } from "../../util/is-terminal.ts";
import { TextFault } from "../../util/text-fault.ts";
import { operationSchema } from "../../edit/operations.ts";
import type { Operation } from "../../edit/operations.ts";

/** Throws FILE_ERROR for a file that cannot be read, INVALID_INPUT for one that holds no operations. */
export async function readOperationsAsync(file: string, context: CommandContext): Promise<Operation[]> {
  const name = file === "-" ? "stdin" : file;
  if (file === "-" && isTerminal(0)) tellOfStdin(context);
  const text =
    file === "-" ? decodeScript(await context.readStdinAsync(), name) : await readInputFileAsync(file);
  if (text.trim() === "") return [];
  const value = await parseAsync(text, name);
  const isWrapped = typeof value === "object" && value !== null && "operations" in value;
  const list = isWrapped ? value.operations : value;
  if (Array.isArray(list)) return checkedOperations(list, name);
  throw invalidInput(
    `${name} is not a list of operations.`,
    'It begins with [{ "op": "create", ... }, ...].',
  );
}

/** Who has typed the command at a terminal would otherwise not know that it waits. A line of progress would hide what is typed. */
function tellOfStdin(context: CommandContext): void {
  const end = process.platform === "win32" ? "Ctrl+Z and Enter" : "Ctrl+D";
  const text = `Type or paste the operations as JSON; ${end} ends them.`;
  context.emit({ stream: "stderr", text: (style) => style.dim(text) });
}

/** Throws INVALID_INPUT, which names the first operation that does not fit by its place in `name`. */
export function checkedOperations(list: readonly unknown[], name: string): Operation[] {
  return list.map((operation, index) =>
    checkedBy(operationSchema, operation, (issues) => {
      const faults = issues.map((issue) =>
        issue.key === "" ? issue.message : `${placeOf(issue.key, issue)}: ${issue.message}`,
      );
      return invalidInput(
        `${name}: operation ${index + 1}: ${faults.join("; ")}`,
        "`sb help edit` shows an example.",
        `An operation may have ${operationSchema.keys().join(", ")}.`,
      );
    }),
  );
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
