/** Finds out which assumptions hold: runs the probes in Studio, and lists every assumption with what was found. */
import assumptions from "./assumptions.json" with { type: "json" };
import client from "./probes/client.luau" with { type: "text" };
import editing from "./probes/editing.luau" with { type: "text" };
import playing from "./probes/playing.luau" with { type: "text" };
import scripts from "./probes/scripts.luau" with { type: "text" };
import server from "./probes/server.luau" with { type: "text" };
import studioProbes from "./probes/studio.luau" with { type: "text" };
import runningProgram from "./run-probes.luau" with { type: "text" };
import { defineSchema } from "../../protocol/schema.ts";
import type { CheckedStudio } from "./checked-studio.ts";
import { cannotTell, type Finding, ONLY_IN_PLAY, results, type Verdict } from "./findings.ts";
import { UNPROBED } from "./unprobed.ts";

/** What was found of assumptions, by their ids. */
export type Probed = ReadonlyMap<string, Verdict>;

/** The probes of each DataModel. */
const PROBES = {
  edit: [studioProbes, scripts, editing],
  playing: [playing],
  server: [server],
  client: [client],
};

const PLACES: Readonly<Record<keyof typeof PROBES, string>> = {
  edit: "edited place",
  playing: "edited place while a test plays",
  server: "server",
  client: "client",
};

/** Everything that a probe may say stands in its source. */
export const probeSources: readonly string[] = [...Object.values(PROBES).flat(), runningProgram];

const found = defineSchema((z) =>
  z.object({ id: z.string(), result: z.enum(results), seen: z.string().optional() }),
);

/** Runs the probes of one DataModel in a session of it. `input` is for the probes of a client. */
export async function probeAsync(
  studio: CheckedStudio,
  context: keyof typeof PROBES,
  sessionId: string = studio.session.sessionId,
  input?: string,
): Promise<Probed> {
  studio.status(`Assumptions: the probes of the ${PLACES[context]}`);
  const probed = new Map<string, Verdict>();
  const { success, error } = await studio.bridge.session(sessionId).callAsync(
    "execute",
    {
      script: programOf(PROBES[context]),
      args: [studio.scratchName],
      emits: true,
      ...(input === undefined ? {} : { input }),
    },
    {
      signal: studio.signal,
      onEvent: (event) => {
        const { id, ...verdict } = found.read(event)?.value ?? found().parse(event);
        probed.set(
          id,
          verdict.seen === undefined ? { result: verdict.result } : { ...verdict, seen: verdict.seen },
        );
      },
    },
  );
  if (success) return probed;
  return new Map([...probed, ["probes", cannotTell(`the probes broke off: ${error}`)]]);
}

/** One table of all functions, and the program that runs them. */
function programOf(files: readonly string[]): string {
  const tables = files.map(
    (source) => `for id, probe in (function() ${source} end)() do probes[id] = probe end`,
  );
  return ["local probes = {}", ...tables, runningProgram].join("\n");
}

/** Every assumption; what was found in a play test counts more than what was found before it. */
export function assumptionFindings(...probed: readonly Probed[]): readonly Finding[] {
  return assumptions.map(({ id, text }) => {
    const verdicts = probed.flatMap((each) => each.get(id) ?? []);
    const told = verdicts.findLast(({ result }) => result !== "unknown") ?? verdicts.at(-1);
    return {
      subject: id,
      name: text,
      ...(told ?? cannotTell(UNPROBED[id] ?? ONLY_IN_PLAY)),
    };
  });
}
