/** Writes a build product beside itself as the binary embeds it: `FILE.zst`. */
import { stat } from "node:fs/promises";

const LEVEL = 19;

/** Makes `path`.zst current. */
export async function compressAsync(path: string): Promise<void> {
  const output = `${path}.zst`;
  const [source, made] = await Promise.all([stat(path), stat(output).catch(() => undefined)]);
  if (made !== undefined && made.mtimeMs > source.mtimeMs) return;
  await Bun.write(output, compressed(await Bun.file(path).bytes()));
}

export const compressed = (bytes: Uint8Array<ArrayBuffer>): Buffer =>
  Bun.zstdCompressSync(bytes, { level: LEVEL });
