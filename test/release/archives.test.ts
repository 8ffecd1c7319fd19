/** What is in the archives of a release, what they are called, and what accompanies them. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { unpackTar } from "modern-tar";
import { releaseNotes } from "../../scripts/release/changelog.ts";
import { readChecksumsAsync, writeChecksumsAsync } from "../../scripts/release/checksums.ts";
import { writeArchiveAsync } from "../../scripts/release/pack.ts";
import { archiveName, targetNamed, targets } from "../../scripts/release/targets.ts";
import packageJson from "../../package.json" with { type: "json" };

const root = join(import.meta.dir, "..", "..");
const executable = new TextEncoder().encode("what sb would be".repeat(1000));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sb-archives-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function packAsync(name: string, into = folder): Promise<Uint8Array> {
  const file = await writeArchiveAsync(targetNamed(name), "1.2.3", executable, "licences", into);
  return await Bun.file(join(into, file)).bytes();
}

describe("an archive", () => {
  test("for Linux and macOS has sb, which may be run, and texts, which may not, and no link", async () => {
    const entries = await unpackTar(Bun.gunzipSync(new Uint8Array(await packAsync("linux-x86_64-gnu"))));
    expect(entries.map(({ header: { name, mode, type, uid } }) => [name, mode, type, uid])).toEqual([
      ["sb", 0o755, "file", 0],
      ["LICENSE", 0o644, "file", 0],
      ["README.md", 0o644, "file", 0],
      ["THIRD-PARTY-LICENSES.txt", 0o644, "file", 0],
    ]);
    expect(Buffer.from(entries[0]?.data ?? []).equals(executable)).toBe(true);
  });

  test("for Windows has the same under sb.exe", async () => {
    const bytes = await packAsync("windows-x86_64");
    const files = unzipSync(bytes);
    expect(Object.keys(files)).toEqual(["sb.exe", "LICENSE", "README.md", "THIRD-PARTY-LICENSES.txt"]);
    expect(Buffer.from(files["sb.exe"] ?? []).equals(executable)).toBe(true);
    expect(modesOf(bytes)).toEqual([0o100755, 0o100644, 0o100644, 0o100644]);
  });

  const withoutXz = Bun.which("xz") === null ? " (skipped: no xz)" : "";
  test.skipIf(withoutXz !== "")(`has the same files as xz, for Linux and macOS${withoutXz}`, async () => {
    const into = join(folder, "xz");
    for (const name of ["linux-x86_64-gnu", "windows-x86_64"])
      await writeArchiveAsync(targetNamed(name), "1.2.3", executable, "licences", into, true);
    const names = ["linux-x86_64-gnu.tar.gz", "linux-x86_64-gnu.tar.xz", "windows-x86_64.zip"];
    expect((await readdir(into)).toSorted()).toEqual(names.map((name) => `studio-bridge-1.2.3-${name}`));
    const path = join(into, `studio-bridge-1.2.3-${names[1]}`);
    const tar = Bun.spawnSync(["xz", "--decompress", "--stdout", path]).stdout;
    const gzip = Bun.gunzipSync(new Uint8Array(await packAsync("linux-x86_64-gnu")));
    expect(Buffer.from(gzip).equals(tar)).toBe(true);
  });

  test("is the same bytes wherever it is made, in another time zone too", async () => {
    const pack = join(root, "scripts", "release", "pack.ts");
    const script = `
      const { writeArchiveAsync } = await import(${JSON.stringify(pack)});
      const { targetNamed } = await import(${JSON.stringify(join(root, "scripts", "release", "targets.ts"))});
      const data = new TextEncoder().encode("what sb would be".repeat(1000));
      for (const name of ["linux-x86_64-gnu", "windows-x86_64"])
        await writeArchiveAsync(targetNamed(name), "1.2.3", data, "licences", process.argv.at(-1));`;
    const elsewhere = join(folder, "elsewhere");
    const { exitCode, stderr } = Bun.spawnSync([process.execPath, "-e", script, elsewhere], {
      env: { ...process.env, TZ: "Pacific/Auckland" },
    });
    expect([exitCode, stderr.toString()]).toEqual([0, ""]);
    for (const name of ["linux-x86_64-gnu", "windows-x86_64"]) {
      const there = await Bun.file(join(elsewhere, archiveName(targetNamed(name), "1.2.3"))).bytes();
      expect(Buffer.from(there).equals(await packAsync(name))).toBe(true);
    }
  });
});

/** From the central directory of a zip. */
function modesOf(zip: Uint8Array): number[] {
  const bytes = Buffer.from(zip);
  const modes: number[] = [];
  for (let at = bytes.indexOf("PK\u0001\u0002"); at >= 0; at = bytes.indexOf("PK\u0001\u0002", at + 1))
    modes.push(bytes.readUInt16LE(at + 40));
  return modes;
}

describe("the names of archives", () => {
  const names = targets.map((target) => archiveName(target, "1.2.3"));
  /** As rokit and mise read them; each takes the first name that fits the system. */
  const systemWords = {
    linux: /linux/,
    macos: /macos|darwin|osx/,
    windows: /windows|win(32|64)|(?<!dar)win/,
  };
  const processorWords = { x86_64: /x86_64|x64|amd64/, aarch64: /aarch64|arm64/ };

  test.each(targets.filter(({ libc }) => libc !== "musl").map((target) => [target.name, target] as const))(
    "lead tools that read them to the file for %s",
    (_, target) => {
      const fitting = names.filter(
        (name) => systemWords[target.os].test(name) && processorWords[target.architecture].test(name),
      );
      // Among those that differ in their libc, gnu comes before musl by rank and by name.
      expect(fitting.toSorted()[0]).toBe(archiveName(target, "1.2.3"));
      expect(fitting).toHaveLength(target.os === "linux" ? 2 : 1);
    },
  );

  test("name one system and one processor each, and end in a format that is known", () => {
    for (const name of names) {
      expect(Object.values(systemWords).filter((word) => word.test(name))).toHaveLength(1);
      expect(Object.values(processorWords).filter((word) => word.test(name))).toHaveLength(1);
      expect(name).toMatch(/^studio-bridge-.*\.(tar\.gz|zip)$/);
    }
  });
});

test("SHA256SUMS has a line for every file, as sha256sum reads it", async () => {
  const own = join(folder, "sums");
  await Bun.write(join(own, "b.txt"), "b");
  await Bun.write(join(own, "a.txt"), "a");
  await writeChecksumsAsync(own);
  expect([...(await readChecksumsAsync(own)).keys()]).toEqual(["a.txt", "b.txt"]);
  expect(Bun.spawnSync(["sha256sum", "--check", "--strict", "SHA256SUMS"], { cwd: own }).exitCode).toBe(0);
  await Bun.write(join(own, "a.txt"), "changed");
  expect(Bun.spawnSync(["sha256sum", "--check", "SHA256SUMS"], { cwd: own }).exitCode).toBe(1);
});

describe("release notes", () => {
  const changelog = "# Changelog\n\n## 1.1.0 (2030-01-02)\n\n- New.\n\n## 1.0.0\n\n- Old.\n\n## 0.9.0\n\n";

  test("are the chapter of the version", () => {
    expect(releaseNotes(changelog, "1.1.0")).toBe("- New.\n");
    expect(releaseNotes(changelog, "1.0.0")).toBe("- Old.\n");
  });

  test.each(["1.1", "2.0.0", "0.9.0"])(
    "cannot be had of %s, which has no chapter or an empty one",
    (version) => {
      expect(() => releaseNotes(changelog, version)).toThrow("docs/CHANGELOG.md");
    },
  );

  test("of the version of package.json are there", async () => {
    const text = await Bun.file(join(root, "docs", "CHANGELOG.md")).text();
    expect(releaseNotes(text, packageJson.version)).not.toBe("");
  });
});
