import { describe, expect, test } from "bun:test";
import { parseToolWords } from "../../../../src/command-kit/surfaces/tool-words.ts";
import { StudioBridgeError } from "../../../../src/protocol/errors.ts";
import { parseTemplate } from "../../../../src/templates/template.ts";
import { cliCases } from "../../templates/template-cases.ts";

function refusalOf(args: readonly string[]): { text: string; exitCode: number } {
  try {
    const parsed = parseToolWords(args);
    if (typeof parsed !== "string") parseTemplate(parsed.command);
  } catch (error) {
    if (error instanceof StudioBridgeError)
      return { text: `${error.message}\n${error.hint}`, exitCode: error.exitCode };
    throw error;
  }
  throw new Error(`accepted ${args.join(" ")}`);
}

describe("the command line cases", () => {
  for (const { id, args, result, exit, stderr } of cliCases) {
    test(`${id}: sb tool ${args.join(" ")}`, () => {
      if (result !== undefined) {
        const { debug, log, command } = result;
        expect(parseToolWords(args)).toEqual({ debug, ...(log === null ? {} : { log }), command });
      } else if (exit === 0) expect(parseToolWords(args)).toBe("help");
      else {
        const { text, exitCode } = refusalOf(args);
        expect(text).toContain(stderr ?? "");
        expect(exitCode).toBe(exit ?? 0);
      }
    });
  }
});

describe("other words", () => {
  test.each(["500", "500ms", "0.5s"])("a timeout is a time: %p", (word) => {
    expect(parseToolWords(["--timeout", word, "sleep", "{s}"])).toEqual({
      debug: false,
      timeoutMs: 500,
      command: ["sleep", "{s}"],
    });
  });

  test("any other text is refused as a timeout", () => {
    for (const bad of ["", "0", "0s", "-1", "1.5", "x", "3 s", "9999h"])
      expect(refusalOf(["--timeout", bad, "sleep"]).text).toContain("--timeout requires");
  });

  test("an unknown flag is refused, also the product's own", () => {
    expect(refusalOf(["--json", "echo"])).toEqual({
      text: "unknown flag: --json\nusage: sb tool [flags] COMMAND [ARG…]",
      exitCode: 1,
    });
  });

  test("the version is asked for before the command only", () => {
    expect(parseToolWords(["--version"])).toBe("version");
    expect(parseToolWords(["git", "--version"])).toEqual({ debug: false, command: ["git", "--version"] });
  });
});
