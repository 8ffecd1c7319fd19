/** Stacks become frames with the files of the project. */
import { describe, expect, test } from "bun:test";
import { framesIn, withoutPosition } from "../../../src/testing/frames.ts";

const fileOf = (name: string): string | undefined =>
  ({ "ReplicatedStorage.Shop.Cart": "src/shop/Cart.luau", "a.b.spec": "src/b.spec.luau" })[name];

describe("frames", () => {
  test("are read from debug.traceback, from chunks with a name of text, from the Output and from ScriptContext", () => {
    const trace = [
      "",
      "ReplicatedStorage.Shop.Cart:31 function total",
      '[string "a.b.spec"]:12',
      "Script 'ReplicatedStorage.Shop.Cart', Line 7 - function add",
      "ReplicatedStorage.Shop.Cart, line 5 - function drop",
      "a.b.spec, line 4",
      "sb test:582",
      "Stack End",
    ].join("\n");
    expect(framesIn(trace, fileOf)).toEqual([
      { path: "src/shop/Cart.luau", line: 31, name: "total" },
      { path: "src/b.spec.luau", line: 12 },
      { path: "src/shop/Cart.luau", line: 7, name: "add" },
      { path: "src/shop/Cart.luau", line: 5, name: "drop" },
      { path: "src/b.spec.luau", line: 4 },
    ]);
  });

  test("of a test framework are left out, unless there are no others", () => {
    const isOfFramework = (name: string): boolean => name.startsWith("A.TestEZ");
    const inside = "A.TestEZ.Expectation:47 function equal";
    expect(framesIn(`${inside}\nReplicatedStorage.Shop.Cart:31`, fileOf, isOfFramework)).toEqual([
      { path: "src/shop/Cart.luau", line: 31 },
    ]);
    expect(framesIn(inside, fileOf, isOfFramework)).toEqual([
      { path: "A.TestEZ.Expectation", line: 47, name: "equal" },
    ]);
  });

  test("keep the name of a script that has no file", () => {
    expect(framesIn("Workspace.Odd: name:3", fileOf)).toEqual([{ path: "Workspace.Odd: name", line: 3 }]);
  });
});

describe("a message", () => {
  const frames = [{ path: "src/shop/Cart.luau", line: 31 }];
  test("loses the position that its first frame shows", () => {
    expect(withoutPosition("ReplicatedStorage.Shop.Cart:31: no tax", frames, fileOf)).toBe("no tax");
  });
  test("loses a position in the harness", () => {
    expect(withoutPosition("sb test:467: Requested module failed", [], fileOf)).toBe(
      "Requested module failed",
    );
  });
  test("tells another position by its file", () => {
    expect(withoutPosition("ReplicatedStorage.Shop.Cart:9: no tax", frames, fileOf)).toBe(
      "src/shop/Cart.luau:9: no tax",
    );
    expect(withoutPosition("ServerStorage.Other:9: no tax", frames, fileOf)).toBe(
      "ServerStorage.Other:9: no tax",
    );
  });
  test("keeps its own colons", () => {
    expect(withoutPosition("ratio 3:31 is odd", frames, fileOf)).toBe("ratio 3:31 is odd");
  });
});
