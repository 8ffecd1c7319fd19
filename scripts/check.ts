/**
 * What the architecture demands of the sources, as far as a program can tell: who imports whom, no circles, Luau modules
 * that find each other, a page that names every folder, one folder that names the engine, members of the engine that are there and may be used, processes that are given an environment, tests that are where their subjects are, marks of assumptions
 * that can be referred to, functions and files that are not too long, pages that name files which exist, exports that the product uses, and texts without the words that newcomers stumble over.
 */
import { join } from "node:path";
import { arrowFaults, upwardFaults } from "./check/arrow-faults.ts";
import { assumptionFaults, unprobedFaults } from "./check/assumptions.ts";
import { circleFaults } from "./check/circles.ts";
import { deadExportFaults } from "./check/dead-exports.ts";
import { engineDataAsync } from "./check/engine-data.ts";
import { engineMemberFaults, needlessExceptions } from "./check/engine-members.ts";
import { openingFaults, wordFaults } from "./check/language.ts";
import { environmentFaults } from "./check/environments.ts";
import { engineNameFaults, inEngine, inPlugin, requireFaults } from "./check/luau-modules.ts";
import { docPathFaults } from "./check/doc-paths.ts";
import { longFileFaults } from "./check/file-lengths.ts";
import { longFunctionFaults } from "./check/function-lengths.ts";
import { mapFaults } from "./check/map.ts";
import { mirrorFaults } from "./check/mirror.ts";
import { readSourcesAsync } from "./check/sources.ts";
import { readAssumptionMarks } from "./gen/assumption-marks.ts";
import { probedIds } from "./gen/assumptions.ts";
import { UNPROBED } from "../src/selftest/unprobed.ts";
import { VARIANTS } from "../src/headless/variants.ts";

const READ_BY_PEOPLE = ["src", "plugin", "scripts", "test", "docs"];
const WITH_OPENINGS = ["src", "plugin/src", "scripts"];

async function languageFaultsAsync(): Promise<string[]> {
  const faults = await Promise.all([
    ...READ_BY_PEOPLE.map(async (folder) =>
      wordFaults(folder, await readSourcesAsync(folder, "**/*.{ts,mjs,luau,sh,ps1,md}")),
    ),
    ...WITH_OPENINGS.map(async (folder) =>
      openingFaults(folder, await readSourcesAsync(folder, "**/*.{ts,mjs,luau,sh}")),
    ),
    readSourcesAsync(".", "{README,SECURITY}.md").then((pages) => wordFaults(".", pages)),
  ]);
  return faults.flat();
}

/** All pages for people, by their paths from the root. */
async function pagesAsync(): Promise<Map<string, string>> {
  const docs = await readSourcesAsync("docs", "**/*.md");
  const top = await readSourcesAsync(".", "*.md");
  return new Map([...top, ...[...docs].map(([path, text]) => [`docs/${path}`, text] as const)]);
}

/** Those that git has, or would take. */
function filesOfRepository(): string[] {
  const words = ["ls-files", "--cached", "--others", "--exclude-standard"];
  const { stdout } = Bun.spawnSync(["git", ...words], { cwd: join(import.meta.dir, "..") });
  return stdout.toString().trimEnd().split("\n");
}

/** One line for each fault. */
async function faultsAsync(): Promise<string[]> {
  const [
    typescript,
    scripts,
    build,
    luau,
    plugin,
    engine,
    tests,
    specs,
    programs,
    everyTest,
    map,
    engineData,
  ] = await Promise.all([
    readSourcesAsync("src", "**/!(*.d).ts"),
    readSourcesAsync(".", "scripts/**/*.ts"),
    readSourcesAsync(".", "build.ts"),
    readSourcesAsync("src", "**/*.luau"),
    readSourcesAsync("plugin/src", "**/*.luau"),
    readSourcesAsync("src/headless/engine", "**/*.luau"),
    readSourcesAsync("test/unit", "**/*.test.ts"),
    readSourcesAsync("test/plugin", "**/*.spec.luau"),
    readSourcesAsync("src", "!(headless)/**/*.luau"),
    readSourcesAsync("test", "**/*.{ts,luau}"),
    readSourcesAsync("docs", "architecture.md"),
    engineDataAsync(),
  ]);
  return [
    ...arrowFaults(typescript),
    ...upwardFaults(),
    ...mapFaults(map.get("architecture.md") ?? "", [...typescript.keys()]),
    ...circleFaults(typescript),
    ...environmentFaults(typescript),
    ...requireFaults("plugin/src", plugin, inPlugin),
    ...requireFaults("src/headless/engine", engine, inEngine),
    ...engineNameFaults(plugin),
    ...engineMemberFaults("plugin/src", plugin, engineData),
    ...engineMemberFaults("src", programs, engineData),
    ...needlessExceptions([...plugin.values(), ...programs.values()]),
    ...mirrorFaults(
      "test/unit",
      [...tests.keys()],
      [...typescript.keys(), ...[...plugin.keys()].map((path) => `plugin/${path}`)],
    ),
    ...mirrorFaults("test/plugin", [...specs.keys()], [...plugin.keys()]),
    ...assumptionFaults(readAssumptionMarks(), [
      ...probedIds().map((id) => ({ by: "a probe of sb selftest", id })),
      ...VARIANTS.flatMap(({ name, assumption: id }) =>
        id === undefined ? [] : [{ by: `the variant ${name}`, id }],
      ),
      ...Object.keys(UNPROBED).map((id) => ({ by: "unprobed.ts", id })),
    ]),
    ...unprobedFaults(readAssumptionMarks(), probedIds(), Object.keys(UNPROBED)),
    ...deadExportFaults(typescript, new Map([...scripts, ...build])),
    ...longFunctionFaults("src", new Map([...typescript, ...luau])),
    ...longFunctionFaults("plugin/src", plugin),
    ...longFileFaults("src", new Map([...typescript, ...luau])),
    ...longFileFaults("plugin/src", plugin),
    ...longFileFaults(".", scripts),
    ...longFileFaults("test", everyTest),
    ...docPathFaults(await pagesAsync(), filesOfRepository()),
    ...(await languageFaultsAsync()),
  ];
}

if (import.meta.main) {
  const faults = await faultsAsync();
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
