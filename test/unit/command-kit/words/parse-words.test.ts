/** Every word of a command line is understood or refused. */
import { describe, expect, test } from "bun:test";
import { parseWords } from "../../../../src/command-kit/words/parse-words.ts";
import { routeAsync } from "../../../../src/cli/route.ts";
import { commands } from "../../../../src/commands/index.ts";
import { StudioBridgeError } from "../../../../src/protocol/errors.ts";

async function parseAsync(line: readonly string[]) {
  const route = await routeAsync(line, commands);
  if (route.kind !== "command") return { kind: route.kind };
  const { input, options, stdinKey, wantsHelp } = parseWords(route.command, route.words);
  return {
    command: route.command.name,
    input,
    options,
    ...(stdinKey === undefined ? {} : { stdinKey }),
    ...(wantsHelp ? { wantsHelp } : {}),
  };
}

async function refusalAsync(
  line: readonly string[],
): Promise<{ message: string; hint: string; exitCode: number }> {
  try {
    await parseAsync(line);
  } catch (error) {
    if (error instanceof StudioBridgeError) {
      const { message, hint, exitCode } = error;
      return { message, hint, exitCode };
    }
    throw error;
  }
  throw new Error(`accepted: ${line.join(" ")}`);
}

const id = "a1b2c3d4";
const understood: readonly [line: readonly string[], parsed: object][] = [
  [["exec", "print(1)"], { command: "exec", input: { script: "print(1)" }, options: {} }],
  [
    ["exec", "--context", "SERVER", "x"],
    { command: "exec", input: { script: "x", context: "server" }, options: {} },
  ],
  [
    ["logs", "--level", "error,WARNING"],
    { command: "logs", input: { levels: ["Error", "Warning"] }, options: {} },
  ],
  [["completion", "Bash"], { command: "completion", input: { shell: "bash" }, options: {} }],
  [["exec", "print(1)", id], { command: "exec", input: { script: "print(1)", sessionId: id }, options: {} }],
  [["exec", "-s", id, "x"], { command: "exec", input: { script: "x", sessionId: id }, options: {} }],
  [["exec", `-s=${id}`, "x"], { command: "exec", input: { script: "x", sessionId: id }, options: {} }],
  [["test", "--bail", "src"], { command: "test", input: { bail: 1, files: ["src"] }, options: {} }],
  [["test", "--bail", "5", "src"], { command: "test", input: { bail: 5, files: ["src"] }, options: {} }],
  [["test", "--coverage"], { command: "test", input: { coverage: true, coverageFormats: [] }, options: {} }],
  [
    ["test", "--coverage", "lcov, JSON", "src"],
    {
      command: "test",
      input: { coverage: true, coverageFormats: ["lcov", "json"], files: ["src"] },
      options: {},
    },
  ],
  [
    ["test", "--coverage", "lcovs"],
    { command: "test", input: { coverage: true, coverageFormats: [], files: ["lcovs"] }, options: {} },
  ],
  [["mcp", "--http"], { command: "mcp", input: { http: 38750 }, options: {} }],
  [["mcp", "--http", "4000"], { command: "mcp", input: { http: 4000 }, options: {} }],
  [["mcp", "--http", "--read-only"], { command: "mcp", input: { http: 38750, readOnly: true }, options: {} }],
  [["exec", "x", "--timeout=500"], { command: "exec", input: { script: "x", timeoutMs: 500 }, options: {} }],
  [
    ["exec", "x", "--timeout", "1.5s"],
    { command: "exec", input: { script: "x", timeoutMs: 1500 }, options: {} },
  ],
  [["logs", "--timeout=2m"], { command: "logs", input: { timeoutMs: 120_000 }, options: {} }],
  [["exec", "--timeout", "-5", "x"], { command: "exec", input: { script: "x", timeoutMs: -5 }, options: {} }],
  [["exec", "-"], { command: "exec", input: {}, options: {}, stdinKey: "script" }],
  [["exec", "--", "-"], { command: "exec", input: { script: "-" }, options: {} }],
  [["exec", "--", "--!strict"], { command: "exec", input: { script: "--!strict" }, options: {} }],
  [["exec", "-- say\nprint(1)"], { command: "exec", input: { script: "-- say\nprint(1)" }, options: {} }],
  [
    ["exec", "--no-json is a comment"],
    { command: "exec", input: { script: "--no-json is a comment" }, options: {} },
  ],
  [
    ["exec", "--", "--no-json", "-s"],
    { command: "exec", input: { script: "--no-json", sessionId: "-s" }, options: {} },
  ],
  [
    ["run", "-x y.luau", "--", "-z"],
    { command: "run", input: { files: ["-x y.luau"], args: ["-z"] }, options: {} },
  ],
  [["exec", "a = 1"], { command: "exec", input: { script: "a = 1" }, options: {} }],
  [["exec", "x", "--json"], { command: "exec", input: { script: "x" }, options: { json: true } }],
  [["--json", "exec", "x"], { command: "exec", input: { script: "x" }, options: { json: true } }],
  [["--port", "4000", "sessions"], { command: "sessions", input: {}, options: { port: 4000 } }],
  [["exec", "x", "--no-pretty"], { command: "exec", input: { script: "x" }, options: { pretty: false } }],
  [["run", "a.luau", "b.luau"], { command: "run", input: { files: ["a.luau", "b.luau"] }, options: {} }],
  [
    ["run", "a.luau", "--", "--fast", "-", ""],
    { command: "run", input: { files: ["a.luau"], args: ["--fast", "-", ""] }, options: {} },
  ],
  [["run", "-", "--"], { command: "run", input: { files: ["-"], args: [] }, options: {} }],
  [["logs", "--tail", "5"], { command: "logs", input: { count: 5, direction: "tail" }, options: {} }],
  [["logs", "--head", "5"], { command: "logs", input: { count: 5, direction: "head" }, options: {} }],
  [
    ["logs", "-f", "--level", "error,Warning", "--level", "Print", "--all"],
    {
      command: "logs",
      input: { follow: true, levels: ["Error", "Warning", "Print"], includeInternal: true },
      options: {},
    },
  ],
  [
    ["query", "Workspace", id, "--properties", "Position, Size", "--depth", "2"],
    {
      command: "query",
      input: { path: "Workspace", sessionId: id, properties: ["Position", "Size"], depth: 2 },
      options: {},
    },
  ],
  [["run", "--help"], { command: "run", input: {}, options: {}, wantsHelp: true }],
  [["-h", "run"], { command: "run", input: {}, options: {}, wantsHelp: true }],
  [["run", "a", "--", "--help"], { command: "run", input: { files: ["a"], args: ["--help"] }, options: {} }],
  [[], { kind: "overview" }],
  [["--help"], { kind: "overview" }],
  [["--json", "--version"], { kind: "version" }],
];

const refused: readonly [line: readonly string[], message: string][] = [
  [["exec", "--conext", "server", "print(1)"], "Unknown flag --conext. Did you mean --context?"],
  [["exec", "--context=server", "--context", "edit", "x"], "--context is given twice."],
  [["exec", "-s", id, "--session", id, "x"], "--session is given twice."],
  [["exec", "-s", id, "x", id], `Unexpected word "${id}".`],
  [["exec", "x", "--json", "--json"], "--json is given twice."],
  [["exec", "x", "--json=yes"], "--json takes no value."],
  [["exec", "x", "--no-json"], "Unknown flag --no-json."],
  [["exec", "x", "--session"], "--session needs a value: --session ID."],
  [["exec", "x", "--session="], "--session needs a value: --session ID."],
  [["exec", "x", "--session", "--json"], "--session needs a value: --session ID."],
  ...["soon", "1e3", "30 s", "30S", "s"].map((time): [string[], string] => [
    ["exec", "x", "--timeout", time],
    `--timeout needs a time such as 500ms, 30s or 2m, or a number of milliseconds; got "${time}".`,
  ]),
  [["exec", "x", "-fs", id], "Unknown flag -fs."],
  [["exec", "x", "-sa1b2"], "Unknown flag -sa1b2. Did you mean -s a1b2?"],
  [["exec", "x", "---json"], "Unknown flag ---json. Did you mean --json?"],
  [["exec", "x", "--__proto__"], "Unknown flag --__proto__."],
  [["exec", "--!strict"], "Unknown flag --!strict."],
  [["exec", "a", "b", "c"], 'Unexpected word "c".'],
  [["exec"], `CODE is required. Example: sb exec 'print("Hello from Studio")'`],
  [["run"], "FILE is required. Example: sb run script.luau"],
  [["sessions", "now"], 'Unexpected word "now".'],
  [["sessions", "--", "now"], 'Unexpected word "now".'],
  [["sessions", "--session", id], "sb sessions does not take --session."],
  [["logs", "--tail", "1", "--head", "1"], "Cannot use --tail and --head together."],
  [["logs", "--follow", "--tail", "1"], "Cannot use --follow with --tail or --head."],
  [["logs", "-f", "--head", "1"], "Cannot use --follow with --tail or --head."],
  [
    ["query", "Workspace", "--children", "--descendants"],
    "Cannot use --children and --descendants together.",
  ],
  [["toString"], 'Unknown command "toString".'],
  [["constructor"], 'Unknown command "constructor".'],
  [["__proto__"], 'Unknown command "__proto__".'],
  [["exce", "x"], 'Unknown command "exce". Did you mean exec?'],
  [["sess"], 'Unknown command "sess". Did you mean sessions?'],
  [["hello.luau"], 'Unknown command "hello.luau".'],
  [["-"], 'Unknown command "-".'],
  [["--", "exec"], "Name a command before --."],
  [["--jsno", "exec", "x"], "Unknown flag --jsno. Did you mean --json?"],
];

const named = <T>(cases: readonly (readonly [readonly string[], T])[]) =>
  cases.map(([line, expected]) => [JSON.stringify(line), line, expected] as const);

describe("understood", () => {
  test.each(named(understood))("sb %s", async (_, line, parsed) => {
    expect<object>(await parseAsync(line)).toEqual(parsed);
  });
});

describe("refused", () => {
  test("a time where there is no limit, with what ends the command", async () => {
    expect(await refusalAsync(["diff", "a", "b", "--timeout", "5s"])).toMatchObject({
      message: "sb diff does not take --timeout.",
      hint: "It has no time limit; Ctrl+C ends it.",
    });
  });
  test.each(named(refused))("sb %s", async (_, line, message) => {
    expect(await refusalAsync(line)).toMatchObject({ message, exitCode: 2 });
  });

  test("with the next step", async () => {
    expect((await refusalAsync(["exec", "--!strict"])).hint).toBe(
      "Put -- before code that starts with a dash: sb exec -- '--!strict'",
    );
    expect((await refusalAsync(["hello.luau"])).hint).toBe("To run a file: sb run hello.luau");
    expect((await refusalAsync(["state", "a", "b"])).hint).toBe(
      "sb state takes only SESSION-ID; quote text that has spaces. See `sb help state`.",
    );
  });
});

describe("a field is named as it was typed", () => {
  const nameOfAsync = async (line: readonly string[], key: string) => {
    const route = await routeAsync(line, commands);
    if (route.kind !== "command") throw new Error("no command");
    return parseWords(route.command, route.words).nameOf(key);
  };
  test.each([
    [["logs", "--tail", "0"], "count", "--tail"],
    [["logs", "--head", "0"], "count", "--head"],
    [["exec", "x"], "script", "CODE"],
    [["exec", "x", "id"], "sessionId", "SESSION-ID"],
    [["exec", "x", "-s", "id"], "sessionId", "--session"],
    [["exec", "x", "--port", "0"], "port", "--port"],
    [["run", "x"], "files", "FILE"],
  ] as const)("%j %s", async (line, key, name) => {
    expect(await nameOfAsync(line, key)).toBe(name);
  });
});
