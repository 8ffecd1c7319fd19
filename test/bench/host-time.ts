/** What its work costs the bridge host: processor time and memory, as Linux reports them. */
import type { Sandbox } from "../harness.ts";
import { figures, type Figures } from "./statistics.ts";

/** Of the clock of /proc/PID/stat. */
const TICK_MS = 10;

/** Per call of `workAsync`, which makes `calls` of them; no row where the system does not tell. */
export async function hostTimeAsync(
  box: Sandbox,
  calls: number,
  workAsync: () => Promise<void>,
): Promise<Figures[]> {
  const tookMs = await hostTimeMsAsync(box, workAsync);
  return tookMs === undefined
    ? []
    : [figures("the same: processor time of the host", "ms", [tookMs / calls])];
}

/** Undefined where the system does not tell. */
export async function hostTimeMsAsync(
  box: Sandbox,
  workAsync: () => Promise<void>,
): Promise<number | undefined> {
  const before = await processorTimeMsAsync(box);
  await workAsync();
  const after = await processorTimeMsAsync(box);
  return before === undefined || after === undefined ? undefined : after - before;
}

async function processorTimeMsAsync(box: Sandbox): Promise<number | undefined> {
  if (process.platform !== "linux") return undefined;
  const { hostPid } = await box.hostAsync();
  const fields = (await Bun.file(`/proc/${hostPid}/stat`).text()).split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

export async function hostMemoryAsync(box: Sandbox, name: string): Promise<Figures[]> {
  if (process.platform !== "linux") return [];
  const { hostPid } = await box.hostAsync();
  const status = await Bun.file(`/proc/${hostPid}/status`).text();
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN);
  return [figures(name, "MB", [kilobytes / 1024])];
}
