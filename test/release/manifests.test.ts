/** What Homebrew and Scoop would read, checked by what their own documentation demands. Neither has been run. */
import { describe, expect, test } from "bun:test";
import * as z from "zod";
import { homebrewFormula, scoopManifest } from "../../scripts/release/manifests.ts";
import { archiveName, targets } from "../../scripts/release/targets.ts";

const hashOf = (name: string): string => new Bun.CryptoHasher("sha256").update(name).digest("hex");
const names = targets.map((target) => archiveName(target, "1.2.3"));
const release = {
  home: "https://example.invalid/studio-bridge",
  version: "1.2.3",
  checksums: new Map(names.map((name) => [name, hashOf(name)])),
};
const address = (name: string): string => `${release.home}/releases/download/v1.2.3/${name}`;

describe("the formula of Homebrew", () => {
  const formula = homebrewFormula(release);

  test("names the archive for each processor of macOS and Linux with its hash", () => {
    const found = [...formula.matchAll(/url "(.*)"\n\s*sha256 "(.*)"/g)].map(([, url, hash]) => [url, hash]);
    const wanted = names
      .filter((name) => /macos|linux.*gnu/.test(name))
      .map((name) => [address(name), hashOf(name)]);
    expect(found.toSorted()).toEqual(wanted.toSorted());
  });

  test("puts each archive under the system and processor that it is for", () => {
    const places = [...formula.matchAll(/on_(macos|linux) do([\s\S]*?)\n  end/g)].flatMap(
      ([, system, body = ""]) =>
        [...body.matchAll(/on_(arm|intel) do\n\s*url ".*1\.2\.3-(\S*)\.tar/g)].map(([, cpu, name]) => [
          system,
          cpu,
          name,
        ]),
    );
    expect(places).toEqual([
      ["macos", "arm", "macos-aarch64"],
      ["macos", "intel", "macos-x86_64"],
      ["linux", "arm", "linux-aarch64-gnu"],
      ["linux", "intel", "linux-x86_64-gnu"],
    ]);
  });

  test("opens and closes as many blocks", () => {
    expect(formula.match(/^\s*end$/gm)).toHaveLength(formula.match(/(^class | do$|^\s*def )/gm)?.length ?? 0);
  });
});

describe("the manifest of Scoop", () => {
  /** The part of Scoop's schema that is used here. */
  const schema = z.strictObject({
    version: z.string().regex(/^[\w.\-+_]+$/),
    description: z.string(),
    homepage: z.url(),
    license: z.string(),
    architecture: z.record(
      z.string().regex(/^(32bit|64bit|arm64)$/),
      z.strictObject({ url: z.url(), hash: z.string().regex(/^[0-9a-f]{64}$/) }),
    ),
    bin: z.array(z.union([z.string(), z.array(z.string())])),
    checkver: z.literal("github"),
    autoupdate: z.strictObject({
      architecture: z.record(z.string(), z.strictObject({ url: z.string() })),
      hash: z.strictObject({ url: z.string() }),
    }),
  });
  const manifest = schema.parse(JSON.parse(scoopManifest(release)));

  test("names the archive for each processor of Windows with its hash", () => {
    const [x64, arm64] = names.filter((name) => name.includes("windows"));
    expect(manifest.architecture).toEqual({
      "64bit": { url: address(x64 ?? ""), hash: hashOf(x64 ?? "") },
      arm64: { url: address(arm64 ?? ""), hash: hashOf(arm64 ?? "") },
    });
  });

  test("finds the archives of a later version by itself", () => {
    const later = Object.values(manifest.autoupdate.architecture).map(({ url }) =>
      url.replaceAll("$version", "1.2.3"),
    );
    expect(later).toEqual(Object.values(manifest.architecture).map(({ url }) => url));
  });
});

test("a release without one of the archives is refused", () => {
  expect(() => scoopManifest({ ...release, checksums: new Map() })).toThrow(
    "SHA256SUMS has no studio-bridge-1.2.3-windows",
  );
});
