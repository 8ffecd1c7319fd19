/** Each check of the architecture finds the fault that it is for, and lets the rest pass. */
import { expect, test } from "bun:test";
import { arrowFaults, upwardFaults } from "../../scripts/check/arrow-faults.ts";
import { assumptionFaults, unprobedFaults } from "../../scripts/check/assumptions.ts";
import { circleFaults } from "../../scripts/check/circles.ts";
import { deadExportFaults } from "../../scripts/check/dead-exports.ts";
import { engineDataAsync } from "../../scripts/check/engine-data.ts";
import { engineMemberFaults } from "../../scripts/check/engine-members.ts";
import { environmentFaults } from "../../scripts/check/environments.ts";
import { docPathFaults } from "../../scripts/check/doc-paths.ts";
import { longFileFaults, MOST_FILE_LINES } from "../../scripts/check/file-lengths.ts";
import { longFunctionFaults, MOST_LINES } from "../../scripts/check/function-lengths.ts";
import { engineNameFaults, inEngine, inPlugin, requireFaults } from "../../scripts/check/luau-modules.ts";
import { marksIn } from "../../scripts/gen/assumption-marks.ts";
import { mapFaults } from "../../scripts/check/map.ts";
import { mirrorFaults } from "../../scripts/check/mirror.ts";

const files = (texts: { readonly [path: string]: string }) => new Map(Object.entries(texts));

test("an import against the arrows is found, also of a type, late, and of a package", () => {
  const sources = files({
    "command-kit/dispatch.ts":
      'import type {\n  Run,\n} from "../commands/run.ts";\nimport "../util/style.ts";\n',
    "terminal/index.ts":
      'const load = () => import("../commands/run.ts");\nimport { commands } from "../commands/index.ts";\n',
    "util/style.ts": 'import { z } from "zod";\nimport { join } from "node:path";\n',
    "attic/old.ts": 'export * from "../util/style.ts";\n',
  });
  expect(arrowFaults(sources)).toEqual([
    "src/command-kit/dispatch.ts must not import ../commands/run.ts",
    "src/terminal/index.ts must not import ../commands/run.ts",
    "src/util/style.ts must not import zod",
    "src/attic/old.ts must not import ../util/style.ts",
  ]);
});

test("a rule that names a part above its own is found", () => {
  const rule = (part: string, may: readonly string[] = []) => ({ part, may, packages: [] });
  const table = [rule("util"), rule("tree/read"), rule("tree", ["util", "tree/read"]), rule("cli", ["tree"])];
  expect(upwardFaults(table)).toEqual([]);
  expect(upwardFaults([rule("util", ["cli/keys.ts"]), ...table])).toEqual([
    "the rule of src/util names cli/keys.ts, which stands above it",
  ]);
});

test("a folder that the map does not name, and one that is gone, are found", () => {
  const page =
    "| `src/tree/`, `src/find/` | in `src/old/` |\n| `src/gone/` | was here |\nSee `src/other/`.\n";
  expect(mapFaults(page, ["tree/read.ts", "find/a/b.ts", "edit/set.ts", "main.ts"])).toEqual([
    "docs/architecture.md does not name src/edit/",
    "docs/architecture.md names src/gone/, which is gone",
  ]);
});

test("files that need each other are found, also by types and later, whatever lies between", () => {
  const sources = files({
    "a.ts": 'import { b } from "./in/b.ts";\n',
    "in/b.ts": 'export { c } from "../c.ts";\n',
    "c.ts": 'import "./a.ts";\n',
    "in/z.ts": 'const later = () => import("../a.ts");\n',
    "one.ts": 'import type { Other } from "./other.ts";\n',
    "other.ts": 'const one = () => import("./one.ts");\n',
    "alone.ts": 'import type { Other } from "./other.ts";\n',
  });
  expect(circleFaults(sources)).toEqual([
    "these files of src need each other: a.ts, c.ts, in/b.ts",
    "these files of src need each other: one.ts, other.ts",
  ]);
});

test("a process without an environment of its own is found", () => {
  const sources = files({
    "named.ts": 'Bun.spawn([f(1), "x"], {\n  env: process.env,\n  stdin: "pipe",\n});\n',
    "before.ts": "const options = { env: process.env };\nreturn Bun.spawnSync(command, options);\n",
    "without.ts": 'import { env } from "./env.ts";\nconst a = 1;\nBun.spawn([program], { stdin: "pipe" });\n',
  });
  expect(environmentFaults(sources)).toEqual([
    "src/without.ts starts a process without an environment: write env: process.env",
  ]);
});

test("a require of the plugin that leads nowhere is found, one that leads to a file or folder is not", () => {
  const sources = files({
    "init.server.luau": "local Link = require(script.Net.Link)\n",
    "Engine/init.luau": "return {}\n",
    "Net/Link.luau": [
      "local Engine = require(script.Parent.Parent.Engine)",
      "local Data = require(script.Parent.Parent.Data)",
      "local Gone = require(script.Parent.Gone)",
      "-- require(script.Parent.Comment)",
    ].join("\n"),
    "Data/init.luau": "local Queue = require(script.Queue)\n",
    "Data/Queue.luau": "return {}\n",
  });
  expect(requireFaults("plugin/src", sources, inPlugin)).toEqual([
    "plugin/src/Net/Link.luau requires script.Parent.Gone, which is no file",
  ]);
});

test("modules of the engine that require each other are found, unless one does so later", () => {
  const sources = files({
    "Boot.luau": 'local Classes = require("./Classes/init")\n',
    "Classes/init.luau": 'local Part = require("./Part")\n',
    "Classes/Part.luau": 'local Classes = require("../Classes/init")\nlocal Gone = require("./Gone")\n',
    "Classes/Late.luau": 'local function boot()\n\treturn require("./Later")\nend\n',
    "Classes/Later.luau": 'local Late = require("./Late")\n',
  });
  expect(requireFaults("engine", sources, inEngine)).toEqual([
    'engine/Classes/Part.luau requires "./Gone", which is no file',
    "these modules of engine require each other: Classes/Part.luau, Classes/init.luau",
  ]);
});

test("a module of the plugin that names the engine, or requires a part of Engine, is found; words in texts, comments, fields and own variables are not", () => {
  const sources = files({
    "Engine/init.luau": "local Text = require(script.Text)\nlocal Engine = { root = game }\n",
    "Engine/Text.luau": "local Services = require(script.Parent.Services)\nprint(1)\n",
    "init.server.luau": "Engine.bind(plugin)\nprint(1)\n",
    "Quiet.luau": [
      "-- game and [[workspace]]",
      'local text = "game" .. [[task]] .. `plugin {text}`',
      "local time = Engine.time()",
      "return { script = job.script, plugin = Engine.plugin(), wait = Engine:wait(time) }",
    ].join("\n"),
    "Net/Deep.luau": [
      "local Engine = require(script.Parent.Parent.Engine)",
      "local Text = require(script.Parent.Parent.Engine.Text)",
    ].join("\n"),
    "Loud.luau": 'local part: Instance = Instance.new("Part")\ntask.wait(`{game.Name}`)\n',
  });
  expect(engineNameFaults(sources)).toEqual([
    "plugin/src/init.server.luau names print; only Engine may",
    "plugin/src/Net/Deep.luau requires script.Parent.Parent.Engine.Text; only Engine itself may",
    "plugin/src/Loud.luau names game; only Engine may",
    "plugin/src/Loud.luau names Instance.new; only Engine may",
    "plugin/src/Loud.luau names task; only Engine may",
  ]);
});

test("a unit test in a folder that the sources do not have is found", () => {
  const tests = [
    "log.test.ts",
    "mcp/wire/json.test.ts",
    "mcp/json.test.ts",
    "plugin/Net/link.test.ts",
    "plugin/link.test.ts",
    "old/a.test.ts",
  ];
  expect(mirrorFaults("test/unit", tests, ["log.ts", "mcp/wire/json.ts", "plugin/Net/Link.luau"])).toEqual([
    "test/unit/old/a.test.ts is in a folder that the sources do not have",
  ]);
});

test("marks of assumptions need ids in the plugin, each id once, and a mark for whatever names an id", () => {
  const marks = [
    ...marksIn("plugin/src/A.luau", "-- UNVERIFIED(set-timeout): that it works\n-- there.\nlocal a\n"),
    ...marksIn("plugin/src/B.luau", "local b = 1 -- UNVERIFIED: wording\n"),
    ...marksIn("src/c.ts", "/** UNVERIFIED(set-timeout): twice, in words that are long enough. */\n"),
    ...marksIn("src/d.ts", "// UNVERIFIED(Set Timeout): an id that is no id, in long enough words.\n"),
  ];
  expect(marks[0]).toEqual({
    id: "set-timeout",
    text: "That it works there. `` local a ``",
    path: "plugin/src/A.luau",
  });
  expect(assumptionFaults(marks, [{ by: "the variant no-luck", id: "luck" }])).toEqual([
    "plugin/src/B.luau: a mark of the plugin needs an id: UNVERIFIED(id):",
    "src/c.ts: the assumption set-timeout is in plugin/src/A.luau already",
    'src/d.ts: the id of an assumption is words with hyphens, not "Set Timeout"',
    "the variant no-luck: there is no assumption luck",
  ]);
});

test("an assumption with an id has either a probe or a reason why there is none", () => {
  const source = ["is-edit", "step-limit", "core-gui", "luck"].map(
    (id) => `-- UNVERIFIED(${id}): a sentence that is long enough.\nlocal a\n`,
  );
  const marks = marksIn("plugin/src/A.luau", source.join("\n"));
  const [path, needed] = ["plugin/src/A.luau", "needs either a probe or a reason in unprobed.ts"];
  expect(unprobedFaults(marks, ["is-edit", "core-gui"], ["step-limit", "core-gui"])).toEqual([
    `${path}: the assumption core-gui ${needed}`,
    `${path}: the assumption luck ${needed}`,
  ]);
});

test("a member of the engine that is missing, closed, old, slow or called wrongly is found", async () => {
  const faults = engineMemberFaults(
    "plugin/src",
    files({
      "Uses.luau": `local tests = game:GetService("StudioTestService")
tests:EndTest()
tests:EndTest({}, 1)
tests:EndTest(table.unpack({}))
tests:StopTest()
-- tests:NotCode()
Engine.service("HttpService"):GetAsync("http://127.0.0.1")
print(game.Workspaces, workspace.CurrentCamera, "tests:Text()")
local thing = find()
thing:Explode()
thing:FindFirstChild()
thing:FindFirstChild("a, b", true)
thing:children()
thing.Touched:Connect(print)
Engine.service("RunService"):Reset()
tests = thing
tests:Destroy()
`,
    }),
    await engineDataAsync(),
  );
  expect(faults).toEqual([
    "plugin/src/Uses.luau:2 EndTest does not take 0 arguments",
    "plugin/src/Uses.luau:3 EndTest does not take 2 arguments",
    "plugin/src/Uses.luau:5 StudioTestService has no StopTest",
    "plugin/src/Uses.luau:7 GetAsync yields: list HttpService.GetAsync in engine-exceptions.ts with why it may wait there",
    "plugin/src/Uses.luau:8 DataModel has no Workspaces",
    "plugin/src/Uses.luau:8 StudioTestService has no Text",
    "plugin/src/Uses.luau:10 no class has a method Explode",
    "plugin/src/Uses.luau:11 FindFirstChild does not take 0 arguments",
    "plugin/src/Uses.luau:15 Reset is deprecated: use another, or list RunService.Reset in engine-exceptions.ts with a reason",
  ]);
});

const linesOf = (count: number, indent: string) => `${indent}f();\n`.repeat(count);

test.each<readonly [what: string, head: string, end: string]>([
  ["a function", "export async function a<T>(b: T): Promise<void> {", "}"],
  ["a function whose signature takes several lines", "function a(\n  b: {\n    c: string },\n): void {", "}"],
  ["an arrow function", "const a = (b: string): string => {", "};"],
  ["an arrow function whose signature takes several lines", "const a = (\n  b: string,\n) => {", "};"],
  ["an argument", 'test("a", async () => {', "});"],
])("%s that is too long is found, and one that just fits is not", (_, head, end) => {
  const headLines = head.split("\n").length;
  const text = (count: number) => `\n${head}\n${linesOf(count - headLines - 1, "  ")}${end}\n`;
  expect(longFunctionFaults("src", files({ "a.ts": text(MOST_LINES) }))).toEqual([]);
  expect(longFunctionFaults("src", files({ "a.ts": text(MOST_LINES + 1) }))).toEqual([
    `src/a.ts:2: this function has ${MOST_LINES + 1} lines; split it, so that none has more than ${MOST_LINES}`,
  ]);
});

test("a method that is too long is found, and a long table, class or condition is none", () => {
  const body = linesOf(MOST_LINES, "    ");
  const methods = [
    "async #a(b = {}): Promise<X> {",
    "constructor(\n    b: B,\n  ) {",
    "*[Symbol.iterator]() {",
  ];
  for (const head of methods)
    expect(
      longFunctionFaults("src", files({ "a.ts": `class A {\n  ${head}\n${body}  }\n}\n` })),
    ).toHaveLength(1);
  for (const head of ["if (a(b)) {", "for (\n    const a of b()\n  ) {", "} else {", "while (a()) {"])
    expect(longFunctionFaults("src", files({ "a.ts": `class A {\n  ${head}\n${body}  }\n}\n` }))).toEqual([]);
  const table = "  a: 1,\n".repeat(MOST_LINES);
  const tables = `const a = {\n${table}};\nf(g(), {\n${table}});\nconst b = (z) =>\n  z.object({\n${table}  });\n`;
  expect(longFunctionFaults("src", files({ "a.ts": tables }))).toEqual([]);
});

test("a file that is too long is found unless it is an exception, and so is an exception that is not needed", () => {
  const sources = files({
    "fits.ts": "\n".repeat(MOST_FILE_LINES),
    "long.ts": "\n".repeat(MOST_FILE_LINES + 1),
    "made.luau": "\n".repeat(MOST_FILE_LINES + 1),
  });
  const exceptions = {
    "src/made.luau": "generated",
    "src/fits.ts": "once long",
    "plugin/src/a.luau": "elsewhere",
  };
  expect(longFileFaults("src", sources, exceptions)).toEqual([
    `src/long.ts has ${MOST_FILE_LINES + 1} lines; split it, so that none has more than ${MOST_FILE_LINES}`,
    "src/fits.ts needs no exception in file-lengths.ts",
  ]);
});

test("a page that names a file which does not exist is found, in a link and in the text about the code", () => {
  const pages = files({
    "docs/design/a.md":
      "`b/c.ts`, `b/{c,gone}.ts`, `src/b/c.ts`, [other](../use.md#part) and [gone](../gone.md)",
    "docs/use.md":
      "your `src/own.luau`, [code](../src/b), [web](https://example.org/x.md) and [here](#below)",
  });
  expect(docPathFaults(pages, ["docs/use.md", "docs/design/a.md", "src/b/c.ts"])).toEqual([
    "docs/design/a.md links to ../gone.md, which does not exist",
    "docs/design/a.md names b/gone.ts, which does not exist",
  ]);
});

test("a Luau function that is too long is found", () => {
  const luau = (count: number) => `\nlocal function a()\n${"\tf()\n".repeat(count - 2)}end\n`;
  expect(longFunctionFaults("plugin/src", files({ "a.luau": luau(MOST_LINES) }))).toEqual([]);
  expect(longFunctionFaults("plugin/src", files({ "a.luau": luau(MOST_LINES + 1) }))).toHaveLength(1);
});

test("an export that no file of the product uses is found, also behind an index; what its own file uses is not", () => {
  const sources = files({
    "a.ts": "export const used = 1;\nexport function own(): void {}\nown();\nexport type Dead = string;\n",
    "b.ts":
      "export const lateUsed = 1;\nexport const lateDead = 1;\nexport class Whole {}\n// own lateDead\n",
    "in/index.ts": 'export { handed, dropped as gone } from "./c.ts";\n',
    "in/c.ts": "export const handed = 1;\nexport const dropped = 2;\n",
    "main.ts":
      'import type { used as mine } from "./a.ts";\nimport { handed } from "./in/index.ts";\nconst { lateUsed } = await import("./b.ts");\n',
  });
  const scripts = files({ "scripts/d.ts": 'import {\n  Whole,\n} from "../src/b.ts";\n' });
  const dead = (where: string) => `${where} is dead code, because no file of the product uses it`;
  expect(deadExportFaults(sources, scripts)).toEqual([
    dead("src/a.ts: Dead"),
    dead("src/b.ts: lateDead"),
    dead("src/in/c.ts: dropped"),
  ]);
});
