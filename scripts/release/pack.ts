/** Turns one built executable into the archive that people download. */
import { join } from "node:path";
import { tarGzAsync, zip } from "./archive.ts";
import type { ArchiveFile } from "./archive.ts";
import { archiveName, executableName } from "./targets.ts";
import type { Target } from "./targets.ts";

const root = join(import.meta.dir, "..", "..");

/**
 * The executable comes first. There is no second name of it in an archive, because tools that choose an executable by the
 * project's name would take that one.
 */
export async function writeArchiveAsync(
  target: Target,
  version: string,
  executable: Uint8Array,
  licences: string,
  folder: string,
): Promise<string> {
  const text = (name: string, content: string): ArchiveFile => ({
    name,
    data: new TextEncoder().encode(content),
    isExecutable: false,
  });
  const files: ArchiveFile[] = [
    { name: executableName(target), data: executable, isExecutable: true },
    text("LICENSE", await Bun.file(join(root, "LICENSE")).text()),
    text("README.md", await Bun.file(join(root, "README.md")).text()),
    text("THIRD-PARTY-LICENSES.txt", licences),
  ];
  const name = archiveName(target, version);
  await Bun.write(join(folder, name), target.os === "windows" ? zip(files) : await tarGzAsync(files));
  return name;
}
