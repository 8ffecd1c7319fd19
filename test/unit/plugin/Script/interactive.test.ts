/** What a REPL asks of the plugin: scripts typed piece by piece, names at the cursor; and screenshots, which it refuses here. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { BridgePeer } from "../bridge-peer.ts";

let peer: BridgePeer;
beforeAll(async () => {
  peer = await BridgePeer.connectAsync();
});
afterAll(() => {
  expect(peer.faults).toEqual([]);
  peer[Symbol.dispose]();
});

const typeAsync = async (script: string) => {
  const { lines, reply } = await peer.executeAsync(script, { interactive: true, chunkName: "input" });
  const { success, returnValues, error, errorInfo } = Object(reply.payload);
  return success
    ? { lines, values: returnValues }
    : { lines, error, isIncomplete: errorInfo.isIncomplete === true };
};

describe("an interactive script", () => {
  test("gives the value of an expression", async () => {
    expect(await typeAsync("1 + 1")).toEqual({ lines: [], values: [2] });
    expect(await typeAsync('("x"):rep(3), nil')).toEqual({ lines: [], values: ["xxx", { type: "nil" }] });
  });

  test("runs statements", async () => {
    expect(await typeAsync("for i = 1, 2 do print(i) end")).toEqual({ lines: ["1", "2"], values: [] });
    expect(await typeAsync("return 5")).toEqual({ lines: [], values: [5] });
  });

  test("shares its globals with scripts that keep theirs, and with no others", async () => {
    await peer.executeAsync("helper = function() return 'helped' end", { keepsGlobals: true });
    expect(await typeAsync("helper()")).toEqual({ lines: [], values: ["helped"] });
    await typeAsync("answer = 42");
    expect(await typeAsync("answer")).toEqual({ lines: [], values: [42] });
    const { reply } = await peer.executeAsync("return answer");
    expect(reply.payload).toMatchObject({ success: true, returnValues: [{ type: "nil" }] });
  });

  test("finds the last value in _, which a line without a value leaves alone", async () => {
    await typeAsync("6 * 7, 'second'");
    await typeAsync("local unused = 1");
    await typeAsync("nil");
    expect(await typeAsync("_")).toEqual({ lines: [], values: [42] });
    const { reply } = await peer.executeAsync("return _");
    expect(reply.payload).toMatchObject({ success: true, returnValues: [{ type: "nil" }] });
  });

  test.each([
    "for i = 1, 3 do",
    "print(",
    "{1, 2,",
    "local x =",
    "if true then print(1) else",
    "function f()",
    "function f()\nif true then\nend",
    "do\n  while true do\nend\nprint(1)",
    "print([[one",
    "x = [==[ one ]] ",
    "--[[ a remark",
    "1 +",
    'print("one \\',
    '"one" .. [[two',
    "'one' .. [[two",
  ])("says that %p is not finished", async (source) => {
    expect(await typeAsync(source)).toMatchObject({ isIncomplete: true });
  });

  test.each([
    ['print("one', "input:1: Malformed string; did you forget to finish it?"],
    ['"one" .. "two', "input:1: Malformed string; did you forget to finish it?"],
    ["x = = 5", "input:1: Expected identifier when parsing expression, got '='"],
    ["1 +* 2", "input:1: Expected identifier when parsing expression, got '*'"],
    ["end", "input:1: Expected <eof>, got 'end'"],
    ['error("no", 0)', "no"],
  ])("says what is wrong with %p", async (source, error) => {
    expect(await typeAsync(source)).toEqual({ lines: [], error, isIncomplete: false });
  });
});

describe("completion", () => {
  const completeAsync = async (text: string): Promise<{ fragment: string; candidates: string[] }> => {
    peer.send("complete", { text }, crypto.randomUUID());
    return Object((await peer.nextAsync("completeResult")).payload);
  };

  beforeAll(async () => {
    await typeAsync(`
      local part = Instance.new("Part") part.Name = "Anvil" part.Parent = workspace
      part:SetAttribute("Health", 5)
      local odd = Instance.new("Folder") odd.Name = "My Folder" odd.Parent = part
      settingsOfMine = setmetatable({ speed = 1 }, { __index = { stop = function() end } })
    `);
  });

  test.each([
    ["workspace.Anv", "Anv", ["Anvil"]],
    ["print(workspace.Anvil.Anch", "Anch", ["Anchored"]],
    ["game.Workspace.Anvil:IsDescendant", "IsDescendant", ["IsDescendantOf"]],
    ['game:GetService("Workspace").Anv', "Anv", ["Anvil"]],
    ['workspace["Anvil"].Anchore', "Anchore", ["Anchored"]],
    ['workspace.Anvil["My', "My", ["My Folder"]],
    ['workspace.Anvil:FindFirstChild("My', "My", ["My Folder"]],
    ['game:GetService("Worksp', "Worksp", ["Workspace"]],
    ["settingsOfMine.s", "s", ["speed", "stop"]],
    ["settingsOfMine:", "", ["stop"]],
    ["settingsOf", "settingsOf", ["settingsOfMine"]],
    ['game:GetService("Tween', "Tween", ["TweenService"]],
    ['Instance.new("Part', "Part", ["Part", "ParticleEmitter"]],
    ['workspace.Anvil:IsA("BaseP', "BaseP", ["BasePart"]],
    ["workspace.Anvil:IsA('BaseP", "BaseP", ["BasePart"]],
    ['workspace:FindFirstChildWhichIsA("GuiO', "GuiO", ["GuiObject"]],
    ['workspace:WaitForChild("Anv', "Anv", ["Anvil"]],
    ['workspace.Anvil:FindFirstAncestor("W', "W", ["Workspace"]],
    ['workspace.Anvil:GetPropertyChangedSignal("Anch', "Anch", ["Anchored"]],
    ['workspace.Anvil:GetAttribute("Hea', "Hea", ["Health"]],
    ["Enum:", "", ["GetEnums"]],
    ["Enum.Material:", "", ["FromName", "FromValue", "GetEnumItems"]],
    ["Enum.Material.Plas", "Plas", ["Plaster", "Plastic"]],
    ["Enum.Materia", "Materia", ["Material"]],
    ["math.flo", "flo", ["floor"]],
    ["x = worksp", "worksp", ["workspace"]],
    ["repe", "repe", ["repeat"]],
  ])("of %p", async (text, fragment, candidates) => {
    const found = await completeAsync(text);
    expect(found.fragment).toBe(fragment);
    expect(found.candidates).toEqual(expect.arrayContaining(candidates));
    for (const candidate of found.candidates) expect(candidate.startsWith(fragment)).toBe(true);
  });

  test("of a class to make leaves out what cannot be made", async () => {
    const { candidates } = await completeAsync('Instance.new("Base');
    expect(candidates).not.toContain("BasePart");
    expect((await completeAsync('game:GetService("Par')).candidates).not.toContain("Part");
  });

  test.each([
    "",
    "nothing.here.",
    '"inside a string wor',
    "workspace.Anvil.Position.",
    "f().x",
    'workspace:FindSomething("A',
    'nothing:FindFirstChild("A',
    'string.new("A',
  ])("offers nothing for %p", async (text) => {
    expect((await completeAsync(text)).candidates).toEqual([]);
  });

  test("runs nothing that a script wrote", async () => {
    await typeAsync(`
      trap = setmetatable({}, { __index = function() touched = true end, __iter = function() touched = true end })
    `);
    await completeAsync("trap.field.");
    await completeAsync("trap.");
    expect(await typeAsync("touched")).toEqual({ lines: [], values: [{ type: "nil" }] });
  });

  test("of very many names is short and keeps what all begin with", async () => {
    await typeAsync("many = {} for i = 1, 1000 do many['item' .. i] = i end many.itinerary = 1");
    const { candidates } = await completeAsync("many.it");
    expect(candidates).toHaveLength(200);
    expect([candidates[0], candidates.at(-1)]).toEqual(["item1", "itinerary"]);
  });
});

test("a screenshot of the edited place comes as a picture of its viewport", async () => {
  const { width, height } = await peer.askAsync("captureScreenshot", {});
  expect({ width, height }).toEqual({ width: 1280, height: 720 });
});
