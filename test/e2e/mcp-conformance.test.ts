/** The official conformance suite against the fixture server over HTTP; what is not offered is in the baselines. */
import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HttpServer } from "../../src/mcp/http/http-server.ts";
import { fixtureOptions } from "../fixtures/mcp-server.ts";

const root = join(import.meta.dir, "..", "..");
const suite = join(root, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js");
const folder = await mkdtemp(join(tmpdir(), "sb-conformance-"));
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const baselineOf = (revision: string) =>
  join(root, "test", "fixtures", `conformance-baseline-${revision}.yml`);

async function conformAsync(...flags: readonly string[]): Promise<void> {
  const options = fixtureOptions();
  using _ = options.tasks;
  await using server = new HttpServer({ ...options, port: 0 });
  const child = Bun.spawn(
    [
      ...[process.execPath, suite, "server", "--url", `http://127.0.0.1:${server.port}/mcp`],
      ...[...flags, "--timeout", "10000"],
    ],
    { cwd: folder, stdout: "pipe", stderr: "pipe", env: { ...process.env, NO_COLOR: "1" } },
  );
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  // A scenario that is skipped, or checks nothing, ends well too.
  const isBroken = (await child.exited) !== 0 || /SKIPPED: scenario|Passed: 0\/0/.test(stdout + stderr);
  expect(isBroken ? `${stdout}\n${stderr}` : "").toBe("");
}

test.each(["2025-11-25", "2026-07-28"])(
  "%s",
  async (revision) => {
    await conformAsync("--requirements", revision, "--expected-failures", baselineOf(revision));
  },
  120_000,
);

// The suite runs these beside 2026-07-28 without counting them. It has no checks yet for `tasks-status-notifications`.
test.each([
  "tasks-lifecycle",
  "tasks-capability-negotiation",
  "tasks-wire-fields",
  "tasks-request-state-removal",
  "tasks-mrtr-input",
  "tasks-request-headers",
  "tasks-dispatch-and-envelope",
  "tasks-required-task-error",
  "tasks-mrtr-composition",
])(
  "%s",
  async (scenario) => {
    const flags = ["--spec-version", "2026-07-28", "--force"];
    await conformAsync("--scenario", scenario, ...flags, "--expected-failures", baselineOf("2026-07-28"));
  },
  120_000,
);
