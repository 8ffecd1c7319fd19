/** `sb run` on several scripts: folders, --no-bail and --fail-on-error, through the compiled binary. */
import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { sandbox } from "../sandbox.ts";

const box = sandbox({ headless: "Alpha" });

test("a folder stands for its *.luau files in byte order, not for those of folders in it", async () => {
  for (const name of ["b", "a", "B", "é", "below/c"])
    await box.writeAsync(`tests/${name}.luau`, `print("${name}")`);
  await box.writeAsync("tests/notes.txt", "no script");
  expect(await box.sbAsync(["run", "tests"])).toEqual({
    stdout: "B\na\nb\né\n",
    stderr: "",
    exitCode: 0,
  });
});

test("a folder without scripts is refused", async () => {
  await mkdir(join(box.folder, "empty"));
  expect(await box.sbAsync(["run", "empty"])).toEqual({
    stdout: "",
    stderr:
      "error: Could not read script file: empty: the folder has no *.luau file\n" +
      "hint: Folders below it are not searched; name the one that has the scripts.\n",
    exitCode: 1,
  });
});

test("--no-bail runs the scripts behind one that fails, and tells the first failure", async () => {
  await box.writeAsync("1.luau", "error('first', 0)");
  await box.writeAsync("2.luau", "print('second')");
  expect((await box.sbAsync(["run", "1.luau", "2.luau"])).stdout).toBe("");
  const all = await box.sbAsync(["run", "--no-bail", "--json", "1.luau", "2.luau"]);
  expect(JSON.parse(all.stdout)).toMatchObject({
    success: false,
    error: "first",
    logs: [{ body: "second" }],
    files: [{ success: false }, { success: true }],
  });
  expect(all.exitCode).toBe(1);
});

test("--fail-on-error fails where a script of the place does, in a Studio of the command's own and in another", async () => {
  await box.writeAsync("quiet.luau", "print('end')");
  const project = {
    name: "Game",
    tree: { $className: "DataModel", ServerScriptService: { $path: "server" } },
  };
  await box.writeAsync("game/default.project.json", JSON.stringify(project));
  await box.writeAsync("game/server/main.server.luau", 'task.wait() error("broken script", 0)');
  await box.writeAsync("waits.luau", "task.wait(0.3)");
  const own = ["run", "--headless", "--place", "game", "--context", "server", "waits.luau"];
  expect((await box.sbAsync(own)).exitCode).toBe(0);
  const failed = await box.sbAsync([...own, "--fail-on-error"]);
  expect(failed.stderr).toContain("broken script");
  expect(failed.stderr).toEndWith("error: 1 error was logged meanwhile (--fail-on-error).\n");
  expect(failed.exitCode).toBe(1);

  expect((await box.sbAsync(["run", "--fail-on-error", "quiet.luau"])).exitCode).toBe(0);
  // A thread of an earlier script is no script of this run.
  const elsewhere = `task.spawn(function()
    repeat task.wait() until workspace:GetAttribute("Runs")
    workspace:SetAttribute("Failed", true)
    error("from elsewhere")
  end)`;
  await box.sbAsync(["exec", elsewhere]);
  const meanwhile = `workspace:SetAttribute("Runs", true)
    repeat task.wait() until workspace:GetAttribute("Failed")`;
  await box.writeAsync("longer.luau", meanwhile);
  const shared = await box.sbAsync(["run", "--fail-on-error", "--json", "longer.luau"]);
  expect(JSON.parse(shared.stdout)).toMatchObject({ success: true, loggedErrors: 1 });
  expect(shared.exitCode).toBe(1);
});
