/** Folders whose files go to Studio, and take nothing from it. */
import { describe, expect, test } from "bun:test";
import type { RojoNode } from "../../../../src/roblox/rojo/node.ts";
import { agreedTree } from "../../../../src/sync/plan/agreed.ts";
import { resolve } from "../../../../src/sync/plan/resolve.ts";
import { FOLDER, linesOf, module, node, place, plan, type PlanOptions } from "./trees.ts";

const ONE_WAY: PlanOptions = { oneWay: ["out/**"] };
const from = (path: string) => ({ origin: { path: `${FOLDER}/${path}` } });
const out = (name: string, source: string) => module(name, source, from(`out/${name}.luau`));
const planned = (
  files: readonly RojoNode[],
  studio: readonly RojoNode[],
  base?: readonly RojoNode[],
  options = ONE_WAY,
) =>
  plan({
    files: place(...files),
    studio: place(...studio),
    base: base && place(...base),
    ...options,
  });
const at = (path: string, file: string, studio: string, base?: string, options = ONE_WAY) =>
  planned(
    [module("M", file, from(path))],
    [module("M", studio)],
    base === undefined ? undefined : [module("M", base)],
    options,
  ).items.map(({ verdict, reason }) => `${verdict} ${reason}`);

describe("what Studio has changed in a one-way folder", () => {
  test("is replaced, and that is said, but not what the files alone have changed", () => {
    expect(at("out/M.luau", "a", "b", "a")).toEqual(["push one_way"]);
    expect(at("out/M.luau", "c", "b", "a")).toEqual(["push one_way"]);
    expect(at("out/M.luau", "b", "a")).toEqual(["push one_way"]);
    expect(at("out/M.luau", "b", "a", "a")).toEqual(["push file_changed"]);
    expect(at("src/M.luau", "a", "b", "a")).toEqual(["pull studio_changed"]);
    expect(at("outer/M.luau", "a", "b", "a")).toEqual(["pull studio_changed"]);
  });

  test("is so in package folders without a setting, and in a folder that is named as a whole path", () => {
    expect(at("Packages/_Index/M.luau", "a", "b", "a", {})).toEqual(["push one_way"]);
    expect(at("src/PackagesOfMine/M.luau", "a", "b", "a", {})).toEqual(["pull studio_changed"]);
    expect(at("node_modules/M.luau", "b", "a", "a", {})).toEqual(["push file_changed"]);
    expect(at("out/M.luau", "a", "b", "a", { oneWay: [`${FOLDER}/out`] })).toEqual(["push one_way"]);
    expect(at("out/M.luau", "a", "b", "a", { oneWay: ["./out/"] })).toEqual(["push one_way"]);
  });

  test("is put back where it was removed, with all that was below it", () => {
    const tree = () => node("F", "Folder", { ...from("out/F"), children: [out("M", "a")] });
    const made = planned([tree()], [], [tree()]);
    expect(linesOf(made)).toEqual(["push add F", "push add F.M"]);
    expect(made.items.map(({ reason }) => reason)).toEqual(["one_way", "one_way"]);
  });

  test("goes with a file that the compiler no longer makes, and the change is named", () => {
    const folder = (...children: RojoNode[]) => node("F", "Folder", { ...from("out/F"), children });
    const inside = planned([folder()], [folder(module("M", "b"))], [folder(module("M", "a"))]);
    expect(linesOf(inside)).toEqual(["push remove F.M ()"]);
    expect(inside.items[0]?.detail).toContain("F.M goes with it");
    const same = planned([folder()], [folder(module("M", "a"))], [folder(module("M", "a"))]);
    expect(same.items.map(({ reason }) => reason)).toEqual(["file_changed"]);
  });

  test("stays in Studio where it was added, and moves into no file", () => {
    const folder = (...children: RojoNode[]) => node("F", "Folder", { ...from("out"), children });
    const added = planned([folder()], [folder(module("Mine", "x"))], [folder()]);
    expect(linesOf(added)).toEqual([]);
    const mine = () => module("Mine", "x", { studioId: 7, ...from("src/Mine.luau") });
    const moved = planned([folder(), mine()], [folder(mine())], [folder(), mine()]);
    expect(linesOf(moved)).toEqual(["skip refused move F.Mine (parent)"]);
  });

  test("is never pulled, whatever is chosen", () => {
    const changed = planned([out("M", "a")], [module("M", "b")], [module("M", "a")]);
    const gone = planned([out("M", "a")], [], [module("M", "a")]);
    for (const made of [changed, gone]) {
      const [reply] = resolve(made, { overrides: [{ to: "ReplicatedStorage.Shared.M", direction: "pull" }] });
      expect(reply?.answer).toBe("not_applicable");
      expect(reply?.detail).toContain("one-way folder");
      expect(made.items.map(({ verdict }) => verdict)).toEqual(["push"]);
    }
  });

  test("waits for a person where it is much, unless it was chosen", () => {
    const many = Array.from({ length: 11 }, (_, index) => `M${index}`);
    const sides = [
      many.map((name) => out(name, "a")),
      many.map((name) => module(name, "b")),
      many.map((name) => module(name, "a")),
    ] as const;
    const made = planned(...sides, { ...ONE_WAY, mayOverwrite: true });
    expect(made.items.every(({ reason }) => reason === "many_overwrites")).toBe(true);
    expect(made.manyOverwrites?.detail).toBe(
      "the plan replaces what Studio holds of 11 Instances in one-way folders",
    );
    resolve(made, { overrides: [{ to: "out", direction: "push" }] });
    expect(made.items.map(({ verdict }) => verdict)).toEqual(many.map(() => "push"));
    const ten = planned(sides[0].slice(1), sides[1].slice(1), sides[2].slice(1));
    expect(ten.items.map(({ verdict }) => verdict)).toEqual(many.slice(1).map(() => "push"));
  });

  test("is what the files say after the push", () => {
    const made = planned([out("M", "a")], [module("M", "b")], [module("M", "a")]);
    const [agreed] = agreedTree(made, new Set(made.items)).children[0]?.children[0]?.children ?? [];
    expect(agreed?.properties.get("Source")?.value).toBe("a");
  });
});
