/** The columns of `readItems`: what Instances hold comes out of them as it went in, and a column that does not fit is refused. */
import { expect, test } from "bun:test";
import { columnOf, type ItemColumns, itemsOf } from "../../../src/tree/item-columns.ts";
import { readItemsAsync, readTreeAsync } from "../../../src/tree/read-tree.ts";
import { BridgePeer } from "../plugin/bridge-peer.ts";
import { luauAsync, sourceOf } from "./session-source.ts";

test("equal, different and unusual values of one name come out of the columns as they went in", async () => {
  using peer = await BridgePeer.connectAsync();
  await luauAsync(
    peer,
    String.raw`
    local folder = Instance.new("Folder", workspace) folder.Name = "Mixed"
    local values = {
      1, 1, 0.1, -0, math.huge, -math.huge, 0/0, 2^60, "text", "text", "", "\xff", true, false,
      Vector3.new(1, 2, 0/0), Vector3.new(1, 2, 3), Vector2.new(1, math.huge), Color3.new(0.5, 0.25, 1),
      CFrame.new(1, 2, 3), UDim.new(0.5, 3), UDim2.new(0, 1, 0.5, 3), NumberRange.new(1, 5), Rect.new(1, 2, 3, 4),
      NumberSequence.new(1), BrickColor.new("Bright red"), Enum.Material.Wood, Enum.Material.Wood,
    }
    for index, value in values do
      local part = Instance.new("Folder", folder)
      part.Name = tostring(index)
      part:SetAttribute("Value", value)
    end`,
  );
  const tree = await readTreeAsync(sourceOf(peer), { roots: ["Workspace.Mixed"], hashes: false });
  const ids = [...tree.byId.values()].slice(1).map(({ id }) => id);
  const items = await readItemsAsync(sourceOf(peer), ids, ["attributes"]);
  expect([...items.values()].map(({ attributes }) => attributes?.["Value"])).toEqual([
    ...[1, 1, 0.1, -0],
    ...["inf", "-inf", "nan"].map((value) => ({ type: "number", value })),
    { type: "number", value: "1152921504606846976" },
    ...["text", "text", "", { type: "bytes", base64: "/w==" }, true, false],
    { type: "Vector3", value: [1, 2, "nan"] },
    { type: "Vector3", value: [1, 2, 3] },
    { type: "Vector2", value: [1, "inf"] },
    { type: "Color3", value: [0.5, 0.25, 1] },
    { type: "CFrame", value: [1, 2, 3, 1, 0, 0, 0, 1, 0, 0, 0, 1] },
    { type: "UDim", value: [0.5, 3] },
    { type: "UDim2", value: [0, 1, 0.5, 3] },
    { type: "NumberRange", value: [1, 5] },
    { type: "Rect", value: [1, 2, 3, 4] },
    { type: "NumberSequence", value: [0, 1, 0, 1, 1, 0] },
    { type: "BrickColor", name: "Bright red", value: 21 },
    ...[1, 2].map(() => ({ type: "EnumItem", enum: "Material", name: "Wood", value: 512 })),
  ]);
});

test("a nil, a reference, and tags that only their ends tell apart are each Instance's own", async () => {
  using peer = await BridgePeer.connectAsync();
  await luauAsync(
    peer,
    `local folder = Instance.new("Folder", workspace) folder.Name = "Held"
    for index, tags in { { "ab", "c" }, { "a", "bc" }, { "ab", "c" }, {} } do
      local holder = Instance.new("ObjectValue", folder)
      holder.Value = if index < 3 then folder else nil
      for _, tag in tags do holder:AddTag(tag) end
    end`,
  );
  const tree = await readTreeAsync(sourceOf(peer), { roots: ["Workspace.Held"], hashes: false });
  const ids = [...tree.byId.values()].slice(1).map(({ id }) => id);
  const items = [...(await readItemsAsync(sourceOf(peer), ids, ["properties", "tags"])).values()];
  expect(items.map(({ tags }) => tags?.toSorted())).toEqual([["ab", "c"], ["a", "bc"], ["ab", "c"], []]);
  const folderId = `@${[...tree.byId.keys()][0]}`;
  expect(items.map(({ properties }) => Object(properties?.["Value"]).id)).toEqual([
    folderId,
    folderId,
    undefined,
    undefined,
  ]);
});

const reply = (column: Partial<ItemColumns["columns"][number]>): ItemColumns => ({
  ids: "1,2,3",
  classes: "0,0,1",
  classNames: ["Part", "Folder"],
  columns: [{ of: "properties", name: "A", rows: "0-1", ...column }],
});

test("rows are runs, the last column of a row counts, and a name of JavaScript is a name like others", () => {
  const { columns, ...rows } = reply({ values: [true] });
  const twice = {
    ...rows,
    columns: [...columns, ...reply({ rows: "1-2", name: "__proto__", values: [5, 6], picks: "1,0" }).columns],
  };
  const again = { ...twice, columns: [...twice.columns, ...reply({ rows: "0", values: [false] }).columns] };
  expect(itemsOf(again, ["properties"]).map(({ properties }) => Object.entries(properties ?? {}))).toEqual([
    [["A", false]],
    [
      ["A", true],
      ["__proto__", 6],
    ],
    [["__proto__", 5]],
  ]);
});

test("a column that does not fit its rows is refused", () => {
  for (const column of [
    { rows: "0-3", values: [1] },
    { values: [] },
    { values: [1], picks: "0" },
    { values: [1], picks: "0,1" },
    { type: "Vector3", numbers: "1,2,3" },
    { type: "number" },
    { type: "Font", numbers: "1,2" },
    { rows: "zero", values: [1] },
    { type: "number", numbers: "1,x" },
  ]) {
    const [wire] = reply(column).columns;
    expect(() => wire && columnOf(wire, 3), JSON.stringify(column)).toThrow("does not fit its rows");
  }
});
