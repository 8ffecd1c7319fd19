/** The whole command line as a process, where it needs no Studio: streams, exit codes, JSON, signals. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createProver, loadKeyAsync } from "../../../src/auth/index.ts";
import { BridgeHost } from "../../../src/bridge/index.ts";
import { ScriptedPlugin } from "../../peers/scripted-plugin.ts";

const main = join(import.meta.dir, "..", "..", "..", "src", "main.ts");
let folder: string;
let formerStateHome: string | undefined;
let host: BridgeHost;
let plugin: ScriptedPlugin;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sb-cli-"));
  formerStateHome = process.env["XDG_STATE_HOME"];
  process.env["XDG_STATE_HOME"] = folder;
  host = await BridgeHost.startAsync({ port: 0, version: "test" });
  ({ plugin } = await ScriptedPlugin.connectAsync(host.port, createProver(await loadKeyAsync())));
});
afterAll(async () => {
  plugin[Symbol.dispose]();
  await host[Symbol.asyncDispose]();
  if (formerStateHome === undefined) delete process.env["XDG_STATE_HOME"];
  else process.env["XDG_STATE_HOME"] = formerStateHome;
  await rm(folder, { recursive: true });
});

function spawn(args: readonly string[], stdin: "ignore" | Blob = "ignore") {
  return Bun.spawn([process.execPath, main, ...args], {
    env: { ...process.env, XDG_STATE_HOME: folder, NO_COLOR: "1" },
    stdin,
    stdout: "pipe",
    stderr: "pipe",
  });
}

async function sbAsync(args: readonly string[], stdin?: string) {
  const child = spawn(args, stdin === undefined ? "ignore" : new Blob([stdin]));
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { stdout, stderr, exitCode: await child.exited };
}

describe("without a Studio", () => {
  test("--version is the version alone", async () => {
    expect(await sbAsync(["--version"])).toEqual({ stdout: "0.0.0-dev\n", stderr: "", exitCode: 0 });
  });

  test.each([[[]], [["--help"]], [["help"]]])("%j is the overview", async (args) => {
    const { stdout, stderr, exitCode } = await sbAsync(args);
    expect(stdout).toStartWith("sb drives Roblox Studio");
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  });

  test("help of a command is the same by word and by flag", async () => {
    const [byWord, byFlag] = await Promise.all([sbAsync(["help", "run"]), sbAsync(["run", "--help"])]);
    expect(byWord.stdout).toStartWith("Usage: sb run FILE… [flags] [-- ARGS…]\n");
    expect(byFlag).toEqual(byWord);
  });

  test("a wrong word is one line and a hint on stderr, exit 2", async () => {
    expect(await sbAsync(["exec", "--conext", "server", "x"])).toEqual({
      stdout: "",
      stderr: "error: Unknown flag --conext. Did you mean --context?\nhint: See `sb help exec`.\n",
      exitCode: 2,
    });
  });

  test("a wrong value is named as it was typed", async () => {
    const { stderr, exitCode } = await sbAsync(["logs", "--head", "0"]);
    expect(stderr).toBe("error: --head: expected at least 1 line\nhint: See `sb help logs`.\n");
    expect(exitCode).toBe(2);
  });

  test("with --json the error is an object on stdout", async () => {
    const { stdout, stderr, exitCode } = await sbAsync(["run", "missing.luau", "--json"]);
    expect(JSON.parse(stdout)).toEqual({
      error: {
        code: "FILE_ERROR",
        message: "Could not read script file: missing.luau: no such file",
        hint: "Check the path; it is relative to the current folder.",
        data: { path: "missing.luau" },
      },
    });
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 1 });
  });

  test("--verbose shows where an error arose, and nothing else does", async () => {
    const quiet = await sbAsync(["run", "missing.luau"]);
    const verbose = await sbAsync(["run", "missing.luau", "--verbose"]);
    expect([/^\s+at /m.test(quiet.stderr), /^\s+at /m.test(verbose.stderr)]).toEqual([false, true]);
  });
});

describe("with a Studio", () => {
  const exec = (...args: string[]) => ["exec", "--port", String(host.port), ...args];
  const succeeded = { success: true, returnValues: [], durationMs: 1 };

  test("code comes from stdin for -", async () => {
    plugin.on("execute", (request) => {
      const { script } = Object(request.payload);
      plugin.reply(request, "output", { messages: [{ level: "Print", body: script }], seq: 0 });
      plugin.reply(request, "scriptComplete", succeeded);
    });
    const outcome = await sbAsync(exec("-"), "\ufeffprint('é')");
    expect(outcome).toEqual({ stdout: "print('é')\n", stderr: "", exitCode: 0 });
  });

  test("lines and failures go to their streams, exit 1", async () => {
    plugin.on("execute", (request) => {
      const messages = [
        { level: "Print", body: "out" },
        { level: "Warning", body: "careful" },
      ];
      plugin.reply(request, "output", { messages, seq: 0 });
      plugin.reply(request, "scriptComplete", { ...succeeded, success: false, error: "Script:9: oops" });
    });
    expect(await sbAsync(exec("x"))).toEqual({
      stdout: "out\n",
      stderr: "careful\nScript error: Script:9: oops\n",
      exitCode: 1,
    });
    const { stdout, stderr, exitCode } = await sbAsync(exec("x", "--json"));
    expect(stdout).toBe(
      '{"success":false,"error":"Script:9: oops","logs":[{"level":"Print","body":"out"},{"level":"Warning","body":"careful"}],"returnValues":[],"durationMs":1}\n',
    );
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 1 });
  });

  test.skipIf(process.platform === "win32")("Ctrl+C cancels in Studio and exits 130", async () => {
    plugin.on("execute", (request) => {
      plugin.on("cancel", () => {
        const errorInfo = { code: "CANCELLED" };
        plugin.reply(request, "scriptComplete", {
          ...succeeded,
          success: false,
          error: "Cancelled.",
          errorInfo,
        });
      });
      plugin.reply(request, "output", { messages: [{ level: "Print", body: "started" }], seq: 0 });
    });
    const child = spawn(exec("task.wait(60)"));
    await child.stdout.getReader().read();
    child.kill("SIGINT");
    expect(await child.stderr.text()).toBe("error: Cancelled.\n");
    expect(await child.exited).toBe(130);
  });
});
