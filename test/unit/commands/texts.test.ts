/** What people read: tables and help that fit, values, log lines, failures. */
import { describe, expect, test } from "bun:test";
import { describeCommand } from "../../../src/command/words/command-help.ts";
import { commandText, overviewText } from "../../../src/command/words/help-text.ts";
import { commands } from "../../../src/commands/index.ts";
import { roundedMs } from "../../../src/command/scripts/execute-script.ts";
import { logLine } from "../../../src/command/scripts/log-line.ts";
import { failureText, messageOf } from "../../../src/command/scripts/script-failure.ts";
import { sessionTable } from "../../../src/commands/sessions/session-table.ts";
import { valueText } from "../../../src/command/scripts/value-text.ts";
import { actions } from "../../../src/protocol/actions.ts";
import type { SerializedValue } from "../../../src/protocol/values.ts";
import { createStyle, plainStyle } from "../../../src/util/style.ts";
import { edit, sessionInfo } from "../command/sessions/sessions-fixture.ts";

const columns = (width: number) =>
  createStyle({ columns: width, color: false, isScreen: true, prettyJson: true });

describe("the list of sessions", () => {
  const server = sessionInfo({
    sessionId: "f9e8d7c6-b5a4-3210-fedc-ba0987654321",
    instanceId: "inst-002",
    placeName: "A rather long name of a place.rbxl",
    context: "server",
    state: "Play",
    origin: "headless",
    uptimeMs: 942_000,
  });

  test("of one session at 200 columns is spec 2's", () => {
    expect(sessionTable([edit], columns(200)).split("\n")).toEqual([
      "  SESSION ID                            PLACE           CONTEXT  STATE  PLACE ID    ORIGIN  CONNECTED",
      "  a1b2c3d4-e5f6-7890-abcd-ef1234567890  TestPlace.rbxl  Edit     Edit   1234567890  user    2m 30s",
      "",
      "1 session connected.",
    ]);
  });

  test("of two Studios at 100 columns shortens ids", () => {
    expect(sessionTable([edit, server], columns(100)).split("\n")).toEqual([
      "  Instance: TestPlace.rbxl (inst-001)",
      "",
      "  SESSION ID  PLACE                               CONTEXT  STATE  PLACE ID    ORIGIN    CONNECTED",
      "  a1b2c3d4    TestPlace.rbxl                      Edit     Edit   1234567890  user      2m 30s",
      "",
      "  Instance: A rather long name of a place.rbxl (inst-002)",
      "",
      "  SESSION ID  PLACE                               CONTEXT  STATE  PLACE ID    ORIGIN    CONNECTED",
      "  f9e8d7c6    A rather long name of a place.rbxl  Server   Play   1234567890  headless  15m 42s",
      "",
      "2 sessions connected (2 instances).",
    ]);
  });

  test("of Studios with long ids and names fits 60 columns", () => {
    const instanceId = "A1A9A06B-069C-4493-9137-8C00192DDC10";
    const named = { ...server, instanceId, placeName: "A place with the very longest of all names.rbxl" };
    const headings = (...of: (typeof edit)[]) =>
      sessionTable([edit, ...of], columns(60))
        .split("\n")
        .filter((line) => line.includes("Instance:"));
    expect(headings({ ...named, placeName: "Short.rbxl" })).toContain("  Instance: Short.rbxl (A1A9A06B)");
    expect(headings(named, { ...named, instanceId: "A1A9A06C" })).toEqual([
      "  Instance: TestPlace.rbxl (inst-001)",
      "  Instance: A place with the very longest of all… (A1A9A06B)",
      "  Instance: A place with the very longest of all… (A1A9A06C)",
    ]);
  });

  test("fits 60 columns", () => {
    const lines = sessionTable([edit, server], columns(60)).split("\n");
    expect(lines.filter((line) => Bun.stringWidth(line) > 60)).toEqual([]);
    expect(lines).toContain("  f9e8d7c6    A rather long name…  Server   Play   15m 42s");
  });
});

describe("help", () => {
  const shown = commands.filter(({ cli }) => cli.hidden !== true).map(describeCommand);

  test.each(shown.map((help) => [help.name, help] as const))("for %s fits 60 columns", (_, help) => {
    const prose = commandText({ ...help, examples: [] }, columns(60)).split("\n");
    expect(prose.filter((line) => Bun.stringWidth(line) > 60)).toEqual([]);
  });

  test("names the default timeout of commands that wait for one request", () => {
    const timeoutOf = (name: string) =>
      shown
        .find((help) => help.name === name)
        ?.sections.flatMap(({ flags }) => flags)
        .find(({ spelling }) => spelling.includes("--timeout"))?.description;
    const described = `Give up after this many milliseconds (default: ${actions.execute.timeoutMs})`;
    expect(["exec", "run", "terminal", "close"].map(timeoutOf)).toEqual([
      described,
      described,
      described,
      undefined,
    ]);
  });

  test.each([
    ["close", ["--headless", "--place", "--timeout"]],
    ["screenshot", ["--headless", "--place"]],
    ["connect", ["--session", "--instance", "--context", "--headless", "--place"]],
    ["launch", ["--remote"]],
    ["headless", ["--remote"]],
    ["version", ["--port"]],
  ])("for %s leaves out the flags that mean nothing to it", (name, meaningless) => {
    const help = shown.find((each) => each.name === name);
    const spellings = help?.sections.flatMap(({ flags }) => flags.map(({ spelling }) => spelling)) ?? [];
    expect(spellings).toContain("    --json");
    for (const flag of meaningless) expect(spellings.filter((each) => each.includes(flag))).toEqual([]);
  });

  test("shows that --coverage takes a class", () => {
    const help = shown.filter(({ name }) => name === "headless");
    expect(help.map((each) => commandText(each, columns(200)))).toEqual([
      expect.stringMatching(/--coverage \[CLASS\]/),
    ]);
  });

  test("lists every command but hidden ones", () => {
    const text = overviewText(shown, columns(60));
    for (const { name, summary } of shown) expect(text).toMatch(new RegExp(`^  ${name} +${summary}$`, "m"));
    expect(text).not.toContain("headless-child");
    expect(text.split("\n").filter((line) => Bun.stringWidth(line) > 60)).toEqual([]);
  });

  test.each(commands.map((command) => [command.name, command] as const))(
    "%s describes every flag, word and input field",
    (_, command) => {
      const help = describeCommand(command);
      const descriptions = [
        ...help.arguments.map(({ description }) => description),
        ...help.sections.flatMap(({ flags }) => flags.map(({ description }) => description)),
        ...Object.values(command.input().shape).map(({ description }) => description ?? ""),
      ];
      expect(descriptions.filter((description) => description === "")).toEqual([]);
    },
  );
});

describe("a value", () => {
  const values: readonly (readonly [SerializedValue, string])[] = [
    ["plain", "plain"],
    [1.5, "1.5"],
    [true, "true"],
    [{ type: "nil" }, "nil"],
    [{ type: "number", value: "inf" }, "inf"],
    [[1, "two", null], '{1, "two", nil}'],
    [{ a: 1, "b c": [true] }, '{a = 1, ["b c"] = {true}}'],
    [{}, "{}"],
    [{ type: "Vector3", value: [1, 2.5, "inf"] }, "Vector3(1, 2.5, inf)"],
    [{ type: "EnumItem", enum: "Material", name: "Plastic", value: 256 }, "Enum.Material.Plastic"],
    [{ type: "BrickColor", name: "Bright red", value: 21 }, 'BrickColor("Bright red")'],
    [{ type: "Instance", className: "Part", path: "game.Workspace.Part" }, "game.Workspace.Part (Part)"],
    [{ type: "Instance", className: "Part", name: "Loose" }, "Loose (Part)"],
    [
      { type: "Font", family: "f", weight: "Bold", style: "Normal" },
      "Font(family = f, weight = Bold, style = Normal)",
    ],
    [{ type: "bytes", base64: "AAEC" }, "bytes (3 bytes)"],
    [
      {
        type: "table",
        entries: [
          [1, "a"],
          [{ type: "nil" }, 2],
        ],
      },
      '{[1] = "a", [nil] = 2}',
    ],
    [{ type: "Unsupported", typeName: "thread", toString: "thread: 0x1" }, "thread: 0x1"],
    [{ type: "FromTheFuture", size: 3 }, "FromTheFuture(3)"],
  ];
  test.each(values)("%j", (value, text) => {
    expect(valueText(value)).toBe(text);
  });

  test("that is long takes a line for each item", () => {
    const names = ["Workspace", "ReplicatedStorage", "ServerScriptService", "StarterPlayer", "Lighting"];
    expect(valueText([...names, { inner: ["x"] }])).toBe(
      ["{", ...names.map((name) => `  "${name}",`), '  {inner = {"x"}},', "}"].join("\n"),
    );
  });
});

test("a duration is told to the microsecond", () => {
  expect([0.3906610000000228, 0.1 + 0.2, 12].map(roundedMs)).toEqual([0.391, 0.3, 12]);
});

describe("a log line", () => {
  const time = new Date(2026, 0, 2, 14, 30, 2).getTime();

  test("has the time of day, the level and the body", () => {
    const line = logLine({ level: "Print", body: "Hello", timestamp: 12_340, time }, plainStyle);
    expect(line).toBe("14:30:02 [Print]   Hello");
  });

  test("without a clock counts from the connection, and aligns further lines", () => {
    const line = logLine({ level: "Warning", body: "a\nb", timestamp: 12_340 }, plainStyle);
    expect(line).toBe("+12.340s [Warning] a\n                   b");
  });

  test("shows control characters on a screen and keeps them in a pipe", () => {
    const entry = { level: "Print", body: "\x1b[2Jgone\r", timestamp: 0, time } as const;
    expect(logLine(entry, columns(80))).toEndWith("\\x1b[2Jgone\\r");
    expect(logLine(entry, plainStyle)).toEndWith("\x1b[2Jgone\r");
  });
});

describe("a failed script", () => {
  const source = 'print("never")\n\tlocal x = = 3\n';

  test("shows its message, the line of source and the traceback", () => {
    const failure = {
      error: "a.luau:2: Expected identifier",
      errorInfo: { code: "SCRIPT_LOAD_ERROR", line: 2, traceback: "a.luau:2 function f\na.luau:9\n" },
    };
    expect(failureText(failure, source, "a.luau", columns(60)).split("\n")).toEqual([
      "Script error: a.luau:2: Expected identifier",
      "  2 |   local x = = 3",
      "    |   ^^^^^^^^^^^^^",
      "a.luau:2 function f",
      "a.luau:9",
    ]);
  });

  test("that ends too early shows the last line, marked at its end", () => {
    const failure = { error: "a.luau:4: Expected 'end'", errorInfo: { code: "SCRIPT_LOAD_ERROR", line: 4 } };
    expect(failureText(failure, "if x then\n\ty()\n", "a.luau", columns(60)).split("\n")).toEqual([
      "Script error: a.luau:4: Expected 'end'",
      "  2 |   y()",
      "    |      ^",
    ]);
  });

  const tracebackOf = (frames: readonly string[]) => {
    const errorInfo = { code: "SCRIPT_RUNTIME_ERROR", traceback: frames.join("\n") };
    return failureText({ error: "stack overflow", errorInfo }, "", "a", plainStyle).split("\n").slice(1);
  };

  test("by a recursion without end tells each frame once", () => {
    expect(tracebackOf([...Array<string>(49).fill("a:1 function f"), "a:2"])).toEqual([
      "a:1 function f",
      "(this frame 48 more times)",
      "a:2",
    ]);
    const pair = ["a:1 function f", "a:2 function g"];
    expect(
      tracebackOf(["a:9", ...Array.from({ length: 10 }, () => pair).flat(), ...pair.slice(0, 1)]),
    ).toEqual(["a:9", ...pair, "(these 2 frames 9 more times)", "a:1 function f"]);
    expect(tracebackOf(["a:1", "a:1", "a:2"])).toEqual(["a:1", "a:1", "a:2"]);
  });

  test("of a long expression does not repeat it", () => {
    const failure = { error: "no", errorInfo: { code: "SCRIPT_LOAD_ERROR", isExpression: true } };
    const text = failureText(failure, "{\n  1,\n  2\n}", undefined, plainStyle);
    expect(text).toBe("Script error: no\nhint: To see its value, put `return` before it.");
  });

  test("does not show its own line for an error in another script", () => {
    const errorInfo = { code: "SCRIPT_RUNTIME_ERROR", line: 2, traceback: "Module:2\n" };
    const failure = { error: "Module:2: oops", errorInfo };
    expect(failureText(failure, source, "a.luau", plainStyle)).toBe("Script error: Module:2: oops");
  });

  test("with a table as its error is told by what is in it, unless the table has a text", () => {
    const errorInfo = { code: "SCRIPT_RUNTIME_ERROR", value: { code: 1 } };
    expect(messageOf({ error: "table: 0x0000d3adb33f", errorInfo })).toBe("{code = 1}");
    expect(messageOf({ error: "mine", errorInfo })).toBe("mine");
  });

  test("that was stopped made no error of its own", () => {
    const stopped = (error: string, code: string) =>
      failureText({ error, errorInfo: { code } }, source, "a.luau", plainStyle);
    expect(stopped("Cancelled.", "CANCELLED")).toBe("error: Cancelled.");
    expect(stopped("Script execution timed out after 1 second.", "TIMEOUT").split("\n")).toEqual([
      "error: Script execution timed out after 1 second.",
      "hint: Raise it with --timeout (milliseconds), or make the work smaller.",
    ]);
  });

  test("says the next step where there is one", () => {
    const failure = { error: "Part:ApplyImpulse() is …", errorInfo: { code: "NOT_SIMULATED" } };
    expect(failureText(failure, source, "a.luau", plainStyle)).toEndWith("\nhint: Run it in Roblox Studio.");
  });
});
