/** The official conformance suite against the fixture server over HTTP; what is not offered is in the baselines. */
import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HttpServer } from "../../src/mcp/http/http-server.ts";
import { noTelemetry } from "../../src/mcp/server/telemetry.ts";
import { fixtureFeatures } from "../fixtures/mcp-server.ts";

const root = join(import.meta.dir, "..", "..");
const suite = join(root, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js");
const server = new HttpServer({ features: fixtureFeatures, telemetry: noTelemetry, debug: false, port: 0 });
const folder = await mkdtemp(join(tmpdir(), "sb-conformance-"));
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

test.each(["2025-11-25", "2026-07-28"])(
  "%s",
  async (revision) => {
    const baseline = join(root, "test", "fixtures", `conformance-baseline-${revision}.yml`);
    const child = Bun.spawn(
      [
        ...[process.execPath, suite, "server", "--url", `http://127.0.0.1:${server.port}/mcp`],
        ...["--requirements", revision, "--expected-failures", baseline, "--timeout", "10000"],
      ],
      { cwd: folder, stdout: "pipe", stderr: "pipe", env: { ...process.env, NO_COLOR: "1" } },
    );
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    const isBroken = (await child.exited) !== 0;
    expect(isBroken ? `${stdout}\n${stderr}` : "").toBe("");
  },
  120_000,
);
