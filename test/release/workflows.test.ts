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
      // A job that runs another workflow has neither.
      uses: z.string().optional(),
      "timeout-minutes": z.number().optional(),
      steps: z.array(stepSchema).default([]),
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

test("every job that has steps ends in a time that is known", async () => {
  const jobs = (await Promise.all(["ci", "release"].map(workflow))).flatMap((each) =>
    Object.values(each.jobs),
  );
  expect(
    jobs.filter(({ steps, "timeout-minutes": minutes }) => steps.length > 0 && minutes === undefined),
  ).toEqual([]);
});

test("nothing is built before the tests pass, and a tag with a hyphen becomes a pre-release", async () => {
  const { jobs } = await workflow("release");
  expect([jobs["test"]?.uses, jobs["build"]?.needs]).toEqual(["./.github/workflows/ci.yml", "test"]);
  expect(await read("workflows/ci.yml")).toMatchObject({ on: { workflow_call: null } });
  const draft = jobs["publish"]?.steps.flatMap(({ run = "" }) => (run.includes("release create") ? run : []));
  const script = (draft?.[0] ?? "").replace("gh release create", "echo");
  const saidOf = (tag: string) =>
    Bun.spawnSync(["bash", "-euc", script], { env: { GITHUB_REF_NAME: tag, GITHUB_REPOSITORY: "x/y" } });
  expect(saidOf("v1.0.0-rc.1").stdout.toString()).toContain(" --prerelease --verify-tag ");
  expect(saidOf("v1.0.0").stdout.toString()).toContain(" --prerelease=false --verify-tag ");
});

test("nothing is published before every system has tried it", async () => {
  const { jobs } = await workflow("release");
  expect(jobs["publish"]?.needs).toEqual(["build", "try", "try-alpine"]);
  const scripts = jobs["publish"]?.steps.flatMap(({ uses = "", run = "" }) => uses.split("@")[0] + run) ?? [];
  const order = ["gh release create", "actions/attest-build-provenance", "gh release edit"];
  expect(order.map((part) => scripts.findIndex((script) => script.includes(part)))).toEqual([3, 4, 5]);
});

test("every script of package.json that a workflow runs is there", async () => {
  const runs = (await stepsAsync()).flatMap(({ run }) => [
    ...(run ?? "").matchAll(/npm run (?:--silent )?([\w:-]+)/g),
  ]);
  expect(runs.map(([, script]) => script)).toEqual(["release"]);
  expect(Object.keys(packageJson.scripts)).toContain("release");
});

test("the forms of GitHub and the file of newer versions can be read", async () => {
  const { updates } = z
    .object({ version: z.literal(2), updates: z.array(z.object({ "package-ecosystem": z.string() })) })
    .parse(await read("dependabot.yml"));
  expect(updates.map((each) => each["package-ecosystem"])).toEqual(["bun", "github-actions"]);
  const form = z.object({
    name: z.string(),
    description: z.string(),
    body: z.array(z.object({ type: z.enum(["markdown", "textarea", "dropdown"]), attributes: z.object({}) })),
  });
  for (const name of ["bug", "idea"]) form.parse(await read(`ISSUE_TEMPLATE/${name}.yml`));
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
