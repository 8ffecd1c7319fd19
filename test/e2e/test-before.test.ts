/** `test.before` through the compiled binary: a program that runs before the tests, such as a compiler. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { z } from "zod";
import { binaryPath } from "../../build.ts";
import { Sandbox, untilAsync } from "../harness.ts";
import { isRunning } from "../processes.ts";

/** Writes the test file, so that there is no test without it. */
const COMPILER = `const { mkdirSync, writeFileSync } = require("node:fs");
console.log("cloud key: " + process.env.ROBLOX_OPEN_CLOUD_API_KEY);
mkdirSync("out", { recursive: true });
writeFileSync("out/a.spec.luau", 'return function() it("passes", function() end) end');
writeFileSync("ran.txt", process.cwd() + " " + (process.env.ROBLOX_OPEN_CLOUD_API_KEY ?? "no key") + " " + process.argv.slice(2).join("|"));
`;
const BROKEN = `console.log("src/a.ts(3,1): error TS2304: Cannot find name 'x'."); console.error("1 error"); process.exit(3);`;

async function projectAsync(before: readonly string[], folder = "."): Promise<Sandbox> {
  const box = await Sandbox.createAsync();
  await box.writeAsync(join(folder, "compile.cjs"), COMPILER);
  await box.writeAsync(join(folder, "broken.cjs"), BROKEN);
  const settings = { test: { include: ["out/**/*.spec.luau"], before } };
  await box.writeAsync(join(folder, "sb.config.json"), JSON.stringify(settings));
  return box;
}

test("the program runs first, in the folder of the settings, without a shell and without the key for the cloud", async () => {
  await using box = await projectAsync([process.execPath, "compile.cjs", "$HOME; *"]);
  await box.writeAsync("src/readme.txt", "");
  const { stdout, exitCode } = await box.localSbAsync(
    ["test", "--reporter", "tap"],
    { ROBLOX_OPEN_CLOUD_API_KEY: "secret" },
    join(box.folder, "src"),
  );
  expect(stdout).toContain("ok 1 - out/a.spec.luau: passes");
  expect(exitCode).toBe(0);
  const [cwd, ...rest] = readFileSync(join(box.folder, "ran.txt"), "utf8").split(" ");
  expect(cwd?.endsWith(box.folder)).toBe(true);
  expect(rest.join(" ")).toBe("no key $HOME; *");
});

test("a program that fails is the failed case (before), with its output, in every report", async () => {
  await using box = await projectAsync([process.execPath, "broken.cjs"]);
  const { stdout, exitCode } = await box.localSbAsync([
    "test",
    "--reporter",
    "line",
    "--reporter",
    "junit=j.xml",
  ]);
  expect(exitCode).toBe(1);
  expect(stdout).toContain("─ (before)");
  expect(stdout).toContain("broken.cjs ended with exit code 3:");
  expect(stdout).toContain("src/a.ts(3,1): error TS2304: Cannot find name 'x'.");
  expect(stdout).toContain("1 failed");
  expect(readFileSync(join(box.folder, "j.xml"), "utf8")).toContain('name="(before)"');
  const watch = await box.localSbAsync(["test", "--watch"]);
  expect(watch.exitCode).toBe(1);
  expect(watch.stdout).toContain("ended with exit code 3");
});

test("a program that is not there is a failure too; a wrong setting is an error; --list runs nothing", async () => {
  await using box = await projectAsync(["no-such-compiler"]);
  const gone = await box.localSbAsync(["test", "--reporter", "line"]);
  expect(gone.stdout).toContain("no-such-compiler could not be started");
  expect(gone.exitCode).toBe(1);
  await box.writeAsync("sb.config.json", '{ "test": { "before": [] } }');
  const wrong = await box.localSbAsync(["test"]);
  expect(wrong.stderr).toContain("test.before: expected a program");
  expect(wrong.exitCode).toBe(2);
  await using listed = await projectAsync([process.execPath, "compile.cjs"]);
  await listed.localSbAsync(["test", "--list"]);
  expect(existsSync(join(listed.folder, "ran.txt"))).toBe(false);
});

test("settings in a folder of packages run no program", async () => {
  await using box = await projectAsync([process.execPath, "compile.cjs"], "node_modules/thing");
  const { stderr } = await box.localSbAsync(["test"], {}, join(box.folder, "node_modules/thing"));
  expect(stderr).toContain("test.before does not run");
  expect(existsSync(join(box.folder, "node_modules/thing/ran.txt"))).toBe(false);
});

test("over MCP the program runs only with --allow-before; else the answer says how old the compiled files are", async () => {
  await using box = await projectAsync([process.execPath, "compile.cjs"]);
  await box.writeAsync("out/a.spec.luau", 'return function() it("passes", function() end) end');
  const callAsync = async (...words: string[]) => {
    const client = new Client({ name: "test", version: "1" });
    const args = ["mcp", "--port", String(box.port), ...words];
    await client.connect(
      new StdioClientTransport({ command: binaryPath, args, env: box.env(), cwd: box.folder }),
    );
    const { content } = await client.callTool({ name: "studio_test", arguments: {} });
    await client.close();
    const [{ text }] = z
      .tuple([z.object({ text: z.string() })])
      .rest(z.unknown())
      .parse(content);
    return JSON.parse(text);
  };
  const without = await callAsync();
  expect(without).toMatchObject({ success: true, counts: { passed: 1 } });
  expect(without.warnings.join(" ")).toMatch(
    /^test\.before \(.*compile\.cjs\) has not run, because the server was started without --allow-before\. The newest test file that ran is \d+s old\.$/,
  );
  expect(existsSync(join(box.folder, "ran.txt"))).toBe(false);
  expect((await callAsync("--allow-before")).warnings).toBeUndefined();
  expect(existsSync(join(box.folder, "ran.txt"))).toBe(true);
});

test.skipIf(process.platform === "win32")("Ctrl+C ends the program too", async () => {
  await using box = await projectAsync([process.execPath, "slow.cjs"]);
  await box.writeAsync(
    "slow.cjs",
    'require("node:fs").writeFileSync("pid.txt", String(process.pid)); setTimeout(() => {}, 600_000);',
  );
  const child = Bun.spawn([binaryPath, "test"], {
    cwd: box.folder,
    env: box.env(),
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  const pid = await untilAsync("the program runs", async () => {
    const text = await readFile(join(box.folder, "pid.txt"), "utf8").catch(() => "");
    return text === "" ? undefined : Number(text);
  });
  child.kill("SIGINT");
  expect(await child.exited).toBe(130);
  await untilAsync("the program has ended", async () => (isRunning(pid) ? undefined : true));
});
