/** `sb check` with luau-lsp itself, where the machine has it: on PATH, or in the environment variable LUAU_LSP. */
import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { findAnalyzer } from "../../scripts/check-luau.ts";
import { sandbox } from "../sandbox.ts";

const luauLsp = findAnalyzer();
const box = sandbox({ headless: true });

const project = {
  name: "Game",
  tree: {
    $className: "DataModel",
    ReplicatedStorage: { Shared: { $path: "shared" } },
    ServerScriptService: { Server: { $path: "server" } },
  },
};
const CART = "--!strict\nlocal Cart = {}\nfunction Cart.count(): number\n\treturn 1\nend\nreturn Cart\n";

beforeAll(async () => {
  await box.writeAsync("game/default.project.json", JSON.stringify(project));
  await box.writeAsync("game/.luaurc", '{ "languageMode": "strict", "aliases": { "Shared": "shared" } }');
  await box.writeAsync("game/shared/Cart.luau", CART);
  await box.writeAsync("game/server/Loose.luau", "--!nocheck\nreturn 1 + {}\n");
  await box.writeAsync(
    "game/server/Good.server.luau",
    `local ReplicatedStorage = game:GetService("ReplicatedStorage")
local ByInstance = require(ReplicatedStorage.Shared.Cart)
local ByAlias = require("@Shared/Cart")
local part = Instance.new("Part")
part.CFrame = CFrame.new(0, 1, 0) * CFrame.Angles(0, 1, 0) + Vector3.new(1, 2, 3) * 2 - -Vector3.yAxis / 2
part.Size = part.CFrame * Vector3.one + Vector3.new(ByInstance.count(), ByAlias.count())
part.BrickColor = BrickColor.new("Bright red")
part.Touched:Connect(function(other: BasePart)
	other:Destroy()
end)
local hit: RaycastResult? = workspace:Raycast(Vector3.zero, part.Position)
local camera: Camera = workspace.CurrentCamera
print(hit and hit.Instance.Name, camera.FieldOfView, UDim2.fromScale(1, 1) + UDim2.fromOffset(1, 1))
debug.profilebegin(workspace:GetAttribute("Anything") :: any)
debug.profileend()
`,
  );
  await box.writeAsync(
    "game/server/Bad.server.luau",
    `local Cart = require("@Shared/Cart")
local text: string = Cart.count()
local part = Instance.new("Part")
part.Nothing = text
part.Position = Vector3.new() + 1
part:ApplyImpulse(Vector3.one)
`,
  );
});

const checkAsync = (words: readonly string[], cwd = "game") =>
  box.localSbAsync(
    ["check", "--formatter", "gnu", ...words],
    { SB_LUAU_LSP: luauLsp ?? "" },
    join(box.folder, cwd),
  );

describe.skipIf(luauLsp === undefined)("luau-lsp, which this machine has", () => {
  test("takes the definitions and the map, and follows instances, aliases and the mode of .luaurc", async () => {
    const good = await checkAsync(["server/Good.server.luau", "server/Loose.luau", "shared"]);
    expect({ exitCode: good.exitCode, stdout: good.stdout }).toEqual({ exitCode: 0, stdout: "" });
    const { exitCode, stdout } = await checkAsync(["--headless-only"]);
    expect(exitCode).toBe(1);
    const lines = stdout.trim().split("\n");
    expect(lines.map((line) => /^\S+?:\d+/.exec(line)?.[0])).toEqual(
      [2, 4, 5, 6].map((line) => `server/Bad.server.luau:${line}`),
    );
    expect(lines[1]).toContain("Key 'Nothing' not found");
    expect(lines[3]).toContain("HeadlessRefuses: Headless Studio does not simulate Part.ApplyImpulse.");
  });

  test("finds nothing in a new project, and knows the globals of tests in test files alone", async () => {
    await box.writeAsync("new/.keep", "");
    const init = await box.localSbAsync(["init", "game", "--yes"], {}, join(box.folder, "new"));
    expect(init.exitCode).toBe(0);
    expect(await checkAsync([], "new")).toMatchObject({ exitCode: 0, stdout: "" });
    await box.writeAsync("new/src/shared/Plain.luau", "expect(1)\nreturn {}\n");
    await box.writeAsync("new/src/shared/more.spec.luau", "return function()\n\texpct(1)\nend\n");
    const { stdout } = await checkAsync([], "new");
    expect(stdout).toContain("src/shared/Plain.luau:1.1-1.6: TypeError: Unknown global 'expect'");
    expect(stdout).toContain("src/shared/more.spec.luau:2.2-2.6: TypeError: Unknown global 'expct'");
    expect(stdout.trim().split("\n")).toHaveLength(2);
  });

  test("says where .luaurc is wrong, and that nothing could be checked", async () => {
    await box.writeAsync("wrong/.luaurc", '{ "languageMode" }');
    await box.writeAsync("wrong/a.luau", "return 1\n");
    const { exitCode, stdout, stderr } = await checkAsync([], "wrong");
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain(".luaurc");
  });

  test("knows of an edit what it breaks in scripts that require the edited one", async () => {
    const place = `
game.ReplicatedStorage:ClearAllChildren()
local function script(name, source)
  local made = Instance.new("ModuleScript")
  made.Name = name
  made.Source = source
  made.Parent = game.ReplicatedStorage
end
script("Cart", [==[${CART}]==])
script("Shop", "--!strict\\nlocal Cart = require('./Cart')\\nlocal old: string = 1\\nreturn Cart.count() + #old\\n")`;
    expect((await box.sbAsync(["exec", place])).exitCode).toBe(0);
    const words = ["script", "edit", "ReplicatedStorage.Cart", "--check", "types", "--json"];
    const editAsync = async (before: string, after: string) => {
      const edit = [...words, "--old", before, "--new", after];
      const { stdout } = await box.sbAsync(edit, { env: { SB_LUAU_LSP: luauLsp ?? "" } });
      return JSON.parse(stdout);
    };
    expect(await editAsync("number\n\treturn 1", 'string\n\treturn "one"')).toMatchObject({
      ok: false,
      items: [{ code: "TYPE_ERROR" }],
      findings: [{ file: "ReplicatedStorage.Shop", line: 4, code: "TypeError" }],
    });
    expect(await editAsync("return 1", "return 2")).toMatchObject({ ok: true, findings: [] });
    const rename = "game.ReplicatedStorage.Shop.Name = 'Cart.spec'";
    expect((await box.sbAsync(["exec", rename])).exitCode).toBe(0);
    const spec = ["script", "edit", "ReplicatedStorage.Cart\\.spec", "--check", "types", "--json"];
    const edit = [...spec, "--old", "return Cart", "--new", "it('counts', print)\nreturn Cart"];
    const { stdout } = await box.sbAsync(edit, { env: { SB_LUAU_LSP: luauLsp ?? "" } });
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, findings: [] });
  });
});
