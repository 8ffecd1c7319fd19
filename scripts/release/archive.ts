/** Archives that depend on their contents alone: the same files give the same bytes, whenever and wherever they are packed. */
import { zipSync } from "fflate";
import type { Zippable } from "fflate";
import { packTar } from "modern-tar";

export interface ArchiveFile {
  readonly name: string;
  readonly data: Uint8Array;
  readonly isExecutable: boolean;
}

/** A file of text, which is never executable. */
export function textFile(name: string, content: string): ArchiveFile {
  return { name, data: new TextEncoder().encode(content), isExecutable: false };
}

/** The time of each file. Zip has no time zones, so that it must be made of local parts there. */
const [YEAR, MONTH, DAY] = [2020, 0, 1];
const GZIP_LEVEL = 9;
const UNIX = 3;
const REGULAR_FILE = 0o100000;

const modeOf = ({ isExecutable }: ArchiveFile): number => (isExecutable ? 0o755 : 0o644);

/** A `.tar.gz`, with the files in this order. */
export async function tarGzAsync(files: readonly ArchiveFile[]): Promise<Uint8Array> {
  // Of the two compressors in Bun, this one gives the same bytes on every processor.
  return Bun.gzipSync(await tarAsync(files), { library: "libdeflate", level: GZIP_LEVEL });
}

/**
 * A `.tar.xz` of the same files, a fifth smaller. It needs the program xz, whose versions may give other bytes; the size of
 * blocks is fixed, so that the number of processors does not matter.
 */
export async function tarXzAsync(files: readonly ArchiveFile[]): Promise<Uint8Array> {
  const child = Bun.spawn(["xz", "--compress", "--stdout", "-6", "--threads=0", "--block-size=64MiB"], {
    stdin: new Blob([await tarAsync(files)]),
    stdout: "pipe",
    stderr: "inherit",
  });
  const packed = await child.stdout.bytes();
  if ((await child.exited) !== 0) throw new Error("xz could not pack an archive");
  return packed;
}

async function tarAsync(files: readonly ArchiveFile[]): Promise<Uint8Array<ArrayBuffer>> {
  const owner = { uid: 0, gid: 0, uname: "root", gname: "root" };
  const entries = files.map((file) => ({
    header: {
      name: file.name,
      size: file.data.length,
      mode: modeOf(file),
      mtime: new Date(Date.UTC(YEAR, MONTH, DAY)),
      ...owner,
    },
    data: file.data,
  }));
  return new Uint8Array(await packTar(entries));
}

/** A `.zip`, with the files in this order. */
export function zip(files: readonly ArchiveFile[]): Uint8Array {
  const entries = files.map((file): [string, Zippable[string]] => [
    file.name,
    [
      file.data,
      {
        mtime: new Date(YEAR, MONTH, DAY),
        os: UNIX,
        attrs: (REGULAR_FILE | modeOf(file)) * 0x10000,
        level: 6,
      },
    ],
  ]);
  return zipSync(Object.fromEntries(entries));
}
