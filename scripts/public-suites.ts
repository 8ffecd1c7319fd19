/**
 * The public test suites that scripts/public-tests.ts runs. None of them is part of this repository. Each row says what
 * its folder has to contain.
 */

/** A suite, and how each of both runners runs it. */
export interface PublicSuite {
  /** Below the folder that has all suites. */
  readonly folder: string;
  /** The project file of its place, below its folder, or the content of one, with paths from the folder of all suites. */
  readonly place: string | Readonly<Record<string, string>>;
  /** Files and folders of tests, as words for `sb test`; a `*` stands for a part of a name. */
  readonly words: readonly string[];
  /** Further words for `sb test`. */
  readonly flags?: readonly string[];
  /** A script that is run first in both runs, as the settings of the suite name it. */
  readonly setup?: string;
  /** A script that runs the suite with the runner of its framework, and tells each case by `tell` of `OWN_RUNNER_WORDS`. */
  readonly ownRunner: string;
  /** Which part of a case's names the own runner tells. */
  readonly names: "all" | "last";
}

/** What the scripts below share: `tell` prints a line `CASE {name, status}`. */
export const OWN_RUNNER_WORDS = `
local storage = game:GetService("ReplicatedStorage")
local function tell(name, status)
	print("CASE " .. game:GetService("HttpService"):JSONEncode({ name = tostring(name), status = status }))
end
`;

const TESTEZ = "testez/src";

/** TestEZ tells a case by its phrase and the phrases of the groups above it, among which those of files cannot be told apart. */
const byTestEz = (...roots: readonly string[]): string => `
local STATUSES = { Success = "passed", Failure = "failed", Skipped = "skipped" }
local function visit(node)
	if node.planNode and node.planNode.type == "It" then
		tell(node.planNode.phrase, STATUSES[node.status])
	end
	for _, child in node.children do
		visit(child)
	end
end
visit(require(storage.TestEZ).TestBootstrap:run({ ${roots.join(", ")} }, { report = function() end }))
`;

/** Each module of TestEZ's own suite returns functions by name, which its runner calls. */
const BY_FUNCTIONS = `
for _, module in storage.TestEZTests:GetChildren() do
	for name, run in if module:IsA("ModuleScript") then require(module) else {} do
		tell(name, if pcall(run) then "passed" else "failed")
	end
end
`;

/** A file that Jest could not run counts as one failed case, as it does with `sb test`. */
const byJest = (root: string, jest: string): string => `
local root = ${root}
local status, outcome = require(${jest}).runCLI(root, { ci = true, reporters = {} }, { root }):awaitStatus()
assert(status == "Resolved", tostring(outcome))
for _, suite in outcome.results.testResults do
	for _, case in suite.testResults do
		tell(case.fullName, if case.status == "pending" then "skipped" else case.status)
	end
	if #suite.testResults == 0 then
		tell("(file)", "failed")
	end
end
`;

const ofNodeModules = 'storage.node_modules:FindFirstChild("@jsdotlua")';

export const PUBLIC_SUITES: readonly PublicSuite[] = [
  // Checkouts.
  {
    folder: "roblox-lua-promise",
    place: { Lib: "roblox-lua-promise/lib", TestEZ: TESTEZ },
    words: ["lib"],
    ownRunner: byTestEz("storage.Lib"),
    names: "last",
  },
  {
    folder: "roact",
    place: { Roact: "roact/src", TestEZ: TESTEZ },
    words: ["src"],
    ownRunner: byTestEz("storage.Roact"),
    names: "last",
  },
  {
    folder: "rodux",
    place: { Rodux: "rodux/src", TestEZ: TESTEZ },
    words: ["src"],
    ownRunner: byTestEz("storage.Rodux"),
    names: "last",
  },
  {
    folder: "t",
    place: { t: "t/lib", TestEZ: TESTEZ },
    words: ["lib"],
    ownRunner: byTestEz("storage.t"),
    names: "last",
  },
  {
    folder: "testez",
    place: "test-place.project.json",
    words: ["tests/*.lua", "tests/e2e/init.lua"],
    ownRunner: BY_FUNCTIONS,
    names: "last",
  },
  // Places that were built with the tools of their projects: packages by yarn and npmluau, `require` rewritten by darklua as
  // scripts/test-roblox.sh of jest-lua does. sb.config.json beside the project file names setup.luau, which sets the globals
  // that the project's own script sets.
  {
    // As scripts/test-roblox.sh builds it.
    folder: "jest-lua-place",
    place: "test-place.project.json",
    words: ["node_modules"],
    ownRunner: byJest("storage", `${ofNodeModules}.jest.src`),
    names: "all",
  },
  {
    // node_modules has all packages; in it are jest-setup as `jest`, the packages that it requires as `TestRunner.Dev`, and a
    // jest.config with two projects: that folder, and react-devtools-shared.
    folder: "react-lua-place",
    place: "test-place.project.json",
    words: ["node_modules"],
    // One case of the scheduler computes for half a minute, or longer on a busy machine.
    flags: ["--timeout", "90s", "--file-timeout", "3m"],
    setup: "setup.luau",
    ownRunner: byJest("storage.node_modules", `${ofNodeModules}.jest.src`),
    names: "all",
  },
  {
    // Packages._Workspace has each package of src with what it depends on beside it, Packages._Index what is not in src.
    folder: "jest-roblox-place",
    place: "test-place.project.json",
    words: ["src"],
    setup: "setup.luau",
    ownRunner: byJest("storage.Packages._Workspace", "storage.Packages._Workspace.Jest.Jest"),
    names: "all",
  },
];
