/** Ports that cannot be had, with the compiled sb. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { binaryPath } from "../../build.ts";
import { Sandbox } from "../harness.ts";
import { underUser } from "../processes.ts";

let box: Sandbox;
beforeEach(async () => {
  box = await Sandbox.createAsync();
});
afterEach(() => box[Symbol.asyncDispose]());

describe("a port that something else holds", () => {
  test("is named by serve and by commands, with the holder's process where the system tells", async () => {
    using squatter = Bun.listen({ hostname: "127.0.0.1", port: box.port, socket: { data() {} } });
    const startedAt = performance.now();
    const outcomes = await Promise.all([box.sbAsync(["serve"]), box.sbAsync(["sessions"])]);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(outcomes.map(({ exitCode }) => exitCode)).toEqual([1, 1]);
    for (const { stderr } of outcomes) {
      expect(stderr).toContain(`${squatter.port}`);
      if (process.platform === "linux") expect(stderr).toContain(`process ${process.pid}`);
    }
  });
});

function firstOpenPort(): number {
  try {
    return Number(readFileSync("/proc/sys/net/ipv4/ip_unprivileged_port_start", "utf8"));
  } catch {
    return 0;
  }
}

const underOther = underUser(65_534);
const canBeRefused = underOther !== undefined && firstOpenPort() > 1_000;

describe.skipIf(!canBeRefused)("a port that the system does not give to everybody", () => {
  test("is named with the system's reason", async () => {
    await chmod(box.folder, 0o777);
    const child = Bun.spawn([...(underOther ?? []), binaryPath, "serve", "--port", "1000"], {
      cwd: "/tmp",
      env: { ...box.env(), XDG_STATE_HOME: join(box.folder, "stranger") },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
    });
    const [stderr, exitCode] = await Promise.all([child.stderr.text(), child.exited]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("Port 1000 cannot be used");
    expect(stderr).toMatch(/permission|EACCES/i);
  });
});
