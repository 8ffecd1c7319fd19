/** What is in `sb` of others: each component has the text of its licence, and the SBOM lists them all. */
import { describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { BundleInputs } from "../../build.ts";
import packageJson from "../../package.json" with { type: "json" };
import { componentsAsync, missingTexts, withoutDoubles } from "../../scripts/release/components.ts";
import type { Component } from "../../scripts/release/components.ts";
import { FAMILIES, packageOf } from "../../scripts/fonts/faces.ts";
import inside from "../../scripts/release/licences/inside.json" with { type: "json" };
import { licencesPageAsync } from "../../scripts/release/licences-page.ts";
import { softwareBillOfMaterials } from "../../scripts/release/sbom.ts";
import { standardTexts } from "../../scripts/release/standard-texts.ts";
import { targets } from "../../scripts/release/targets.ts";

const inputs: BundleInputs = Object.fromEntries(
  [
    "src/main.ts",
    "node_modules/.bun/citty@0.2.2/node_modules/citty/dist/index.mjs",
    "node_modules/zod/index.js",
  ].map((path) => [path, { bytes: 1, imports: [] }]),
);
const components = await componentsAsync(inputs);
const named = (name: string): Component | undefined => components.find((each) => each.name === name);

test("the licences that packages do not carry are those of the installed versions", () => {
  // A bump must not be waved through: look at the new version's licence and at what it contains, then change inside.json.
  const installed: { readonly [name: string]: string | undefined } = packageJson.devDependencies;
  expect(inside.packages.map(({ name, version }) => [name, version])).toEqual(
    ["bun", "luau-web", "@rbxts/types", "rbx-dom"].map((name) => [name, installed[name] ?? ""]),
  );
});

describe("the components", () => {
  test("are the packages of the bundle, what is embedded, Bun for each target, and what Bun links", () => {
    const ofNpm = components
      .filter(({ part }) => !part.startsWith("part of Bun") && part !== "the widths of a font")
      .map(({ name }) => name);
    const runtimes = targets.map(({ runtime }) => runtime).toSorted();
    expect(ofNpm).toEqual([...runtimes, "@rbxts/types", "Luau", "citty", "luau-web", "rbx-dom", "zod"]);
    const linked = [
      "JavaScriptCore",
      "ICU",
      "BoringSSL",
      "tinycc",
      "mimalloc",
      "SQLite",
      "libuv",
      "lol-html",
    ];
    expect(linked.map((name) => named(name)?.part)).toEqual(linked.map(() => "part of Bun"));
  });

  test("hand the licence of each font on, which is a free one", () => {
    const fonts = components.filter(({ part }) => part === "the widths of a font");
    expect(fonts.map(({ name }) => name)).toEqual(FAMILIES.map(packageOf).toSorted());
    const strange = fonts.filter(({ licence }) => !["OFL-1.1", "UFL-1.0", "Apache-2.0"].includes(licence));
    expect(strange.map(({ name, licence }) => `${name} ${licence}`)).toEqual([]);
    expect(fonts.filter(({ notice = "" }) => !/licen[cs]e/i.test(notice)).map(({ name }) => name)).toEqual(
      [],
    );
  });

  test("have versions and hashes from the lock file, and from Bun itself what Bun tells", () => {
    expect([named("zod")?.version, named("zod")?.licence]).toEqual([packageJson.dependencies.zod, "MIT"]);
    expect(named("JavaScriptCore")?.version).toBe(Reflect.get(process.versions, "webkit"));
    const packages = components.filter(({ purl }) => purl.startsWith("pkg:npm/") && purl.includes("@", 8));
    const hashed = packages.filter(({ part }) => part !== "part of Bun");
    expect(hashed.filter(({ hash }) => !/^[0-9a-f]{128}$/.test(hash ?? ""))).toEqual([]);
  });

  test.each([
    ["no text", { texts: [], notice: undefined }, "x 1.2.3: no text of its licence (MIT)"],
    ["an empty text", { texts: [], notice: " \n" }, "x 1.2.3: no text of its licence (MIT)"],
    ["an unknown text", { texts: ["Odd-1.0"] }, "x: there is no licences/texts/Odd-1.0.txt"],
  ])("cannot be released with %s", (_, fields, sentence) => {
    const component: Component = {
      name: "x",
      version: "1.2.3",
      licence: "MIT",
      copyright: [],
      texts: ["MIT"],
      notice: undefined,
      source: undefined,
      part: "part of the bundle",
      purl: "pkg:npm/x@1.2.3",
      hash: undefined,
    };
    expect(missingTexts(component)).toEqual([]);
    expect(missingTexts({ ...component, ...fields })).toEqual([sentence]);
  });

  test("are refused where a package carries no licence that is known", async () => {
    const without = { "node_modules/@xterm/headless/index.js": { bytes: 1, imports: [] } };
    const refused = await componentsAsync(without).catch((error: Error) => error.message);
    expect(refused).toBe("licences are missing:\n@xterm/headless 6.0.0: no text of its licence (MIT)");
  });
});

describe("the page of licences", () => {
  test("has a chapter for each component, and each standard text once", async () => {
    const page = await licencesPageAsync(components);
    for (const { name } of components) expect(page).toContain(`\n${name} `);
    expect(page.match(/GNU LIBRARY GENERAL PUBLIC LICENSE\n\s+Version 2, June 1991/g)).toHaveLength(1);
    expect(page.match(/GNU LESSER GENERAL PUBLIC LICENSE\n\s+Version 2\.1, February 1999/g)).toHaveLength(1);
    expect(page).toContain("UNICODE LICENSE V3");
    expect(page).toContain("Copyright (c) 1994-2019 Lua.org, PUC-Rio.");
  });

  test("leaves no text of the repository out", async () => {
    const page = await licencesPageAsync(components);
    expect(standardTexts.filter((name) => !page.includes(`The text of ${name}\n`))).toEqual([]);
    const folder = join(import.meta.dir, "..", "..", "scripts", "release", "licences", "notices");
    const used = inside.partsOfBun.flatMap((part) => ("notice" in part ? [part.notice] : []));
    expect((await readdir(folder)).toSorted()).toEqual(used.toSorted());
  });
});

describe("the SBOM", () => {
  const document = JSON.parse(softwareBillOfMaterials("1.2.3", components));
  const references: string[] = document.components.map((each: { "bom-ref": string }) => each["bom-ref"]);

  test("is a CycloneDX document with a serial number that its contents give", () => {
    expect([document.bomFormat, document.specVersion, document.metadata.component.version]).toEqual([
      "CycloneDX",
      "1.6",
      "1.2.3",
    ]);
    expect(document.serialNumber).toMatch(/^urn:uuid:[0-9a-f-]{36}$/);
    const again = JSON.parse(softwareBillOfMaterials("1.2.3", components));
    expect(again.serialNumber).toBe(document.serialNumber);
    const fewer = JSON.parse(softwareBillOfMaterials("1.2.3", components.slice(1)));
    expect(fewer.serialNumber).not.toBe(document.serialNumber);
    expect(document.metadata.tools.components).toHaveLength(1);
  });

  test("names each component once, and hangs it below sb, Bun or Luau's package", () => {
    expect(new Set(references).size).toBe(references.length);
    expect(withoutDoubles([...components, ...components])).toHaveLength(references.length);
    const below = document.dependencies.flatMap(({ dependsOn }: { dependsOn: string[] }) => dependsOn);
    expect([...new Set(below)].toSorted()).toEqual(references.toSorted());
    const bun = document.dependencies.find(({ ref }: { ref: string }) => ref.includes("bun-linux-x64@"));
    expect(bun.dependsOn).toContainEqual(expect.stringMatching(/^pkg:github\/oven-sh\/webkit@[0-9a-f]{40}$/));
    expect(references).toContain(`pkg:npm/zod@${packageJson.dependencies.zod}`);
  });
});
