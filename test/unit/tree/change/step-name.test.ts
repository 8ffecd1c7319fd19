import { expect, test } from "bun:test";
import { stepName } from "../../../../src/tree/change/step-name.ts";

test("a step is called by one line that the action table accepts, however long a path is", () => {
  expect(stepName("edit ServerStorage.A\nB")).toBe("sb: edit ServerStorage.A\\nB");
  const long = stepName(`edit Workspace.${"🌲.".repeat(400)}Leaf`);
  expect(long).toHaveLength(120);
  expect(long).toEndWith("…");
  expect(long.isWellFormed()).toBe(true);
});
