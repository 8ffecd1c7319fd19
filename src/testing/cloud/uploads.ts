/** Remembers the last upload to each place, so that the same file is not uploaded again. */
import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { defineSchema } from "../../protocol/schema.ts";
import { parsedJson } from "../../util/parsed-json.ts";
import { writeWholeFileAsync } from "../../util/whole-file.ts";

const uploadsSchema = defineSchema((z) =>
  z.record(z.string(), z.object({ hash: z.string(), version: z.int().positive() })),
);

export class Uploads {
  /** Undefined if there is no state folder; then nothing is remembered. */
  readonly #path: string | undefined;

  constructor(path: string | undefined) {
    this.#path = path;
  }

  /** The version of the place that has the file; undefined if the last upload was another file, or if there was none. */
  async versionOfAsync(place: string, file: Uint8Array): Promise<number | undefined> {
    const known = (await this.#readAsync())[place];
    return known?.hash === hashOf(file) ? known.version : undefined;
  }

  /** If the memory cannot be written, no error follows, because that costs only one more upload next time. */
  async rememberAsync(place: string, file: Uint8Array, version: number): Promise<void> {
    if (this.#path === undefined) return;
    const all = { ...(await this.#readAsync()), [place]: { hash: hashOf(file), version } };
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 }).catch(() => {});
    await writeWholeFileAsync(this.#path, new TextEncoder().encode(JSON.stringify(all))).catch(() => {});
  }

  async #readAsync() {
    const text = this.#path === undefined ? "{}" : await readFile(this.#path, "utf8").catch(() => "{}");
    return uploadsSchema.read(parsedJson(text))?.value ?? {};
  }
}

const hashOf = (file: Uint8Array): string => new Bun.CryptoHasher("sha256").update(file).digest("hex");
