/** Properties that files have and scripts reach by methods alone. The plugin reads and writes most of them under these names. */
import type { FileValue } from "./model.ts";
import type { FileSchema } from "./schema.ts";

interface CustomProperty {
  readonly className: string;
  /** As projects and the plugin call it. */
  readonly name: string;
  /** As place files call it. */
  readonly fileName: string;
  /** Of an Instance for which nothing is said. */
  readonly usual: FileValue;
}

const CUSTOM: readonly CustomProperty[] = [
  {
    className: "LocalizationTable",
    name: "Contents",
    fileName: "Contents",
    usual: { type: "String", value: "[]" },
  },
  { className: "Model", name: "Scale", fileName: "ScaleFactor", usual: { type: "Float32", value: 1 } },
];

/** By either name; undefined for any other property. */
export function customProperty(
  schema: FileSchema,
  className: string,
  name: string,
): CustomProperty | undefined {
  const found = CUSTOM.find((each) => each.name === name || each.fileName === name);
  return found !== undefined && schema.isA(className, found.className) ? found : undefined;
}

/** Those that the plugin neither reads nor writes: as people call them, by what files may call them. */
const UNREACHED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Terrain: { MaterialColors: "MaterialColors" },
  StyleRule: { Properties: "Properties", PropertiesSerialize: "Properties" },
};

/** As people call it; undefined for a property that the plugin reads or writes. */
export function unreachedProperty(className: string, name: string): string | undefined {
  const names = UNREACHED[className];
  return names !== undefined && Object.hasOwn(names, name) ? names[name] : undefined;
}
