/** `sb.ui.matchPicture` in test files of every framework: expected pictures beside the tests, and what is said where one differs. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { decodePng } from "../../src/util/png.ts";
import { FRKTEST } from "../fixtures/frktest.ts";
import { Sandbox } from "../harness.ts";
import { JEST, TESTEZ } from "../packages.ts";

setDefaultTimeout(120_000);

/** A panel with a button, at the top left, in a screen of its own. */
const PANEL = `local gui = Instance.new("ScreenGui", game.StarterGui) gui.Name = "Menu"
	local panel = Instance.new("Frame", gui) panel.Name = "Panel" panel.Size = UDim2.fromOffset(120, 80)
	local play = Instance.new("TextButton", panel) play.Name = "Play" play.Text = "Play" play.Size = UDim2.fromOffset(100, 30)`;
const COLOUR = "play.BackgroundColor3 = Color3.fromRGB(40, 160, 80)";
const BLUE = "play.BackgroundColor3 = Color3.fromRGB(40, 80, 160)";
const spec = (...lines: readonly string[]): string =>
  `return function()\n\tit("looks as it should", function()\n\t${[PANEL, ...lines].join("\n\t")}\n\tend)\nend\n`;

const PICTURES = "__pictures__/menu.spec";
const filesAsync = async (box: Sandbox, folder: string): Promise<string[]> =>
  (await readdir(join(box.folder, folder)).catch((): string[] => [])).sort();

interface Ran {
  readonly exitCode: number;
  readonly text: string;
}

async function testAsync(box: Sandbox, words: readonly string[] = [], env = {}): Promise<Ran> {
  const { stdout, stderr, exitCode } = await box.localSbAsync(["test", ...words], { CI: "", ...env });
  return { exitCode, text: stdout + stderr };
}

test("a missing picture fails in a pipe, -u writes it, and a changed colour fails with a picture of the difference", async () => {
  await using box = await Sandbox.createAsync();
  const match = `sb.ui.matchPicture("play", "Menu.Panel")`;
  await box.writeAsync("menu.spec.luau", spec(COLOUR, match));
  const missing = await testAsync(box);
  expect(missing.exitCode).toBe(1);
  expect(missing.text).toContain('there is no expected picture "play" yet (play-1280x720@1.png). sb test -u');
  expect(missing.text).toContain("menu.spec.luau:7");
  expect(await filesAsync(box, PICTURES)).toEqual([]);
  expect(await testAsync(box, ["-u"])).toMatchObject({
    exitCode: 0,
    text: expect.stringContaining("1 written"),
  });
  expect(await filesAsync(box, PICTURES)).toEqual(["play-1280x720@1.png"]);
  expect((await testAsync(box, [], { CI: "1" })).exitCode).toBe(0);

  await box.writeAsync("menu.spec.luau", spec(BLUE, match));
  const reporters = ["junit=j.xml", "html=p.html", "agent=a.txt"].flatMap((word) => ["--reporter", word]);
  const differs = await testAsync(box, ["--reporter", "pretty", ...reporters], { CI: "1" });
  expect(differs.exitCode).toBe(1);
  expect(differs.text).toContain("differs from the expected picture in");
  const difference = `${PICTURES}/play-1280x720@1.png.diff.png`;
  const [junit, page, agent] = await Promise.all(
    ["j.xml", "p.html", "a.txt"].map((name) => readFile(join(box.folder, name), "utf8")),
  );
  for (const text of [differs.text, junit, page, agent]) expect(text).toContain(difference);
  const shown = await readFile(join(box.folder, difference));
  expect(page).toContain(shown.toString("base64"));
  expect(decodePng(shown)).toMatchObject({ width: 3 * 120, height: 80 });

  expect(await testAsync(box, ["-u"])).toMatchObject({
    exitCode: 0,
    text: expect.stringContaining("1 updated"),
  });
  expect(await filesAsync(box, PICTURES)).toEqual(["play-1280x720@1.png"]);
});

const INSTANCES = "game.ReplicatedStorage";
const body = (name: string): string =>
  `${PANEL}\n${COLOUR}\nlocal ui = _G.sb.ui\nui.matchPicture("${name}", panel)`;
const FRAMEWORKS: Readonly<Record<string, string>> = {
  "built-in": `return function() it("built-in", function() ${body("a")} end) end`,
  functions: `return { functions = function() ${body("a")} end }`,
  script: `${body("a")}\nreturn nil`,
  testez: `return function() it("testez", function() ${body("a")} end) end`,
  jest: `local J = require(${INSTANCES}.JestLua.JestGlobals)\nJ.it("jest", function() ${body("a")} end)\nreturn nil`,
  frktest: `local frktest = require(${INSTANCES}.frktest.frktest)\nreturn function() frktest.test.case("frktest", function() ${body("a")} end) end`,
};

test("a picture that is missing or differs raises in every framework", async () => {
  await using box = await Sandbox.createAsync();
  const tree = {
    $className: "DataModel",
    ReplicatedStorage: { ...JEST, frktest: { $path: "frktest" }, Src: { $path: "src" } },
  };
  await box.writeAsync("default.project.json", JSON.stringify({ name: "All", tree }));
  for (const [name, source] of Object.entries(FRKTEST)) await box.writeAsync(`frktest/${name}`, source);
  for (const [name, source] of Object.entries(FRAMEWORKS))
    await box.writeAsync(name === "jest" ? `src/jest/jest.spec.luau` : `src/${name}.spec.luau`, source);
  await box.writeAsync("src/jest/jest.config.luau", 'return { testMatch = { "**/*.spec" } }');
  const withTestEz = JSON.stringify({
    name: "All",
    tree: { ...tree, ReplicatedStorage: { ...tree.ReplicatedStorage, ...TESTEZ } },
  });
  await box.writeAsync("testez.project.json", withTestEz);
  const runs = [
    ["src/jest", "src/built-in", "src/functions", "src/script", "src/frktest"],
    ["src/testez", "--place", "testez.project.json"],
  ];
  const count = Object.keys(FRAMEWORKS).length;
  const allAsync = async (...words: readonly string[]): Promise<readonly Ran[]> => {
    const ran: Ran[] = [];
    for (const run of runs) ran.push(await testAsync(box, [...run, ...words]));
    return ran;
  };
  const failedIn = (ran: readonly Ran[]): number =>
    ran
      .flatMap(({ text }) => [...text.matchAll(/Cases {2}(\d+) failed/g)])
      .reduce((sum, [, failed]) => sum + Number(failed), 0);
  const missing = await allAsync();
  expect({ failed: failedIn(missing), text: missing.map(({ text }) => text).join() }).toMatchObject({
    failed: count,
  });
  expect((await allAsync("-u")).map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  expect((await allAsync()).map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  for (const [name, source] of Object.entries(FRAMEWORKS))
    await box.writeAsync(
      name === "jest" ? `src/jest/jest.spec.luau` : `src/${name}.spec.luau`,
      source.replace(COLOUR, BLUE),
    );
  const differs = await allAsync();
  expect(failedIn(differs)).toBe(count);
  const named = differs.flatMap(({ text }) => [...text.matchAll(/^ {2}difference .*\.diff\.png$/gm)]);
  expect(named).toHaveLength(count);
});

test("no name leads out of the folder of the test, or means two files on one system and one on another", async () => {
  await using box = await Sandbox.createAsync();
  const bad = ["..", "../up", "a/b", "a\\\\b", "a:b", "CON", "nul.x", "", ".x", "a.", "Play"];
  const calls = bad.map((name) => `expect(pcall(sb.ui.matchPicture, "${name}", panel)).to.equal(false)`);
  await box.writeAsync("menu.spec.luau", spec(`sb.ui.matchPicture("play", panel)`, ...calls));
  expect(await testAsync(box, ["-u"])).toMatchObject({
    exitCode: 0,
    text: expect.stringContaining("1 written"),
  });
  expect(await filesAsync(box, PICTURES)).toEqual(["play-1280x720@1.png"]);
  expect((await filesAsync(box, ".")).filter((name) => name.endsWith(".png"))).toEqual([]);
});

test("a folder of pictures that leads out of the project is refused", async () => {
  await using box = await Sandbox.createAsync();
  await using other = await Sandbox.createAsync();
  await mkdir(join(other.folder, "out"));
  await symlink(join(other.folder, "out"), join(box.folder, "__pictures__"), "dir");
  await box.writeAsync("menu.spec.luau", spec(`sb.ui.matchPicture("play", panel)`));
  expect(await testAsync(box, ["-u"])).toMatchObject({
    exitCode: 1,
    text: expect.stringContaining("outside of the project"),
  });
  expect(await filesAsync(other, "out")).toEqual([]);
});

test("pictures that no case uses fail in CI and go with -u, but those of another screen stay", async () => {
  await using box = await Sandbox.createAsync();
  await box.writeAsync("menu.spec.luau", spec(`sb.ui.matchPicture("play", panel)`));
  expect((await testAsync(box, ["-u"])).exitCode).toBe(0);
  const one = await readFile(join(box.folder, PICTURES, "play-1280x720@1.png"));
  await mkdir(join(box.folder, "__pictures__/gone.spec"));
  for (const name of [
    `${PICTURES}/old-1280x720@1.png`,
    `${PICTURES}/play-844x390@1.png`,
    "__pictures__/gone.spec/x-1280x720@1.png",
  ])
    await writeFile(join(box.folder, name), one);
  const inCi = await testAsync(box, [], { CI: "1" });
  expect(inCi.exitCode).toBe(1);
  expect(inCi.text).toContain("1 expected picture belongs to no case");
  expect(inCi.text).toContain("__pictures__/gone.spec/x-1280x720@1.png");
  expect(await testAsync(box)).toMatchObject({ exitCode: 0, text: expect.stringContaining("1 obsolete") });
  // A run of some cases does not know what the others use.
  expect(await testAsync(box, ["-u", "-t", "nothing"])).toMatchObject({
    text: expect.not.stringContaining("removed"),
  });
  expect((await testAsync(box, ["-u"])).exitCode).toBe(0);
  expect(await filesAsync(box, PICTURES)).toEqual(["play-1280x720@1.png", "play-844x390@1.png"]);
  expect(await filesAsync(box, "__pictures__")).toEqual(["menu.spec"]);
});

test("masks, thresholds and counts of pixels let a picture differ, and each client has its own", async () => {
  await using box = await Sandbox.createAsync();
  const source = (colour: string): string => `--@sb context=client players=2
return function()
	it("looks as it should", function()
		${PANEL}
		gui.Parent = game.Players.LocalPlayer.PlayerGui
		panel.BackgroundColor3 = Color3.fromHSV(string.byte(game.Players.LocalPlayer.Name, -1) % 7 / 7, 1, 1)
		local _ = sb.ui.matchPicture("whole", nil, { mask = panel })
		${colour}
		sb.ui.matchPicture("masked", { frame = "Menu.Panel" }, { mask = { play, Rect.new(100, 0, 120, 10) } })
		sb.ui.matchPicture("loose", panel, { maxDiff = 1e6 })
		sb.ui.matchPicture("faint", panel, { threshold = 1 })
	end)
end
`;
  await box.writeAsync("menu.spec.luau", source(COLOUR));
  expect((await testAsync(box, ["-u"])).exitCode).toBe(0);
  const names = ["faint", "loose", "masked", "whole"].flatMap((name) => [
    `${name}-1280x720@1-client2.png`,
    `${name}-1280x720@1.png`,
  ]);
  expect(await filesAsync(box, PICTURES)).toEqual(names);
  await box.writeAsync("menu.spec.luau", source(BLUE));
  const { exitCode, text } = await testAsync(box, [], { CI: "1" });
  expect({ exitCode, text }).toMatchObject({ exitCode: 0 });
});

test("a picture of another size, and one of other fonts, fail with the reason", async () => {
  await using box = await Sandbox.createAsync();
  await box.writeAsync("menu.spec.luau", spec(`sb.ui.matchPicture("play", panel)`));
  expect((await testAsync(box, ["-u"])).exitCode).toBe(0);
  await box.writeAsync(
    "menu.spec.luau",
    spec("panel.Size = UDim2.fromOffset(120, 90)", `sb.ui.matchPicture("play", panel)`),
  );
  const larger = await testAsync(box);
  expect(larger.exitCode).toBe(1);
  expect(larger.text).toContain("has 120×80 pixels, and the new picture 120×90");
  expect(larger.text).toContain("play-1280x720@1.png.diff.png");
  await writeFile(join(box.folder, PICTURES, "play-1280x720@1.png"), "no picture");
  expect(await testAsync(box)).toMatchObject({ exitCode: 1, text: expect.stringContaining("is not a PNG") });
});

test("in an open Studio a case that compares pictures is skipped, and the report names it with the reason", async () => {
  await using box = await Sandbox.createAsync();
  await box.writeAsync("menu.spec.luau", spec(`sb.ui.matchPicture("play", panel)`));
  await box.headlessAsync();
  const { stdout, exitCode } = await box.sbAsync(["test", "--on", "studio", "--yes"]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain(
    " Skipped  looks as it should\n          only headless Studio (--on headless) draws the pictures of sb.ui.matchPicture",
  );
});
