/**
 * A generated Rojo project of 60,000 Instances, the same at each run: 2,000 scripts with a median of 3 KB, 8,000 folders,
 * values and remotes, and 50,000 parts in models. A few siblings share their names, and some Instances have attributes, tags
 * and references.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeBinaryModel } from "../../src/roblox/binary-writer.ts";
import { encodeAttributes } from "../../src/roblox/attributes.ts";
import { ModelBuilder, NO_PARENT } from "../../src/roblox/model.ts";

const SCRIPT_FOLDERS = 100;
const SCRIPTS_PER_FOLDER = 20;
const VALUE_FILES = 80;
const VALUES_PER_FILE = 99;
const MODELS = 100;
const PARTS_PER_MODEL = 499;
const LINE = "local value = game:GetService('ReplicatedStorage'):GetAttribute('Speed') -- what it is now\n";

/** Of 0 to 1, from a fixed seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export const scriptFile = (index: number): string =>
  join("src", `Folder${Math.floor(index / SCRIPTS_PER_FOLDER)}`, `Module${index % SCRIPTS_PER_FOLDER}.luau`);

/** Writes the project into an empty folder. */
export async function writeSyncProjectAsync(folder: string): Promise<void> {
  const random = randomOf(7);
  await writeFile(
    join(await madeAsync(folder), "default.project.json"),
    JSON.stringify({
      name: "Bench",
      tree: {
        $className: "DataModel",
        ReplicatedStorage: { Code: { $path: "src" }, Values: { $path: "values" } },
        Workspace: { Map: { $path: "map" } },
      },
    }),
  );
  for (let index = 0; index < SCRIPT_FOLDERS * SCRIPTS_PER_FOLDER; index++) {
    const path = join(folder, scriptFile(index));
    if (index % SCRIPTS_PER_FOLDER === 0) await madeAsync(join(path, ".."));
    // Half are below 3 KB, and one in a hundred has 150 KB.
    const lines = index % 100 === 99 ? 1_700 : Math.ceil(66 * random());
    await writeFile(path, `-- ${index}\n${LINE.repeat(lines)}return ${index}\n`);
  }
  await madeAsync(join(folder, "values"));
  for (let index = 0; index < VALUE_FILES; index++)
    await writeFile(
      join(folder, "values", `Values${index}.model.json`),
      JSON.stringify(valuesOf(index), null, 2),
    );
  await madeAsync(join(folder, "map"));
  for (let index = 0; index < MODELS; index++)
    await writeFile(
      join(folder, "map", `Model${index}.rbxm`),
      writeBinaryModel(modelOf(random), () => false),
    );
}

async function madeAsync(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  return folder;
}

const VALUE_CLASSES = ["Folder", "StringValue", "RemoteEvent", "NumberValue"];

function valuesOf(file: number) {
  const children = Array.from({ length: VALUES_PER_FILE }, (_, index) => {
    const className = VALUE_CLASSES[index % VALUE_CLASSES.length];
    const properties =
      className === "StringValue"
        ? { Value: `text ${index}` }
        : className === "NumberValue"
          ? { Value: index / 3 }
          : {};
    return { name: `Value${index}`, className, properties };
  });
  return { name: `Values${file}`, className: "Folder", children };
}

function modelOf(random: () => number) {
  const builder = new ModelBuilder();
  const model = builder.add("Model", NO_PARENT);
  builder.set(model, "Name", { type: "String", value: "Model" });
  for (let index = 0; index < PARTS_PER_MODEL; index++) {
    const part = builder.add("Part", model);
    // Three in a hundred siblings share a name.
    builder.set(part, "Name", { type: "String", value: index % 33 === 0 ? "Pillar" : `Part${index}` });
    builder.set(part, "Anchored", { type: "Bool", value: true });
    builder.set(part, "size", {
      type: "Vector3",
      value: [Math.ceil(random() * 20), 1, Math.ceil(random() * 20)],
    });
    builder.set(part, "CFrame", {
      type: "CFrame",
      value: [Math.round(random() * 1_000), index, Math.round(random() * 1_000), 1, 0, 0, 0, 1, 0, 0, 0, 1],
    });
    builder.set(part, "Color3uint8", { type: "Color3uint8", value: [index % 256, 20, 30] });
    const attributes =
      index % 100 === 1 ? encodeAttributes(new Map([["Zone", { type: "Float64", value: index }]])) : "";
    builder.set(part, "AttributesSerialize", { type: "String", value: attributes });
    builder.set(part, "Tags", { type: "String", value: index % 100 === 2 ? "Solid" : "" });
    if (index === 1) builder.set(model, "PrimaryPart", { type: "Ref", value: part });
  }
  return builder.finish();
}
