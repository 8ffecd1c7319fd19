/** The workflows and the action: least permissions, pinned actions, and what linters say where they are installed. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { YAML } from "bun";
import * as z from "zod";
import packageJson from "../../package.json" with { type: "json" };

const root = join(import.meta.dir, "..", "..");
const folder = join(root, ".github");

const stepSchema = z.object({ uses: z.string().optional(), run: z.string().optional() });
const workflowSchema = z.object({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(
    z.string(),
    z.object({
      needs: z.union([z.string(), z.array(z.string())]).optional(),
      permissions: z.record(z.string(), z.string()),
      "timeout-minutes": z.number(),
      steps: z.array(stepSchema),
    }),
  ),
});
const actionSchema = z.object({ runs: z.object({ steps: z.array(stepSchema) }) });

const read = async (path: string): Promise<unknown> => YAML.parse(await Bun.file(join(folder, path)).text());
const workflow = async (name: string) => workflowSchema.parse(await read(`workflows/${name}.yml`));

async function stepsAsync() {
  const workflows = await Promise.all(["ci", "release"].map(workflow));
  const action = actionSchema.parse(await read("actions/setup/action.yml"));
  return [
    ...workflows.flatMap(({ jobs }) => Object.values(jobs).flatMap(({ steps }) => steps)),
    ...action.runs.steps,
  ];
}

test("actions of others are pinned by their hash", async () => {
  const used = (await stepsAsync()).flatMap(({ uses }) => uses ?? []);
  expect(used.length).toBeGreaterThan(5);
  expect(used.filter((name) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(name))).toEqual([]);
});

test("no script has an expression in it, which could run what a stranger wrote", async () => {
  const scripts = (await stepsAsync()).flatMap(({ run }) => run ?? []);
  expect(scripts.length).toBeGreaterThan(5);
  expect(scripts.filter((script) => script.includes("${{"))).toEqual([]);
});

describe.each(["ci", "release"])("%s", (name) => {
  test("grants nothing to all jobs, and only the last job of a release may write", async () => {
    const { permissions, jobs } = await workflow(name);
    expect(permissions).toEqual({});
    const writers = Object.entries(jobs).filter(([, job]) =>
      Object.values(job.permissions).includes("write"),
    );
    expect(writers.map(([job]) => job)).toEqual(name === "ci" ? [] : ["publish"]);
  });
});

test("nothing is published before every system has tried it", async () => {
  const { jobs } = await workflow("release");
  expect(jobs["publish"]?.needs).toEqual(["build", "try", "try-alpine"]);
  const scripts = jobs["publish"]?.steps.flatMap(({ uses = "", run = "" }) => uses.split("@")[0] + run) ?? [];
  const order = ["gh release create", "actions/attest-build-provenance", "gh release edit"];
  expect(order.map((start) => scripts.findIndex((script) => script.startsWith(start)))).toEqual([3, 4, 5]);
});

test("every script of package.json that a workflow runs is there", async () => {
  const runs = (await stepsAsync()).flatMap(({ run }) => [
    ...(run ?? "").matchAll(/npm run (?:--silent )?([\w:-]+)/g),
  ]);
  expect(runs.map(([, script]) => script)).toEqual(["release"]);
  expect(Object.keys(packageJson.scripts)).toContain("release");
});

const linters = [
  {
    program: "actionlint",
    words: [join(folder, "workflows", "ci.yml"), join(folder, "workflows", "release.yml")],
  },
  { program: "zizmor", words: ["--offline", "--no-progress", "--persona=auditor", folder] },
];
for (const { program, words } of linters) {
  const missing = Bun.which(program) === null ? ` (skipped: no ${program})` : "";
  test.skipIf(missing !== "")(`${program} finds nothing${missing}`, () => {
    const { exitCode, stdout } = Bun.spawnSync([program, ...words], { cwd: root });
    expect([exitCode, exitCode === 0 ? "" : stdout.toString()]).toEqual([0, ""]);
  });
}
