/** `sb ping`: how long each part of the way to Studio takes. */
import { defineCommand } from "../command-kit/definition.ts";
import { flagsOf } from "../command-kit/words/spelling.ts";
import { defineSchema } from "../protocol/schema.ts";
import type { OutputOf } from "../protocol/schema.ts";
import { pingAsync, pingReport } from "../session/ping.ts";
import type { Style } from "../util/style.ts";
import { textTable } from "../util/text-table.ts";

const COUNT_LIMIT = 10_000;
const LONGEST_INTERVAL_MS = 3_600_000;

const input = defineSchema((z) =>
  z.strictObject({
    count: z
      .int("expected a whole number of questions")
      .min(1, "expected at least 1 question")
      .max(COUNT_LIMIT, `expected at most ${COUNT_LIMIT} questions`)
      .default(10)
      .describe("How many questions, one after the other"),
    interval: z
      .int("expected a whole number of milliseconds")
      .min(0, "expected 0 milliseconds or more")
      .max(LONGEST_INTERVAL_MS, `expected at most ${LONGEST_INTERVAL_MS} milliseconds`)
      .default(0)
      .describe("Milliseconds between them"),
  }),
);

const output = defineSchema((z) =>
  z.object({
    hops: z.array(z.object({ name: z.string(), min: z.number(), p50: z.number(), p99: z.number() })),
    /** Present where most questions took long; `unknown` where nothing measured says why. */
    slow: z.object({ reason: z.string() }).optional(),
  }),
);
type Output = OutputOf<typeof output>;

export const command = defineCommand({
  name: "ping",
  summary: "Measure each part of the way to Studio",
  description:
    "Asks Studio for its state, again and again, and shows where the time goes: starting, connecting, the way to the bridge host and to Studio, the wait for Studio's next frame, the answer itself. Only times of one clock are compared.",
  group: "Bridge",
  examples: [
    { command: "sb ping", note: "" },
    { command: "sb ping -n 100 --interval 50 --json", note: "" },
  ],
  surfaces: ["cli", "terminal"],
  target: "session",
  waitsFor: "queryState",
  defaultContext: "edit",
  annotations: { readOnly: true, destructive: false, idempotent: true },
  input,
  output,
  cli: {
    positionals: [{ key: "sessionId", label: "SESSION-ID" }],
    flags: flagsOf(input, {
      count: { alias: "n", kind: "number", label: "N" },
      interval: { kind: "number", label: "MS" },
    }),
  },
  format: pingText,
  async prepareAsync({ count, interval }) {
    const begunAtMs = performance.now();
    return async ({ bridge, session, signal, timeoutMs, isRepl, status }) => {
      const connectedMs = performance.now() - begunAtMs;
      const timeout = timeoutMs === undefined ? {} : { timeoutMs };
      let answered = 0;
      const all = await pingAsync(bridge.session(session.sessionId), {
        ...{ count, intervalMs: interval, signal, ...timeout },
        asked: () => status(`${++answered} of ${count} answered`),
      });
      // A REPL has started and connected long before.
      const once =
        isRepl === true
          ? []
          : ([
              ["start of sb", begunAtMs],
              ["connecting and proof", connectedMs],
            ] as const);
      const { hops, slow } = pingReport(all, new Map(once));
      return { hops: [...hops], ...(slow === undefined ? {} : { slow }) };
    };
  },
});

function pingText({ hops, slow }: Output, style: Style): string {
  const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
  const [head = "", ...rows] = textTable(
    [
      { title: "", value: ({ name }) => name },
      { title: "MIN", value: ({ min }) => ms(min), dropRank: 1 },
      { title: "P50", value: ({ p50 }) => ms(p50) },
      { title: "P99", value: ({ p99 }) => ms(p99), dropRank: 2 },
    ],
    hops,
    style.columns,
  );
  const why = slow?.reason === "unknown" ? "nothing that is measured says why" : slow?.reason;
  const remark = why === undefined ? [] : [style.yellow(`Studio answers slowly: ${why}.`)];
  return [style.dim(head), ...rows, ...remark].join("\n");
}
