// What choices do to a plan, and how each of them is answered.
import { describe, expect, test } from "bun:test";
import type { RojoNode } from "../../../../src/roblox/rojo/node.ts";
import { agreedTree } from "../../../../src/sync/plan/agreed.ts";
import type { PlanInput, SyncPlan } from "../../../../src/sync/plan/plan.ts";
import { type OverrideReply, resolve } from "../../../../src/sync/plan/resolve.ts";
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
