import { expect, test } from "bun:test";
import { join } from "node:path";

async function runAsync(code: string) {
  const log = JSON.stringify(join(import.meta.dir, "../../src/log.ts"));
  const script = `const { log, setLogLevel, flushLogAsync } = await import(${log}); ${code}`;
  const child = Bun.spawn([process.execPath, "-e", script], {
    stdout: "pipe",
    stderr: "pipe",
    env: { ...process.env, NO_COLOR: "1" },
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { stdout, lines: stderr.split("\n").filter((line) => line !== "") };
}

test("every line goes to stderr, in order, also when it repeats", async () => {
  const { stdout, lines } = await runAsync(
    `log.info("one"); for (let i = 0; i < 20; i++) log.warn("again"); log.error("last"); await flushLogAsync(); process.exit(0);`,
  );
  expect(stdout).toBe("");
  expect(lines.filter((line) => line.includes("again"))).toHaveLength(20);
  expect(lines.at(0)).toContain("one");
  expect(lines.join("\n")).toContain("last");
});

test("debug lines are printed only when asked for", async () => {
  expect((await runAsync(`log.debug("hidden");`)).lines).toEqual([]);
  expect((await runAsync(`setLogLevel("debug"); log.debug("shown");`)).lines.join()).toContain("shown");
});
