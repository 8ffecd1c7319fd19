/** What discovery knows of a place before anything runs. */
import { expect, test } from "bun:test";
import { hasTestEz } from "../../../../src/testing/discovery/discover.ts";

test("a place has TestEZ only if the two modules by which the driver finds it stand beside each other", () => {
  const placeOf = (...paths: readonly string[]) => ({
    modulesNamed: (name: string) =>
      paths.map((path) => path.split(".")).filter((names) => names.at(-1) === name),
  });
  expect(
    hasTestEz(placeOf("ReplicatedStorage.TestEZ.TestPlanner", "ReplicatedStorage.TestEZ.TestRunner")),
  ).toBe(true);
  expect(hasTestEz(placeOf("ReplicatedStorage.Levels.TestPlanner"))).toBe(false);
  expect(hasTestEz(placeOf("ReplicatedStorage.A.TestPlanner", "ReplicatedStorage.B.TestRunner"))).toBe(false);
});
