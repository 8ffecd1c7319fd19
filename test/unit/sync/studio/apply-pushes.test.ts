/** Pushes into a Studio: what becomes of each, in which order, and what stays where the place has changed meanwhile. */
import { expect, test } from "bun:test";
import { words } from "../../../../src/protocol/words.ts";
import type { PlanItem } from "../../../../src/sync/types.ts";
import { type Call } from "./studio-peer.ts";
import { added, aspect, Case, instance, item, STEP, text, valued } from "./pushed-case.ts";

test("additions bring what they consist of, and are one undo step", async () => {
  await using studio = await Case.openAsync("");
  const folder = added("New", studio.folder, "Folder");
  const part = added("Part", folder.file ?? studio.folder, "Part", [
    aspect("property", valued({ type: "Bool", value: true }), undefined, "Anchored"),
    aspect("property", valued({ type: "Vector3", value: [1, 2, 3] }), undefined, "Size"),
    aspect("attribute", valued({ type: "Float64", value: 7 }), undefined, "Speed"),
    aspect("tag", { type: "flag", value: true }, undefined, "Wet"),
  ]);
  const script = added("Code", folder.file ?? studio.folder, "ModuleScript", [
    aspect("source", text("return 1")),
  ]);
  const value = added("Ref", studio.folder, "ObjectValue", [
    aspect("reference", instance(part.file ?? null), undefined, "Value"),
  ]);
  expect(await studio.applyAsync([folder, part, script, value])).toEqual([
    ["New", true, undefined],
    ["Part", true, undefined],
    ["Code", true, undefined],
    ["Ref", true, undefined],
  ]);
  expect(
    await studio.luauAsync(`shared.New.Part.Anchored, shared.New.Part.Size.Y, shared.New.Part:GetAttribute("Speed"),
      shared.New.Part:HasTag("Wet"), shared.New.Code.Source, shared.Ref.Value == shared.New.Part,
      game.ServerStorage:GetAttribute("${words.placeMark}") ~= nil`),
  ).toEqual([true, 2, 7, true, "return 1", true, true]);
  const { steps } = await studio.peer.askAsync("listSteps", {});
  expect(steps[0]).toMatchObject({ name: "sb sync: 4 changes", sync: STEP });
  const undone = await studio.peer.askAsync("undo", { force: true });
  expect(undone).toMatchObject({ undone: [], stoppedAt: { name: "sb sync: 4 changes", sync: STEP } });
  await studio.peer.askAsync("undo", { plan: STEP.plan });
  expect(await studio.luauAsync("#shared:GetChildren()")).toEqual([0]);
  const redone = await studio.peer.askAsync("undo", { redo: true, force: true });
  expect(redone).toMatchObject({ undone: [], stoppedAt: { sync: STEP } });
  expect((await studio.peer.askAsync("listSteps", {})).undone).toMatchObject([{ sync: STEP }]);
});

const EDITED = `
  local part = Instance.new("Part", shared) part.Transparency = 0.3 part.Name = "Part" part:SetAttribute("A", 1)
  part:AddTag("Old")
  local code = Instance.new("ModuleScript", shared) code.Name = "Code" code.Source = "return 1"
  local house = Instance.new("Model", shared) house.Name = "House"`;

function editsOf(studio: Case): PlanItem[] {
  const part = studio.paired("Part", "Part");
  const code = studio.paired("ModuleScript", "Code");
  const house = studio.paired("Model", "House");
  return [
    item(
      "Part",
      "edit",
      [
        aspect("property", undefined, valued({ type: "Float32", value: Math.fround(0.3) }), "Transparency"),
        aspect("property", valued({ type: "Color3uint8", value: [255, 0, 0] }), undefined, "Color"),
        aspect("attribute", undefined, valued({ type: "Float64", value: 1 }), "A"),
        aspect("attribute", valued({ type: "Bool", value: true }), undefined, "B"),
        aspect("tag", undefined, { type: "flag", value: true }, "Old"),
        aspect("tag", { type: "flag", value: true }, undefined, "New"),
      ],
      { file: part, studio: studio.at("Part") },
    ),
    item("Code", "edit", [aspect("source", text("return 2"), text("return 1"))], {
      file: code,
      studio: studio.at("Code"),
    }),
    item(
      "House",
      "move",
      [aspect("name", text("Home"), text("House")), aspect("parent", instance(code), instance(studio.at()))],
      { file: house, studio: studio.at("House") },
    ),
  ];
}

test("edits, moves, and properties that go back to their defaults", async () => {
  await using studio = await Case.openAsync(EDITED);
  expect(await studio.applyAsync(editsOf(studio))).toEqual([
    ["Part", true, undefined],
    ["Code", true, undefined],
    ["House", true, undefined],
  ]);
  expect(
    await studio.luauAsync(`shared.Part.Transparency, shared.Part.Color:ToHex(), shared.Part:GetAttribute("A"),
      shared.Part:GetAttribute("B"), table.concat(shared.Part:GetTags()), shared.Code.Source, shared.Code.Home.ClassName`),
  ).toEqual([0, "ff0000", { type: "nil" }, true, "New", "return 2", "Model"]);
});

test.each([
  ["Part", "shared.Part.Transparency = 0.5"],
  ["Part", "shared.Part.Color = Color3.new(0, 1, 0)"],
  ["Part", 'shared.Part:SetAttribute("A", 2)'],
  ["Part", 'shared.Part:SetAttribute("B", 2)'],
  ["Code", 'shared.Code.Source = "return 3"'],
  ["House", 'shared.House.Name = "Other"'],
  ["House", "shared.House.Parent = workspace"],
])("%s keeps what a person did in between (%s), and the others are applied", async (path, change) => {
  await using studio = await Case.openAsync(EDITED);
  const items = editsOf(studio);
  studio.beforePatch(`local shared = game.ReplicatedStorage.Shared ${change}`);
  const changed = "it has changed in Studio since the plan was made";
  expect(await studio.applyAsync(items)).toEqual(
    items.map((each) => (each.path === path ? [path, false, changed] : [each.path, true, undefined])),
  );
  expect(
    await studio.luauAsync(
      `shared.Part.Transparency == 0.5 or shared.Part.Color.G == 1 or shared.Part:GetAttribute("A") == 2
       or shared.Part:GetAttribute("B") == 2 or shared.Code.Source == "return 3"
       or shared:FindFirstChild("Other") ~= nil or workspace:FindFirstChild("House") ~= nil`,
    ),
  ).toEqual([true]);
});

const REMOVED = `local old = Instance.new("Folder", shared) old.Name = "Old"
  local deep = Instance.new("ModuleScript", old) deep.Name = "Deep" deep.Source = "return 1"`;

test("a removal takes the whole subtree, unless something in it has changed", async () => {
  await using studio = await Case.openAsync(REMOVED);
  const removal = () => [item("Old", "remove", [], { studio: studio.at("Old") })];
  studio.beforePatch('game.ReplicatedStorage.Shared.Old.Deep.Source = "return 2"');
  expect(await studio.applyAsync(removal())).toEqual([
    ["Old", false, "it has changed in Studio since the plan was made"],
  ]);
  expect(await studio.luauAsync("shared.Old.Deep.Source")).toEqual(["return 2"]);
  await studio.readAsync();
  expect(await studio.applyAsync(removal())).toEqual([["Old", true, undefined]]);
  expect(await studio.luauAsync("#shared:GetChildren()")).toEqual([0]);
});

test("another class keeps children, references and what both classes have", async () => {
  await using studio = await Case.openAsync(`
    local code = Instance.new("Script", shared) code.Name = "Code" code.Source = "print(1)" code:SetAttribute("A", 1)
    code:AddTag("T") code.Disabled = true
    Instance.new("Folder", code).Name = "Child"
    local ref = Instance.new("ObjectValue", workspace) ref.Name = "Ref" ref.Value = code`);
  const file = studio.paired("LocalScript", "Code");
  const changes = [
    aspect("className", text("LocalScript"), text("Script")),
    aspect("source", text("print(2)"), text("print(1)")),
  ];
  expect(
    await studio.applyAsync([item("Code", "edit", changes, { file, studio: studio.at("Code") })]),
  ).toEqual([["Code", true, undefined]]);
  expect(
    await studio.luauAsync(`shared.Code.ClassName, shared.Code.Source, shared.Code:GetAttribute("A"),
      shared.Code:HasTag("T"), shared.Code.Disabled, #shared.Code:GetChildren(), #shared:GetChildren(),
      workspace.Ref.Value == shared.Code`),
  ).toEqual(["LocalScript", "print(2)", 1, true, true, 1, 1, true]);
});

test("what the files take out together with the class that has it needs no value in the other class", async () => {
  await using studio = await Case.openAsync(
    `local old = Instance.new("StringValue", shared) old.Name = "Old" old.Value = "x" old.Archivable = false`,
  );
  const file = studio.paired("Folder", "Old");
  const changes = [
    aspect("className", text("Folder"), text("StringValue")),
    aspect("property", undefined, valued({ type: "String", value: "x" }), "Value"),
    aspect("property", undefined, valued({ type: "Bool", value: false }), "Archivable"),
  ];
  expect(await studio.applyAsync([item("Old", "edit", changes, { file, studio: studio.at("Old") })])).toEqual(
    [["Old", true, undefined]],
  );
  expect(await studio.luauAsync("shared.Old.ClassName, shared.Old.Archivable")).toEqual(["Folder", true]);
});

test("what the files give to another class is not expected of the class before, which has no such property", async () => {
  await using studio = await Case.openAsync(`
    local old = Instance.new("RemoteEvent", shared) old.Name = "Old"
    local link = Instance.new("Folder", shared) link.Name = "Link"`);
  const [value, link] = [studio.paired("StringValue", "Old"), studio.paired("ObjectValue", "Link")];
  const done = await studio.applyAsync([
    item(
      "Old",
      "edit",
      [
        aspect("className", text("StringValue"), text("RemoteEvent")),
        aspect("property", valued({ type: "String", value: "x" }), undefined, "Value"),
      ],
      { file: value, studio: studio.at("Old") },
    ),
    item(
      "Link",
      "edit",
      [
        aspect("className", text("ObjectValue"), text("Folder")),
        aspect("reference", instance(value), undefined, "Value"),
      ],
      { file: link, studio: studio.at("Link") },
    ),
  ]);
  expect(done).toEqual([
    ["Old", true, undefined],
    ["Link", true, undefined],
  ]);
  expect(await studio.luauAsync("shared.Old.Value, shared.Link.Value.Name")).toEqual(["x", "Old"]);
});

test("a folder becomes a script and a script a folder, with what is in them", async () => {
  await using studio = await Case.openAsync(`
    Instance.new("Folder", shared).Name = "One"
    Instance.new("Folder", shared.One).Name = "Child"
    local two = Instance.new("ModuleScript", shared) two.Name = "Two" two.Source = "return 2"`);
  const [one, two] = [studio.paired("ModuleScript", "One"), studio.paired("Folder", "Two")];
  const toScript = [
    aspect("className", text("ModuleScript"), text("Folder")),
    aspect("source", text("return 1"), undefined),
  ];
  const toFolder = [
    aspect("className", text("Folder"), text("ModuleScript")),
    aspect("source", undefined, text("return 2")),
  ];
  expect(
    await studio.applyAsync([
      { ...item("One", "edit", toScript, { file: one, studio: studio.at("One") }), className: "Folder" },
      {
        ...item("Two", "edit", toFolder, { file: two, studio: studio.at("Two") }),
        className: "ModuleScript",
      },
    ]),
  ).toEqual([
    ["One", true, undefined],
    ["Two", true, undefined],
  ]);
  expect(
    await studio.luauAsync("shared.One.Source, #shared.One:GetChildren(), shared.Two.ClassName"),
  ).toEqual(["return 1", 1, "Folder"]);
});

test("what cannot be done is said of its item, and those that need it fail with it", async () => {
  await using studio = await Case.openAsync("");
  const wrong = added("Wrong", studio.folder, "Zork");
  const below = added("Below", wrong.file ?? studio.folder, "Folder");
  const partly = added("Partly", studio.folder, "Part", [
    aspect("property", valued({ type: "Bool", value: true }), undefined, "Anchored"),
    aspect("property", valued({ type: "Float32", value: 1 }), undefined, "Mass"),
  ]);
  const fine = added("Fine", studio.folder, "Folder");
  const results = await studio.applyAsync([wrong, below, partly, fine]);
  expect(results.map(([path, applied]) => [path, applied])).toEqual([
    ["Wrong", false],
    ["Below", false],
    ["Partly", false],
    ["Fine", true],
  ]);
  expect(results[2]).toEqual(["Partly", false, "scripts cannot write Mass"]);
  expect(await studio.luauAsync("shared.Partly.Anchored, #shared:GetChildren()")).toEqual([true, 2]);
});

test("what scripts cannot write comes with the bytes of a model, and children and references follow it", async () => {
  await using studio = await Case.openAsync("");
  const mesh = added("Mesh", studio.folder, "MeshPart", [
    aspect("property", valued({ type: "String", value: "rbxassetid://7" }), undefined, "MeshId"),
    aspect("attribute", valued({ type: "Float64", value: 3 }), undefined, "Speed"),
  ]);
  mesh.file?.properties.set("MeshId", { type: "String", value: "rbxassetid://7" });
  mesh.file?.attributes.set("Speed", { type: "Float64", value: 3 });
  const child = added("Child", mesh.file ?? studio.folder, "Folder");
  const ref = added("Ref", mesh.file ?? studio.folder, "ObjectValue", [
    aspect("reference", instance(mesh.file ?? null), undefined, "Value"),
  ]);
  expect(await studio.applyAsync([mesh, child, ref])).toEqual([
    ["Mesh", true, undefined],
    ["Child", true, undefined],
    ["Ref", true, undefined],
  ]);
  expect(
    await studio.luauAsync(`shared.Mesh.ClassName, shared.Mesh.MeshId, shared.Mesh:GetAttribute("Speed"),
      #shared.Mesh:GetChildren(), shared.Mesh.Ref.Value == shared.Mesh`),
  ).toEqual(["MeshPart", "rbxassetid://7", 3, 2, true]);
});

test("a large plan goes in parts, which are one undo step", async () => {
  await using studio = await Case.openAsync("");
  const parent = added("Many", studio.folder, "Folder");
  const parts = Array.from({ length: 1_200 }, (_, index) =>
    added(`P${index}`, parent.file ?? studio.folder, "Part", [
      aspect("property", valued({ type: "Bool", value: true }), undefined, "Anchored"),
    ]),
  );
  const results = await studio.applyAsync([parent, ...parts]);
  expect(results.every(([, applied]) => applied)).toBe(true);
  expect(studio.patches).toBe(3);
  expect(await studio.luauAsync("#shared.Many:GetChildren()")).toEqual([1_200]);
  const { steps } = await studio.peer.askAsync("listSteps", {});
  expect(steps[0]?.name).toBe("sb sync: 1201 changes");
  expect((await studio.peer.askAsync("undo", { plan: STEP.plan })).undone.length).toBe(1);
  expect(await studio.luauAsync("#shared:GetChildren()")).toEqual([0]);
});

test("an interrupted plan ends with the part that has begun, and says which items are left", async () => {
  await using studio = await Case.openAsync("");
  const items = Array.from({ length: 700 }, (_, index) => added(`F${index}`, studio.folder, "Folder"));
  const stop = new AbortController();
  studio.calls.push = (...calls: Call[]) => {
    if (calls.some(({ name }) => name === "applyPatch")) stop.abort();
    return calls.length;
  };
  const results = await studio.applyAsync(items, stop.signal);
  expect(results.filter(([, applied]) => applied).length).toBe(500);
  expect(results.at(-1)).toEqual(["F699", false, "interrupted"]);
  expect(await studio.luauAsync("#shared:GetChildren()")).toEqual([500]);
  const { steps } = await studio.peer.askAsync("listSteps", {});
  expect(steps[0]?.name).toBe("sb sync: 700 changes");
});
