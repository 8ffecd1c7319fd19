/** Builds place and model files of projects. */
import { writeBinaryModel } from "../binary-writer.ts";
import { asFileModel } from "../file-model.ts";
import type { FileSchema } from "../schema.ts";
import { writeXmlModel } from "../xml-writer.ts";
import { isPlace, modelOf, type RojoNode } from "./node.ts";

export type BuildFormat = "rbxl" | "rbxlx" | "rbxm" | "rbxmx";

export interface BuiltFile {
  readonly content: Uint8Array;
  /** How many Instances it has; the place itself is none. */
  readonly instances: number;
}

/** Undefined for a name of another kind of file. */
export function buildFormatOf(path: string): BuildFormat | undefined {
  const [, ending = ""] = /\.(rbx[lm]x?)$/i.exec(path) ?? [];
  const formats: readonly BuildFormat[] = ["rbxl", "rbxlx", "rbxm", "rbxmx"];
  return formats.find((format) => format === ending.toLowerCase());
}

/** Whether files of a format hold a tree of that root. */
export const fitsFormat = (root: RojoNode, format: BuildFormat): boolean =>
  isPlace(root) === format.startsWith("rbxl");

/** Throws an Error that names the property of a value that files cannot hold there. */
export function builtFile(root: RojoNode, schema: FileSchema, format: BuildFormat): BuiltFile {
  const isXml = format.endsWith("x");
  const model = asFileModel(modelOf(root, schema), schema, isXml ? "xml" : "binary");
  const content = isXml
    ? new TextEncoder().encode(writeXmlModel(model))
    : writeBinaryModel(model, (className) => schema.isService(className));
  return { content, instances: model.parents.length };
}
