// What a name of the Roblox API means, and what is said of a name that does not exist.
import { beforeAll, expect, test } from "bun:test";
import { buildClassesAsync } from "../../../scripts/build-classes.ts";
import { buildSignaturesAsync } from "../../../scripts/build-signatures.ts";
import { apiEntryAsync } from "../../../src/api/api-entry.ts";
import { StudioBridgeError } from "../../../src/protocol/errors.ts";
import { ClassApi } from "../../../src/roblox/class-api.ts";

let api: ClassApi;
beforeAll(async () => {
  const [classes, signatures] = await Promise.all([buildClassesAsync(), buildSignaturesAsync()]);
  api = new ClassApi(await Bun.file(classes).text(), await Bun.file(signatures).text());
});

const entryAsync = (name: string) =>
  apiEntryAsync(name, api, async (className) =>
    className === "BasePart" ? [{ name: "Anchored", kind: "property", simulated: true }] : [],
  );

async function hintAsync(name: string): Promise<string | undefined> {
  const error = await entryAsync(name).catch((thrown: unknown) => thrown);
  if (!(error instanceof StudioBridgeError)) throw new Error(`${name} was found`);
  expect(error.code).toBe("INVALID_INPUT");
  return error.hint;
}

test("a member says whether headless Studio simulates it, as the class that declares it tells", async () => {
  expect(await entryAsync("Part.Anchored")).toMatchObject({ owner: "BasePart", simulated: true });
  expect(await entryAsync("Part:Clone")).toMatchObject({ kind: "method", simulated: false });
});

test("an enum is found with and without Enum in front, and its items too", async () => {
  expect(await entryAsync("Enum.Axis")).toEqual(await entryAsync("Axis"));
  expect(await entryAsync("Enum.Material.Neon")).toEqual({
    kind: "enumItem",
    name: "Enum.Material.Neon",
    value: 288,
  });
});

test.each([
  ["part", "Did you mean Part?"],
  [
    "Vector3",
    "Did you mean Vector3Curve? Datatypes such as Vector3 and libraries such as task are not listed.",
  ],
  ["Part.anchord", "Did you mean Part.Anchored?"],
  ["Part.Anchred", "Did you mean Part.Anchored?"],
  ["Enum.Materal", "Did you mean Enum.Material?"],
  ["Enum.Material.neon", "Did you mean Enum.Material.Neon?"],
])("%s is refused with the nearest name", async (name, hint) => {
  expect(await hintAsync(name)).toBe(hint);
});

test("the name of a member alone leads to the classes that have it", async () => {
  expect(await hintAsync("Anchored")).toStartWith("It is a member: BasePart.Anchored, ");
  expect(await hintAsync("Part.Anchored.Value")).toContain("Name a class, a member");
});
