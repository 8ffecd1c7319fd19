/** Model files on disk as the bytes of a binary model, which Studio reads, and such bytes as a model file. */
import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { isBinaryModel, readBinaryModel } from "../../roblox/binary-reader.ts";
import { writeBinaryModel } from "../../roblox/binary-writer.ts";
import { openClassData } from "../../roblox/class-data.ts";
import { MAX_FILE_BYTES, ModelFault, fileTooLarge, readModelFile } from "../../roblox/model-file.ts";
import { type Model, NO_PARENT } from "../../roblox/model.ts";
import { FileSchema } from "../../roblox/schema.ts";
import { writeXmlModel } from "../../roblox/xml-writer.ts";
import { loadClassText } from "../assets.ts";
import { decodeStrictly } from "../../util/strict-utf8.ts";
import { IDENTITIES } from "./kept-values.ts";
import { toEngineModel } from "./to-engine.ts";
import { toFileModel } from "./to-file.ts";

const JSON_MODEL = /\.model\.jsonc?$/i;

/** Throws ModelFault, and Error for what is damaged. A binary model stays as it is, with all that Studio may know of it. */
export async function readModelBytesAsync(path: string): Promise<Uint8Array> {
  const { size } = await stat(path);
  if (size > MAX_FILE_BYTES) throw fileTooLarge();
  const file = await readFile(path);
  const schema = new FileSchema(openClassData(loadClassText()));
  const isJson = JSON_MODEL.test(path);
  const model = isJson ? await readJsonModelAsync(path, file, schema) : readModelFile(file, IDENTITIES).model;
  checkRoots(model, schema);
  return !isJson && isBinaryModel(file) ? file : binaryOf(model, schema);
}

async function readJsonModelAsync(path: string, file: Uint8Array, schema: FileSchema): Promise<Model> {
  const [{ jsonModelNode }, { modelOf }, { parseJsonAsync }, { realDisk }] = await Promise.all([
    import("../../roblox/rojo/json-model.ts"),
    import("../../roblox/rojo/node.ts"),
    import("../../roblox/rojo/read-json.ts"),
    import("../../roblox/rojo/disk.ts"),
  ]);
  const problems: string[] = [];
  const json = await parseJsonAsync(utf8TextOf(file));
  const node = jsonModelNode(basename(path).replace(JSON_MODEL, ""), json, {
    schema,
    problems,
    disk: realDisk,
  });
  const [problem] = problems;
  if (problem !== undefined) throw new Error(problem);
  return modelOf(node, schema);
}

function utf8TextOf(file: Uint8Array): string {
  const text = decodeStrictly(file);
  if (typeof text === "string") return text;
  throw new Error(`it is not UTF-8 (line ${text.line}, byte ${text.column})`);
}

/** Services are made by Studio, and a file that has some is a place. */
function checkRoots({ parents, classes }: Model, schema: FileSchema): void {
  if (parents.length === 0) throw new ModelFault("it has no Instances", "Name another file.");
  const service = classes.find(
    ({ className, members }) =>
      schema.isService(className) && members.some((id) => parents[id] === NO_PARENT),
  );
  if (service !== undefined) throw new ModelFault(`it is a place, with a ${service.className}`, EXPORT_FIRST);
}

const EXPORT_FIRST = "Make a model of what you need: sb export PATH -o model.rbxm --headless --place FILE.";

/** Throws Error for bytes that are no model. */
export function modelFileOf(bytes: Uint8Array, path: string): Uint8Array {
  if (!/x$/i.test(path)) return bytes;
  const schema = new FileSchema(openClassData(loadClassText()));
  const { model } = readBinaryModel(bytes, IDENTITIES);
  return new TextEncoder().encode(writeXmlModel(toFileModel(toEngineModel(model, schema).model, schema)));
}

function binaryOf(model: Model, schema: FileSchema): Uint8Array {
  const whole = toFileModel(toEngineModel(model, schema).model, schema);
  return writeBinaryModel(whole, (className) => schema.isService(className));
}
