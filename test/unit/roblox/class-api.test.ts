// Classes, members and enums as people look them up, out of the texts that the build makes from the pinned packages.
import { beforeAll, expect, test } from "bun:test";
import { buildClassesAsync } from "../../../scripts/build-classes.ts";
import { buildSignaturesAsync } from "../../../scripts/build-signatures.ts";
import { ClassApi } from "../../../src/roblox/class-api.ts";

let api: ClassApi;
beforeAll(async () => {
  const [classes, signatures] = await Promise.all([buildClassesAsync(), buildSignaturesAsync()]);
  api = new ClassApi(await Bun.file(classes).text(), await Bun.file(signatures).text());
});

test("a class has its bases, the nearest first, and its own members alone", () => {
  expect(api.class("Part")).toMatchObject({
    bases: ["FormFactorPart", "BasePart", "PVInstance", "Instance", "Object"],
    members: [{ name: "Shape", type: "Enum.PartType", default: "Enum.PartType.Block" }],
  });
  expect(api.class("Players")?.tags).toEqual(["NotCreatable", "Service"]);
  expect(api.class("part")).toBeUndefined();
});

test("an inherited member names its owner and has the default of the class that was asked for", () => {
  expect(api.member("Part", "Size")).toMatchObject({
    owner: "BasePart",
    type: "Vector3",
    default: "Vector3.new(4, 1.2, 2)",
  });
  expect(api.member("TopBottom", "Size")).toBeUndefined();
  expect(api.member("TrussPart", "Size")?.default).toBe("Vector3.new(2, 2, 2)");
});

test("methods, events and callbacks have their parameters in Luau", () => {
  expect(api.member("Players", "GetPlayerByUserId")?.type).toBe("(userId: number) -> Player?");
  expect(api.member("Part", "Touched")?.type).toBe("(otherPart: BasePart)");
  expect(api.member("Players", "PlayerRemoving")?.type).toBe(
    "(player: Player, reason: Enum.PlayerExitReason)",
  );
  expect(api.member("StudioTestService", "ExecutePlayModeAsync")).toMatchObject({
    security: "PluginSecurity",
    tags: ["Yields"],
  });
});

test("a property that scripts cannot write has no security of writing", () => {
  const mass = api.member("Part", "Mass");
  expect(mass).toMatchObject({ tags: expect.arrayContaining(["ReadOnly"]), security: "None" });
  expect(mass).not.toHaveProperty("writeSecurity");
});

test("the classes that declare a member are found by its name", () => {
  expect(api.ownersOf("Anchored")).toContain("BasePart");
  expect(api.ownersOf("Anchord")).toEqual([]);
});

test("every class can be described, and every type of a property is known", () => {
  const members = api.classNames().flatMap((name) => api.class(name)?.members ?? []);
  expect(members.length).toBeGreaterThan(5_000);
  expect(members.filter(({ type }) => type === "" || type.includes("undefined"))).toEqual([]);
});
