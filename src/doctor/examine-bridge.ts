/** The checks of `sb doctor` on the bridge host and the sessions behind it. It may start a host, as any command does. */
import { OTHER_PRODUCT } from "../bridge/index.ts";
import type { BridgeConnection, SessionList, UnpairedAttempt } from "../bridge/index.ts";
import { errorCodes } from "../protocol/errors.ts";
import { HEALTH_PATH, intervals } from "../protocol/limits.ts";
import { healthSchema } from "../protocol/network.ts";
import type { SessionInfo } from "../protocol/network.ts";
import { durationText } from "../util/duration-text.ts";
import { version } from "../version.ts";
import { NO_AUTH_VARIABLE } from "../auth/auth-switch.ts";
import { fail, failure, guardAsync, ok, warn } from "./check-results.ts";
import type { Check } from "./check-results.ts";
import type { ExaminedMachine } from "./examined-machine.ts";
import { partsOf, SLOW_STUDIO_MS } from "../session/ping.ts";
import { contextTitle, restriction, shortSessionId } from "../session/session-messages.ts";

/** How long a running Studio gets to find a host that has just started. */
const STUDIO_GRACE_MS = intervals.pluginIdleProbeMs + 1_000;
const HEALTH_TIMEOUT_MS = 1_000;
const SESSION_TIMEOUT_MS = 2_000;
const SLOW_HOST_MS = 20;
const LATENCY_SAMPLES = 5;

export async function bridgeChecksAsync(
  examined: ExaminedMachine,
  isRunning: boolean,
  portChecksAsync: (port: number) => Promise<readonly Check[]>,
): Promise<Check[]> {
  let connected: BridgeConnection;
  try {
    connected = await examined.connectAsync();
  } catch (error) {
    return [failure("host", error)];
  }
  await using bridge = connected;
  const host = await hostCheckAsync(bridge, examined.isRemote);
  const latencyMs = await medianLatencyAsync(() => bridge.listSessionsAsync());
  const latency =
    latencyMs <= SLOW_HOST_MS
      ? ok("latency", `${latencyMs.toFixed(1)} ms to the host`)
      : warn("latency", `${latencyMs.toFixed(1)} ms to the host`, "See what else keeps this machine busy.");
  return [
    host,
    ...(await portChecksAsync(bridge.port)),
    latency,
    ...(await sessionChecksAsync(bridge, isRunning, examined.signal)),
  ];
}

/** A host that is not on this machine is reached through `--remote`, which has proven itself by now. */
async function hostCheckAsync({ host }: BridgeConnection, isRemote: boolean): Promise<Check> {
  const { port, hostId } = host;
  const title = `host ${hostId.slice(0, 8)} of sb ${host.version}, port ${port}`;
  if (host.version !== version)
    return warn("host", `${title}; this is sb ${version}.`, "End the older one; a new one starts by itself.");
  if (isRemote) return ok("host", title);
  const signal = AbortSignal.timeout(HEALTH_TIMEOUT_MS);
  const answer: unknown = await fetch(`http://127.0.0.1:${port}${HEALTH_PATH}`, { signal })
    .then((response) => response.json())
    .catch(() => undefined);
  const health = healthSchema.read(answer);
  if (health === undefined)
    return warn("host", `${title}, does not answer ${HEALTH_PATH}.`, "End the host, then run this again.");
  return ok("host", `${title}, for ${durationText(health.value.uptime)}`);
}

async function medianLatencyAsync(askAsync: () => Promise<unknown>): Promise<number> {
  const samples: number[] = [];
  for (let count = 0; count < LATENCY_SAMPLES; count += 1) {
    const startedAt = performance.now();
    await askAsync();
    samples.push(performance.now() - startedAt);
  }
  return samples.toSorted((left, right) => left - right)[Math.floor(LATENCY_SAMPLES / 2)] ?? 0;
}

async function sessionChecksAsync(
  bridge: BridgeConnection,
  isRunning: boolean,
  signal: AbortSignal,
): Promise<Check[]> {
  if (isRunning) await bridge.waitForSessionAsync(() => true, { timeoutMs: STUDIO_GRACE_MS, signal });
  const { sessions, unpaired, refusals, allowsUnpaired } = await bridge.listSessionsAsync();
  const strangers = [
    ...(allowsUnpaired ? [openHostCheck()] : []),
    ...(unpaired.length === 0 ? [] : [unpairedCheck(unpaired)]),
    ...(Object.keys(refusals).length === 0 ? [] : [refusalCheck(refusals)]),
    ...otherProductChecks(refusals),
  ];
  if (sessions.length === 0) return [...strangers, noSessionCheck(isRunning)];
  const studios = new Set(sessions.map(({ instanceId }) => instanceId)).size;
  const count = `${sessions.length} connected, of ${studios} ${studios === 1 ? "Studio" : "Studios"}`;
  const each = await Promise.all(sessions.map((session) => sessionCheckAsync(bridge, session, sessions)));
  return [...strangers, ok("sessions", count), ...each];
}

function unpairedCheck(attempts: readonly UnpairedAttempt[]): Check {
  const message = `A plugin without this machine's key tried to connect (${attempts.length} in the last minute).`;
  return fail("pairing", message, errorCodes.UNPAIRED.cure);
}

function openHostCheck(): Check {
  const message = "Authentication is off: any program that reaches the bridge host can run code in Studio.";
  const next = `Unset ${NO_AUTH_VARIABLE}, leave out --allow-unpaired, and end the host.`;
  return warn("auth", message, next);
}

/** Nothing is wrong with a host that turns strangers away. */
function refusalCheck(refusals: SessionList["refusals"]): Check {
  const list = Object.entries(refusals).map(([reason, count]) => `${reason} ${count}`);
  return ok("gate", `turned away since the host started: ${list.join(", ")}`);
}

function otherProductChecks({ [OTHER_PRODUCT]: count = 0 }: SessionList["refusals"]): Check[] {
  if (count === 0) return [];
  const message = `Another program called studio-bridge uses this port: turned away ${count} times since the host started.`;
  return [
    warn(
      "neighbour",
      message,
      "Take its plugin out of Studio's plugins folder and run `sb install-plugin`, or give one of the two another port.",
    ),
  ];
}

function noSessionCheck(isRunning: boolean): Check {
  if (!isRunning)
    return warn(
      "sessions",
      "No Studio is connected.",
      "Open a place in Studio, or add --headless to a command.",
    );
  const next =
    "Look at Studio's Output: a line of [StudioBridge] says why. Where Studio asks whether the plugin may reach 127.0.0.1, allow it, or do so later in Plugins > Manage Plugins. Without such a line, restart Studio.";
  return fail("sessions", "Studio runs, but its plugin is not connected.", next);
}

async function sessionCheckAsync(
  bridge: BridgeConnection,
  session: SessionInfo,
  all: readonly SessionInfo[],
): Promise<Check> {
  const { sessionId, placeName, health, pluginUpdateAvailable } = session;
  const name = shortSessionId(sessionId, all);
  const title = `${placeName}, ${contextTitle(session)}`;
  if (health !== "ok")
    return warn(name, `${title}: ${health}`, "Wait for Studio, or see whether it still responds.");
  return guardAsync(name, async () => {
    const times = await bridge.session(sessionId).pingAsync({ timeoutMs: SESSION_TIMEOUT_MS });
    const { totalMs: latencyMs, state } = times;
    const message = `${title}: ${state.state}, answers in ${latencyMs.toFixed(0)} ms`;
    if (pluginUpdateAvailable === true)
      return warn(
        name,
        `${message}, with another build of the plugin than the host's`,
        errorCodes.UNPAIRED.cure,
      );
    const limited = restriction(session);
    const isRefusing = session.permission === "look" || session.pausedSince !== undefined;
    if (limited !== undefined && isRefusing)
      return warn(name, `${message}; the person at Studio has it on: ${limited}`, errorCodes.DENIED.cure);
    if (latencyMs <= SLOW_STUDIO_MS) return ok(name, message);
    const parts = [...partsOf(times)].map(([part, ms]) => `${part} ${ms.toFixed(0)} ms`);
    return warn(name, `${message} (${parts.join(", ")})`, "See `sb ping` for where the time goes.");
  });
}
