/** The keys of `sb test --watch` and the questions of `sb init`, pressed on a pseudo-terminal with the compiled binary. */
import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { readdir, rm } from "node:fs/promises";
import { Sandbox } from "../harness.ts";
import { sandbox } from "../sandbox.ts";
import { JEST } from "../packages.ts";
import { Keyboard, keys } from "../peers/keyboard.ts";

const PROJECT = {
  name: "Keys",
  tree: {
    $className: "DataModel",
    ReplicatedStorage: {
      ...JEST,
      Src: { $path: "src" },
    },
  },
};

const SNAPSHOT = "src/jest/__snapshots__/stored.spec.snap.luau";
const STORED = `-- Jest Roblox Snapshot v1\n\nlocal exports = {}\n\nexports[ [=[is stored 1]=] ] = [=[1]=]\n\nreturn exports\n`;

const FILES: Readonly<Record<string, string>> = {
  "src/Cart.luau": "local function unused()\n\treturn 1\nend\nreturn { one = 1, unused = unused }",
  "src/good.spec.luau":
    "return { g1 = function() require(script.Parent.Cart) end, g2 = function() end, g3 = function() end, g4 = function() end, g5 = function() end }",
  // The list of the slowest cases has only cases of a tenth of a second and more.
  "src/idle.spec.luau":
    "local function idle() task.wait(0.12) end\nreturn { i1 = idle, i2 = idle, i3 = idle, i4 = idle }",
  "src/bad.spec.luau": 'return { bad = function() for i = 1, 40 do print("line " .. i) end error("no") end }',
  "src/jest/jest.config.luau": 'return { testMatch = { "**/*.spec" } }',
  "src/jest/stored.spec.luau":
    'local J = require(game.ReplicatedStorage.JestLua.JestGlobals)\nJ.it("is stored", function() J.expect(2).toMatchSnapshot() end)',
  [SNAPSHOT]: STORED,
};

const box = sandbox();
beforeAll(async () => {
  await box.writeAsync("default.project.json", JSON.stringify(PROJECT));
  for (const [path, text] of Object.entries(FILES)) await box.writeAsync(path, text);
}, 120_000);

const WATCHES = "Watching for changes; h shows keys.";
const WATCH = ["test", "--watch", "--reporter", "pretty"];

test("each key of a watch does what its help says", async () => {
  await using person = await Keyboard.openAsync([...WATCH, "good", "bad"], box, 80, WATCHES);
  expect(person.rows.join("\n")).toContain(" Files  1 failed, 1 passed      Cases  1 failed, 5 passed");
  /** The screen between a key and the next wait of the watch. A key that begins a run clears the screen. */
  const pressAsync = async (...texts: readonly string[]): Promise<string> => {
    const [key, line, before] = [texts[0] ?? "", texts[1], person.sent.length];
    person.press(key);
    if (line !== undefined) {
      await person.seesAsync(", or nothing for all");
      person.press(`${line}${keys.enter}`);
    }
    const shown = await person.seesAsync(WATCHES);
    if (!["h", "x"].includes(key)) expect(person.sent.slice(before)).toContain("\u001b[2J");
    return shown;
  };
  expect(await pressAsync("h")).toContain("  p      choose files by a part of their paths\n");
  for (const key of ["r", keys.enter])
    expect(await pressAsync(key)).toMatch(/The same tests again\.[^]*Cases {2}1 failed, 5 passed/);

  const failed = await pressAsync("f");
  expect(failed).toMatch(/The cases that failed the last time\.[^]* Files {2}1 failed, 0 passed /);
  expect(failed).toContain("(the last of 40 lines; all with --show-output)");
  expect(await pressAsync("o")).toMatch(/output {2}line 1\n[^]*line 40\n/);
  expect(await pressAsync("o")).toContain("(the last of 40 lines");

  const slowest = (shown: string) => /Slowest(.*)/.exec(shown)?.[1]?.split(" · ").length;
  expect(slowest(await pressAsync("p", "idle"))).toBe(3);
  expect(slowest(await pressAsync("s"))).toBe(4);
  expect(slowest(await pressAsync("s"))).toBe(3);
  expect(await pressAsync("p", "good")).toMatch(/Files with good in their paths\.[^]*Files {2}1 passed/);
  expect(await pressAsync("t", "g[12]")).toMatch(/whose names match g\[12\]\.[^]*Cases {2}2 passed/);
  expect(await pressAsync("t", "(")).toContain("Not a regular expression: (");
  expect(await pressAsync("t", "")).toContain("Cases  5 passed");
  expect(await pressAsync("c")).toMatch(/src\/Cart\.luau +\d[^]*Coverage /);
  expect(await pressAsync("c")).not.toContain("Coverage");

  await box.writeAsync("src/good.slow.spec.luau", "return { slow = function() task.wait(1000) end }");
  await person.seesAsync("good.slow.spec.luau › slow");
  expect(await pressAsync("x")).toContain(
    "Interrupted after 0 of 1 file, while src/good.slow.spec.luau › slow ran.",
  );
  await rm(join(box.folder, "src/good.slow.spec.luau"));
  await person.seesAsync(WATCHES);

  expect(await pressAsync("a")).toMatch(/All tests\.[^]*Cases {2}2 failed, 9 passed/);
  expect(await pressAsync("u")).toMatch(/their snapshots are updated\.[^]*Cases {2}1 failed, 10 passed/);
  expect(await Bun.file(join(box.folder, SNAPSHOT)).text()).toContain("\n2]=]");
  person.press("q");
  expect(await person.exited).toBe(0);
}, 120_000);

test("a question of a watch appears below an interrupted run, Esc leaves the question, and Ctrl+C ends the watch with 130", async () => {
  await using person = await Keyboard.openAsync([...WATCH, "idle", "bad"], box, 80, WATCHES);
  const before = person.sent.length;
  person.press("r");
  await person.seesAsync("The same tests again.");
  person.press("p");
  await person.seesAsync("Part of paths");
  person.press("\u001b");
  await person.seesAsync(WATCHES);
  const sent = person.sent.slice(before);
  expect(sent).toContain(WATCHES);
  expect(sent.indexOf(WATCHES)).toBeLessThan(sent.indexOf("Part of paths"));
  person.press(keys.ctrlC);
  expect(await person.exited).toBe(130);
});

test("sb init asks questions, accepts arrow keys, and writes nothing after Ctrl+C", async () => {
  await using own = await Sandbox.createAsync();
  const before = await readdir(own.folder);
  await using left = await Keyboard.openAsync(["init"], own, 80, "Write a workflow");
  left.press(keys.ctrlC);
  expect(await left.exited).toBe(130);
  expect(await readdir(own.folder)).toEqual(before);
  await using person = await Keyboard.openAsync(["init"], own, 80, "Write a workflow");
  person.press(keys.down);
  person.press(keys.enter);
  await person.seesAsync("Write a .gitignore?");
  person.press(keys.enter);
  await person.seesAsync("Write .mcp.json?");
  person.press(keys.down);
  person.press(keys.enter);
  await person.seesAsync("Next: sb test");
  expect(await person.exited).toBe(0);
  expect((await readdir(own.folder)).filter((name) => !before.includes(name))).toEqual(
    expect.arrayContaining(["sb.config.json", "tests", ".gitignore"]),
  );
  expect(await readdir(own.folder)).not.toContain(".github");
  expect(await readdir(own.folder)).not.toContain(".mcp.json");
});
