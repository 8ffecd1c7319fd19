import { describe, expect, test } from "bun:test";
import { knownFilesAsync } from "../../../../src/check/luau-lsp/known-files.ts";
import { readReport } from "../../../../src/check/luau-lsp/read-report.ts";

const FILES = ["/p/src/a.luau", "/p/src/b [x].luau", "/p/c: d.luau", "/other/e.luau"];
const nameOf = await knownFilesAsync("/p", FILES, "linux");
const read = (...lines: readonly string[]) => readReport(lines.join("\n"), nameOf);
const shown = (...lines: readonly string[]) =>
  read(...lines).findings.map(({ file, line, message }) => `${file}:${line} ${message}`);

describe("readReport", () => {
  test("reads a finding with its place, code and kind", () => {
    expect(read("src/a.luau:3.5-4.9: TypeError: no", "src/a.luau:7.1-7.2: LocalUnused: x").findings).toEqual([
      {
        file: "src/a.luau",
        line: 3,
        column: 5,
        endLine: 4,
        endColumn: 9,
        severity: "error",
        code: "TypeError",
        message: "no",
      },
      {
        file: "src/a.luau",
        line: 7,
        column: 1,
        endLine: 7,
        endColumn: 2,
        severity: "warning",
        code: "LocalUnused",
        message: "x",
      },
    ]);
  });

  test("knows files that Instances come from, with spaces, colons and brackets in their names", () => {
    expect(
      shown(
        "/p/src/a.luau [game/Server/a]:1.1-1.2: TypeError: one",
        "/p/src/b [x].luau [game/Server/b [x]]:2.1-2.2: TypeError: two",
        "src/b [x].luau:3.1-3.2: TypeError: three",
        "c: d.luau:4.1-4.2: TypeError: four: 5.1-5.2: TypeError: of it",
        "../other/e.luau:5.1-5.2: TypeError: five",
      ),
    ).toEqual([
      "/other/e.luau:5 five",
      "c: d.luau:4 four: 5.1-5.2: TypeError: of it",
      "src/a.luau:1 one",
      "src/b [x].luau:2 two",
      "src/b [x].luau:3 three",
    ]);
  });

  test("reads paths of Windows, in both forms of a place and in any case", async () => {
    const windows = await knownFilesAsync("C:\\p", ["C:\\p\\src\\a.luau"], "win32");
    const { findings } = readReport(
      "c:\\P\\src\\a.luau [game/A]:1.2-1.3: TypeError: one\r\nsrc/a.luau:3:5-9: (W0) TypeError: two\r\n",
      windows,
    );
    expect(
      findings.map(({ line, column, endColumn, message }) => [line, column, endColumn, message]),
    ).toEqual([
      [1, 2, 3, "one"],
      [3, 5, 9, "two"],
    ]);
  });

  test("joins the lines of a message, and leaves out what is said about other files and twice", () => {
    expect(
      shown(
        "src/a.luau:1.1-1.2: TypeError: first",
        "  second",
        "Packages/x.luau:1.1-1.2: TypeError: of a package",
        "  that goes on",
        "src/a.luau:1.1-1.2: TypeError: first",
        "  second",
      ),
    ).toEqual(["src/a.luau:1 first\n  second"]);
  });

  test("tells remarks, failures and what is strange apart", () => {
    const report = read(
      "[INFO] Loading definitions",
      "WARNING: something",
      "<html>",
      "src/a.luau:1.1-1.2: TypeError: one",
      "/p/.luaurc: Expected ':'",
      "[ERROR] Failed to read definitions",
    );
    expect(report).toMatchObject({
      total: 1,
      strange: ["<html>"],
      failures: ["/p/.luaurc: Expected ':'", "Failed to read definitions"],
    });
    expect(report.findings.map(({ message }) => message)).toEqual(["one"]);
  });

  test("a line without end takes no time", () => {
    const line = `src/a.luau:${" [".repeat(200_000)}`;
    expect(read(line, "src/a.luau:1.1-1.2: TypeError: one").findings).toHaveLength(1);
  });
});
