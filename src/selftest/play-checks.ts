/** Checks a play test with two clients (its sessions, logs and end), and runs the probes of its DataModels. */
import { contextsAsync, endTestAsync, startTestAsync } from "../play/play-test.ts";
import type { SessionInfo } from "../protocol/network.ts";
import { probeAsync, type Probed } from "./assumption-probes.ts";
import { verdictOfAsync } from "./bridge-check.ts";
import { PLAY_ASSUMPTIONS } from "./play-assumptions.ts";
import type { CheckedStudio } from "./checked-studio.ts";
import { cannotTell, type Finding, isTrue, sameAs, type Verdict } from "./findings.ts";

const PLAYERS = 2;
const LOG_MS = 5_000;
const POLL_MS = 50;

/** Adds the findings about the bridge to `findings`, and the verdicts of the probes to `probed`. */
export async function checkPlayAsync(
  studio: CheckedStudio,
  findings: Finding[],
  probed: Probed[],
): Promise<void> {
  const addAsync = async (name: string, runAsync: () => Promise<Verdict>): Promise<Verdict> => {
    studio.status(`Play test: ${name}`);
    const verdict = await verdictOfAsync(runAsync);
    findings.push({ subject: "play test", name, ...verdict });
    return verdict;
  };
  let sessions: readonly SessionInfo[] = [];
  const started = await addAsync("starts with its server and two clients", async () => {
    ({ sessions } = await startTestAsync(studio, { mode: "play", players: PLAYERS }));
    const contexts = sessions.map(({ context, player }) => `${context} ${player?.index ?? ""}`.trim());
    return sameAs(contexts, ["server", "client 1", "client 2"]);
  });
  const [server, client] = sessions;
  probed.push(new Map([[PLAY_ASSUMPTIONS.startTest, started]]));
  try {
    if (started.result === "holds" && server !== undefined && client !== undefined) {
      await addAsync("runs scripts in each of its DataModels", () => rolesAsync(studio, sessions));
      await addAsync("shows the lines of its DataModels in the log of the edited place", () =>
        linesAsync(studio, sessions),
      );
      probed.push(await probeAsync(studio, "server", server.sessionId));
      const line = `sb selftest prints in the server ${studio.scratchName}`;
      await studio.bridge
        .session(server.sessionId)
        .callAsync("execute", { script: `print("${line}") task.wait(0.5)` }, { signal: studio.signal });
      probed.push(await probeAsync(studio, "client", client.sessionId, line));
      probed.push(await probeAsync(studio, "playing"));
    }
  } finally {
    if (sessions.length > 0) {
      const ended = await addAsync("ends, and Studio edits again", () => endAsync(studio));
      const returned = ended.result === "holds" ? ended : cannotTell("the play test could not be ended");
      probed.push(
        new Map([
          [PLAY_ASSUMPTIONS.endTest, ended],
          [PLAY_ASSUMPTIONS.editReturns, returned],
        ]),
      );
    }
  }
}

async function rolesAsync(studio: CheckedStudio, sessions: readonly SessionInfo[]): Promise<Verdict> {
  const script =
    'local run = game:GetService("RunService") return run:IsServer(), run:IsClient(), run:IsRunning()';
  const roles: unknown[] = [];
  for (const { sessionId } of sessions)
    roles.push(
      (await studio.bridge.session(sessionId).callAsync("execute", { script }, { signal: studio.signal }))
        .returnValues,
    );
  return sameAs(roles, [
    [true, false, true],
    [false, true, true],
    [false, true, true],
  ]);
}

/** Checks that the log of the edited place has the lines of all DataModels of the test, each with its origin. */
async function linesAsync(studio: CheckedStudio, sessions: readonly SessionInfo[]): Promise<Verdict> {
  const line = `sb selftest prints ${studio.scratchName}`;
  for (const { sessionId } of sessions)
    await studio.bridge
      .session(sessionId)
      .callAsync("execute", { script: `print("${line}")` }, { signal: studio.signal });
  const giveUpAt = performance.now() + LOG_MS;
  for (;;) {
    const { entries } = await studio.callAsync("queryLogs", { count: 200 });
    const seen = entries
      .filter(({ body }) => body === line)
      .map(({ context, player }) => `${context} ${player?.index ?? ""}`.trim())
      .sort();
    if (seen.length >= sessions.length || performance.now() > giveUpAt)
      return sameAs(seen, ["client 1", "client 2", "server"]);
    await Bun.sleep(POLL_MS);
  }
}

async function endAsync(studio: CheckedStudio): Promise<Verdict> {
  await endTestAsync(studio);
  const left = (await contextsAsync(studio)).filter(({ context }) => context !== "edit");
  return isTrue(left.length === 0, "a session of the test is still connected");
}
