/** `sb doctor`: one page about everything between this command and a script that runs in Studio. */
import { defineSchema } from "../protocol/schema.ts";
import type { Style } from "../util/style.ts";
import { cells, pad, wrap } from "../util/text-width.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import { defineCommand } from "../command-kit/definition.ts";
import type { OutputOf } from "../protocol/schema.ts";
import { checkSchema } from "../doctor/check-results.ts";
import type { Check } from "../doctor/check-results.ts";

const output = defineSchema((z) => z.object({ ok: z.boolean(), checks: z.array(checkSchema(z)) }));

export const command = defineCommand({
  name: "doctor",
  summary: "Check that everything is in place",
  description:
    "Checks the program, the key, the bridge host and its port, Studio, the plugin in it, and every connected session with its latency. Each line says what to do next. It exits with 1 when something is broken.",
  group: "Setup",
  examples: [
    { command: "sb doctor", note: "" },
    { command: "sb doctor --json", note: "" },
  ],
  surfaces: ["cli"],
  target: "connection",
  annotations: { readOnly: true, destructive: false, idempotent: true },
  input: defineSchema((z) => z.strictObject({})),
  output,
  cli: {},
  failed: ({ ok }) => !ok,
  format: reportText,
  async handler(_input, context) {
    context.status("Looking at this machine");
    const { examineAsync } = await import("../doctor/examine.ts");
    const checks = await examineAsync(context);
    return { ok: checks.every(({ status }) => status !== "fail"), checks };
  },
});

const STATUS_WIDTH = 6;

function reportText({ checks }: OutputOf<typeof output>, style: Style): string {
  const nameWidth = Math.max(...checks.map(({ name }) => cells(name))) + 2;
  const indent = " ".repeat(STATUS_WIDTH + nameWidth);
  const room = Math.max(20, style.columns - indent.length);
  const lines = checks.flatMap(({ name, status, message, next }) => {
    const [first = "", ...more] = wrap(visibleOnOneLine(message), room);
    return [
      `${paint(status, style)}${pad(name, nameWidth)}${first}`,
      ...more.map((line) => indent + line),
      ...(next === undefined ? [] : wrap(`→ ${next}`, room).map((line) => indent + style.dim(line))),
    ];
  });
  return [...lines, "", verdict(checks)].join("\n");
}

function paint(status: Check["status"], style: Style): string {
  const word = pad(status, STATUS_WIDTH);
  if (status === "fail") return style.red(word);
  return status === "warn" ? style.yellow(word) : style.cyan(word);
}

function verdict(checks: readonly Check[]): string {
  const count = (wanted: Check["status"]) => checks.filter(({ status }) => status === wanted).length;
  const parts = [
    ...(count("fail") === 0 ? [] : [`${count("fail")} broken`]),
    ...(count("warn") === 0 ? [] : [`${count("warn")} to look at`]),
  ];
  return parts.length === 0 ? "Everything is in place." : `${parts.join(", ")}.`;
}
