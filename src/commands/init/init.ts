/** `sb init`: writes the settings, a first test and a workflow for a project that has no tests yet. It replaces no file. */
import { mkdir, open } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { defineCommand } from "../../command-kit/definition.ts";
import { unwritableFile } from "../../files/unwritable-file.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import { checkProjectFolderAsync } from "../../project/project-folder.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { defineSchema, type OutputOf } from "../../protocol/schema.ts";
import type { Style } from "../../util/style.ts";
import { systemCodeOf } from "../../util/system-error.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import {
  CI_SERVERS,
  firstTestIn,
  type InitChoices,
  initFrameworks,
  isFound,
  plannedFiles,
} from "../../init/init-plan.ts";
import type { PlannedFile } from "../../init/planned-file.ts";
import { type ProjectFacts, projectFactsAsync } from "../../init/project-facts.ts";
import { PROJECT_KINDS, type ProjectKind, type Scaffold, scaffoldOf } from "../../init/scaffold.ts";
import { missingLines, startsServer } from "../../init/side-files.ts";
import { home } from "../../version.ts";
import { choicesAsync } from "./choices.ts";

const input = defineSchema((z) =>
  z.strictObject({
    kind: z
      .enum(PROJECT_KINDS)
      .optional()
      .describe("Also write a new Rojo project: game, model (a library) or plugin; otherwise only its tests"),
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
    gitignore: z.boolean().optional().describe("Write a .gitignore; --no-gitignore writes none"),
    mcp: z.boolean().optional().describe("Write .mcp.json for agents; --no-mcp writes none"),
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
  summary: "Set up a project and its tests",
  description:
    "Writes sb.config.json, a first test, a workflow for GitHub, .gitignore and .mcp.json into this folder; `sb test` then passes. With game, model or plugin it begins a Rojo project with its first scripts. It knows Rojo, Wally and roblox-ts, uses TestEZ or Jest if the place has them, and puts the test beside the sources. An existing file stays as it is, and the text that it would get is shown. On a terminal, the command asks questions; elsewhere, it needs --yes.",
  group: "Setup",
  examples: [
    { command: "sb init", note: "with questions" },
    { command: "sb init game", note: "a new game" },
    { command: "sb init --dry-run", note: "only show the files" },
    { command: "sb init --yes --ci none", note: "without questions, and without a workflow" },
  ],
  surfaces: ["cli"],
  target: "none",
  annotations: { readOnly: false, destructive: false, idempotent: true },
  input,
  output,
  cli: {
    positionals: [{ key: "kind", label: "KIND" }],
    flags: flagsOf(input, {
      framework: { kind: "string", label: "WHICH" },
      tests: { kind: "string", label: "FOLDER" },
      ci: { kind: "string", label: "SERVER" },
      gitignore: { kind: "boolean", negatable: true },
      mcp: { kind: "boolean", negatable: true },
      dryRun: "boolean",
      yes: { alias: "y", kind: "boolean" },
    }),
  },
  format: resultText,
  async handler({ kind, dryRun, yes, ...wishes }, context) {
    const folder = process.cwd();
    await checkProjectFolderAsync(folder);
    context.status("Reading the project");
    const found = await projectFactsAsync(folder);
    const scaffold = kind === undefined ? undefined : newScaffold(kind, folder, found);
    const facts = { ...found, ...scaffold?.facts };
    const choices = await choicesAsync(facts, wishes, dryRun || yes ? undefined : context);
    const planned = [...(scaffold?.files ?? []), ...plannedFiles(facts, choices)];
    const files: InitResult["files"] = [];
    for (const file of planned)
      files.push({ ...file, state: await stateAsync(join(folder, file.path), file, dryRun) });
    return { files, notes: [...(scaffold?.notes ?? []), ...notesOn(facts, choices)] };
  },
});

/** Of a project with the name of its folder. Throws INVALID_INPUT where there is a project already. */
function newScaffold(kind: ProjectKind, folder: string, { projectFile, typeScript }: ProjectFacts): Scaffold {
  if (projectFile === undefined && typeScript === undefined)
    return scaffoldOf(kind, basename(folder) || kind);
  const present = projectFile ?? "a project of roblox-ts";
  throw invalidInput(
    `This folder has ${present} already, so no ${kind} is begun in it.`,
    "Run `sb init` without a kind to set up its tests, or begin in another folder.",
  );
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
  const { testFiles, workflow, fault, typeScript, usesWally, repository } = facts;
  const { mcpText, outerSettings, settingsFault } = facts;
  const firstTest = firstTestIn(tests, facts);
  const [first] = testFiles;
  const missing = facts.gitIgnore === undefined ? [] : missingLines(facts.gitIgnore, facts);
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
    ...(missing.length === 0 ? [] : [`.gitignore stays as it is; it lacks ${missing.join(", ")}.`]),
    ...(mcpText === undefined || startsServer(mcpText)
      ? []
      : [".mcp.json stays as it is; `sb mcp install --project` adds sb mcp to it."]),
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
          `Tests that roblox-ts compiles, ${typeScript.source}/**/*.spec.ts, run from ${typeScript.output}; test.before compiles them first.`,
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
  return [
    ...lines,
    ...(notes.length > 0 ? [""] : []),
    ...notes.map((note) => ` ${visibleOnOneLine(note)}`),
    ...(isWritten ? ["", ` Next: sb test`] : []),
  ].join("\n");
}

const indented = (text: string, style: Style): string[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => style.dim(`     ${line.replaceAll("\t", "  ")}`.trimEnd()));
