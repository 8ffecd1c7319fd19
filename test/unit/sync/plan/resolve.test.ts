// What choices do to a plan, and how each of them is answered.
import { describe, expect, test } from "bun:test";
import type { RojoNode } from "../../../../src/roblox/rojo/node.ts";
import type { SerializedValue } from "../../../../src/protocol/values.ts";
import { agreedTree } from "../../../../src/sync/plan/agreed.ts";
import { unexpectedValues } from "../../../../src/sync/plan/aspect-json.ts";
import type { PlanInput, SyncPlan } from "../../../../src/sync/plan/plan.ts";
import { type OverrideReply, resolve } from "../../../../src/sync/plan/resolve.ts";
import { valuesOf } from "../../../../src/sync/plan/summary.ts";
import type { Override } from "../../../../src/sync/types.ts";
import { gitBlobHash } from "../../../../src/util/git-blob-hash.ts";
import { applyInMemory } from "./apply-in-memory.ts";
import { contentOf } from "./random-trees.ts";
import { FOLDER, linesOf, module, node, type NodeFacts, number, place, plan } from "./trees.ts";

const choose = (made: SyncPlan, ...overrides: Override[]): OverrideReply[] => resolve(made, { overrides });
const M = "ReplicatedStorage.Shared.M";

/** Both sides changed the same script. */
const conflict = (): SyncPlan =>
  plan({
    files: place(module("M", "file", { origin: { path: `${FOLDER}/src/M.luau` } })),
    studio: place(module("M", "studio", { studioId: 7 })),
    base: place(module("M", "base")),
  });

describe("a choice", () => {
  test("finds its item by id, by path and by file", () => {
    for (const to of ["@7", M, `game.${M}`, "src/M.luau", "./src/M.luau", "src\\M.luau"]) {
      const made = conflict();
      expect(choose(made, { to, direction: "push" })).toEqual([{ index: 0, answer: "applied" }]);
      expect(linesOf(made)).toEqual(["push edit M (source)"]);
    }
  });
  test("of an id that there is not is answered with that id", () => {
    expect(choose(conflict(), { to: "@99", direction: "push" })).toEqual([
      { index: 0, answer: "unknown_id", detail: "the plan has no change of @99" },
    ]);
  });
  test("about an Instance that does not differ is not applicable", () => {
    const [files, studio] = [place(module("M", "a")), place(module("M", "a", { studioId: 7 }))];
    expect(choose(plan({ files, studio }), { to: "@7", direction: "push" })[0]).toMatchObject({
      answer: "not_applicable",
      detail: "the plan changes nothing of @7",
    });
    expect(choose(plan({ files, studio }), { to: M, direction: "push" })[0]?.answer).toBe("not_applicable");
  });
  test("of a file that several Instances come from names their ids", () => {
    const facts: NodeFacts = { origin: { path: `${FOLDER}/src/model.rbxmx` } };
    const made = plan({
      files: place(module("A", "1", facts), module("B", "1", facts)),
      studio: place(module("A", "2", { studioId: 5 }), module("B", "2", { studioId: 6 })),
    });
    expect(choose(made, { to: "src/model.rbxmx", direction: "pull" })[0]).toMatchObject({
      answer: "invalid",
      found: ["@5", "@6"],
    });
  });
  test("to skip leaves both sides as they are", () => {
    const made = conflict();
    choose(made, { to: "@7", direction: "skip" });
    expect(made.items[0]).toMatchObject({ verdict: "skip" });
    expect(made.items[0]?.reason).toBeUndefined();
  });
  test("can be taken back by another one", () => {
    const made = conflict();
    choose(made, { to: "@7", direction: "push" });
    choose(made, { to: "@7", direction: "pull" });
    expect(linesOf(made)).toEqual(["pull edit M (source)"]);
  });
});

describe("a precondition", () => {
  test("on a source is its hash in git, of either side", () => {
    const right = { studioHash: gitBlobHash("studio"), fileHash: gitBlobHash("file").toUpperCase() };
    expect(choose(conflict(), { to: "@7", direction: "push", ...right })[0]?.answer).toBe("applied");
    for (const wrong of [{ studioHash: gitBlobHash("x") }, { fileHash: gitBlobHash("x") }]) {
      const made = conflict();
      const found = gitBlobHash("studioHash" in wrong ? "studio" : "file");
      expect(choose(made, { to: "@7", direction: "push", ...wrong })).toEqual([
        { index: 0, answer: "hash_mismatch", found },
      ]);
      expect(made.items[0]?.verdict).toBe("unresolved");
    }
  });
  test("on a side that does not have the Instance does not hold", () => {
    const made = plan({ files: place(module("M", "a")), studio: place() });
    expect(choose(made, { to: M, direction: "push", studioHash: gitBlobHash("a") })[0]).toMatchObject({
      answer: "hash_mismatch",
      found: "",
    });
  });
  test("on properties says which of Studio's values are others", () => {
    const value = (held: number) => place(node("V", "NumberValue", { properties: { Value: number(held) } }));
    const made = () => plan({ files: value(1), studio: value(2), base: value(0) });
    const to = "ReplicatedStorage.Shared.V";
    expect(
      choose(made(), { to, direction: "push", expectedProperties: { Value: 2, Archivable: true } })[0]
        ?.answer,
    ).toBe("applied");
    expect(choose(made(), { to, direction: "push", expectedProperties: { Value: 3 } })[0]).toMatchObject({
      answer: "property_mismatch",
      found: { Value: 2 },
    });
  });
  test("on properties may have each form that sb set takes, and what the plan shows", () => {
    const part = (facts: NodeFacts) => place(node("P", "Part", { studioId: 4, ...facts }));
    const made = () =>
      plan({
        files: part({ properties: { Transparency: number(1) } }),
        studio: part({
          properties: {
            Color: { type: "Color3uint8", value: [255, 128, 0] },
            Material: { type: "Enum", value: 288 },
            Size: { type: "Vector3", value: [4, Math.fround(1.2), 2] },
            Transparency: number(0.5),
          },
          attributes: { A: { type: "Vector3", value: [1, 2, 3] } },
          tags: ["t"],
        }),
        base: part({ properties: { Transparency: number(0) } }),
        properties: "all",
      });
    const answer = (expectedProperties: NonNullable<Override["expectedProperties"]>) =>
      choose(made(), { to: "@4", direction: "push", expectedProperties })[0];
    const forms: NonNullable<Override["expectedProperties"]>[] = [
      { Color: "#ff8000", Material: "Neon", Size: "4, 1.2, 2", Transparency: 0.5 },
      { Color: [1, 128 / 255, 0], Material: "Enum.Material.Neon", Size: [4, 1.2, 2], Transparency: "0.5" },
      { Material: 288, Size: { type: "Vector3", value: [4, 1.2, 2] }, "@A": [1, 2, 3], "#t": true },
      { Name: "P", ClassName: "Part", Parent: "ReplicatedStorage.Shared", Anchored: null },
      ...made()
        .items.slice(0, 1)
        .map((item) => valuesOf(made(), item).before ?? {}),
    ];
    expect(forms.map(answer)).toEqual(forms.map(() => ({ index: 0, answer: "applied" })));
    expect(
      answer({ Color: "#ff8100", Material: "Glass", Size: 3, Transparency: 0.25, "@A": 1, "#t": false }),
    ).toMatchObject({
      answer: "property_mismatch",
      found: {
        Color: { type: "Color3", value: [1, Math.fround(128 / 255), 0] },
        Material: { type: "EnumItem", enum: "Material", name: "Neon", value: 288 },
        Size: { type: "Vector3", value: [4, Math.fround(1.2), 2] },
        Transparency: 0.5,
        "@A": { type: "Vector3", value: [1, 2, 3] },
        "#t": true,
      },
    });
  });
});

test("a reference and what only Roblox's tools set can be expected too", () => {
  const model = (value: number) => {
    const target = node("T", "Folder", { studioId: 9 });
    const pointer = node("O", "ObjectValue", { studioId: 8 });
    pointer.references.set("Value", target);
    const properties = { Scale: { type: "Float32", value } } as const;
    return place(node("M", "Model", { studioId: 7, properties, children: [target, pointer] }));
  };
  const made = () => plan({ files: model(1), studio: model(2), base: model(1.5), properties: "all" });
  const answer = (to: string, expectedProperties: NonNullable<Override["expectedProperties"]>) =>
    choose(made(), { to, direction: "push", expectedProperties })[0]?.answer;
  expect([answer("@7", { Scale: 2 }), answer("@7", { Scale: 1 })]).toEqual(["applied", "property_mismatch"]);
  const named = made();
  const entry = named.state.entries.all.find(({ studio }) => studio?.studioId === 8);
  if (entry === undefined) throw new Error("the plan has the ObjectValue");
  const found = (expected: SerializedValue) => unexpectedValues(named.state, entry, { Value: expected });
  const path = "ReplicatedStorage.Shared.M.T";
  expect(
    [path, `game.${path}`, "@9", { type: "Instance", className: "Folder", path: `game.${path}` }].map(found),
  ).toEqual([undefined, undefined, undefined, undefined]);
  expect(found(null)).toEqual({
    Value: { type: "Instance", className: "Folder", name: "T", path: `game.${path}`, id: "@9" },
  });
});

describe("a merge", () => {
  test("is applied where it has no conflict", () => {
    const sources = ["A\nb\nc", "a\nb\nC", "a\nb\nc"].map((source) => place(module("M", source)));
    const [files, studio, base] = sources;
    if (files === undefined || studio === undefined) throw new Error("three sources");
    const made = plan({ files, studio, base });
    expect(choose(made, { to: M, direction: "merge" })[0]?.answer).toBe("applied");
    const next = agreedTree(made, applyInMemory(made));
    expect(contentOf(files)).toBe(contentOf(studio));
    expect(contentOf(next)).toBe(contentOf(files));
    expect(plan({ files, studio, base: next }).items).toEqual([]);
  });
  test("is not applicable where both changed the same lines", () => {
    expect(choose(conflict(), { to: "@7", direction: "merge" })[0]?.answer).toBe("not_applicable");
  });
});

describe("a removal on one side and a change on the other", () => {
  const folder = (source: string) => node("F", "Folder", { children: [module("M", source)] });
  const keep = () => module("Keep", "");
  const made = () =>
    plan({ files: place(keep()), studio: place(folder("new"), keep()), base: place(folder("old"), keep()) });

  test("can be decided for the change, which brings back all that was removed", () => {
    const found = made();
    expect(choose(found, { to: "ReplicatedStorage.Shared.F", direction: "pull" })[0]?.answer).toBe("applied");
    expect(linesOf(found)).toEqual(["pull add F", "pull add F.M"]);
  });
  test("can be decided for the removal", () => {
    const found = made();
    choose(found, { to: "ReplicatedStorage.Shared.F", direction: "push" });
    expect(linesOf(found)).toEqual(["push remove F ()"]);
  });
});

describe("an addition", () => {
  const folder = () => node("F", "Folder", { children: [module("M", "")] });
  test("can be turned into a removal from the side that has it", () => {
    const found = plan({ files: place(), studio: place(folder()) });
    choose(found, { to: "ReplicatedStorage.Shared.F", direction: "push" });
    expect(linesOf(found)).toEqual(["push remove F ()"]);
  });
  test("that is skipped takes what is below it along", () => {
    const found = plan({ files: place(), studio: place(folder()) });
    choose(found, { to: "ReplicatedStorage.Shared.F", direction: "skip" });
    expect(found.items.map(({ verdict }) => verdict)).toEqual(["skip", "skip"]);
  });
});

describe("what is refused", () => {
  const named = (className: string): RojoNode =>
    node("Node", className, {
      origin: { kind: "projectNode", project: { file: `${FOLDER}/default.project.json`, keys: [] } },
    });
  const to = "ReplicatedStorage.Shared.Node";

  test("stays refused in the direction that is not possible", () => {
    const gone = () => plan({ files: place(named("Folder")), studio: place(), base: place(named("Folder")) });
    const found = gone();
    expect(choose(found, { to, direction: "pull" })[0]).toMatchObject({
      answer: "not_applicable",
      detail: expect.stringContaining("default.project.json"),
    });
    expect(linesOf(found)).toEqual(["skip refused remove Node ()"]);
  });
  test("can be undone on the other side", () => {
    const found = plan({ files: place(named("Folder")), studio: place(), base: place(named("Folder")) });
    expect(choose(found, { to, direction: "push" })[0]?.answer).toBe("applied");
    expect(linesOf(found)).toEqual(["push add Node"]);
  });
  test("is the class of what the project names, in both directions", () => {
    const input: Pick<PlanInput, "files" | "studio"> = {
      files: place(named("Folder")),
      studio: place(node("Node", "Model")),
    };
    for (const direction of ["push", "pull"] as const)
      expect(choose(plan(input), { to, direction })[0]?.answer).toBe("not_applicable");
  });
});

test("choices cannot confirm a mass removal, but those that make it small end it", () => {
  const some = Array.from({ length: 12 }, (_, index) => module(`M${index}`, ""));
  const keep = module("Keep", "");
  const made = plan({ files: place(keep), studio: place(keep, ...some), base: place(keep, ...some) });
  const path = (index: number) => `ReplicatedStorage.Shared.M${index}`;
  choose(made, { to: path(0), direction: "push" });
  expect(made.massRemoval?.count).toBe(12);
  choose(made, { to: path(0), direction: "skip" }, { to: path(1), direction: "pull" });
  expect(made.massRemoval).toBeUndefined();
  expect(made.items.filter(({ verdict }) => verdict === "push")).toHaveLength(10);
});

test("a choice for what is open leaves what was decided about the same Instance", () => {
  const made = plan({
    files: place(module("M", "file", { attributes: { Speed: number(2) } })),
    studio: place(module("M", "studio", { attributes: { Speed: number(1) } })),
    base: place(module("M", "base", { attributes: { Speed: number(1) } })),
  });
  const [first] = made.items;
  const overrides = [{ to: first?.id ?? "", direction: "pull" }] as const;
  expect(resolve(made, { overrides })).toEqual([{ index: 0, answer: "applied" }]);
  expect(linesOf(made).sort()).toEqual(["pull edit M (source)", "push edit M (attribute Speed)"]);
});
