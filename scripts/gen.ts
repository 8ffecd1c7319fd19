/**
 * Writes everything that is derived from the protocol and the command definitions: the Luau constants of
 * the plugin and of headless Studio's engine, the golden wire files, the reference pages, and the home of the project wherever a file names it. `--check` writes nothing and fails when a file is out of step.
 */
import { mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { goldenFiles, GOLDEN_DIR } from "./gen/golden.ts";
import { knownAssumptions } from "./gen/assumptions.ts";
import { assumptionsPage } from "./gen/assumptions-page.ts";
import { numberCodecs, numberColumns, numberMakers, numberWriters } from "./gen/datatypes-luau.ts";
import { engineConstants } from "./gen/engine-constants.ts";
import { homePages } from "./gen/home-pages.ts";
import { mcpIcon } from "./gen/mcp-icon.ts";
import { overview } from "./gen/overview.ts";
import { pluginConstants } from "./gen/plugin-constants.ts";
import { commandsPage } from "./gen/commands-page.ts";
import { errorsPage } from "./gen/errors-page.ts";
import { protocolPage } from "./gen/protocol-page.ts";
import { fixtureJsonSchema } from "../src/project/fixture-schema.ts";
import { projectJsonSchema } from "../src/templates/project-schema.ts";

const root = join(import.meta.dir, "..");

function outputs(): Map<string, string> {
  return new Map([
    ["plugin/src/Protocol/Generated.luau", pluginConstants()],
    ["src/headless/engine/Kernel/HostConstants.luau", engineConstants()],
    ["plugin/src/Serialize/NumberWriters.luau", numberWriters()],
    ["plugin/src/Serialize/NumberColumns.luau", numberColumns()],
    ["plugin/src/Changes/NumberMakers.luau", numberMakers()],
    ["src/headless/engine/Files/NumberCodecs.luau", numberCodecs()],
    ["docs/assumptions.md", assumptionsPage()],
    ["src/selftest/assumptions.json", `${JSON.stringify(knownAssumptions(), null, 2)}\n`],
    ["src/cli/overview.json", overview()],
    ["src/mcp/icon.json", mcpIcon()],
    ["docs/commands.md", commandsPage()],
    ["docs/errors.md", errorsPage()],
    ["docs/protocol.md", protocolPage()],
    ["docs/sb.config.schema.json", `${JSON.stringify(projectJsonSchema(), null, 2)}\n`],
    ["docs/fixtures.schema.json", `${JSON.stringify(fixtureJsonSchema(), null, 2)}\n`],
    ...homePages(),
    ...goldenFiles(),
  ]);
}

async function readTextAsync(path: string): Promise<string | undefined> {
  const file = Bun.file(join(root, path));
  return (await file.exists()) ? file.text() : undefined;
}

/** Golden files whose example is gone. */
async function orphansAsync(expected: ReadonlySet<string>): Promise<string[]> {
  const names = await readdir(join(root, GOLDEN_DIR)).catch(() => []);
  return names.map((name) => `${GOLDEN_DIR}/${name}`).filter((path) => !expected.has(path));
}

/** The paths that differ from what would be generated. */
async function staleFilesAsync(): Promise<string[]> {
  const wanted = outputs();
  const stale = await orphansAsync(new Set(wanted.keys()));
  for (const [path, text] of wanted) {
    if ((await readTextAsync(path)) !== text) stale.push(path);
  }
  return stale;
}

async function writeAsync(): Promise<void> {
  const wanted = outputs();
  for (const path of await orphansAsync(new Set(wanted.keys()))) await rm(join(root, path));
  for (const [path, text] of wanted) {
    if ((await readTextAsync(path)) === text) continue;
    await mkdir(dirname(join(root, path)), { recursive: true });
    await Bun.write(join(root, path), text);
    console.log(`wrote ${path}`);
  }
}

if (import.meta.main) {
  if (process.argv.includes("--check")) {
    const stale = await staleFilesAsync();
    for (const path of stale) console.error(`out of date: ${path} (run: npm run gen)`);
    process.exitCode = stale.length === 0 ? 0 : 1;
  } else {
    await writeAsync();
  }
}
