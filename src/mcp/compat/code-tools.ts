/** The tools that run code in edit mode or read what was printed: run_code, insert_model, get_console_output. */
import type { Command } from "../../command-kit/definition.ts";
import { insertModelAsync } from "../../model/insert-model.ts";
import { stepName } from "../../tree/change/step-name.ts";
import { executeScriptAsync } from "../../command-kit/scripts/execute-script.ts";
import { valueText } from "../../output/value-text.ts";
import { defineSchema } from "../../protocol/schema.ts";
import { markedLine } from "./console.ts";
import type { ConsoleReader } from "./console.ts";
import { defineCompat } from "./define-compat.ts";
import consoleDescription from "./get_console_output.md" with { type: "text" };
import insertDescription from "./insert_model.md" with { type: "text" };
import runDescription from "./run_code.md" with { type: "text" };

const text = defineSchema((z) => z.string());
const runInput = defineSchema((z) =>
  z.object({ command: z.string().min(1, "the code is empty").describe("Code to run") }),
);
const insertInput = defineSchema((z) =>
  z.object({ query: z.string().min(1, "the query is empty").describe("What to search for") }),
);

export function codeTools(console: ConsoleReader): Command[] {
  return [
    defineCompat({
      name: "run_code",
      summary: "Run Luau code",
      description: runDescription,
      readOnly: false,
      target: "session",
      input: runInput,
      output: text,
      async handler({ command }, context) {
        console.clear(context);
        const { success, error, logs, returnValues } = await executeScriptAsync(context, { text: command });
        const lines = logs.map(({ level, body }) => markedLine(level, body));
        const values = returnValues.map((value) => `[RETURNED RESULTS] ${valueText(value)}`);
        const told = [...lines, ...values, ...(success ? [] : [`[UNEXPECTED ERROR] ${error ?? ""}`])];
        return told.length === 0 ? "(nothing was printed or returned)" : told.join("\n");
      },
    }),
    defineCompat({
      name: "insert_model",
      summary: "Insert a model from the Creator Store",
      description: insertDescription,
      readOnly: false,
      target: "session",
      input: insertInput,
      output: text,
      async handler({ query }, context) {
        const request = { query, name: stepName(`insert ${query}`) };
        const { inserted, scripts, modules = [] } = await insertModelAsync(request, context);
        const disabled = scripts.filter((path) => !modules.includes(path));
        return [
          ...inserted.map(({ path }) => path.replace(/^Workspace\./, "")),
          ...(disabled.length === 0 ? [] : [`Its scripts are disabled: ${disabled.join(", ")}`]),
          ...(modules.length === 0 ? [] : [`These run when required: ${modules.join(", ")}`]),
        ].join("\n");
      },
    }),
    defineCompat({
      name: "get_console_output",
      summary: "Read Studio's output",
      description: consoleDescription,
      readOnly: true,
      target: "session",
      input: defineSchema((z) => z.object({})),
      output: text,
      handler: (_input, context) => console.readAsync(context),
    }),
  ];
}
