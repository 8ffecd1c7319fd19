/** The base that sync keeps in the state folder. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FileValue } from "../../../../src/roblox/model.ts";
import { newNode } from "../../../../src/roblox/rojo/node.ts";
import {
  addSourcesToBaseAsync,
  forgetBaseAsync,
  loadBaseAsync,
  saveBaseAsync,
} from "../../../../src/sync/base/store.ts";
import { baseFile, type SyncState, syncStateAsync } from "../../../../src/sync/state-paths.ts";

let folder = "";
let state: SyncState;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sb-base-"));
  state = await syncStateAsync(join(folder, "default.project.json"), { XDG_STATE_HOME: folder });
});
afterEach(() => rm(folder, { recursive: true }));

const PLACE = { by: "placeId", value: "17" } as const;

/** A value of each form that values have. */
const VALUES: Readonly<Record<string, FileValue>> = {
  Text: { type: "String", value: "\0\x01\xff line\n" },
  Flag: { type: "Bool", value: false },
  Number: { type: "Float64", value: 0.1 },
  NotFinite: { type: "Float64", value: Number.NEGATIVE_INFINITY },
  NotANumber: { type: "Float64", value: Number.NaN },
  Whole: { type: "Int64", value: 9_007_199_254_740_993n },
  Frame: { type: "CFrame", value: [1, Number.POSITIVE_INFINITY, 3, 1, 0, 0, 0, Number.NaN, 0, 0, 0, 1] },
  NoTuple: { type: "PhysicalProperties", value: null },
  Nothing: { type: "NumberSequence", value: [] },
  Face: { type: "Font", value: { family: "f", weight: 400, style: 0, cachedFaceId: "" } },
  Asset: { type: "Content", value: { kind: "uri", uri: "rbxassetid://1" } },
  Item: { type: "EnumItem", value: { enumName: "Material", number: 256 } },
  Marks: { type: "Tags", value: ["a", "b"] },
  Table: { type: "Attributes", value: new Map([["a", { type: "Int64", value: 1n }]]) },
  Other: { type: "Opaque", value: { type: "Vector3", value: [1, 2, 3] } },
};

function tree() {
  const root = newNode("Game", "DataModel");
  const [first, second] = [newNode("Ü", "Part"), newNode("Ü", "Part")];
  for (const [name, value] of Object.entries(VALUES)) first.properties.set(name, value);
  first.attributes.set("speed", { type: "Float64", value: 3 });
  first.references.set("Next", second);
  first.id = "one";
  second.studioId = 12;
  second.unsettled = new Set(["source", "property Size"]);
  first.studioOnly = new Map();
  second.studioOnly = new Map([["property Size", { type: "Vector3", value: [1, 2, 3] }]]);
  root.children.push(first, second);
  return root;
}

describe("the base of a place", () => {
  test("comes back as it was saved, with every type of value", async () => {
    const head = "0123456789012345678901234567890123456789";
    await saveBaseAsync(state, PLACE, { root: tree(), head });
    expect(await loadBaseAsync(state, PLACE)).toEqual({ base: { root: tree(), head } });
  });

  test("knows Studio's numbers only in the life of the plugin that gave them", async () => {
    await saveBaseAsync(state, PLACE, { root: tree(), generation: "one" });
    const numbersIn = async (generation: string) =>
      (await loadBaseAsync(state, PLACE, generation)).base?.root.children.map(({ studioId }) => studioId);
    expect(await numbersIn("one")).toEqual([undefined, 12]);
    expect(await numbersIn("two")).toEqual([undefined, undefined]);
  });

  test("takes in the sources that were agreed on later, and leaves out a line that was cut off", async () => {
    const root = tree();
    const script = newNode("M", "ModuleScript");
    script.studioId = 13;
    script.properties.set("Source", { type: "String", value: "return 1" });
    root.children.push(script);
    const sourceAsync = async (generation: string) => {
      const { base } = await loadBaseAsync(state, PLACE, generation);
      return base?.root.children.find(({ name }) => name === "M")?.properties.get("Source")?.value;
    };
    await addSourcesToBaseAsync(state, PLACE, [{ studioId: 13, source: "return 0" }]);
    expect(await loadBaseAsync(state, PLACE)).toEqual({});
    await saveBaseAsync(state, PLACE, { root, generation: "one" });
    await addSourcesToBaseAsync(state, PLACE, [{ studioId: 13, source: "return 2" }]);
    await addSourcesToBaseAsync(state, PLACE, [
      { studioId: 99, source: "gone" },
      { studioId: 13, source: "return 'ü'\n" },
    ]);
    await appendFile(baseFile(state, PLACE) ?? "", '\n{"studioId":13,"sou');
    for (const generation of ["one", "two"])
      expect(await sourceAsync(generation)).toBe("return '\xc3\xbc'\n");
    await addSourcesToBaseAsync(state, PLACE, [{ studioId: 13, source: "return 4" }]);
    expect(await sourceAsync("one")).toBe("return 4");
    await saveBaseAsync(state, PLACE, { root, generation: "one" });
    expect(await sourceAsync("one")).toBe("return 1");
  });

  test("belongs to one place of one project", async () => {
    await saveBaseAsync(state, PLACE, { root: tree() });
    expect(await loadBaseAsync(state, { by: "placeId", value: "18" })).toEqual({});
    expect(await loadBaseAsync(state, { by: "mark", value: "17" })).toEqual({});
    const other = await syncStateAsync(join(folder, "other.project.json"), { XDG_STATE_HOME: folder });
    expect(await loadBaseAsync(other, PLACE)).toEqual({});
    await forgetBaseAsync(state, PLACE);
    expect(await loadBaseAsync(state, PLACE)).toEqual({});
  });

  test("is never kept for a place that cannot be known again", async () => {
    await saveBaseAsync(state, { by: "unknown" }, { root: tree() });
    expect(await loadBaseAsync(state, { by: "unknown" })).toEqual({});
  });

  test("lies in a folder that only its user can read", async () => {
    await saveBaseAsync(state, PLACE, { root: tree() });
    expect((await stat(state.folder)).mode & 0o077).toBe(0);
    expect(await readdir(state.folder)).toHaveLength(1);
  });

  test("counts as none, with a notice, when a byte of it is lost or changed anywhere", async () => {
    await saveBaseAsync(state, PLACE, { root: tree() });
    const path = baseFile(state, PLACE) ?? "";
    const whole = await readFile(path);
    for (let at = 0; at < whole.length; at += 7) {
      const broken = Buffer.from(whole);
      broken[at] = (broken[at] ?? 0) ^ 1;
      for (const content of [broken, whole.subarray(0, at)]) {
        await writeFile(path, content);
        const { base, notice } = await loadBaseAsync(state, PLACE);
        expect(base).toBeUndefined();
        expect(notice).toContain("removes nothing");
      }
    }
  });
});
