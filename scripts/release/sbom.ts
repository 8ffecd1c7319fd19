/** The software bill of materials: a CycloneDX document, which scanners of dependencies read. */
import type { Component } from "./components.ts";

/** Of documents of this project. Any number does, as long as it stays the same. */
const NAMESPACE = "6f0f6c5e-64b3-4c1b-8f6e-0c3c0f6a6a11";
const OWN = "studio-bridge";

/** The same components give the same bytes: the serial number comes from the contents, and there is no time. */
export function softwareBillOfMaterials(version: string, components: readonly Component[]): string {
  const contents = {
    version: 1,
    metadata: {
      tools: { components: [{ type: "application", name: "npm run release of studio-bridge", version }] },
      component: {
        type: "application",
        "bom-ref": OWN,
        name: OWN,
        version,
        licenses: [{ license: { id: "MIT" } }],
      },
    },
    components: components.map(entry),
    dependencies: dependencies(components),
  };
  const serial = Bun.randomUUIDv5(JSON.stringify(contents), NAMESPACE);
  const document = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${serial}`,
    ...contents,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function entry({ name, version, licence, copyright, part, purl, hash, source }: Component) {
  return {
    type: "library",
    "bom-ref": purl,
    name,
    ...(version === undefined ? {} : { version }),
    description: part,
    ...(hash === undefined ? {} : { hashes: [{ alg: "SHA-512", content: hash }] }),
    licenses: [/[ (]/.test(licence) ? { expression: licence } : { license: { id: licence } }],
    ...(copyright.length === 0 ? {} : { copyright: copyright.join("\n") }),
    purl,
    ...(source === undefined ? {} : { externalReferences: [{ type: "vcs", url: source }] }),
  };
}

/** What is part of Bun or of luau-web hangs below them, and all else below `sb`. */
function dependencies(components: readonly Component[]) {
  const refs = (wanted: (component: Component) => boolean) =>
    components.filter(wanted).map(({ purl }) => purl);
  const holders = components.flatMap(({ name, purl }) => {
    const whose = name.startsWith("@oven/bun-")
      ? "part of Bun"
      : name === "luau-web"
        ? "part of luau-web"
        : "";
    return whose === "" ? [] : [{ ref: purl, dependsOn: refs(({ part }) => part === whose) }];
  });
  const below = new Set(holders.flatMap(({ dependsOn }) => dependsOn));
  return [{ ref: OWN, dependsOn: refs(({ purl }) => !below.has(purl)) }, ...holders];
}
