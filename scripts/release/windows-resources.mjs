/**
 * What Windows shows of `sb.exe`: its name, version and icon, in place of those of Bun. They are written into Bun's
 * executable before the bundle is added, because what follows the last section would be lost. This is JavaScript, since the
 * types of resedit bring those of browsers along, which hide some of Bun's.
 */
import { Data, NtExecutable, NtExecutableResource, Resource } from "resedit";
import packageJson from "../../package.json" with { type: "json" };
import { icon } from "./icon.ts";

/** English of the United States, and Unicode. */
const LANGUAGE = { lang: 0x0409, codepage: 1200 };
const ICON = 1;

/** The executable with our names in it. */
export function withOwnNames(executable, version) {
  // The signature of Bun's makers would no longer fit.
  const program = NtExecutable.from(new Uint8Array(executable).buffer, { ignoreCert: true });
  const resources = NtExecutableResource.from(program);
  resources.entries = resources.entries.filter(
    ({ type }) => type !== VERSION_TYPE && type !== ICON_TYPE && type !== ICON_GROUP_TYPE,
  );
  const names = Resource.VersionInfo.createEmpty();
  const numbers = versionNumbers(version);
  names.setFileVersion(...numbers, LANGUAGE.lang);
  names.setProductVersion(...numbers, LANGUAGE.lang);
  names.setStringValues(LANGUAGE, {
    ProductName: "studio-bridge",
    FileDescription: "studio-bridge",
    InternalName: "sb",
    OriginalFilename: "sb.exe",
    ProductVersion: version,
    FileVersion: version,
    LegalCopyright: `Under the ${packageJson.license} licence`,
  });
  names.outputToResourceEntries(resources.entries);
  const { icons } = Data.IconFile.from(icon());
  Resource.IconGroupEntry.replaceIconsForResource(
    resources.entries,
    ICON,
    LANGUAGE.lang,
    icons.map(({ data }) => data),
  );
  resources.outputResource(program);
  return new Uint8Array(program.generate());
}

const VERSION_TYPE = 16;
const ICON_TYPE = 3;
const ICON_GROUP_TYPE = 14;

/** What Windows would show of a built `sb.exe`. */
export function windowsNames(executable) {
  const program = NtExecutable.from(withoutBundle(executable).buffer, { ignoreCert: true });
  const { entries } = NtExecutableResource.from(program);
  const [names] = Resource.VersionInfo.fromEntries(entries);
  if (names === undefined) return undefined;
  const { fileVersionMS: high, fileVersionLS: low } = names.fixedInfo;
  const groups = Resource.IconGroupEntry.fromEntries(entries);
  return {
    fileVersion: [high >>> 16, high & 0xffff, low >>> 16, low & 0xffff].join("."),
    strings: names.getStringValues(LANGUAGE),
    icons: groups.flatMap(({ icons }) => icons.map(({ width }) => (width === 0 ? 256 : width))),
  };
}

/** A copy without the last section, the bundle, behind which the library reads no resources. */
function withoutBundle(executable) {
  const copy = new Uint8Array(executable);
  const view = new DataView(copy.buffer);
  const sectionCount = view.getUint32(0x3c, true) + 6;
  view.setUint16(sectionCount, view.getUint16(sectionCount, true) - 1, true);
  return copy;
}

/** Windows has four numbers and no words, so that a pre-release has the numbers of its release. */
function versionNumbers(version) {
  const [major = 0, minor = 0, patch = 0] = version.split(/[-+.]/).map(Number);
  return [major, minor, patch, 0];
}
