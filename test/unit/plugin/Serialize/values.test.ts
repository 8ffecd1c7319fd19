/** Every value type of the wire, made in Luau and compared with the wire's own example of it. */
import { expect, test } from "bun:test";
import { valueExamples } from "../../../../src/protocol/examples/values.ts";
import type { SerializedValue, ValueType } from "../../../../src/protocol/values.ts";
import { BridgePeer } from "../bridge-peer.ts";

const IDENTITY = "CFrame.new(1, 2, 3)";

/** `instead` where the example's numbers are no 32-bit floats. */
interface Case {
  readonly code: string;
  readonly instead?: SerializedValue;
}

const cases: { readonly [Type in ValueType]: Case } = {
  nil: { code: "nil" },
  number: { code: "-math.huge" },
  bytes: { code: String.raw`"\xff\0>"`, instead: { type: "bytes", base64: "/wA+" } },
  buffer: { code: String.raw`buffer.fromstring("\0\1\2\3")` },
  table: {
    code: "{ type = 'a key named type' }",
    instead: { type: "table", entries: [["type", "a key named type"]] },
  },
  ref: {
    code: "(function() local t = {} t[1] = { t } return t end)()",
    instead: { type: "table", id: 0, entries: [[1, [{ type: "ref", id: 0 }]]] },
  },
  Vector2: { code: "Vector2.new(1, 2)" },
  Vector3: { code: "Vector3.new(1, -2.5, 0/0)" },
  Vector2int16: { code: "Vector2int16.new(1, -2)" },
  Vector3int16: { code: "Vector3int16.new(1, 2, 3)" },
  CFrame: { code: IDENTITY },
  Color3: { code: "Color3.new(0.5, 0.25, 1)" },
  BrickColor: { code: "BrickColor.new('Bright red')" },
  UDim: { code: "UDim.new(0.5, 100)" },
  UDim2: { code: "UDim2.new(0.5, 100, 0.5, 200)" },
  Rect: { code: "Rect.new(0, 0, 10, 20)" },
  NumberRange: { code: "NumberRange.new(1, math.huge)" },
  NumberSequenceKeypoint: { code: "NumberSequenceKeypoint.new(0, 1, 0)" },
  NumberSequence: {
    code: "NumberSequence.new({ NumberSequenceKeypoint.new(0, 1), NumberSequenceKeypoint.new(1, 0, 0.25) })",
  },
  ColorSequenceKeypoint: { code: "ColorSequenceKeypoint.new(0, Color3.new(1, 0, 0))" },
  ColorSequence: { code: "ColorSequence.new(Color3.new(1, 0, 0), Color3.new(0, 0, 1))" },
  PhysicalProperties: {
    code: "PhysicalProperties.new(0.5, 0.25, 0.5, 1, 1)",
    instead: { type: "PhysicalProperties", value: [0.5, 0.25, 0.5, 1, 1, 1] },
  },
  Faces: { code: "Faces.new(Enum.NormalId.Left, Enum.NormalId.Top)" },
  Axes: { code: "Axes.new(Enum.Axis.Z, Enum.Axis.X)" },
  Ray: { code: "Ray.new(Vector3.new(0, 10, 0), Vector3.new(0, -1, 0))" },
  Region3: { code: "Region3.new(Vector3.zero, Vector3.one * 4)" },
  Region3int16: { code: "Region3int16.new(Vector3int16.new(0, 0, 0), Vector3int16.new(4, 4, 4))" },
  Font: { code: "Font.new('rbxasset://fonts/families/SourceSansPro.json', Enum.FontWeight.Bold)" },
  Content: { code: "Content.fromUri('rbxassetid://1')" },
  DateTime: { code: "DateTime.fromUnixTimestampMillis(1767225600000)" },
  TweenInfo: { code: "TweenInfo.new(1)" },
  PathWaypoint: { code: "PathWaypoint.new(Vector3.new(1, 2, 3), Enum.PathWaypointAction.Walk)" },
  Path2DControlPoint: { code: "Path2DControlPoint.new(UDim2.new(0, 1, 0, 2))" },
  FloatCurveKey: { code: curveKey("FloatCurveKey.new(0, 1, Enum.KeyInterpolationMode.Cubic)") },
  RotationCurveKey: {
    code: curveKey(`RotationCurveKey.new(0, ${IDENTITY}, Enum.KeyInterpolationMode.Cubic)`),
  },
  ValueCurveKey: { code: curveKey("ValueCurveKey.new(0, true, Enum.KeyInterpolationMode.Cubic)") },
  DockWidgetPluginGuiInfo: {
    code: "DockWidgetPluginGuiInfo.new(Enum.InitialDockState.Float, false, false, 320, 240, 240, 160)",
  },
  RaycastParams: {
    code: "(function() local p = RaycastParams.new() p.FilterDescendantsInstances = { baseplate } p.IgnoreWater = true p.IncludeInstances = { baseplate } p.ExcludeInstances = {} return p end)()",
  },
  OverlapParams: {
    code: "(function() local p = OverlapParams.new() p.FilterDescendantsInstances = { baseplate } return p end)()",
  },
  RaycastResult: {
    code: "(function() baseplate.Size = Vector3.new(4, 2, 4) baseplate.Position = Vector3.new(0, -1, 0) return workspace:Raycast(Vector3.new(0, 10, 0), Vector3.new(0, -20, 0)) end)()",
  },
  User: {
    code: "User.fromId(1)",
    instead: { type: "User", id: "1", domainType: expect.any(String), domainId: expect.any(String) },
  },
  EnumItem: { code: "Enum.Material.Plastic" },
  Enum: { code: "Enum.Material" },
  Instance: {
    code: "baseplate",
    instead: {
      type: "Instance",
      className: "Part",
      name: "Baseplate",
      path: "game.Workspace.Baseplate",
      id: expect.any(String),
    },
  },
  function: { code: "(function() local function greet() end return greet end)()" },
  Unsupported: {
    code: "coroutine.create(print)",
    instead: { type: "Unsupported", typeName: "thread", toString: expect.stringMatching(/^thread: /) },
  },
};

function curveKey(code: string): string {
  return `(function() local k = ${code} k.LeftTangent = -1 k.RightTangent = 0.5 return k end)()`;
}

const PLACE = `local part = Instance.new("Part") part.Name = "Baseplate" part.Parent = workspace`;

test("every value type crosses in the wire's form", async () => {
  using peer = await BridgePeer.connectAsync();
  await peer.executeAsync(PLACE);
  for (const [type, example] of Object.entries(valueExamples)) {
    const found = Object.entries(cases).find(([name]) => name === type)?.[1];
    if (found === undefined) continue;
    const { reply } = await peer.executeAsync(
      `local baseplate = workspace:FindFirstChild("Baseplate") return ${found.code}`,
    );
    expect({ type, payload: reply.payload }).toMatchObject({ type, payload: { success: true } });
    expect({ type, payload: reply.payload }).toMatchObject({
      payload: { returnValues: [found.instead ?? example] },
    });
  }
  expect(peer.faults).toEqual([]);
});

test("plain values are plain JSON", async () => {
  using peer = await BridgePeer.connectAsync();
  const { reply } = await peer.executeAsync(
    "return 1, -0.1, 'zażółć 🎮', true, { 1, 'two', { three = 3 } }, {}, 2 ^ 53, 2 ^ 53 + 2, { [3] = 'x', y = 1 }, 1e300",
  );
  expect(reply.payload).toMatchObject({
    returnValues: [
      1,
      -0.1,
      "zażółć 🎮",
      true,
      [1, "two", { three: 3 }],
      [],
      2 ** 53,
      { type: "number", value: "9007199254740994" },
      {
        type: "table",
        entries: expect.arrayContaining([
          [3, "x"],
          ["y", 1],
        ]),
      },
      1e300,
    ],
  });
});

test("values beyond the limits are described, not sent", async () => {
  using peer = await BridgePeer.connectAsync();
  const { reply } = await peer.executeAsync(`
    local deep = {}
    local inner = deep
    for _ = 1, 100 do inner[1] = {} inner = inner[1] end
    return table.create(100001, 1), deep, string.rep("x", 2 ^ 23 + 1), setmetatable({ 1 }, { __iter = error, __index = error })`);
  expect(reply.payload).toMatchObject({ success: true });
  const values = JSON.stringify(reply.payload);
  expect(values).toContain("a table of 100001 entries, more than the bridge carries in one value");
  expect(values).toContain("a table of 1 entries, nested deeper than the bridge carries");
  expect(values.includes("(cut here; 8388609 bytes in all)")).toBe(true);
  expect(peer.faults).toEqual([]);
});
