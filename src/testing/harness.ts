/**
 * Makes the Luau programs that run in a target from the modules in `harness/`. A module of the harness is loaded when another
 * one requires it first.
 */
import type { CountedScript } from "./coverage/covered-files.ts";
import adapter from "./harness/Adapter.luau" with { type: "text" };
import builtIn from "./harness/BuiltIn.luau" with { type: "text" };
import caseList from "./harness/CaseList.luau" with { type: "text" };
import caseRun from "./harness/CaseRun.luau" with { type: "text" };
import checksum from "./harness/Checksum.luau" with { type: "text" };
import clean from "./harness/Clean.luau" with { type: "text" };
import coverage from "./harness/Coverage.luau" with { type: "text" };
import doubles from "./harness/Doubles.luau" with { type: "text" };
import each from "./harness/Each.luau" with { type: "text" };
import expect from "./harness/Expect.luau" with { type: "text" };
import heldClock from "./harness/HeldClock.luau" with { type: "text" };
import findLibrary from "./harness/FindLibrary.luau" with { type: "text" };
import findScript from "./harness/FindScript.luau" with { type: "text" };
import frktest from "./harness/Frktest.luau" with { type: "text" };
import functions from "./harness/Functions.luau" with { type: "text" };
import jest from "./harness/Jest.luau" with { type: "text" };
import jestCases from "./harness/JestCases.luau" with { type: "text" };
import jestFailure from "./harness/JestFailure.luau" with { type: "text" };
import jestLibrary from "./harness/JestLibrary.luau" with { type: "text" };
import jestModules from "./harness/JestModules.luau" with { type: "text" };
import jestRuntimes from "./harness/JestRuntimes.luau" with { type: "text" };
import jestSession from "./harness/JestSession.luau" with { type: "text" };
import jestSnapshots from "./harness/JestSnapshots.luau" with { type: "text" };
import jestStages from "./harness/JestStages.luau" with { type: "text" };
import job from "./harness/Job.luau" with { type: "text" };
import left from "./harness/Left.luau" with { type: "text" };
import listening from "./harness/Listening.luau" with { type: "text" };
import loadFramework from "./harness/LoadFramework.luau" with { type: "text" };
import main from "./harness/Main.luau" with { type: "text" };
import modulesOfTest from "./harness/Modules.luau" with { type: "text" };
import otherViewport from "./harness/OtherViewport.luau" with { type: "text" };
import ownErrors from "./harness/OwnErrors.luau" with { type: "text" };
import playerInterface from "./harness/PlayerInterface.luau" with { type: "text" };
import pictureMatch from "./harness/PictureMatch.luau" with { type: "text" };
import plan from "./harness/Plan.luau" with { type: "text" };
import protect from "./harness/Protect.luau" with { type: "text" };
import refused from "./harness/Refused.luau" with { type: "text" };
import rejection from "./harness/Rejection.luau" with { type: "text" };
import required from "./harness/Required.luau" with { type: "text" };
import script from "./harness/Script.luau" with { type: "text" };
import shown from "./harness/Shown.luau" with { type: "text" };
import staleScripts from "./harness/StaleScripts.luau" with { type: "text" };
import stdTest from "./harness/StdTest.luau" with { type: "text" };
import testErrors from "./harness/TestErrors.luau" with { type: "text" };
import testEz from "./harness/TestEZ.luau" with { type: "text" };
import testEzRun from "./harness/TestEZRun.luau" with { type: "text" };
import testFile from "./harness/TestFile.luau" with { type: "text" };
import tiniest from "./harness/Tiniest.luau" with { type: "text" };
import uncaught from "./harness/Uncaught.luau" with { type: "text" };

import { type Framework, frameworks } from "./events.ts";

const modules: Readonly<Record<string, string>> = {
  Adapter: adapter,
  BuiltIn: builtIn,
  CaseList: caseList,
  CaseRun: caseRun,
  Checksum: checksum,
  Clean: clean,
  Coverage: coverage,
  Doubles: doubles,
  Each: each,
  Expect: expect,
  FindLibrary: findLibrary,
  HeldClock: heldClock,
  FindScript: findScript,
  Frktest: frktest,
  Functions: functions,
  Jest: jest,
  JestCases: jestCases,
  JestFailure: jestFailure,
  JestLibrary: jestLibrary,
  JestModules: jestModules,
  JestRuntimes: jestRuntimes,
  JestSession: jestSession,
  JestSnapshots: jestSnapshots,
  JestStages: jestStages,
  Job: job,
  Left: left,
  Listening: listening,
  LoadFramework: loadFramework,
  Modules: modulesOfTest,
  OtherViewport: otherViewport,
  OwnErrors: ownErrors,
  PictureMatch: pictureMatch,
  PlayerInterface: playerInterface,
  Plan: plan,
  Protect: protect,
  Refused: refused,
  Rejection: rejection,
  Required: required,
  Script: script,
  Shown: shown,
  StaleScripts: staleScripts,
  StdTest: stdTest,
  TestErrors: testErrors,
  TestEZ: testEz,
  TestEZRun: testEzRun,
  TestFile: testFile,
  Tiniest: tiniest,
  Uncaught: uncaught,
  Main: main,
};

/** The chunk name of the harness. By it, frames of the harness are recognized in stacks. */
export const HARNESS_NAME = "sb test";

const linked = (source: string): string => source.replace(/\brequire\("\.\/(\w+)"\)/g, 'use("$1")');

/**
 * The text of a module as the body of a function. Luau allows `export type` only at the top level, so that it becomes `type`.
 * Comments and indentation are removed, because a Studio would have to receive and read them. Line numbers stay the same.
 */
const functionBody = (source: string): string =>
  linked(source)
    .replace(/^\t*(--.*)?/gm, "")
    .replace(/^export type /gm, "type ");

/** The global that has the harness. Scripts of one run share their globals. */
export const HARNESS_GLOBAL = "__sbTest";

/** The global that has the counts of lines; nil if no lines are counted. */
export const COVERAGE_GLOBAL = "__sbTestCoverage";

/** For each framework, the module that runs its files. */
const drivers: Readonly<Record<Framework, string>> = {
  adapter: "Adapter",
  "built-in": "BuiltIn",
  frktest: "Frktest",
  functions: "Functions",
  jest: "Jest",
  script: "Script",
  "std-test": "StdTest",
  testez: "TestEZ",
  tiniest: "Tiniest",
};

function sourceOf(name: string): string {
  const source = modules[name];
  if (source === undefined) throw new Error(`the harness has no module ${name}`);
  return source;
}

/** The names of these modules and of all modules that they require. */
function requiredBy(names: readonly string[]): ReadonlySet<string> {
  const found = new Set(names);
  for (const name of found)
    for (const [, required = ""] of sourceOf(name).matchAll(/\brequire\("\.\/(\w+)"\)/g) ?? [])
      found.add(required);
  return found;
}

/** The globals that the harness uses. */
const GLOBALS = [
  ...[
    "Enum",
    "Instance",
    "Random",
    "_G",
    "assert",
    "buffer",
    "coroutine",
    "debug",
    "error",
    "game",
    "getfenv",
  ],
  ...[
    "getmetatable",
    "ipairs",
    "loadstring",
    "math",
    "next",
    "os",
    "pcall",
    "rawget",
    "rawset",
    "require",
    "setfenv",
  ],
  ...["setmetatable", "string", "table", "task", "tostring", "type", "typeof", "utf8", "xpcall"],
].join(", ");

/** The global that returns the globals of before the set-up scripts; nil if there are no such scripts. */
const HELD_GLOBAL = "__sbTestGlobals";

/** A statement that makes the globals local. */
export const localGlobals = `local ${GLOBALS} = ${GLOBALS}`;

/** A script that has to run before set-up scripts, which may replace globals that the harness uses. */
export const holdingSource = `${HELD_GLOBAL} = (function() ${localGlobals} return function() return ${GLOBALS} end end)() -- ChangeHistoryService`;

/**
 * Luau lines that define `use`, which loads a module of the harness at its first use. The globals become local, because a test may
 * replace them by `getfenv(0)`: with another `pcall`, the harness would not see that a case fails.
 */
function loadersOf(names: readonly string[]): string[] {
  return [
    `local ${GLOBALS} = (${HELD_GLOBAL} or function() return ${GLOBALS} end)()`,
    "local loaders, loaded = {}, {}",
    "local function use(name) local value = loaded[name] if value == nil then value = loaders[name]() loaded[name] = value end return value end",
    ...[...requiredBy(names)].map(
      (name) => `loaders.${name} = function()\n${functionBody(sourceOf(name))}\nend`,
    ),
  ];
}

/** The value of a file that returns what it requires may turn out to be for one of these. */
const OF_VALUES: readonly Framework[] = ["functions", "script"];

/**
 * A script that defines the harness and loads what every file of these frameworks needs. Its globals have to last. Modules for
 * other frameworks are left out, because compiling all of them takes 20 of the 35 ms in which a VM starts.
 */
export function preparingSource(wanted: readonly Framework[] = frameworks): string {
  const known = [...new Set([...wanted, ...OF_VALUES])];
  const rows = known.map((framework) => `[${JSON.stringify(framework)}] = use("${drivers[framework]}")`);
  return [
    ...loadersOf(["Main", ...known.map((framework) => drivers[framework])]),
    `${HARNESS_GLOBAL} = use("Main")`,
    `${HARNESS_GLOBAL}.prepareAsync({ ${rows.join(", ")} }, { ${wanted.map((framework) => JSON.stringify(framework)).join(", ")} }, sb and sb.emit)`,
  ].join("\n");
}

/**
 * A script that runs the file of the HarnessJob in its standard input. `preparingSource` has to run first. Like the scripts
 * below, it names ChangeHistoryService, because the plugin makes no undo step for a script that names it.
 */
export const runningSource = `${HARNESS_GLOBAL}.runAsync(sb, ${COVERAGE_GLOBAL}) -- ChangeHistoryService`;

/** A script that sends which lines have run in a DataModel in which no test file ran, such as the server beside a client. */
export const sendingHitsSource = `sb.emit({ type = "hits", scripts = ${COVERAGE_GLOBAL}.read() }) -- ChangeHistoryService`;

/** A script that removes the harness and the counts of lines from a Studio that stays open. */
export const leavingSource = `${COVERAGE_GLOBAL} = nil ${HELD_GLOBAL} = nil if ${HARNESS_GLOBAL} then ${HARNESS_GLOBAL}.leave() ${HARNESS_GLOBAL} = nil end -- ChangeHistoryService`;

const OLD_PLUGIN = "the plugin of this Studio is older than sb; run `sb install-plugin` and restart Studio";

/**
 * A script that begins to count the lines of `scripts`. It has to run before all others, and its globals have to last. With
 * `loadsAnew`, the plugin loads modules again for each run, and lets the harness compile them.
 */
export function coveringSource(scripts: readonly CountedScript[], loadsAnew = false): string {
  const counted = luauText(JSON.stringify(scripts));
  return [
    ...(loadsAnew ? [`if sb.compileModules == nil then error(${luauText(OLD_PLUGIN)}, 0) end`] : []),
    ...loadersOf(["Coverage"]),
    `${COVERAGE_GLOBAL} = use("Coverage")`,
    `${COVERAGE_GLOBAL}.start(game:GetService("HttpService"):JSONDecode(${counted}), ${loadsAnew ? "sb.compileModules" : "nil"}) -- ChangeHistoryService`,
  ].join("\n");
}

/** A script that takes a list of CountedScripts as its input, and returns the indexes of those that the place does not have. */
export const staleSource = [
  ...loadersOf(["StaleScripts"]),
  'return use("StaleScripts").of(sb.input) -- ChangeHistoryService',
].join("\n");

/** A text as a string in long brackets, for any content. */
export function luauText(text: string): string {
  let level = "";
  while (text.includes(`]${level}]`) || text.endsWith(`]${level}`)) level += "=";
  // Luau ignores a line break right after the opening bracket. Without this one, it would drop one of the text itself.
  return `[${level}[\n${text}]${level}]`;
}

/** A script that gives scripts of the place the new sources in its standard input. `preparingSource` has to run first. */
export const changingSource = `${HARNESS_GLOBAL}.setSources(sb)`;
