/** What `sb init` asks, and what it takes in place of an answer: the words of the command line, or what fits the project best. */
import { posix } from "node:path";
import type { CommandContext } from "../../command-kit/context.ts";
import { frameworksOf, type InitChoices, type InitFramework, testFoldersOf } from "../../init/init-plan.ts";
import type { ProjectFacts } from "../../init/project-facts.ts";
import { isOfCompiler, isSource } from "../../init/typescript-facts.ts";
import { invalidInput } from "../../protocol/messages.ts";

type Wishes = { readonly [Key in keyof InitChoices]?: InitChoices[Key] | undefined };

interface Option<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly hint: string;
}

/** The choices of the flags, and answers to questions for the others. Without `context`, the first answers are taken. */
export async function choicesAsync(
  facts: ProjectFacts,
  wishes: Wishes,
  context: CommandContext | undefined,
): Promise<InitChoices> {
  const frameworks = frameworksOf(facts);
  if (wishes.framework !== undefined) checkFramework(wishes.framework, facts);
  const ask = <Value extends string>(question: string, options: readonly Option<Value>[]) =>
    choiceAsync(context, question, options);
  const framework =
    wishes.framework ?? (await ask("What are tests written with?", frameworks.map(frameworkOption)));
  const tests = testFolderIn(
    wishes.tests ??
      (await ask(
        "Where does the first test go?",
        testFoldersOf(facts, framework).map((value) => ({ value, label: value, hint: hintOf(value, facts) })),
      )),
    framework,
    facts,
  );
  const ci =
    wishes.ci ??
    (facts.workflow !== undefined || facts.repository !== undefined
      ? "none"
      : await ask<InitChoices["ci"]>("Write a workflow for GitHub Actions?", [
          { value: "github", label: "Yes", hint: "runs the tests of each push" },
          { value: "none", label: "No", hint: "" },
        ]));
  const offer = (given: boolean | undefined, isThere: boolean, question: string, hint: string) =>
    given ?? (isThere ? false : yesAsync(context, question, hint));
  const gitignore = await offer(
    wishes.gitignore,
    facts.gitIgnore !== undefined,
    "Write a .gitignore?",
    "for what is built, compiled or installed",
  );
  const mcp = await offer(
    wishes.mcp,
    facts.mcpText !== undefined,
    "Write .mcp.json?",
    "starts sb mcp for agents",
  );
  return { framework, tests, ci, gitignore, mcp };
}

async function yesAsync(
  context: CommandContext | undefined,
  question: string,
  hint: string,
): Promise<boolean> {
  const answer = await choiceAsync(context, question, [
    { value: "yes", label: "Yes", hint },
    { value: "no", label: "No", hint: "" },
  ]);
  return answer === "yes";
}

/** Asks a question. Without `context`, or if there is only one option, it returns the first option. */
async function choiceAsync<Value extends string>(
  context: CommandContext | undefined,
  question: string,
  options: readonly Option<Value>[],
): Promise<Value> {
  const [first] = options;
  if (first === undefined) throw new Error(`no answer to: ${question}`);
  if (context === undefined || options.length === 1) return first.value;
  const answer = await context.chooseAsync?.(question, options);
  const chosen = options.find(({ value }) => value === answer);
  if (chosen !== undefined) return chosen.value;
  throw invalidInput(
    "sb init asks questions on a terminal, and there is none here.",
    "Add --yes to write the files that fit the project, or --dry-run to see them.",
  );
}

function frameworkOption(value: InitFramework): Option<InitFramework> {
  const labels = { "built-in": "describe, it and expect of sb", testez: "TestEZ", jest: "Jest" } as const;
  const hint = value === "built-in" ? "needs no package, with the words of TestEZ" : "the place has it";
  return { value, label: labels[value], hint };
}

const hintOf = (folder: string, { sourceFolders, typeScript }: ProjectFacts): string =>
  typeScript?.source === folder
    ? "beside the sources, in TypeScript"
    : sourceFolders.includes(folder)
      ? "beside the sources, and a part of the place"
      : "not part of the place";

function checkFramework(framework: InitFramework, facts: ProjectFacts): void {
  if (framework === "built-in" || frameworksOf(facts).includes(framework)) return;
  const name = framework === "jest" ? "Jest" : "TestEZ";
  throw invalidInput(
    `--framework: the place has no ${name}.`,
    `Mount ${name} in ${facts.projectFile ?? "default.project.json"} first, or use built-in.`,
  );
}

function testFolderIn(text: string, framework: InitFramework, facts: ProjectFacts): string {
  const folder = posix.normalize(text.replaceAll("\\", "/")).replace(/\/$/, "");
  if (posix.isAbsolute(folder) || /^[A-Za-z]:/.test(folder) || folder.split("/")[0] === "..")
    throw invalidInput(`--tests: ${text} is not below this folder.`, "Name a folder such as tests.");
  const { typeScript } = facts;
  if (typeScript !== undefined && isOfCompiler(folder, typeScript))
    throw invalidInput(
      `--tests: ${text} belongs to roblox-ts, which writes it anew.`,
      `Name a folder in ${typeScript.source}.`,
    );
  if (typeScript !== undefined && framework !== "built-in" && !isSource(folder, typeScript))
    throw invalidInput(
      `--tests: roblox-ts does not compile ${text}.`,
      `Name a folder in ${typeScript.source}, or use --framework built-in.`,
    );
  const isMounted = facts.sourceFolders.some((each) => folder === each || folder.startsWith(`${each}/`));
  if (framework === "jest" && typeScript === undefined && !isMounted)
    throw invalidInput(
      `--tests: the project does not mount ${text}, and Jest runs scripts of the place alone.`,
      `Name a folder in ${facts.sourceFolders.join(" or ")}.`,
    );
  return folder;
}
