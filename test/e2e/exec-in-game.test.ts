/** `sb exec --in-game`: code as a script of the running game, with the game's modules and globals. */
import { expect, test } from "bun:test";
import { Sandbox } from "../harness.ts";
import { sandbox } from "../sandbox.ts";

const box = sandbox({ headless: "Game" });

const GAME = `
  local shop = Instance.new("ModuleScript")
  shop.Name = "Shop"
  shop.Source = "local shop = { stock = 3 } return shop"
  shop.Parent = game:GetService("ServerScriptService")
  local main = Instance.new("Script")
  main.Name = "Main"
  main.Source = "_G.round = 7 require(script.Parent.Shop).stock += 1"
  main.Parent = game:GetService("ServerScriptService")`;

const inGameAsync = (code: string, ...words: string[]) =>
  box.sbAsync(["exec", "--quiet", "--in-game", ...words, code]);

test("code in the game has the game's modules and _G, and leaves no script behind", async () => {
  await box.sbAsync(["exec", GAME]);
  const edited = await inGameAsync("return 1", "--context", "edit");
  expect(edited).toMatchObject({ exitCode: 1, stdout: "" });
  expect(edited.stderr).toContain("sb play start");
  expect((await box.sbAsync(["play", "start"])).exitCode).toBe(0);

  const sees =
    "local shop = require(game.ServerScriptService.Shop) shop.stock += 1 return _G.round, shop.stock";
  expect(await inGameAsync(sees)).toEqual({ exitCode: 0, stdout: "7\n5\n", stderr: "" });
  expect((await inGameAsync(sees)).stdout).toBe("7\n6\n");
  expect((await box.sbAsync(["exec", "-q", "return _G.round"])).stdout).toBe("nil\n");
  const left = "return #game.ServerScriptService:GetChildren()";
  expect((await box.sbAsync(["exec", "-q", left])).stdout).toBe("2\n");

  const values = await inGameAsync(
    "print('a', nil, 1) local t = { f = print, at = Vector3.one, [2] = workspace } t.me = t return t, nil, 2",
    "--json",
  );
  const { returnValues, logs } = JSON.parse(values.stdout);
  expect(logs).toEqual([{ level: "Print", body: "a nil 1" }]);
  expect(returnValues.slice(1)).toEqual([{ type: "nil" }, 2]);
  const entries = new Map<string, unknown>(
    returnValues[0].entries.map(([key, value]: [unknown, unknown]) => [String(key), value]),
  );
  expect(entries.get("f")).toMatchObject({ type: "Unsupported", typeName: "function" });
  expect(entries.get("at")).toEqual({ type: "Vector3", value: [1, 1, 1] });
  expect(entries.get("2")).toMatchObject({ type: "Instance", path: "game.Workspace" });
  expect(entries.get("me")).toEqual({ type: "ref", id: returnValues[0].id });
  const client = await inGameAsync("return game.Players.LocalPlayer.Name", "--context", "client");
  expect(client.stdout).toBe("Player1\n");
});

test("a failure names the line of the code, and a loop ends with its time", async () => {
  await box.sbAsync(["play", "start"]);
  const failed = await inGameAsync("local x\nlocal function f() return x.y end\nf()", "--json");
  expect(failed.exitCode).toBe(1);
  expect(JSON.parse(failed.stdout)).toMatchObject({
    success: false,
    error: "Script:2: attempt to index nil with 'y'",
    errorInfo: { line: 2, traceback: "Script:2 function f\nScript:3" },
  });
  const thrown = await inGameAsync("error({ code = 5 })", "--json");
  expect(JSON.parse(thrown.stdout).errorInfo.value).toEqual({ code: 5 });
  expect((await inGameAsync("return +")).stderr).toContain("Script:1:");
  for (const code of ["task.wait(30)", "while true do end"]) {
    const ended = await inGameAsync(code, "--timeout", "500");
    expect(ended).toMatchObject({ exitCode: 1, stdout: "" });
    expect(ended.stderr).toContain("timed out");
  }
  expect((await inGameAsync("return 1")).stdout).toBe("1\n");
  expect((await inGameAsync("return 1", "--env", "A=1")).exitCode).toBe(2);
  expect((await inGameAsync("return 1", "--dry-run")).exitCode).toBe(2);
});

test("where the game takes no script, nothing runs in the plugin instead", async () => {
  await using own = await Sandbox.createAsync();
  await own.headlessAsync("Game", "no-game-scripts");
  await own.sbAsync(["play", "start"]);
  const refused = await own.sbAsync(["exec", "-q", "--in-game", "print('ran')"]);
  expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
  expect(refused.stderr).toContain("The game takes no code");
});
