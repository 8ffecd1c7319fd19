/** What choices about folders and globs name, the side that a person prefers, and what a project's settings leave out. */
import { describe, expect, test } from "bun:test";
import type { RojoNode } from "../../../../src/roblox/rojo/node.ts";
import type { SyncPlan } from "../../../../src/sync/plan/plan.ts";
import { resolve } from "../../../../src/sync/plan/resolve.ts";
import type { Override } from "../../../../src/sync/types.ts";
import { FOLDER, linesOf, module, node, originOf, place, plan } from "./trees.ts";

const inFolder = (...children: RojoNode[]): RojoNode =>
  Object.assign(node("lib", "Folder", { children }), {
    origin: originOf({ kind: "folder", path: `${FOLDER}/src/lib` }),
  });
const script = (name: string, source: string, folder = "src") =>
  module(name, source, { origin: { path: `${FOLDER}/${folder}/${name}.luau` } });

/** `A` and `lib` differ, `B` was changed in the files, and `lib.Only` is in Studio alone. */
const made = (skips: readonly string[] = []): SyncPlan =>
  plan({
    files: place(
      script("A", "file"),
      script("B", "file"),
      inFolder(script("C", "file", "src/lib"), script("D", "file", "src/lib")),
    ),
    studio: place(
      module("A", "studio", { studioId: 1 }),
      module("B", "base", { studioId: 2 }),
      node("lib", "Folder", {
        children: [
          module("C", "studio", { studioId: 3 }),
          module("D", "base", { studioId: 4 }),
          module("Only", "studio", { studioId: 5 }),
        ],
      }),
    ),
    base: place(
      module("A", "base"),
      module("B", "base"),
      node("lib", "Folder", { children: [module("C", "base"), module("D", "base")] }),
    ),
    skips,
  });

const LIB = ["C", "D", "Only"].map((name) => `ReplicatedStorage.Shared.lib.${name}`);
const pathsWith = ({ items }: SyncPlan, verdict: string) =>
  items.flatMap((item) => (item.verdict === verdict ? item.path : []));
const choose = (chosen: SyncPlan, override: Override) => resolve(chosen, { overrides: [override] })[0];

describe("a choice about a folder", () => {
  test.each([
    "ReplicatedStorage.Shared.lib",
    "game.ReplicatedStorage.Shared.lib",
    "src/lib",
    ".\\src\\lib\\",
    "src/l*",
  ])("means all that is below it: %s", (to) => {
    const chosen = made();
    expect(choose(chosen, { to, direction: "skip" })).toEqual({ index: 0, answer: "applied" });
    expect(pathsWith(chosen, "skip")).toEqual(LIB);
  });
  test("does not mean a neighbour whose name begins with the same words", () => {
    expect(choose(made(), { to: "ReplicatedStorage.Shared.li", direction: "skip" })?.answer).toBe(
      "unknown_id",
    );
    expect(choose(made(), { to: "src/li", direction: "skip" })?.answer).toBe("unknown_id");
  });
  test("decides what only one side has, too", () => {
    const chosen = made();
    choose(chosen, { to: "src/lib", direction: "push" });
    expect(linesOf(chosen)).toEqual([
      "unresolved both_changed edit A (source)",
      "push edit B (source)",
      "push edit lib.C (source)",
      "push edit lib.D (source)",
      "push remove lib.Only ()",
    ]);
  });
  test("takes no hashes, which are those of one script", () => {
    const chosen = made();
    const answer = choose(chosen, { to: "src/lib", direction: "push", fileHash: "0".repeat(40) });
    expect(answer?.answer).toBe("invalid");
    expect(pathsWith(chosen, "skip")).toEqual([]);
  });
  test("says how much of it could not go that way", () => {
    expect(choose(made(), { to: "src/lib", direction: "merge" })).toMatchObject({
      answer: "not_applicable",
      detail: "there is no merge without conflicts",
    });
  });
});

describe("the preferred side", () => {
  const unknown = () =>
    plan({
      files: place(module("A", "file"), module("Mine", "file")),
      studio: place(module("A", "studio"), module("Theirs", "studio")),
      isUnknownPlace: true,
    });
  const foreign = () =>
    plan({
      files: place(module("Mine", "file")),
      studio: place(module("Theirs", "studio")),
      isUnknownPlace: true,
    });
  test("wins where nothing tells which side is newer", () => {
    for (const [preferred, line] of [
      ["files", "push edit A (source)"],
      ["studio", "pull edit A (source)"],
    ] as const) {
      const chosen = unknown();
      resolve(chosen, { overrides: [], preferred });
      expect(linesOf(chosen)).toEqual([line, "push add Mine", "pull add Theirs"]);
    }
  });
  test("removes nothing: what only the other side has stays there", () => {
    const [files, studio] = [foreign(), foreign()];
    resolve(files, { overrides: [], preferred: "files" });
    expect(linesOf(files)).toEqual(["push add Mine", "skip undefined add Theirs"]);
    resolve(studio, { overrides: [], preferred: "studio" });
    expect(linesOf(studio)).toEqual(["push add Mine", "pull add Theirs"]);
  });
  test("answers nothing that both sides have changed, and no choice that was made", () => {
    const chosen = made();
    resolve(chosen, {
      overrides: [{ to: "ReplicatedStorage.Shared.B", direction: "skip" }],
      preferred: "studio",
    });
    expect(linesOf(chosen).slice(0, 2)).toEqual([
      "unresolved both_changed edit A (source)",
      "skip undefined edit B (source)",
    ]);
  });
});

describe("what settings leave out", () => {
  test("is skipped with its reason, and a choice still reaches it", () => {
    const chosen = made(["src/lib", "ReplicatedStorage.Shared.A"]);
    expect(pathsWith(chosen, "skip")).toEqual(["ReplicatedStorage.Shared.A", ...LIB]);
    expect(chosen.items[0]).toMatchObject({
      reason: "left_out",
      detail: "sync.skip in sb.config.json has ReplicatedStorage.Shared.A",
    });
    choose(chosen, { to: "@3", direction: "pull" });
    expect(pathsWith(chosen, "pull")).toEqual(["ReplicatedStorage.Shared.lib.C"]);
  });
  test("is not removed together with what is around it", () => {
    const withLib = (studioId?: number) =>
      place(
        node("lib", "Folder", { children: [module("C", "a", studioId === undefined ? {} : { studioId })] }),
      );
    const chosen = plan({
      files: place(),
      studio: withLib(3),
      base: withLib(),
      skips: ["ReplicatedStorage.Shared.lib.C"],
    });
    expect(linesOf(chosen)).toEqual(["skip left_out remove lib ()"]);
  });
});
