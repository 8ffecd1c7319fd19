/** Makes the files that `sb init` writes, from the facts about the folder and the user's choices. */
import { folderOf, testMatcher } from "../../testing/discovery/find-files.ts";
import type { ProjectFacts } from "./project-facts.ts";
import firstTest from "./templates/first.spec.luau" with { type: "text" };
import jestConfig from "./templates/jest.config.luau" with { type: "text" };
import jestTest from "./templates/jest.spec.luau" with { type: "text" };
import workflow from "./templates/test.yml" with { type: "text" };

export const initFrameworks = ["built-in", "testez", "jest"] as const;
export type InitFramework = (typeof initFrameworks)[number];

export const CI_SERVERS = ["github", "none"] as const;

export interface InitChoices {
  readonly framework: InitFramework;
  /** The folder of the first test, relative to the project's folder. */
  readonly tests: string;
  readonly ci: (typeof CI_SERVERS)[number];
}

export interface PlannedFile {
  /** Relative to the project's folder, with slashes. */
  readonly path: string;
  readonly text: string;
  /** The purpose of the file, in a few words. */
  readonly purpose: string;
}

export const WORKFLOW = ".github/workflows/test.yml";

/** The frameworks that the place has, the most likely choice first. */
export function frameworksOf({ hasTestEz, jestGlobals }: ProjectFacts): readonly InitFramework[] {
  return [
    ...(jestGlobals === undefined ? [] : (["jest"] as const)),
    ...(hasTestEz ? (["testez"] as const) : []),
    "built-in",
  ];
}

/**
 * The folders in which a first test can lie, the most likely choice first. If `sb test` finds tests in some of them, the
 * others are left out.
 */
export function testFoldersOf(facts: ProjectFacts, framework: InitFramework): readonly string[] {
  const { include } = facts.patterns;
  const likely = likelyFolders(facts, framework);
  // Jest needs a folder that the project mounts, and that of a pattern may be another one.
  const named = framework === "jest" ? [] : include.map((pattern) => folderOf(pattern).slice(0, -1));
  const all = [...new Set([...likely, ...named.filter((folder) => folder !== "")])];
  const found = all.filter((folder) => isFound(firstTestIn(folder), facts));
  return found.length === 0 ? likely : found;
}

export const firstTestIn = (folder: string): string => `${folder}/first.spec.luau`;

/** False for a path that the settings leave out. */
export const isFound = (path: string, { patterns }: ProjectFacts): boolean => testMatcher(patterns)(path);

/** The same folders without regard to the settings. For Jest, they are part of the place. */
function likelyFolders(
  { sourceFolders, jestFolders, isRobloxTs }: ProjectFacts,
  framework: InitFramework,
): readonly string[] {
  if (framework === "jest") return [...new Set([...jestFolders, ...sourceFolders])];
  // With roblox-ts, a test cannot lie in a mounted folder, because the compiler clears these folders.
  return isRobloxTs ? ["tests"] : [...sourceFolders, "tests"];
}

export function plannedFiles(facts: ProjectFacts, choices: InitChoices): readonly PlannedFile[] {
  return [
    { path: "sb.config.json", text: configText(facts), purpose: "settings of sb test" },
    ...(facts.testFiles.length === 0 ? testFiles(facts, choices) : []),
    ...(choices.ci === "github" && facts.workflow === undefined
      ? [{ path: WORKFLOW, text: workflowText(facts), purpose: "runs the tests on GitHub" }]
      : []),
  ];
}

function configText({ projectFile, isRobloxTs }: ProjectFacts): string {
  const test = {
    ...(projectFile === undefined ? {} : { place: projectFile }),
    // git ignores the files that roblox-ts has compiled, so that the settings have to name them.
    ...(isRobloxTs ? { include: ["tests/**/*.spec.luau", "out/**/*.spec.luau"] } : {}),
    timeoutMs: 5000,
  };
  return `${JSON.stringify({ test }, null, 2)}\n`;
}

function testFiles(
  { jestGlobals, jestFolders }: ProjectFacts,
  { framework, tests }: InitChoices,
): PlannedFile[] {
  const isBelowConfig = jestFolders.some((folder) => tests === folder || tests.startsWith(`${folder}/`));
  const config = { path: `${tests}/jest.config.luau`, text: jestConfig, purpose: "settings of Jest" };
  const isJest = framework === "jest";
  const text = isJest ? jestTest.replace("JEST_GLOBALS", expressionOf(jestGlobals ?? [])) : firstTest;
  return [
    ...(isJest && !isBelowConfig ? [config] : []),
    { path: firstTestIn(tests), text, purpose: "a first test" },
  ];
}

/** `game:GetService("ReplicatedStorage").Packages.JestGlobals` */
function expressionOf([service = "", ...names]: readonly string[]): string {
  const steps = names.map((name) => (/^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`));
  return `game:GetService(${JSON.stringify(service)})${steps.join("")}`;
}

function workflowText({ isRobloxTs, usesWally }: ProjectFacts): string {
  const steps = [
    ...(isRobloxTs ? ["      - run: npm ci", "      - run: npx rbxtsc"] : []),
    ...(usesWally
      ? ["      # Install Wally here, and the packages that the project mounts: wally install"]
      : []),
  ];
  return workflow.replace("BUILD_STEPS\n", steps.map((line) => `${line}\n`).join(""));
}
