/** Luau reads every golden frame and writes it back with the same meaning. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { openPluginStudioAsync, readPluginTreeAsync } from "../plugin-studio.ts";
import { noNetwork } from "../../../headless/run-spec.ts";

const FOLDER = join(import.meta.dir, "../../../golden/wire");

/** Luau has one empty table for both. */
function withoutEmptyObjects(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutEmptyObjects);
  const entries = Object.entries(value).map(([key, item]) => [key, withoutEmptyObjects(item)] as const);
  return entries.length === 0 ? [] : Object.fromEntries(entries);
}

async function reencodeAsync(frames: readonly string[]): Promise<string[]> {
  const lines: string[] = [];
  const tree = { ...(await readPluginTreeAsync()), className: "Folder", source: "" } as const;
  const log = (_type: number, text: string): void => void lines.push(text);
  const { studio, start } = await openPluginStudioAsync({ ...noNetwork, log }, tree);
  using _studio = studio;
  start();
  studio.runSource(
    "=golden",
    `local Codec = require(engine("./Classes/Plugin").container().StudioBridge.Protocol.Codec)
    for _, text in { ${frames.map((frame) => `[==[${frame}]==]`).join(", ")} } do
      local envelope, fault = Codec.decode(text)
      print(if envelope then Codec.frame(envelope, Codec.encodePayload(envelope.payload)) else fault)
    end`,
  );
  return lines;
}

test("every golden frame survives Luau", async () => {
  const names = [...new Bun.Glob("*.json").scanSync(FOLDER)].filter((name) => name !== "values.json").sort();
  const frames = await Promise.all(names.map((name) => Bun.file(join(FOLDER, name)).text()));
  const written = await reencodeAsync(frames);
  expect(written).toHaveLength(names.length);
  for (const [index, name] of names.entries())
    expect({ name, frame: withoutEmptyObjects(JSON.parse(written[index] ?? "")) }).toEqual({
      name,
      frame: withoutEmptyObjects(JSON.parse(frames[index] ?? "")),
    });
});
