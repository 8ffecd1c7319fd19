/**
 * What `sb` contains that others wrote: the npm packages whose files are in the bundle, Bun, and the packages from which
 * embedded data are made. Both the SBOM and the page of licences are written from this list.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type { BundleInputs } from "../../build.ts";

const root = join(import.meta.dir, "..", "..");

export interface Component {
  readonly name: string;
  readonly version: string;
  /** Its SPDX identifier or expression. */
  readonly licence: string;
  readonly licenceText: string | undefined;
  readonly source: string | undefined;
  /** Why it is in `sb`. */
  readonly part: string;
}

/** They are in no bundle: the runtime, and the packages that the build turns into other files. */
const embedded = [
  { name: "bun", part: "the runtime; its own parts are listed at https://bun.com/docs/project/licensing" },
  { name: "luau-web", part: "Luau as WebAssembly, by Roblox Corporation and contributors (MIT)" },
  { name: "@rbxts/types", part: "the names and types of Roblox classes" },
  { name: "rbx-dom", part: "the default values of Roblox classes" },
] as const;

const packageSchema = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  repository: z.union([z.string(), z.object({ url: z.string() })]).optional(),
});

/** Sorted by name. */
export async function componentsAsync(inputs: BundleInputs): Promise<Component[]> {
  const bundled = [...new Set(Object.keys(inputs).flatMap(packageFolder))];
  const folders = [
    ...bundled.map((folder) => ({ folder, part: "part of the bundle" })),
    ...embedded.map(({ name, part }) => ({ folder: join("node_modules", name), part })),
  ];
  return withoutDoubles(await Promise.all(folders.map(({ folder, part }) => componentAsync(folder, part))));
}

/** One of each name and version, sorted by name. */
export function withoutDoubles(components: readonly Component[]): Component[] {
  const unique = new Map(
    components.map((component) => [`${component.name}@${component.version}`, component]),
  );
  return [...unique].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, component]) => component);
}

/** Of a file in a package; none for our own files. */
function packageFolder(path: string): string[] {
  const folder = /^(.*\/)?node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0];
  return folder === undefined ? [] : [folder];
}

async function componentAsync(folder: string, part: string): Promise<Component> {
  const path = join(root, folder);
  const { name, version, license, repository } = packageSchema.parse(
    await Bun.file(join(path, "package.json")).json(),
  );
  const licenceFile = (await readdir(path)).find((file) => /^licen[cs]e(\.(md|txt))?$/i.test(file));
  return {
    name,
    version,
    licence: license,
    licenceText: licenceFile === undefined ? undefined : await Bun.file(join(path, licenceFile)).text(),
    source: typeof repository === "string" ? repository : repository?.url,
    part,
  };
}

/** The page that is in every archive. */
export function licencesPage(components: readonly Component[]): string {
  const chapters = components.map(({ name, version, licence, licenceText, source, part }) =>
    [
      "=".repeat(80),
      `${name} ${version} (${licence}): ${part}`,
      ...(source === undefined ? [] : [source]),
      "",
      licenceText?.trim() ?? "The package names this licence and carries no text of it.",
    ].join("\n"),
  );
  return `sb contains these works of others.\n\n${chapters.join("\n\n")}\n`;
}

/** A CycloneDX document, which scanners of dependencies read. */
export function softwareBillOfMaterials(version: string, components: readonly Component[]): string {
  const document = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": "studio-bridge",
        name: "studio-bridge",
        version,
        licenses: [{ license: { id: "MIT" } }],
      },
    },
    components: components.map((component) => ({
      type: "library",
      "bom-ref": packageUrl(component),
      name: component.name,
      version: component.version,
      description: component.part,
      licenses: [
        component.licence.includes(" ")
          ? { expression: component.licence }
          : { license: { id: component.licence } },
      ],
      purl: packageUrl(component),
    })),
    dependencies: [{ ref: "studio-bridge", dependsOn: components.map(packageUrl) }],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

const packageUrl = ({ name, version }: Component): string => `pkg:npm/${name.replace("@", "%40")}@${version}`;
