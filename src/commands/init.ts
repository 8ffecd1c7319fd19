/** `sb init`: writes the settings, a first test and a workflow for a project that has no tests yet. It replaces no file. */
import { mkdir, open } from "node:fs/promises";
import { dirname, join, posix, resolve } from "node:path";
import { defineCommand } from "../command-kit/definition.ts";
import type { CommandContext } from "../command-kit/context.ts";
import { unwritableFile } from "../files/unwritable-file.ts";
import { flagsOf } from "../command-kit/words/spelling.ts";
import { checkProjectFolderAsync } from "../project/project-folder.ts";
import { invalidInput } from "../protocol/messages.ts";
import { defineSchema, type OutputOf } from "../protocol/schema.ts";
import type { Style } from "../util/style.ts";
import { systemCodeOf } from "../util/system-error.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import {
  CI_SERVERS,
  firstTestIn,
  frameworksOf,
  type InitChoices,
  type InitFramework,
  initFrameworks,
  isFound,
  type PlannedFile,
  plannedFiles,
  testFoldersOf,
} from "../init/init-plan.ts";
import { type ProjectFacts, projectFactsAsync } from "../init/project-facts.ts";
import { isOfCompiler, isSource } from "../init/typescript-facts.ts";
import { home } from "../version.ts";

const input = defineSchema((z) =>
  z.strictObject({
    framework: z
      .enum(initFrameworks)
      .optional()
      .describe(
        `The framework of the first test: ${initFrameworks.join(", ")}; by default, the one that the place has`,
      ),
    tests: z
      .string()
      .min(1, "expected a folder")
      .optional()
      .describe("Folder of the first test, below this one"),
    ci: z
      .enum(CI_SERVERS)
      .optional()
      .describe(`The CI server to write a workflow for: ${CI_SERVERS.join(", ")}`),
    dryRun: z.boolean().default(false).describe("Show the files without writing them"),
    yes: z.boolean().default(false).describe("Ask nothing, and write the files that fit the project"),
  }),
);

const output = defineSchema((z) =>
  z.object({
    files: z.array(
      z.object({
        path: z.string(),
        /** `exists`: the file exists already and stays as it is. */
        state: z.enum(["written", "planned", "exists"]),
        purpose: z.string(),
        /** The text of the file, or the text that it would get. */
        text: z.string(),
      }),
    ),
    notes: z.array(z.string()),
  }),
);
type InitResult = OutputOf<typeof output>;

export const command = defineCommand({
  name: "init",
  summary: "Set up the tests of a project",
  description:
    "Writes sb.config.json, a first test and a workflow for GitHub into this folder; `sb test` then passes. It uses TestEZ or Jest if the place has them, and puts the test beside the sources. An existing file stays as it is, and the text that it would get is shown. On a terminal, the command asks questions; elsewhere, it needs --yes.",
  group: "Setup",
  examples: [
    { command: "sb init", note: "with questions" },
    { command: "sb init --dry-run", note: "only show the files" },
    { command: "sb init --yes --ci none", note: "without questions, and without a workflow" },
  ],
  surfaces: ["cli"],
  target: "none",
  annotations: { readOnly: false, destructive: false, idempotent: true },
  input,
  output,
  cli: {
    flags: flagsOf(input, {
      framework: { kind: "string", label: "WHICH" },
      tests: { kind: "string", label: "FOLDER" },
      ci: { kind: "string", label: "SERVER" },
      dryRun: "boolean",
      yes: { alias: "y", kind: "boolean" },
    }),
  },
  format: resultText,
  async handler({ dryRun, yes, ...wishes }, context) {
    const folder = process.cwd();
    await checkProjectFolderAsync(folder);
    context.status("Reading the project");
    const facts = await projectFactsAsync(folder);
    const choices = await choicesAsync(facts, wishes, dryRun || yes ? undefined : context);
    const planned = plannedFiles(facts, choices);
    const files: InitResult["files"] = [];
    for (const file of planned)
      files.push({ ...file, state: await stateAsync(join(folder, file.path), file, dryRun) });
    return { files, notes: notesOn(facts, choices) };
  },
});

type Wishes = { readonly [Key in keyof InitChoices]?: InitChoices[Key] | undefined };

interface Option<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly hint: string;
}

/** The choices of the flags, and answers to questions for the others. Without `context`, the first answers are taken. */
async function choicesAsync(
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
  return { framework, tests, ci };
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

async function stateAsync(
  file: string,
  { text }: PlannedFile,
  isDryRun: boolean,
): Promise<InitResult["files"][number]["state"]> {
  try {
    if (isDryRun) return (await Bun.file(file).exists()) ? "exists" : "planned";
    await mkdir(dirname(file), { recursive: true });
    await using handle = await open(file, "wx");
    await handle.writeFile(text);
    return "written";
  } catch (error) {
    if (systemCodeOf(error) === "EEXIST") return "exists";
    throw unwritableFile(resolve(file), error);
  }
}

function notesOn(facts: ProjectFacts, { tests, ci }: InitChoices): string[] {
  const { testFiles, workflow, fault, typeScript, usesWally, repository, outerSettings, settingsFault } =
    facts;
  const firstTest = firstTestIn(tests, facts);
  const [first] = testFiles;
  const install =
    typeScript !== undefined ? "npm install and npx rbxtsc" : usesWally ? "wally install" : undefined;
  return [
    ...(first === undefined
      ? []
      : [
          `There are tests already (${first}${testFiles.length > 1 ? " and others" : ""}), so no first one is written.`,
        ]),
    ...(first !== undefined || isFound(firstTest, facts)
      ? []
      : [
          `The settings leave out ${firstTest}: \`sb test\` finds it if test.include of sb.config.json has it and test.exclude has not.`,
        ]),
    ...(workflow === undefined ? [] : [`${workflow} runs sb test already.`]),
    ...(outerSettings === undefined
      ? []
      : [`${outerSettings} is for this folder too; an sb.config.json here takes its place.`]),
    ...(settingsFault === undefined || outerSettings !== undefined
      ? []
      : [`sb test cannot begin until this is fixed: ${settingsFault}`]),
    ...(repository !== undefined && workflow === undefined
      ? [`GitHub reads only workflows in ${repository}: run sb test there with working-directory.`]
      : []),
    ...(ci === "github" && workflow === undefined && home === ""
      ? ["The workflow has to name where studio-bridge is published: see its comment."]
      : []),
    ...(fault === undefined
      ? []
      : [
          `The project cannot be opened yet: ${fault}${install === undefined ? "" : ` Run ${install} first.`}`,
        ]),
    ...(typeScript === undefined
      ? []
      : [
          `Tests that roblox-ts compiles, ${typeScript.source}/**/*.spec.ts, run from ${typeScript.output} after npx rbxtsc.`,
        ]),
  ];
}

function resultText({ files, notes }: InitResult, style: Style): string {
  const marks = { written: style.green("+"), planned: style.dim("+"), exists: style.yellow("=") };
  const lines = files.flatMap(({ path, state, purpose, text }) => {
    const head = ` ${marks[state]} ${visibleOnOneLine(path)}  ${style.dim(state === "exists" ? "exists and stays; it would have:" : purpose)}`;
    return state === "written" ? [head] : [head, ...indented(text, style)];
  });
  const isWritten = files.some(({ state }) => state === "written");
  const isCompiled = files.some(({ path }) => path.endsWith(".ts"));
  return [
    ...lines,
    ...(notes.length > 0 ? [""] : []),
    ...notes.map((note) => ` ${visibleOnOneLine(note)}`),
    ...(isWritten ? ["", ` Next: ${isCompiled ? "npx rbxtsc && sb test" : "sb test"}`] : []),
  ].join("\n");
}

const indented = (text: string, style: Style): string[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => style.dim(`     ${line.replaceAll("\t", "  ")}`.trimEnd()));
