/** Many seeds after one another, with a breath between batches, so that a test can be timed out. */
const BATCH = 500;

/** Calls `visit` for 1 to `count`. */
export async function eachSeedAsync(count: number, visit: (seed: number) => void): Promise<void> {
  for (let seed = 1; seed <= count; seed += 1) {
    visit(seed);
    if (seed % BATCH === 0) await Bun.sleep(0);
  }
}
