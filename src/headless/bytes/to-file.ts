/**
 * Converts the engine's model for files: the file's names, the file's types, and a value for every Instance of a class.
 */
import { encodeAttributes } from "../../roblox/attributes.ts";
import { defaultValue } from "../../roblox/default-values.ts";
import { asHidden, colorBytes, fill, numberValue } from "../../roblox/file-columns.ts";
import type { FileValue, Model, ModelClass, ModelColumn } from "../../roblox/model.ts";
import { isHiddenFrame, isHiddenNumber, type FileSchema } from "../../roblox/schema.ts";

/** Properties of the engine's model that were not saved with anything are left out. */
export function toFileModel(model: Model, schema: FileSchema): Model {
  const classes = model.classes.map((owner): ModelClass => ({
    ...owner,
    columns: fileColumns(owner, schema),
  }));
  return { parents: model.parents, classes };
}

function fileColumns({ className, columns }: ModelClass, schema: FileSchema): Map<string, ModelColumn> {
  const made = new Map<string, ModelColumn>();
  for (const [name, column] of columns) {
    const fileName = schema.fileName(className, name);
    const property = schema.property(className, name);
    const known = property?.kind === "property" ? property : undefined;
    const isSaved = known?.isSaved === true || fileName !== name || isHiddenFrame(property);
    const values = column.values.map((value): FileValue | undefined => {
      if (value.type === "Opaque") return asHidden(value.value, name, property?.type);
      if (value.type === "Float64" && isHiddenNumber(property))
        return { type: "Float32", value: Math.fround(value.value) };
      if (value.type === "Attributes") return { type: "BinaryString", value: encodeAttributes(value.value) };
      if (value.type === "Tags") return { type: "BinaryString", value: value.value.join("\0") };
      return isSaved ? fileValue(value, name, known?.type ?? "", fileName) : undefined;
    });
    const filled = fill(values, column.rows, () => {
      const usual = defaultValue(schema, className, name);
      return usual === undefined ? undefined : fileValue(usual, name, known?.type ?? "", fileName);
    });
    if (filled !== undefined) made.set(fileName, filled);
  }
  return made;
}

function fileValue(value: FileValue, name: string, type: string, fileName: string): FileValue {
  switch (value.type) {
    case "Float64":
      return numberValue(value.value, type);
    case "EnumItem":
      return { type: "Enum", value: value.value.number };
    case "String":
      if (type === "ContentId") return { type: "ContentId", value: value.value };
      return { type: name === "Source" ? "ProtectedString" : "String", value: value.value };
    case "Color3":
      return fileName === "Color3uint8" ? colorBytes(value.value) : value;
    case "CFrame":
      return fileName === "WorldPivotData" ? { type: "OptionalCFrame", value: value.value } : value;
    default:
      return value;
  }
}
