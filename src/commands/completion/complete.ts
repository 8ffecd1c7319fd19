/**
 * The hidden command that shells run at the Tab key: prints the words that fit at the cursor, one candidate per line.
 */
import { defineSchema } from "../../protocol/schema.ts";
import type { BridgeConnection } from "../../bridge/index.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import type { Candidate, Completion } from "../../command-kit/words/completion-candidates.ts";
import type { FoundProjectFile } from "../../project/find-project-file.ts";
import { defineCommand } from "../../command-kit/definition.ts";
import type { Lookup } from "../../command-kit/words/spelling.ts";
import { portSchema } from "../../protocol/port.ts";
import { contextTitle, shortSessionId } from "../../session/session-messages.ts";

/** A person who presses Tab should not wait for a busy host. */
const BRIDGE_TIMEOUT_MS = 300;
const GIT_TIMEOUT_MS = 2_000;
const GOES_ON: ReadonlySet<Lookup> = new Set(["paths", "members", "properties", "api"]);
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
    /** A candidate may be the beginning of a word: of a longer path, or of NAME=VALUE. */
    goesOn: z.boolean(),
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
  format: ({ candidates, files, goesOn }) =>
    [
      ...(goesOn ? [":goes-on"] : []),
      ...candidates.map(({ value, description }) =>
        description === "" ? value : `${value}\t${visibleOnOneLine(description)}`,
      ),
      ...(files ? [":files"] : []),
    ].join("\n"),
  async handler({ words }, { catalog }) {
    const { completionFor } = await import("../../command-kit/words/completion-candidates.ts");
    const before = words.slice(0, -1);
    const current = words.at(-1) ?? "";
    const completion = completionFor(
      before,
      current.endsWith(CURSOR) ? current.slice(0, -1) : current,
      await catalog.allAsync(),
    );
    const found = [...completion.found, ...(await lookedUpAsync(completion, before))];
    const { also, property } = completion;
    return {
      candidates: found
        .filter(({ value }) => value.startsWith(completion.partial))
        .map(({ value, description }) => ({ value: completion.prefix + value, description })),
      files: also === "files" || also === "sides",
      goesOn: also !== undefined && property === undefined && GOES_ON.has(also),
    };
  },
});

async function lookedUpAsync(
  completion: Completion,
  words: readonly string[],
): Promise<readonly Candidate[]> {
  switch (completion.also) {
    case "sessions":
      return sessionCandidates(await sessionsInTimeAsync(words));
    case "instances": {
      const sessions = await sessionsInTimeAsync(words);
      const places = new Map(sessions.map(({ instanceId, placeName }) => [instanceId, placeName]));
      return [...places].map(([value, description]) => ({ value, description }));
    }
    case "targets":
      return targetCandidatesAsync(words);
    case "suites":
      return suiteCandidatesAsync();
    case "commits":
      return commitCandidatesAsync();
    case "classes":
    case "newClasses":
    case "api":
      return (await import("../../command-kit/words/api-candidates.ts")).nameCandidatesAsync(completion);
    case "paths":
    case "members":
    case "sides":
    case "properties":
    case "checkpoints":
      return (
        (await Promise.race([placeCandidatesAsync(completion, words), Bun.sleep(BRIDGE_TIMEOUT_MS)])) ?? []
      );
    default:
      return [];
  }
}

/** Empty where no Studio is connected, or where the words leave open which one is meant. */
async function placeCandidatesAsync(
  completion: Completion,
  words: readonly string[],
): Promise<readonly Candidate[]> {
  const { also, partial, subject } = completion;
  const { assignmentCandidatesAsync } = await import("../../command-kit/words/api-candidates.ts");
  if (subject?.kind === "class") return assignmentCandidatesAsync(subject.word, completion);
  const place = await import("../../command-kit/words/place-candidates.ts");
  return withBridgeAsync(words, async (bridge) => {
    const session = place.meantSession(await bridge.sessionsAsync(), words);
    if (session === undefined) return [];
    if (also === "paths" || also === "members")
      return place.pathCandidatesAsync(bridge, session, partial, also === "members");
    if (also === "checkpoints") return place.checkpointCandidatesAsync(session);
    if (also === "sides") return place.checkpointSidesAsync(session);
    if (subject === undefined) return [];
    return assignmentCandidatesAsync(await place.classAtAsync(bridge, session, subject.word), completion);
  });
}

const sessionCandidates = (sessions: readonly SessionInfo[]): readonly Candidate[] =>
  sessions.map((session) => ({
    value: shortSessionId(session.sessionId, sessions),
    description: `${session.placeName}, ${contextTitle(session)}`,
  }));

const sessionsInTimeAsync = async (words: readonly string[]): Promise<readonly SessionInfo[]> =>
  (await Promise.race([
    withBridgeAsync(words, (bridge) => bridge.sessionsAsync()),
    Bun.sleep(BRIDGE_TIMEOUT_MS),
  ])) ?? [];

/** A Studio that is connected, and the places in the cloud that the settings of this folder name. */
async function targetCandidatesAsync(words: readonly string[]): Promise<readonly Candidate[]> {
  const { testSettingsIn } = await import("../../project/test-settings.ts");
  const sessions = sessionCandidates(await sessionsInTimeAsync(words));
  const cloud = await fromSettingsAsync((found) => testSettingsIn(found).cloud);
  return [
    ...sessions.map(({ value, description }) => ({ value: `studio:${value}`, description })),
    ...(cloud?.places ?? []).map((place) => ({
      value: `cloud:${cloud?.universe}/${place}`,
      description: "test.cloud",
    })),
  ];
}

async function suiteCandidatesAsync(): Promise<readonly Candidate[]> {
  const { suiteNamesIn } = await import("../../project/test-settings.ts");
  return ((await fromSettingsAsync(suiteNamesIn)) ?? []).map((value) => ({ value, description: "" }));
}

/** What the settings of this folder say; undefined where they cannot be read, because `sb test` says why. */
async function fromSettingsAsync<T>(read: (found: FoundProjectFile) => T): Promise<T | undefined> {
  const { findProjectFileAsync } = await import("../../project/find-project-file.ts");
  try {
    const found = await findProjectFileAsync(process.cwd());
    return found === undefined ? undefined : read(found);
  } catch {
    return undefined;
  }
}

/** Branches and tags of the repository around this folder; none without git. */
async function commitCandidatesAsync(): Promise<readonly Candidate[]> {
  const { Git } = await import("../../util/git.ts");
  const program = Bun.which("git");
  if (program === null) return [];
  const git = new Git(program, process.cwd(), AbortSignal.timeout(GIT_TIMEOUT_MS));
  const names = await git.refsAsync().catch(() => []);
  return ["HEAD", ...names].map((value) => ({ value, description: "" }));
}

/** Asks a running host; completion starts none, because the user has not run a command yet. Empty where it cannot answer. */
async function withBridgeAsync<Item>(
  words: readonly string[],
  askAsync: (bridge: BridgeConnection) => Promise<readonly Item[]>,
): Promise<readonly Item[]> {
  const { BridgeConnection } = await import("../../bridge/index.ts");
  const { typedFlag } = await import("../../command-kit/words/typed-flag.ts");
  const port = portSchema.read(Number(typedFlag(words, "port") ?? process.env["SB_PORT"]))?.value;
  try {
    await using bridge = await BridgeConnection.connectAsync(port === undefined ? {} : { port });
    return await askAsync(bridge);
  } catch {
    return [];
  }
}
