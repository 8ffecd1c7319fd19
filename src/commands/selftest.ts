/** `sb selftest`: checks in a Studio whether the assumptions of studio-bridge about Roblox Studio hold there. */
import type { SessionCommandContext } from "../command-kit/context.ts";
import { defineCommand } from "../command-kit/definition.ts";
import { flagsOf } from "../command-kit/words/spelling.ts";
import { headlessVariants } from "../headless/index.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { invalidInput } from "../protocol/messages.ts";
import { defineSchema } from "../protocol/schema.ts";
import { areas } from "../selftest/findings.ts";
import { checkReportFoldersAsync, reportFiles, writeReportAsync } from "../selftest/report-files.ts";
import type { PersonSurface } from "../selftest/person-check.ts";
import { reportSchema, screenText } from "../selftest/report.ts";

/** Time for the end of a play test and for the clean-up after Ctrl+C. */
const GRACE_MS = 30_000;

const input = defineSchema((z) =>
  z.strictObject({
    only: z
      .array(z.enum(areas, `expected ${areas.join(", ")}`))
      .default([])
      .describe("Only these areas: bridge, assumptions, engine"),
    play: z.boolean().default(false).describe("Also start a play test with two clients"),
    person: z
      .boolean()
      .default(false)
      .describe("Also ask you what only a person who looks at Studio can tell"),
    report: z
      .string()
      .min(1, "expected a file name")
      .optional()
      .describe("Write the report: FILE.json, FILE.md, or FILE for both"),
  }),
);

export const command = defineCommand({
  name: "selftest",
  summary: "Check the assumptions about Studio",
  description:
    "Checks in a Studio whether the assumptions of studio-bridge about Roblox Studio hold: every action of the bridge, each assumption that a script can test, and the behaviour that headless Studio simulates. It works in a folder of its own in ServerStorage and takes back its changes. The report contains nothing from the place, so you can send it to others. Exits with 1 if something differs, and with 2 if it cannot start.",
  group: "Setup",
  examples: [
    { command: "sb selftest", note: "best with an empty place open" },
    { command: "sb selftest --play --report report", note: "writes report.json and report.md" },
    { command: "sb selftest --only assumptions --person", note: "seven questions, about two minutes" },
    { command: "sb selftest --headless", note: "the same checks in headless Studio" },
  ],
  surfaces: ["cli"],
  target: "session",
  defaultContext: "edit",
  graceMs: GRACE_MS,
  answersByExitCode: () => true,
  annotations: { readOnly: false, destructive: false, idempotent: true },
  input,
  output: reportSchema,
  cli: {
    asks: true,
    positionals: [{ key: "sessionId", label: "SESSION-ID" }],
    flags: flagsOf(input, {
      only: { kind: "list", label: "AREA" },
      play: "boolean",
      person: "boolean",
      report: { kind: "string", label: "FILE" },
    }),
  },
  failed: ({ ok }) => !ok,
  format: screenText,
  async prepareAsync({ only, play, person, report }) {
    const files = report === undefined ? [] : reportFiles(report);
    await checkReportFoldersAsync(files);
    if (play && only.length > 0 && only.every((area) => area === "engine"))
      throw invalidInput("--play checks nothing of the engine.", "Leave out --play, or --only engine.");
    if (person && only.length > 0 && !only.includes("assumptions"))
      throw invalidInput(
        "--person checks assumptions only.",
        "Leave out --person, or add assumptions to --only.",
      );
    return async (context) => {
      const asked = person ? await personAsync(context) : undefined;
      await confirmAsync(context);
      const { runSelftestAsync } = await import("../selftest/run-selftest.ts");
      const made = await runSelftestAsync({
        ...context,
        status: (text) => context.status(text),
        areas: only.length === 0 ? areas : areas.filter((area) => only.includes(area)),
        play,
        person: asked,
        variants: headlessVariants(),
      });
      await writeReportAsync(files, made);
      for (const file of files) context.emit({ stream: "stderr", text: () => `Wrote ${file}` });
      return made;
    };
  },
});

/** Throws INVALID_INPUT where there is no person to ask, or nothing to look at. */
async function personAsync({ session, openKeys, ...context }: SessionCommandContext): Promise<PersonSurface> {
  const { checkPerson } = await import("../selftest/person-check.ts");
  return { ...context, openKeys: checkPerson(session, openKeys) };
}

/** Asks before the self-test runs in a published place. Throws INVALID_INPUT unless the user agrees. */
async function confirmAsync({ session, confirmAsync: askAsync }: SessionCommandContext): Promise<void> {
  if (session.placeId === 0 || session.origin === "headless") return;
  const question = "This place is published. Run the self-test in it? It takes back its changes.";
  if ((await askAsync?.(question)) === true) return;
  throw new StudioBridgeError(
    "INVALID_INPUT",
    "The self-test was not run, because this place is published.",
    {
      hint: "Open an empty place for it, or add --yes.",
    },
  );
}
