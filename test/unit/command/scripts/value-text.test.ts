/** Values from Luau as people read them. */
import { describe, expect, test } from "bun:test";
import { valueText } from "../../../../src/command/scripts/value-text.ts";
import type { SerializedValue } from "../../../../src/protocol/values.ts";

describe("a value", () => {
  const values: readonly (readonly [SerializedValue, string])[] = [
    ["plain", "plain"],
    [1.5, "1.5"],
    [true, "true"],
    [{ type: "nil" }, "nil"],
    [{ type: "number", value: "inf" }, "inf"],
    [[1, "two", null], '{1, "two", nil}'],
    [{ a: 1, "b c": [true] }, '{a = 1, ["b c"] = {true}}'],
    [{}, "{}"],
    [{ type: "Vector3", value: [1, 2.5, "inf"] }, "Vector3(1, 2.5, inf)"],
    [{ type: "EnumItem", enum: "Material", name: "Plastic", value: 256 }, "Enum.Material.Plastic"],
    [{ type: "BrickColor", name: "Bright red", value: 21 }, 'BrickColor("Bright red")'],
    [{ type: "Instance", className: "Part", path: "game.Workspace.Part" }, "game.Workspace.Part (Part)"],
    [{ type: "Instance", className: "Part", name: "Loose" }, "Loose (Part)"],
    [
      { type: "Font", family: "f", weight: "Bold", style: "Normal" },
      "Font(family = f, weight = Bold, style = Normal)",
    ],
    [{ type: "bytes", base64: "AAEC" }, "bytes (3 bytes)"],
    [
      {
        type: "table",
        entries: [
          [1, "a"],
          [{ type: "nil" }, 2],
        ],
      },
      '{[1] = "a", [nil] = 2}',
    ],
    [{ type: "Unsupported", typeName: "thread", toString: "thread: 0x1" }, "thread: 0x1"],
    [{ type: "FromTheFuture", size: 3 }, "FromTheFuture(3)"],
  ];
  test.each(values)("%j", (value, text) => {
    expect(valueText(value)).toBe(text);
  });

  test("that is long takes a line for each item", () => {
    const names = ["Workspace", "ReplicatedStorage", "ServerScriptService", "StarterPlayer", "Lighting"];
    expect(valueText([...names, { inner: ["x"] }])).toBe(
      ["{", ...names.map((name) => `  "${name}",`), '  {inner = {"x"}},', "}"].join("\n"),
    );
  });
});
