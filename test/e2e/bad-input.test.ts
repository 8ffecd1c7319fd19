/** Each wrong word, file or place gives one line that says what is wrong, one that says what next, and no trace. */
import { beforeAll, describe, expect, test } from "bun:test";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { binaryPath } from "../../build.ts";
import { outcomeAsync, Sandbox } from "../harness.ts";
import { sandbox } from "../sandbox.ts";
import { underPermissions } from "../processes.ts";

const box = sandbox({ headless: true });
beforeAll(async () => {
  await mkdir(join(box.folder, "folder"));
  await box.writeAsync("binary.luau", new Uint8Array([0x1b, 0x4c, 0x00, 0xff]));
  await box.writeAsync(
    "latin1.luau",
    new Uint8Array([...Buffer.from('print("caf'), 0xe9, ...Buffer.from('")')]),
  );
  await box.writeAsync("empty.luau", "");
  await box.writeAsync("secret.luau", "print(1)");
  await chmod(join(box.folder, "secret.luau"), 0o000);
}, 120_000);

interface Case {
  readonly args: readonly string[];
  readonly says: string;
  readonly exitCode: number;
}

const cases: readonly Case[] = [
  { args: ["run", "missing.luau"], says: "Could not read script file: missing.luau", exitCode: 1 },
  { args: ["run", "folder"], says: "Could not read script file: folder", exitCode: 1 },
  { args: ["run", "binary.luau"], says: "binary.luau", exitCode: 1 },
  { args: ["run", "latin1.luau"], says: "UTF-8", exitCode: 1 },
  { args: ["run"], says: "FILE", exitCode: 2 },
  {
    args: ["run", "--", "-x.luau"],
    says: "FILE is required before --.\nhint: The words after -- are ARGS. Write a FILE that starts with a dash as ./-x.luau",
    exitCode: 2,
  },
  {
    args: ["screenshot", "--frame", "Workspace"],
    says: "Workspace is a Workspace, and only an object of an interface can be captured alone",
    exitCode: 1,
  },
  ...[
    ["exec", "--headless", "--place", "gone.rbxl", "1"],
    ["headless", "gone.rbxl"],
    ["launch", "gone.rbxl"],
  ].map((args) => ({
    args,
    says: "error: Place file not found: gone.rbxl\nhint: Check the path; it is relative to the current folder.",
    exitCode: 1,
  })),
  {
    args: ["exec", "--headless", "--place", "folder", "1"],
    says: "the folder has no default.project.json",
    exitCode: 1,
  },
  { args: ["exec", "--context", "Server", "print(1)"], says: "No server context available", exitCode: 1 },
  { args: ["exec"], says: "CODE", exitCode: 2 },
  { args: ["exec", ""], says: "empty", exitCode: 2 },
  { args: ["exec", "--conext", "server", "print(1)"], says: "Did you mean --context", exitCode: 2 },
  { args: ["exec", "print(1)", "one", "two"], says: "two", exitCode: 2 },
  { args: ["exec", "--timeout", "soon", "print(1)"], says: "--timeout", exitCode: 2 },
  { args: ["exec", "--timeout", "-5", "print(1)"], says: "--timeout", exitCode: 2 },
  { args: ["exec", "--context", "space", "print(1)"], says: "--context", exitCode: 2 },
  { args: ["exec", "--context", "server", "print(1)"], says: "No server context available", exitCode: 1 },
  { args: ["exec", "--session", "nope", "print(1)"], says: "Session not found: nope", exitCode: 1 },
  { args: ["exec", "return", "nil"], says: "if it belongs to the CODE, put that in quotes.", exitCode: 1 },
  { args: ["exec", "return", "nil", "--headless"], says: "if it belongs to the CODE", exitCode: 2 },
  {
    args: ["exec", "--session", "nope", "print(1)"],
    says: "\nhint: Connected: ",
    exitCode: 1,
  },
  { args: ["exec", "--instance", "nope", "print(1)"], says: "(Place1).\n", exitCode: 1 },
  { args: ["close", "--headless"], says: "sb close does not take --headless.", exitCode: 2 },
  {
    args: ["headless", "--place", "a.rbxl"],
    says: "sb headless does not take --place.\nhint: Write it without the flag: sb headless PLACE\n",
    exitCode: 2,
  },
  { args: ["version"], says: "sb version does not take --port.", exitCode: 2 },
  { args: ["query"], says: "Expression is required", exitCode: 2 },
  {
    args: ["query", "Workspace", "--services"],
    says: "Cannot use an expression with --services.\nhint: Choose a session with --session.",
    exitCode: 2,
  },
  {
    args: ["query", "Workspace[A"],
    says: "Not a path: Workspace[A: expected a number or a quoted name after [ at character 10",
    exitCode: 2,
  },
  {
    args: ["select", "Workspace[0]"],
    says: "Not a path: Workspace[0]: [0] at character 10: positions count from 1\nhint: Names are joined",
    exitCode: 2,
  },
  {
    args: ["rm", "Workspace[0]"],
    says: "Nothing was changed.\nNot a path: Workspace[0]: [0] at character 10: positions count from 1",
    exitCode: 1,
  },
  {
    args: ["query", "Workspace.Terain"],
    says: "Workspace has no Terain. Did you mean Terrain? `sb query Workspace --children` lists",
    exitCode: 1,
  },
  {
    args: ["script", "grep", "two\nlines"],
    says: "The pattern has a line break, and each line is searched by itself.",
    exitCode: 2,
  },
  { args: ["query", "Workspace.Nope"], says: "No instance found at path: Workspace.Nope", exitCode: 1 },
  { args: ["query", "Workspace", "--properties", "Foo"], says: "Property 'Foo' does not exist", exitCode: 1 },
  {
    args: ["logs", "--tail", "1", "--head", "1"],
    says: "Cannot use --tail and --head together.",
    exitCode: 2,
  },
  {
    args: ["logs", "--follow", "--tail", "1"],
    says: "Cannot use --follow with --tail or --head.",
    exitCode: 2,
  },
  { args: ["logs", "--level", "Loud"], says: "Loud", exitCode: 2 },
  { args: ["toString"], says: "toString", exitCode: 2 },
  { args: ["exce", "print(1)"], says: "exec", exitCode: 2 },
];

describe("wrong input", () => {
  test.each(cases.map((each) => [each.args.join(" "), each] as const))(
    "sb %s",
    async (_, { args, says, exitCode }) => {
      const outcome = await box.sbAsync(args);
      expect(outcome.stdout).toBe("");
      expect(outcome.stderr).toContain(says);
      expect(outcome.stderr).not.toMatch(/^\s+at /m);
      expect(outcome.stderr.trimEnd().split("\n").length).toBeLessThanOrEqual(4);
      expect(outcome.exitCode).toBe(exitCode);
    },
  );

  test.skipIf(underPermissions === undefined)("an unreadable file", async () => {
    const { stderr, exitCode } = await box.sbAsync(["run", "secret.luau"], { under: underPermissions ?? [] });
    expect(stderr).toContain("Could not read script file: secret.luau");
    expect(exitCode).toBe(1);
  });

  test("a script from stdin that never ends is not read to its end", async () => {
    const child = Bun.spawn(["sh", "-c", `yes | "${binaryPath}" exec --port ${box.port} -`], {
      cwd: box.folder,
      env: box.env(),
      stdout: "pipe",
      stderr: "pipe",
    });
    const { stderr, exitCode } = await outcomeAsync(child);
    expect(stderr).toContain("stdin: it has more than 5 MB");
    expect(exitCode).toBe(1);
  });

  test("an empty script is no error", async () => {
    expect(await box.sbAsync(["run", "empty.luau"])).toMatchObject({ stdout: "", exitCode: 0 });
  });

  test("with --json the error is an object on stdout", async () => {
    const { stdout, exitCode } = await box.sbAsync(["state", "--session", "nope", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "SESSION_NOT_FOUND" } });
    expect(exitCode).toBe(1);
  });
});

describe("a machine that does not cooperate", () => {
  test.skipIf(process.platform !== "linux")(
    "a stdout that is closed loses no result in silence",
    async () => {
      for (const words of ["--version", "exec --headless 'return 1'"]) {
        const child = Bun.spawn(["sh", "-c", `"${binaryPath}" ${words} >&-`], {
          cwd: box.folder,
          env: box.env(),
          stdout: "pipe",
          stderr: "pipe",
        });
        const { stderr, exitCode } = await outcomeAsync(child);
        expect(stderr).toContain("error: Could not write to stdout: it is closed");
        expect(exitCode).toBe(1);
      }
    },
  );

  test("a command that needs Studio does not send in circles", async () => {
    await using own = await Sandbox.createAsync();
    for (const [command = "", next = ""] of [
      ["screenshot", "sb launch PLACE"],
      ["close", "There is nothing to close:"],
    ]) {
      const { stderr, exitCode } = await own.sbAsync([command]);
      expect(stderr).toContain(next);
      expect(stderr).not.toContain("sb sessions");
      expect(exitCode).toBe(1);
    }
  }, 120_000);

  test("no Studio: says so at once and names the choices", async () => {
    await using own = await Sandbox.createAsync();
    const { stderr, exitCode } = await own.sbAsync(["exec", "print(1)"]);
    expect(stderr).toContain("--headless");
    expect(exitCode).toBe(1);
  }, 120_000);

  test("a state folder that cannot be made is named, with the variable that moves it", async () => {
    await using own = await Sandbox.createAsync();
    const blocked = await own.writeAsync("state-is-a-file", "");
    const { stderr, exitCode } = await own.sbAsync(["sessions"], { env: { XDG_STATE_HOME: blocked } });
    expect(stderr).toContain(blocked);
    expect(stderr).toContain("XDG_STATE_HOME");
    expect(exitCode).toBe(1);
  }, 120_000);

  test("a key that others can read is refused", async () => {
    await using own = await Sandbox.createAsync();
    await own.sbAsync(["sessions"]);
    const key = join(own.stateFolder, "studio-bridge", "key");
    await chmod(key, 0o644);
    const { stderr, exitCode } = await own.sbAsync(["sessions"]);
    expect(stderr).toContain(key);
    expect(exitCode).toBe(1);
  }, 120_000);

  test("a stranger on the port is named, and nothing is sent to it", async () => {
    await using own = await Sandbox.createAsync();
    const seen: string[] = [];
    using _stranger = Bun.serve({
      hostname: "127.0.0.1",
      port: own.port,
      fetch: (request) => {
        seen.push(request.method);
        return new Response("hello");
      },
    });
    const { stderr, exitCode } = await own.sbAsync(["exec", "print('secret')"]);
    expect(stderr).toContain(String(own.port));
    expect(exitCode).toBe(1);
    expect(seen.every((method) => method === "GET")).toBe(true);
  }, 120_000);
});

test("is told before anything is started for it", async () => {
  await using untouched = await Sandbox.createAsync();
  const { stdout } = await untouched.sbAsync(["headless", "--coverage", "Part"]);
  expect(stdout).toContain("Part.Shape");
  for (const args of [
    ["exec", "--headless", "--place", "missing.rbxl", "print(1)"],
    ["exec", "--place", "missing.rbxl", "print(1)"],
    ["headless", "missing.rbxl"],
    ["run", "missing.luau"],
  ])
    expect((await untouched.sbAsync(args)).stderr).toContain("missing");
  const host = fetch(`http://127.0.0.1:${untouched.port}/health`).catch(() => "no host");
  expect(await host).toBe("no host");
});
