/** Timing samples to figures. */

export interface Figures {
  readonly name: string;
  readonly unit: string;
  readonly count: number;
  readonly min: number;
  readonly p50: number;
  readonly p99: number;
}

export function figures(name: string, unit: string, samples: readonly number[]): Figures {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (fraction: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN;
  return { name, unit, count: sorted.length, min: at(0), p50: at(0.5), p99: at(0.99) };
}

export async function timeAsync(work: () => Promise<unknown> | unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Runs the contestants in turn, so that a noisy moment hits all of them. */
export async function interleavedAsync(
  rounds: number,
  contestants: { readonly [name: string]: () => Promise<unknown> | unknown },
): Promise<Figures[]> {
  const samples = new Map<string, number[]>(Object.keys(contestants).map((name) => [name, []]));
  for (const work of Object.values(contestants)) await work();
  for (let round = 0; round < rounds; round++) {
    for (const [name, work] of Object.entries(contestants)) samples.get(name)?.push(await timeAsync(work));
  }
  return [...samples].map(([name, list]) => figures(name, "ms", list));
}

/** One batch of each after the other, so that a noisy moment hits all; the first of each is not counted. */
export async function inTurnAsync(
  { calls, batch }: { readonly calls: number; readonly batch: number },
  contestants: { readonly [name: string]: () => Promise<unknown> },
): Promise<Figures[]> {
  const samples = new Map<string, number[]>(Object.keys(contestants).map((name) => [name, []]));
  for (let done = 0; done < calls; done += batch)
    for (const [name, callAsync] of Object.entries(contestants))
      for (let call = 0; call < batch; call += 1) {
        const tookMs = await timeAsync(callAsync);
        if (done > 0) samples.get(name)?.push(tookMs);
      }
  return [...samples].map(([name, list]) => figures(name, "ms", list));
}

export function table(rows: readonly Figures[]): string {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const cell = (value: number) => value.toFixed(value < 10 ? 2 : 1).padStart(10);
  const header = `${"".padEnd(width)} ${["min", "p50", "p99"].map((word) => word.padStart(10)).join("")}  unit    n`;
  const lines = rows.map(
    ({ name, unit, count, min, p50, p99 }) =>
      `${name.padEnd(width)} ${cell(min)}${cell(p50)}${cell(p99)}  ${unit.padEnd(6)} ${count}`,
  );
  return [header, ...lines].join("\n");
}
