/** How the failure of a script is shown: message, source line, traceback and the next step. */
import { describe, expect, test } from "bun:test";
import { failureText, messageOf } from "../../../../src/command-kit/scripts/script-failure.ts";
import { createStyle, plainStyle } from "../../../../src/util/style.ts";

const columns = (width: number) =>
  createStyle({ columns: width, color: false, isScreen: true, prettyJson: true });

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
