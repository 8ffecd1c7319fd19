/** SHA256SUMS: a line for each file of a release, as `sha256sum --check` reads it. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";

export const CHECKSUMS = "SHA256SUMS";

export async function writeChecksumsAsync(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name !== CHECKSUMS).sort();
  const lines = await Promise.all(
    names.map(async (name) => `${await sha256Async(join(folder, name))}  ${name}\n`),
  );
  await Bun.write(join(folder, CHECKSUMS), lines.join(""));
}

/** The hash of each file by its name. */
export async function readChecksumsAsync(folder: string): Promise<ReadonlyMap<string, string>> {
  const text = await Bun.file(join(folder, CHECKSUMS)).text();
  return new Map(
    text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  );
}

async function sha256Async(path: string): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  for await (const part of Bun.file(path).stream()) hash.update(part);
  return hash.digest("hex");
}
