import { afterAll, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadProjectToolsAsync, problemText } from "../../../../src/mcp/templates/index.ts";

const root = await mkdtemp(join(tmpdir(), "sb-project-"));
afterAll(() => rm(root, { recursive: true }));
let count = 0;

async function projectAsync(config: string | object, files: { readonly [name: string]: string } = {}) {
  const folder = join(root, String((count += 1)));
  await mkdir(folder, { recursive: true });
  const text = typeof config === "string" ? config : JSON.stringify(config, null, 2);
  await Bun.write(join(folder, "sb.config.json"), text);
  for (const [name, content] of Object.entries(files)) await Bun.write(join(folder, name), content);
  return folder;
}

/** The problems as people read them, without the folder. */
async function problemsAsync(config: string | object): Promise<string[]> {
  const folder = await projectAsync(config);
  const { problems } = await loadProjectToolsAsync(folder);
  return problems.map((problem) => problemText(problem).replaceAll(`${folder}/`, ""));
}

const call = { client: { id: "test" }, signal: new AbortController().signal, report: () => undefined };

describe("a project file", () => {
  test("gives command templates as tools", async () => {
    const folder = await projectAsync({
      tools: {
        say: {
          command: ["echo", "{text # what to say}"],
          title: "Say it",
          description: "Says something",
          readOnly: true,
        },
        where: { command: "pwd" },
      },
    });
    const { tools, commands, problems } = await loadProjectToolsAsync(folder);
    expect({ commands, problems }).toEqual({ commands: [], problems: [] });
    expect(tools.map(({ callAsync: _, ...facts }) => facts)).toEqual([
      {
        name: "say",
        title: "Say it",
        description: "Says something",
        inputSchema: {
          type: "object",
          properties: { text: { type: "string", description: "what to say" } },
          required: ["text"],
        },
        annotations: {
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: true,
        },
      },
      {
        name: "where",
        title: "pwd",
        description: "Run the shell command `pwd`",
        inputSchema: { type: "object", properties: {}, required: [] },
        annotations: {
          readOnlyHint: false,
          destructiveHint: true,
          idempotentHint: false,
          openWorldHint: true,
        },
      },
    ]);
    const results = await Promise.all(tools.map((tool) => tool.callAsync({ text: "hi" }, call)));
    expect(results).toEqual([
      { content: [{ type: "text", text: "hi\n" }] },
      { content: [{ type: "text", text: `${folder}\n` }] },
    ]);
  });

  test("gives scripts as commands on a session, with the parameters of the template", async () => {
    const script = {
      script: ["tools/spawn.luau", "{name # what}", "[--loud]", "[tags...]"],
      context: "edit",
    };
    const folder = await projectAsync({ tools: { spawn: script } }, { "tools/spawn.luau": "return ..." });
    const { commands, problems } = await loadProjectToolsAsync(folder);
    expect(problems).toEqual([]);
    const [command] = commands;
    if (command === undefined) throw new Error("no command");
    const { name, summary, description, target, defaultContext, surfaces, annotations } = command;
    expect({ name, summary, description, target, defaultContext, surfaces, annotations }).toEqual({
      name: "spawn",
      summary: "tools/spawn.luau",
      description: "Run the Luau script `tools/spawn.luau {{name}} [--loud] [tags...]` in Studio",
      target: "session",
      defaultContext: "edit",
      surfaces: ["mcp"],
      annotations: { readOnly: false, destructive: true, idempotent: false },
    });
    const accepts = (input: unknown) => command.input().safeParse(input).success;
    expect([
      accepts({ name: "x" }),
      accepts({ name: "x", loud: true, tags: ["a"] }),
      accepts({}),
      accepts({ name: 1 }),
      accepts({ name: "x", other: "y" }),
    ]).toEqual([true, true, false, false, false]);
  });

  test("is found from a folder below it", async () => {
    const folder = await projectAsync({ tools: { where: { command: ["pwd"] } } });
    await mkdir(join(folder, "a/b"), { recursive: true });
    const { tools } = await loadProjectToolsAsync(join(folder, "a/b"));
    expect(tools.map(({ name }) => name)).toEqual(["where"]);
  });

  test("may be absent or empty", async () => {
    const nothing = { tools: [], commands: [], problems: [] };
    expect(await loadProjectToolsAsync(join(root, "nowhere"))).toEqual({ file: undefined, ...nothing });
    const folder = await projectAsync("// later\n");
    const file = join(folder, "sb.config.json");
    expect(await loadProjectToolsAsync(folder)).toEqual({ file, ...nothing });
  });
});

describe("a fault in a project file", () => {
  test("that is not UTF-8 is told with its place", async () => {
    const folder = await projectAsync("");
    await Bun.write(join(folder, "sb.config.json"), Buffer.from('{\n  "tools\xff": {}\n}', "latin1"));
    const { problems } = await loadProjectToolsAsync(folder);
    expect(problems.map(problemText)).toEqual([`${join(folder, "sb.config.json")}:2:9: not valid UTF-8`]);
  });

  test("costs only its own entry", async () => {
    const folder = await projectAsync({
      tools: { bad: { command: ["echo", "{}"] }, good: { command: ["pwd"] } },
      tool: {},
    });
    const { tools, problems } = await loadProjectToolsAsync(folder);
    expect(tools.map(({ name }) => name)).toEqual(["good"]);
    // An unknown key at the top is a warning about the whole file, which every command gives.
    expect(problems.map(({ path }) => path)).toEqual(["tools.bad.command"]);
  });

  test.each([
    [
      '{\n  "tools": {\n    oops\n',
      'sb.config.json:3:5: expected a value, or a name in double quotes, found "oops"',
    ],
    ["[]", "sb.config.json:1:1: Invalid input: expected object, received array"],
    [
      { tools: { a: { command: "x", timeoutMs: 3_000_000_000 } } },
      "sb.config.json:5:20: tools.a.timeoutMs: expected at most 2147483647 milliseconds",
    ],
    [
      { tools: { a: { script: ["a.luau", "{context}"] } } },
      "sb.config.json:4:17: tools.a.script: context says where a script runs; name the field otherwise",
    ],
    [
      '{ "tools": { "a": { "command": "x" }, "a": { "command": "y" } } }',
      "sb.config.json:1:44: tools.a: is there more than once; only this one counts",
    ],
    [{ tools: { a: {} } }, "sb.config.json:3:10: tools.a.command: expected a line or a list of words"],
    [
      { tools: { a: { command: ["x", 1] } } },
      "sb.config.json:4:18: tools.a.command: expected a line or a list of words",
    ],
    [{ tools: { a: { command: "x", cwd: "/" } } }, 'sb.config.json:5:14: tools.a.cwd: unknown key "cwd"'],
    [{ tools: { a: { command: 'x "y' } } }, 'sb.config.json:4:18: tools.a.command: Unclosed quote: x "y'],
    [
      { tools: { a: { command: "x", timeoutMs: 0.5 } } },
      "sb.config.json:5:20: tools.a.timeoutMs: expected a whole number of milliseconds",
    ],
    [{ tools: { a: { script: "a.luau" } } }, "sb.config.json:4:17: tools.a.script: there is no file a.luau"],
    [
      { tools: { studio_exec: { command: "x" } } },
      "sb.config.json:3:20: tools.studio_exec: a tool's name has up to 64 letters, digits, _ and -, begins with a letter and not with studio_",
    ],
    [
      { tools: { a: { command: "echo {message # text}" } } },
      'sb.config.json:4:18: tools.a.command: {message # text} came as several words and is plain text; quote it: "{message # text}"',
    ],
  ])("%j is told with its place", async (config, problem) => {
    expect(await problemsAsync(config)).toEqual([problem]);
  });
});
