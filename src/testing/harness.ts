/** The harness as one Luau program: its modules, each loaded when another one requires it. */
import type { CountedScript } from "./coverage/covered-files.ts";
import builtIn from "./harness/BuiltIn.luau" with { type: "text" };
import coverage from "./harness/Coverage.luau" with { type: "text" };
import caseList from "./harness/CaseList.luau" with { type: "text" };
import expect from "./harness/Expect.luau" with { type: "text" };
import findLibrary from "./harness/FindLibrary.luau" with { type: "text" };
import findScript from "./harness/FindScript.luau" with { type: "text" };
import frktest from "./harness/Frktest.luau" with { type: "text" };
import functions from "./harness/Functions.luau" with { type: "text" };
import jest from "./harness/Jest.luau" with { type: "text" };
import jestFailure from "./harness/JestFailure.luau" with { type: "text" };
import jestLibrary from "./harness/JestLibrary.luau" with { type: "text" };
import jestModules from "./harness/JestModules.luau" with { type: "text" };
import jestRuntimes from "./harness/JestRuntimes.luau" with { type: "text" };
import jestSnapshots from "./harness/JestSnapshots.luau" with { type: "text" };
import jestStages from "./harness/JestStages.luau" with { type: "text" };
import loadFramework from "./harness/LoadFramework.luau" with { type: "text" };
import main from "./harness/Main.luau" with { type: "text" };
import modulesOfTest from "./harness/Modules.luau" with { type: "text" };
import plan from "./harness/Plan.luau" with { type: "text" };
import protect from "./harness/Protect.luau" with { type: "text" };
import shown from "./harness/Shown.luau" with { type: "text" };
import stdTest from "./harness/StdTest.luau" with { type: "text" };
import testEz from "./harness/TestEZ.luau" with { type: "text" };
import tiniest from "./harness/Tiniest.luau" with { type: "text" };

import { type Framework, frameworks } from "./events.ts";

const modules: Readonly<Record<string, string>> = {
  BuiltIn: builtIn,
  CaseList: caseList,
  Expect: expect,
  FindLibrary: findLibrary,
  FindScript: findScript,
  Frktest: frktest,
  Functions: functions,
  Jest: jest,
  JestFailure: jestFailure,
  JestLibrary: jestLibrary,
  JestModules: jestModules,
  JestRuntimes: jestRuntimes,
  JestSnapshots: jestSnapshots,
  JestStages: jestStages,
  LoadFramework: loadFramework,
  Modules: modulesOfTest,
  Plan: plan,
  Protect: protect,
  Shown: shown,
  StdTest: stdTest,
  TestEZ: testEz,
  Tiniest: tiniest,
};

/** What the chunk is called, so that its frames can be told from those of tests. */
export const HARNESS_NAME = "sb test";

const linked = (source: string): string => source.replace(/\brequire\("\.\/(\w+)"\)/g, 'use("$1")');

/** Exports of types are for the analyzer only, and are not allowed inside of functions. */
const inside = (source: string): string => linked(source).replace(/^export type /gm, "type ");

/** Where the harness stays between scripts that keep their globals. */
export const HARNESS_GLOBAL = "__sbTest";

/** Where the counts of lines stay; absent where none were asked for. */
export const COVERAGE_GLOBAL = "__sbTestCoverage";

/** The drivers by which `Main.luau` runs the files of each framework. */
const drivers: Readonly<Record<Framework, string>> = {
  "built-in": "BuiltIn",
  frktest: "Frktest",
  functions: "Functions",
  jest: "Jest",
  script: "Functions",
  "std-test": "StdTest",
  testez: "TestEZ",
  tiniest: "Tiniest",
};

function sourceOf(name: string): string {
  const source = modules[name];
  if (source === undefined) throw new Error(`the harness has no module ${name}`);
  return source;
}

/** What modules require, themselves among it. */
function requiredBy(names: readonly string[]): ReadonlySet<string> {
  const found = new Set(names);
  for (const name of found)
    for (const [, required = ""] of sourceOf(name).matchAll(/\brequire\("\.\/(\w+)"\)/g) ?? [])
      found.add(required);
  return found;
}

/** Defines `use`, which gives modules of the harness; each is loaded when it is used first. */
function loadersOf(names: readonly string[]): string[] {
  return [
    "local loaders, loaded = {}, {}",
    "local function use(name) local value = loaded[name] if value == nil then value = loaders[name]() loaded[name] = value end return value end",
    ...[...requiredBy(names)].map((name) => `loaders.${name} = function()\n${inside(sourceOf(name))}\nend`),
  ];
}

/**
 * Defines the harness for files of these frameworks, and loads what each of those files needs. For a script that keeps its
 * globals. What is left out need not be compiled: with one framework that is most of it, and 20 of 35 ms of a cold VM.
 */
export function preparingSource(wanted: readonly Framework[] = frameworks): string {
  return [
    ...loadersOf([
      "FindScript",
      "Modules",
      "Plan",
      "Protect",
      "Shown",
      ...wanted.map((each) => drivers[each]),
    ]),
    `${HARNESS_GLOBAL} = (function() ${inside(main)} end)()`,
    `${HARNESS_GLOBAL}.prepareAsync({ ${wanted.map((each) => JSON.stringify(each)).join(", ")} })`,
  ].join("\n");
}

/**
 * Runs the file that the script's input describes, after the other script. The plugin makes no undo step of a script that
 * names ChangeHistoryService.
 */
export const runningSource = `${HARNESS_GLOBAL}.runAsync(sb, ${COVERAGE_GLOBAL}) -- ChangeHistoryService`;

/** Tells which lines have run in a DataModel where lines are counted and no file has told it. */
export const tellingHitsSource = `sb.emit({ type = "hits", scripts = ${COVERAGE_GLOBAL}.read() }) -- ChangeHistoryService`;

/** Forgets the harness and the counts of lines, in a Studio that stays open. */
export const leavingSource = `${COVERAGE_GLOBAL} = nil if ${HARNESS_GLOBAL} then ${HARNESS_GLOBAL}.leave() ${HARNESS_GLOBAL} = nil end -- ChangeHistoryService`;

const OLD_PLUGIN = "the plugin of this Studio is older than sb; run `sb install-plugin` and restart Studio";

/**
 * Begins to count the lines of scripts. For a script that keeps its globals and runs before all others. `loadsAnew` where the
 * plugin loads modules anew for the run, and so has to let the harness compile them.
 */
export function coveringSource(scripts: readonly CountedScript[], loadsAnew = false): string {
  const counted = luauText(JSON.stringify(scripts));
  return [
    ...(loadsAnew ? [`if sb.compileModules == nil then error(${luauText(OLD_PLUGIN)}, 0) end`] : []),
    ...loadersOf(["FindScript"]),
    `${COVERAGE_GLOBAL} = (function() ${inside(coverage)} end)()`,
    `${COVERAGE_GLOBAL}.start(game:GetService("HttpService"):JSONDecode(${counted}), ${loadsAnew ? "sb.compileModules" : "nil"}) -- ChangeHistoryService`,
  ].join("\n");
}

/** A text as Luau writes it, whatever is in it. */
export function luauText(text: string): string {
  let level = "";
  while (text.includes(`]${level}]`) || text.endsWith(`]${level}`)) level += "=";
  // A line break behind the bracket is no part of the text.
  return `[${level}[\n${text}]${level}]`;
}

/** Gives scripts of the place the sources of the script's input, after the other script. */
export const changingSource = `${HARNESS_GLOBAL}.setSources(sb)`;
