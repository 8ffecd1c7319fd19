/** The terminal without a person: lines from a pipe or a file. */
import { describe, expect, test } from "bun:test";
import { sandbox } from "../sandbox.ts";

const box = sandbox({ headless: "Alpha" });

const feedAsync = (stdin: string, ...flags: string[]) => box.sbAsync(["terminal", ...flags], { stdin });

describe("lines from a pipe", () => {
  test("run chunk by chunk, without prompts", async () => {
    const lines = ["count = 2", "for index = 1, count do", "  print('line', index)", "end", "count * 21"];
    expect(await feedAsync(lines.join("\n"))).toEqual({
      exitCode: 0,
      stdout: "line 1\nline 2\n42\n",
      stderr: "",
    });
  });

  test("may be dot-commands, whose results go to stdout and whose failures go to stderr", async () => {
    const { exitCode, stdout, stderr } = await feedAsync(".state\r\n.stat\r\nprint('on')\r\n");
    expect(stdout).toMatch(/^Place: +Alpha\n(.+\n)+Mode: +Edit\non\n$/);
    expect(stderr).toBe("error: Unknown dot-command .stat. Did you mean .state?\nhint: See `.help`.\n");
    expect(exitCode).toBe(1);
  });

  test("go on after a failure, which the exit code remembers", async () => {
    const { exitCode, stdout, stderr } = await feedAsync("error('first', 0)\n'second'\n");
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 1,
      stdout: "second\n",
      stderr: "Script error: first\n  1 | error('first', 0)\n    | ^^^^^^^^^^^^^^^^^\n",
    });
  });

  test("that end in the middle of a chunk are a failure", async () => {
    const { exitCode, stdout, stderr } = await feedAsync("1\nfunction unfinished()\nprint(2)");
    expect([exitCode, stdout]).toEqual([1, "1\n"]);
    expect(stderr).toBe(
      "error: The input ends before this is complete: function unfinished()\nhint: None of it ran; close what it opens.\n",
    );
  });

  test("may be dot-commands below unfinished text, which goes on after them", async () => {
    const { stdout, stderr } = await feedAsync("print(\n.query Workspace.ClassName\n'on')");
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^\{.*\}\non\n$/);
    const left = await feedAsync("while true do\n.exit\nend");
    expect([left.exitCode, left.stdout]).toEqual([1, ""]);
    expect(left.stderr).toContain("The input ends before this is complete: while true do");
    const luau = await feedAsync("print((workspace\n  .Parent)\n.Name)");
    expect(luau).toEqual({ exitCode: 0, stdout: "Alpha\n", stderr: "" });
  });

  test("end at .exit", async () => {
    expect(await feedAsync("1\n.exit\n2\n")).toEqual({ exitCode: 0, stdout: "1\n", stderr: "" });
  });

  test("explain the dot-commands, each of which exists", async () => {
    const { stdout } = await feedAsync(".help");
    const names = Array.from(stdout.matchAll(/^ {2}\.([a-z]\S*(?: [a-z]+)?)/gm), ([, name]) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        ..."help exit clear run sessions connect disconnect state screenshot logs query".split(" "),
      ]),
    );
    const asked = names.map((name) => `.help ${name}`).join("\n");
    const help = await feedAsync(asked);
    expect([help.exitCode, help.stderr]).toEqual([0, ""]);
    for (const name of names) expect(help.stdout).toContain(`Usage: .${name}`);
    expect(help.stdout).not.toContain("--port");
  });

  test("explain a dot-command with its words and examples", async () => {
    const { stdout } = await feedAsync(".help run\n.help exit");
    expect(stdout).toStartWith("Usage: .run FILE… [flags] [-- ARGS…]\n");
    expect(stdout).toContain("\n  .run build.luau -- --fast 3  # arguments, as ...\n");
    expect(stdout).not.toContain("--headless");
    expect(stdout).not.toContain("sb ");
    expect(stdout).toEndWith("Usage: .exit\n\nLeave.\n");
  });

  test("may run files whose names have blanks, and query names that have them", async () => {
    await box.writeAsync("my script.luau", "print('from a file')");
    const lines = [
      '.run "my script.luau"',
      'Instance.new("Folder", workspace).Name = "My Folder"',
      '.query Workspace["My Folder"].ClassName',
    ];
    const { stdout, stderr } = await feedAsync(lines.join("\n"));
    expect(stderr).toBe("");
    expect(stdout).toStartWith("from a file\n");
    expect(stdout).toContain('"ClassName":"Folder"');
  });
});

test("a script comes first, and its globals stay, as those of .run do", async () => {
  const path = await box.writeAsync("first.luau", "print('first') helper = 'made first'");
  await box.writeAsync("second.luau", "print(helper) other = 'made second'");
  const { stdout, exitCode } = await feedAsync("helper\n.run second.luau\nother\n_", "--script", path);
  expect([stdout, exitCode]).toEqual(["first\nmade first\nmade first\nmade second\nmade second\n", 0]);
  const missing = await feedAsync("'never'", "--script", "missing.luau");
  expect([missing.stdout, missing.exitCode]).toEqual(["", 1]);
});

test("a session that is not there is named", async () => {
  const { stderr, exitCode } = await box.sbAsync(["connect", "nowhere"], { stdin: "1" });
  expect([stderr.split("\n")[0], exitCode]).toEqual([
    "error: Session not found: nowhere. Run 'sb sessions' to see available sessions.",
    1,
  ]);
});

test("a headless Studio of its own ends with it", async () => {
  const { stdout } = await feedAsync("game.Name", "--headless");
  expect(stdout).toBe("Place1\n");
});

test("with --json, everything that was read gives one line, with what came of it", async () => {
  const lines = ["1 + 1", "if true then", "  print('on')", "end", ".state", "error('x', 0)", ".nope", "for"];
  const { stdout, stderr, exitCode } = await feedAsync(lines.join("\n"), "--json");
  expect([exitCode, stderr]).toEqual([1, ""]);
  expect(stdout.trimEnd().split("\n").map(parse)).toEqual([
    { input: "1 + 1", success: true, output: expect.objectContaining({ returnValues: [2], logs: [] }) },
    {
      input: "if true then\n  print('on')\nend",
      success: true,
      output: expect.objectContaining({ logs: [{ level: "Print", body: "on" }] }),
    },
    { input: ".state", success: true, output: expect.objectContaining({ state: "Edit" }) },
    { input: "error('x', 0)", success: false, output: expect.objectContaining({ error: "x" }) },
    { input: ".nope", success: false, error: expect.objectContaining({ code: "INVALID_INPUT" }) },
    { input: "for", success: false, error: expect.objectContaining({ code: "SCRIPT_LOAD_ERROR" }) },
  ]);
});

test("with --json, the script that comes first has a line too", async () => {
  const path = await box.writeAsync("first.luau", "return 1");
  const { stdout } = await feedAsync(".exit", "--json", "--script", path);
  expect(stdout.trimEnd().split("\n").map(parse)).toEqual([
    { input: "return 1", success: true, output: expect.objectContaining({ returnValues: [1] }) },
    { input: ".exit", success: true },
  ]);
});

function parse(line: string): unknown {
  return JSON.parse(line);
}
