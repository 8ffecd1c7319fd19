/** Runs the probes in Studio, and lists every assumption with the verdict of its probe. */
import assumptions from "./assumptions.json" with { type: "json" };
import client from "./probes/client.luau" with { type: "text" };
import editing from "./probes/editing.luau" with { type: "text" };
import geometry from "./probes/geometry.luau" with { type: "text" };
import interfaceProbes from "./probes/interface.luau" with { type: "text" };
import joints from "./probes/joints.luau" with { type: "text" };
import playing from "./probes/playing.luau" with { type: "text" };
import scripts from "./probes/scripts.luau" with { type: "text" };
import server from "./probes/server.luau" with { type: "text" };
import texts from "./probes/texts.luau" with { type: "text" };
import walking from "./probes/walking.luau" with { type: "text" };
import studioProbes from "./probes/studio.luau" with { type: "text" };
import runningProgram from "./run-probes.luau" with { type: "text" };
import { defineSchema } from "../protocol/schema.ts";
import type { CheckedStudio } from "./checked-studio.ts";
import { cannotTell, type Finding, ONLY_IN_PLAY, results, type Verdict } from "./findings.ts";
import { UNPROBED } from "./unprobed.ts";

/** The verdicts of probes, by the ids of their assumptions. */
export type Probed = ReadonlyMap<string, Verdict>;

/** The probes of each DataModel. */
const PROBES = {
  edit: [studioProbes, scripts, editing, geometry, interfaceProbes, joints, texts],
  playing: [playing],
  server: [server, walking],
  client: [client],
};

const PLACES: Readonly<Record<keyof typeof PROBES, string>> = {
  edit: "edited place",
  playing: "edited place while a test plays",
  server: "server",
  client: "client",
};

/** The sources of all probes. They contain every word that a probe may say. */
export const probeSources: readonly string[] = [...Object.values(PROBES).flat(), runningProgram];

const found = defineSchema((z) =>
  z.object({ id: z.string(), result: z.enum(results), seen: z.string().optional() }),
);

/** Runs the probes for one kind of DataModel in a session of that kind. `input` is for the probes of a client. */
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

/** The script that collects the functions of all files in one table and runs them. */
function programOf(files: readonly string[]): string {
  const tables = files.map(
    (source) => `for id, probe in (function() ${source} end)() do probes[id] = probe end`,
  );
  return ["local probes = {}", ...tables, runningProgram].join("\n");
}

/** A finding for every assumption. Of several verdicts, the last one that is not "unknown" counts: the play test comes last. */
export function assumptionFindings(...probed: readonly Probed[]): readonly Finding[] {
  return assumptions.map(({ id, text }) => {
    const verdicts = probed.flatMap((verdictOf) => verdictOf.get(id) ?? []);
    const verdict = verdicts.findLast(({ result }) => result !== "unknown") ?? verdicts.at(-1);
    return {
      subject: id,
      name: text,
      ...(verdict ?? cannotTell(UNPROBED[id] ?? ONLY_IN_PLAY)),
    };
  });
}
