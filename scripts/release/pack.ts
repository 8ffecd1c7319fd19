/** Turns one built executable into the archive that people download. */
import { join } from "node:path";
import { tarGzAsync, tarXzAsync, textFile, zip } from "./archive.ts";
import type { ArchiveFile } from "./archive.ts";
import { archiveName, executableName } from "./targets.ts";
import type { Target } from "./targets.ts";

const root = join(import.meta.dir, "..", "..");

/**
 * The executable comes first. There is no second name of it in an archive, because tools that choose an executable by the
 * project's name would take that one. `withXz` writes a smaller archive beside a `.tar.gz`.
 */
export async function writeArchiveAsync(
  target: Target,
  version: string,
  executable: Uint8Array,
  licences: string,
  folder: string,
  withXz = false,
): Promise<string> {
  const files: ArchiveFile[] = [
    { name: executableName(target), data: executable, isExecutable: true },
    textFile("LICENSE", await Bun.file(join(root, "LICENSE")).text()),
    textFile("README.md", await Bun.file(join(root, "README.md")).text()),
    textFile("THIRD-PARTY-LICENSES.txt", licences),
  ];
  const name = archiveName(target, version);
  await Bun.write(join(folder, name), target.os === "windows" ? zip(files) : await tarGzAsync(files));
  if (withXz && target.os !== "windows")
    await Bun.write(join(folder, name.replace(/\.gz$/, ".xz")), await tarXzAsync(files));
  return name;
}
