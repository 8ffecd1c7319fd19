/**
 * What `sb` contains that others wrote: the npm packages whose files are in the bundle, those whose data are embedded, Bun,
 * and what Bun links. Both the SBOM and the page of licences are written from this list. What packages do not say of
 * themselves stands in licences/inside.json, by version, so that a new version is looked at before it is released.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type { BundleInputs } from "../../build.ts";
import { FAMILIES, packageOf } from "../fonts/faces.ts";
import inside from "./licences/inside.json" with { type: "json" };
import { lockedHashesAsync } from "./lock-file.ts";
import { standardTexts } from "./standard-texts.ts";
import { targets } from "./targets.ts";

const root = join(import.meta.dir, "..", "..");
const notices = join(import.meta.dir, "licences", "notices");

export interface Component {
  readonly name: string;
  /** A commit, or undefined, where Bun does not tell which version it was built with. */
  readonly version: string | undefined;
  /** Its SPDX identifier or expression. */
  readonly licence: string;
  readonly copyright: readonly string[];
  /** Names of standard texts. */
  readonly texts: readonly string[];
  /** Its own text, where it has one. */
  readonly notice: string | undefined;
  readonly source: string | undefined;
  /** Why it is in `sb`. */
  readonly part: string;
  /** Its package URL, which is its name in an SBOM. */
  readonly purl: string;
  /** SHA-512 of its archive in hexadecimal digits, for npm packages. */
  readonly hash: string | undefined;
}

const knownSchema = z.strictObject({
  name: z.string(),
  version: z.string(),
  copyright: z.array(z.string()),
  texts: z.array(z.string()),
});

const partSchema = z.strictObject({
  name: z.string(),
  purl: z.string(),
  licence: z.string(),
  source: z.url(),
  /** Its name in `process.versions`. */
  versionKey: z.string().optional(),
  copyright: z.array(z.string()).default([]),
  texts: z.array(z.string()).default([]),
  /** A file of licences/notices. */
  notice: z.string().optional(),
});
type Part = z.infer<typeof partSchema>;

const insideSchema = z.strictObject({
  packages: z.array(knownSchema),
  partsOfLuau: z.array(partSchema),
  partsOfBun: z.array(partSchema),
});
const known = insideSchema.parse(inside);

/** They are in no bundle, because the build turns them into other files. */
const embedded: readonly { readonly name: string; readonly part: string }[] = [
  { name: "luau-web", part: "Luau as WebAssembly" },
  { name: "@rbxts/types", part: "the names and types of Roblox classes" },
  { name: "rbx-dom", part: "the default values of Roblox classes" },
  ...FAMILIES.map((family) => ({ name: packageOf(family), part: "the widths of a font" })),
];

const packageSchema = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  repository: z.union([z.string(), z.object({ url: z.string() })]).optional(),
});

/** Sorted by name. Throws an Error that names each component whose licence is not known. */
export async function componentsAsync(inputs: BundleInputs): Promise<Component[]> {
  const bundled = [...new Set(Object.keys(inputs).flatMap(packageFolder))];
  const folders = [
    ...bundled.map((folder) => ({ folder, part: "part of the bundle" })),
    ...embedded.map(({ name, part }) => ({ folder: join("node_modules", name), part })),
  ];
  const hashes = await lockedHashesAsync();
  const packages = await Promise.all(folders.map(({ folder, part }) => packageAsync(folder, part, hashes)));
  const parts = [
    ...known.partsOfLuau.map((part) => partAsync(part, "part of luau-web")),
    ...known.partsOfBun.map((part) => partAsync(part, "part of Bun")),
  ];
  const all = [...packages, ...runtimes(await bunAsync(), hashes), ...(await Promise.all(parts))];
  const missing = all.flatMap(missingTexts);
  if (missing.length > 0) throw new Error(`licences are missing:\n${missing.join("\n")}`);
  return withoutDoubles(all);
}

/** One of each, sorted by name. */
export function withoutDoubles(components: readonly Component[]): Component[] {
  const unique = new Map(components.map((component) => [component.purl, component]));
  const key = ({ name, purl }: Component) => `${name} ${purl}`;
  return [...unique.values()].toSorted((left, right) => (key(left) < key(right) ? -1 : 1));
}

/** One sentence for each reason why its licence could not be handed on. */
export function missingTexts({ name, version, licence, texts, notice }: Component): string[] {
  const unknown = texts.filter((text) => !standardTexts.includes(text));
  if (unknown.length > 0) return [`${name}: there is no licences/texts/${unknown[0]}.txt`];
  const hasText = texts.length > 0 || (notice !== undefined && notice.trim() !== "");
  return hasText ? [] : [`${name} ${version ?? ""}: no text of its licence (${licence})`];
}

/** Of a file in a package; none for our own files. */
function packageFolder(path: string): string[] {
  const folder = /^(.*\/)?node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0];
  return folder === undefined ? [] : [folder];
}

async function packageAsync(
  folder: string,
  part: string,
  hashes: ReadonlyMap<string, string>,
): Promise<Component> {
  const path = join(root, folder);
  const { name, version, license, repository } = packageSchema.parse(
    await Bun.file(join(path, "package.json")).json(),
  );
  const file = (await readdir(path)).find((each) => /^licen[cs]e(\.(md|txt))?$/i.test(each));
  const { copyright = [], texts = [] } = file === undefined ? knownAt(name, version) : {};
  return {
    name,
    version,
    licence: license,
    copyright,
    texts,
    notice: file === undefined ? undefined : await Bun.file(join(path, file)).text(),
    source: typeof repository === "string" ? repository : repository?.url,
    part,
    purl: npmUrl(name, version),
    hash: hashes.get(`${name}@${version}`),
  };
}

/** What was found out about a package that carries no text; its next version may be under another licence. */
function knownAt(name: string, version: string): Partial<z.infer<typeof knownSchema>> {
  const found = known.packages.find((each) => each.name === name);
  if (found === undefined || found.version === version) return found ?? {};
  throw new Error(
    `licences/inside.json has the licence of ${name} ${found.version}, and ${version} is installed: ` +
      "look at the new version's licence and at what is inside it, then write the version there",
  );
}

const bunAsync = (): Promise<Component> =>
  packageAsync(join("node_modules", "bun"), "the JavaScript engine", new Map());

/** Bun's executable for each target; the package `bun` only fetches them. */
function runtimes(bun: Component, hashes: ReadonlyMap<string, string>): Component[] {
  return targets.map(({ name, runtime }) => ({
    ...bun,
    name: runtime,
    part: `the JavaScript engine, in sb for ${name}`,
    purl: npmUrl(runtime, bun.version ?? ""),
    hash: hashes.get(`${runtime}@${bun.version}`),
  }));
}

const bunVersions: { readonly [name: string]: string | undefined } = process.versions;

async function partAsync(
  { purl, versionKey, notice, ...part }: Part,
  whose: "part of Bun" | "part of luau-web",
): Promise<Component> {
  const version = versionKey === undefined ? undefined : bunVersions[versionKey];
  if (versionKey !== undefined && version === undefined)
    throw new Error(`this Bun does not tell the version of ${versionKey}, which licences/inside.json names`);
  return {
    ...part,
    version,
    notice: notice === undefined ? undefined : await Bun.file(join(notices, notice)).text(),
    part: whose,
    purl: version === undefined ? purl : `${purl}@${version}`,
    hash: undefined,
  };
}

const npmUrl = (name: string, version: string): string => `pkg:npm/${name.replace("@", "%40")}@${version}`;
