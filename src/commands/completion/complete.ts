/**
 * The hidden command that shells run at the Tab key: prints the words that fit at the cursor, one candidate per line.
 */
import { defineSchema } from "../../protocol/schema.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import type { Candidate, Completion } from "../../command/words/completion-candidates.ts";
import { defineCommand } from "../../command/definition.ts";
import { portSchema } from "../../command/words/port.ts";
import { contextTitle, shortSessionId } from "../../command/sessions/session-messages.ts";

/** A person who presses Tab should not wait for a busy host. */
const BRIDGE_TIMEOUT_MS = 300;
/** Ends the last word, so that shells that drop empty words still say where the cursor is. */
const CURSOR = "|";

const input = defineSchema((z) =>
  z.strictObject({
    words: z.array(z.string()).default([]).describe("The words after sb, the last one ended by |"),
  }),
);

const output = defineSchema((z) =>
  z.object({
    candidates: z.array(z.object({ value: z.string(), description: z.string() })),
    /** The shell's own completion of paths fits too. */
    files: z.boolean(),
  }),
);

export const command = defineCommand({
  name: "complete",
  summary: "Complete a command line",
  description: "Prints the words that fit at the cursor of a command line. For shells, not for people.",
  group: "Help",
  examples: [],
  surfaces: ["cli"],
  target: "none",
  annotations: { readOnly: true, destructive: false, idempotent: true },
  input,
  output,
  cli: {
    hidden: true,
    rest: { key: "words", label: "WORDS", description: "The words after sb, the last one ended by |" },
  },
  format: ({ candidates, files }) =>
    [
      ...candidates.map(({ value, description }) =>
        description === "" ? value : `${value}\t${visibleOnOneLine(description)}`,
      ),
      ...(files ? [":files"] : []),
    ].join("\n"),
  async handler({ words }, { catalog }) {
    const { completionFor } = await import("../../command/words/completion-candidates.ts");
    const before = words.slice(0, -1);
    const current = words.at(-1) ?? "";
    const completion = completionFor(
      before,
      current.endsWith(CURSOR) ? current.slice(0, -1) : current,
      await catalog.allAsync(),
    );
    const found = [
      ...completion.found,
      ...(await bridgeCandidatesAsync(completion, before)),
      ...(completion.also === "suites" ? await suiteCandidatesAsync() : []),
    ];
    return {
      candidates: found
        .filter(({ value }) => value.startsWith(completion.partial))
        .map(({ value, description }) => ({ value: completion.prefix + value, description })),
      files: completion.also === "files",
    };
  },
});

async function bridgeCandidatesAsync(
  { also }: Completion,
  words: readonly string[],
): Promise<readonly Candidate[]> {
  if (also !== "sessions" && also !== "instances") return [];
  const sessions = await Promise.race([listSessionsAsync(portIn(words)), Bun.sleep(BRIDGE_TIMEOUT_MS)]);
  if (sessions === undefined) return [];
  return also === "sessions"
    ? sessions.map((session) => ({
        value: shortSessionId(session.sessionId, sessions),
        description: `${session.placeName}, ${contextTitle(session)}`,
      }))
    : [...new Map(sessions.map(({ instanceId, placeName }) => [instanceId, placeName]))].map(
        ([value, description]) => ({ value, description }),
      );
}

/** The suites in the settings of this folder; none where they cannot be read, because `sb test` says why. */
async function suiteCandidatesAsync(): Promise<readonly Candidate[]> {
  const { findProjectFileAsync } = await import("../../command/project/find-project-file.ts");
  const { suiteNamesIn } = await import("../../command/project/test-settings.ts");
  const found = await findProjectFileAsync(process.cwd());
  try {
    return (found === undefined ? [] : suiteNamesIn(found)).map((value) => ({ value, description: "" }));
  } catch {
    return [];
  }
}

/** Lists the sessions of a running host; completion starts none, because the user has not run a command yet. */
async function listSessionsAsync(port: number | undefined): Promise<readonly SessionInfo[]> {
  const { BridgeConnection } = await import("../../bridge/index.ts");
  try {
    await using bridge = await BridgeConnection.connectAsync(port === undefined ? {} : { port });
    return await bridge.sessionsAsync();
  } catch {
    return [];
  }
}

function portIn(words: readonly string[]): number | undefined {
  const [, port = process.env["SB_PORT"]] = /(?:^| )--port[= ](\d+)(?: |$)/.exec(words.join(" ")) ?? [];
  return portSchema.read(Number(port))?.value;
}
