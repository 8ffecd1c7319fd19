/** Signals end a command the way a person means them; tried on a real process. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { withinAsync } from "../../harness.ts";

const cli = join(import.meta.dir, "..", "..", "..", "src", "cli");

/** A command that takes `graceMs` to end after the signal, and says when it has started. */
function start(graceMs: number) {
  const program = `
    import { Interruption } from ${JSON.stringify(join(cli, "interruption.ts"))};
    const interruption = new Interruption();
    const ended = Promise.withResolvers();
    interruption.signal.addEventListener("abort", () => {
      console.log("asked");
      setTimeout(() => ended.resolve(1), ${graceMs});
    });
    const alive = setInterval(() => {}, 1000);
    console.log("ready");
    const code = await Promise.race([ended.promise, interruption.hardExit]);
    process.exit(interruption.exitCode ?? code);`;
  const child = Bun.spawn([process.execPath, "-e", program], { stdout: "pipe", stderr: "inherit" });
  const reader = child.stdout.getReader();
  return { child, nextLineAsync: async () => new TextDecoder().decode((await reader.read()).value).trim() };
}

describe.skipIf(process.platform === "win32")("a signal", () => {
  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("%s asks the command to end, and sets exit code %d", async (signal, exitCode) => {
    const { child, nextLineAsync } = start(0);
    expect(await nextLineAsync()).toBe("ready");
    child.kill(signal);
    expect(await nextLineAsync()).toBe("asked");
    expect(await child.exited).toBe(exitCode);
  });

  test("a second time ends it at once", async () => {
    await withinAsync(1_500, async () => {
      const { child, nextLineAsync } = start(60_000);
      await nextLineAsync();
      child.kill("SIGINT");
      await nextLineAsync();
      const askedAgainAt = performance.now();
      child.kill("SIGINT");
      expect(await child.exited).toBe(130);
      return performance.now() - askedAgainAt;
    });
  });

  test("once is enough for a command that does not listen", async () => {
    const { child, nextLineAsync } = start(60_000);
    await nextLineAsync();
    const askedAt = performance.now();
    child.kill("SIGINT");
    expect(await child.exited).toBe(130);
    expect(performance.now() - askedAt).toBeLessThan(10_000);
  });
});
