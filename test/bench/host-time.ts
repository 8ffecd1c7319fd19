/** What relaying costs the bridge host: its processor time, which Linux tells. */
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
  const before = await processorTimeMsAsync(box);
  await workAsync();
  const after = await processorTimeMsAsync(box);
  if (before === undefined || after === undefined) return [];
  return [figures("the same: processor time of the host", "ms", [(after - before) / calls])];
}

async function processorTimeMsAsync(box: Sandbox): Promise<number | undefined> {
  if (process.platform !== "linux") return undefined;
  const { hostPid } = await box.hostAsync();
  const fields = (await Bun.file(`/proc/${hostPid}/stat`).text()).split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
