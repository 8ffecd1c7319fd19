/** Makes the files that `sb init` writes, from the facts about the folder and the user's choices. */
import { home, setupAction } from "../version.ts";
import { folderOf, testMatcher } from "../testing/discovery/find-files.ts";
import type { PlannedFile } from "./planned-file.ts";
import type { ProjectFacts } from "./project-facts.ts";
import firstTest from "./templates/first.spec.luau" with { type: "text" };
import firstInTypeScript from "./templates/first.spec.ts.txt" with { type: "text" };
import jestConfig from "./templates/jest.config.luau" with { type: "text" };
import jestConfigInTypeScript from "./templates/jest.config.ts.txt" with { type: "text" };
import jestTest from "./templates/jest.spec.luau" with { type: "text" };
import jestInTypeScript from "./templates/jest.spec.ts.txt" with { type: "text" };
import workflow from "./templates/test.yml" with { type: "text" };
import testEzInTypeScript from "./templates/testez.spec.ts.txt" with { type: "text" };
import { gitIgnoreFile, mcpFile } from "./side-files.ts";
import { compiledFrom, isSource, sourceOf } from "./typescript-facts.ts";

export const initFrameworks = ["built-in", "testez", "jest"] as const;
export type InitFramework = (typeof initFrameworks)[number];

export const CI_SERVERS = ["github", "none"] as const;

export interface InitChoices {
  readonly framework: InitFramework;
  /** The folder of the first test, relative to the project's folder. */
  readonly tests: string;
  readonly ci: (typeof CI_SERVERS)[number];
  readonly gitignore: boolean;
  readonly mcp: boolean;
}

const typeScriptTests: { readonly [Framework in InitFramework]: string } = {
  "built-in": firstInTypeScript,
  testez: testEzInTypeScript,
  jest: jestInTypeScript,
};

export const WORKFLOW = ".github/workflows/test.yml";

/** The frameworks that the place has, the most likely choice first. */
export function frameworksOf({ hasTestEz, jestGlobals, typeScript }: ProjectFacts): readonly InitFramework[] {
  const packages = typeScript?.frameworks ?? [];
  return [
    ...(jestGlobals !== undefined || packages.includes("jest") ? (["jest"] as const) : []),
    ...(hasTestEz || packages.includes("testez") ? (["testez"] as const) : []),
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
  const found = all.filter((folder) => isFound(firstTestIn(folder, facts), facts));
  return found.length === 0 ? likely : found;
}

/** The sources of roblox-ts get a test in TypeScript, other folders one in Luau. */
export function firstTestIn(folder: string, { typeScript }: ProjectFacts): string {
  const isTypeScript = typeScript !== undefined && isSource(folder, typeScript);
  return `${folder}/first.spec.${isTypeScript ? "ts" : "luau"}`;
}

/** False for a path that the settings leave out. Of a source, its compiled file counts. */
export function isFound(path: string, { patterns, typeScript }: ProjectFacts): boolean {
  const isTypeScript = typeScript !== undefined && isSource(path, typeScript);
  return testMatcher(patterns)(isTypeScript ? compiledFrom(path, typeScript) : path);
}

/** The same folders without regard to the settings. For Jest, they are part of the place. */
function likelyFolders(
  { sourceFolders, jestFolders, typeScript }: ProjectFacts,
  framework: InitFramework,
): readonly string[] {
  if (typeScript !== undefined) {
    const ofJest = jestFolders.flatMap((folder) => sourceOf(folder, typeScript) ?? []);
    return framework === "jest" ? [...new Set([...ofJest, typeScript.source])] : [typeScript.source, "tests"];
  }
  if (framework === "jest") return [...new Set([...jestFolders, ...sourceFolders])];
  return [...sourceFolders, "tests"];
}

export function plannedFiles(facts: ProjectFacts, choices: InitChoices): readonly PlannedFile[] {
  return [
    { path: "sb.config.json", text: configText(facts), purpose: "settings of sb test" },
    ...(facts.testFiles.length === 0 ? testFiles(facts, choices) : []),
    ...(choices.ci === "github" && facts.workflow === undefined
      ? [{ path: WORKFLOW, text: workflowText(facts), purpose: "runs the tests on GitHub" }]
      : []),
    ...(choices.gitignore ? [gitIgnoreFile(facts)] : []),
    ...(choices.mcp ? [mcpFile] : []),
  ];
}

function configText({ projectFile, typeScript }: ProjectFacts): string {
  const test = {
    ...(projectFile === undefined ? {} : { place: projectFile }),
    // git ignores the files that roblox-ts has compiled, so that the settings have to name them.
    ...(typeScript === undefined
      ? {}
      : {
          include: ["tests/**/*.spec.luau", `${typeScript.output}/**/*.spec.luau`],
          before: ["npx", "rbxtsc"],
        }),
    timeoutMs: 5000,
  };
  return `${JSON.stringify({ test }, null, 2)}\n`;
}

function testFiles(facts: ProjectFacts, { framework, tests }: InitChoices): PlannedFile[] {
  const { jestGlobals, jestFolders, typeScript } = facts;
  const test = { path: firstTestIn(tests, facts), purpose: "a first test" };
  const isTypeScript = typeScript !== undefined && isSource(tests, typeScript);
  const folders = isTypeScript
    ? jestFolders.flatMap((folder) => sourceOf(folder, typeScript) ?? [])
    : jestFolders;
  const isBelowConfig = folders.some((folder) => tests === folder || tests.startsWith(`${folder}/`));
  const config = isTypeScript
    ? { path: `${tests}/jest.config.ts`, text: jestConfigInTypeScript, purpose: "settings of Jest" }
    : { path: `${tests}/jest.config.luau`, text: jestConfig, purpose: "settings of Jest" };
  const configs = framework === "jest" && !isBelowConfig ? [config] : [];
  if (isTypeScript) return [...configs, { ...test, text: typeScriptTests[framework] }];
  const ofJest = jestTest.replace("JEST_GLOBALS", expressionOf(jestGlobals ?? []));
  return [...configs, { ...test, text: framework === "jest" ? ofJest : firstTest }];
}

/** `game:GetService("ReplicatedStorage").Packages.JestGlobals` */
function expressionOf([service = "", ...names]: readonly string[]): string {
  const steps = names.map((name) => (/^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`));
  return `game:GetService(${JSON.stringify(service)})${steps.join("")}`;
}

/** Of a project whose tests run on GitHub; `from` is where studio-bridge is published. */
export function workflowText(
  { typeScript, usesWally }: Pick<ProjectFacts, "typeScript" | "usesWally">,
  from = home,
): string {
  const setup = [
    ...(from === ""
      ? ["      # Write here where studio-bridge is published, and the commit of the release that you want."]
      : []),
    `      - uses: ${setupAction(from)}`,
  ];
  const steps = [
    ...(typeScript !== undefined ? ["      - run: npm ci"] : []),
    ...(usesWally
      ? ["      # Install Wally here, and the packages that the project mounts: wally install"]
      : []),
  ];
  const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
  return workflow.replace("SETUP_STEP\n", text(setup)).replace("BUILD_STEPS\n", text(steps));
}
