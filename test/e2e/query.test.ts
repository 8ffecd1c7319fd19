/**
 * What `sb query` shows is what was asked for, in that order; what it cannot show is reported, and nothing else is
 * lost.
 */
import { beforeAll, expect, test } from "bun:test";
import { sandbox } from "../sandbox.ts";
import { Keyboard } from "../peers/keyboard.ts";

const box = sandbox({ headless: true });
beforeAll(async () => {
  const { exitCode } = await box.sbAsync([
    "exec",
    `local part = Instance.new("Part")
    part:SetAttribute("b", 1)
    part:SetAttribute("a", 2)
    part.Parent = workspace`,
  ]);
  expect(exitCode).toBe(0);
}, 120_000);

/** The one line of JSON. */
async function jsonAsync(...words: readonly string[]): Promise<string> {
  const { stdout, stderr } = await box.sbAsync(["query", ...words]);
  expect(stderr).toBe("");
  return stdout.trim();
}

test("attributes are shown only where they were asked for, ordered by name", async () => {
  expect(JSON.parse(await jsonAsync("Workspace.Part"))).not.toHaveProperty("attributes");
  expect(await jsonAsync("Workspace.Part", "--attributes")).toContain('"attributes":{"a":2,"b":1}');
  expect(await jsonAsync("Workspace.Camera", "--attributes")).toContain('"attributes":{}');
});

test("properties come in the order that was asked for, and each value's type first", async () => {
  expect(await jsonAsync("Workspace.Part", "--properties", "Size,Anchored,Material,Name")).toContain(
    '"properties":{"Size":{"type":"Vector3","value":[4,1.2000000476837158,2]},"Anchored":false,"Material":{"type":"EnumItem","enum":"Material","name":"Plastic","value":256},"Name":"Part"}',
  );
  const { stdout } = await box.sbAsync(["exec", "return Vector3.one, {b = 1, a = 2}", "--json"]);
  expect(JSON.stringify(JSON.parse(stdout).returnValues)).toBe(
    '[{"type":"Vector3","value":[1,1,1]},{"a":2,"b":1}]',
  );
});

test("children have the properties and attributes that were asked for", async () => {
  const [, , part] = JSON.parse(
    await jsonAsync("Workspace", "--children", "--properties", "Anchored,Size", "--attributes"),
  );
  expect(part).toEqual({
    name: "Part",
    className: "Part",
    properties: { Anchored: false, Size: { type: "Vector3", value: [4, expect.any(Number), 2] } },
    attributes: { a: 2, b: 1 },
  });
});

test("a misspelled property is told with the near name, and the others are shown all the same", async () => {
  const words = ["query", "Workspace.Part", "--properties", "Anchord,Name,size,Zork"];
  const { stdout, stderr, exitCode } = await box.sbAsync(words);
  expect(JSON.parse(stdout)).toMatchObject({ properties: { Name: "Part" } });
  expect(stderr).toBe(
    "error: Properties 'Anchord', 'size', 'Zork' do not exist on Part (Part)\nhint: Did you mean Anchored for Anchord, Size for size?\n",
  );
  expect(exitCode).toBe(1);
  const json = await box.sbAsync([...words, "--json"]);
  expect(JSON.parse(json.stdout)).toMatchObject({
    instance: { properties: { Name: "Part" } },
    missing: [
      { property: "Anchord", suggestion: "Anchored" },
      { property: "size", suggestion: "Size" },
      { property: "Zork" },
    ],
  });
});

test("what stops a path is told as what it is", async () => {
  const behind = await box.sbAsync(["query", "Workspace.Part.Size.X"]);
  expect(behind.stderr).toContain("Size is a property of Workspace.Part");
  expect(behind.stderr).not.toContain("has no Size");
  const service = await box.sbAsync(["query", "PathfindingService"]);
  expect(service.stderr).toContain("This place has not made the service PathfindingService yet");
  const after = await box.sbAsync(["exec", `return game:FindService("PathfindingService")`]);
  expect(after.stdout).toBe("nil\n");
});

test("flags that would be ignored are refused", async () => {
  for (const words of [
    ["Workspace", "--children", "--depth", "2"],
    ["--services", "--properties", "Name"],
    ["--services", "--attributes"],
  ]) {
    const { stderr, exitCode } = await box.sbAsync(["query", ...words]);
    expect(stderr).toContain("together.\nhint: ");
    expect(exitCode).toBe(2);
  }
});

test("a name with a newline stays on its line", async () => {
  const script = `local part = Instance.new("Part")
    part.Name = "A\\nB"
    part.Parent = workspace
    return part`;
  const { stdout } = await box.sbAsync(["exec", script]);
  expect(stdout).toBe("game.Workspace.A\\nB (Part)\n");
  const wrong = await box.sbAsync(["query", "Workspace['A\nB'].C"]);
  expect(wrong.stderr.split("\n")).toHaveLength(3);
});

test("a script's own traceback shows its frames, and none of the plugin's", async () => {
  const { stdout } = await box.sbAsync([
    "exec",
    "local function f() return debug.traceback('here', 1) .. debug.traceback(coroutine.create(f)) end return f()",
  ]);
  expect(stdout.trimEnd().split("\n")).toEqual(["here", "Script:1 function f", "Script:1"]);
});

test("a terminal shows a tree, each value on one line; a pipe and --json get JSON", async () => {
  {
    await using person = await Keyboard.openAsync(["query", "Workspace.Part", "--attributes"], box, 80, "@b");
    expect(person.sent).toStartWith("Workspace.Part (Part)");
    await person.looksAsync('  ClassName  "Part"');
    await person.looksAsync("  @a         2");
  }
  await using asked = await Keyboard.openAsync(["query", "Workspace.Part", "--json"], box, 80, '"className"');
  expect(asked.sent).not.toContain("(Part)");
  expect(await jsonAsync("Workspace.Part")).toContain('"name":"Part","className":"Part"');
});

test("--all-properties reads what the class has, in the order of the alphabet", async () => {
  const { properties } = JSON.parse(await jsonAsync("Workspace.Part", "--all-properties"));
  const names = Object.keys(properties);
  expect(names).toEqual(names.toSorted());
  expect(properties).toMatchObject({
    Anchored: false,
    ClassName: "Part",
    Size: { type: "Vector3" },
    Transparency: 0,
  });
  const children = JSON.parse(await jsonAsync("Workspace", "--children", "--all-properties"));
  expect(children.find(({ name }: { name: string }) => name === "Camera").properties).toHaveProperty(
    "FieldOfView",
  );
  const both = await box.sbAsync(["query", "Workspace", "--all-properties", "--properties", "Name"]);
  expect(both.stderr).toStartWith("error: Cannot use --properties and --all-properties together.");
  expect(both.exitCode).toBe(2);
});
