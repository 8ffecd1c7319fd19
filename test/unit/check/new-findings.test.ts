import { expect, test } from "bun:test";
import type { Finding } from "../../../src/check/finding.ts";
import { newFindings } from "../../../src/check/new-findings.ts";

const finding = (file: string, line: number, message: string, code = "TypeError"): Finding => ({
  file,
  line,
  column: 1,
  endLine: line,
  endColumn: 1,
  severity: "error",
  code,
  message,
});

test("a finding that has moved is old, and one more of the same is new", () => {
  const before = [finding("a", 1, "x"), finding("b", 1, "x")];
  const after = [
    finding("a", 9, "x"),
    finding("a", 12, "x"),
    finding("b", 1, "x", "Other"),
    finding("c", 1, "x"),
  ];
  expect(newFindings(before, after).map(({ file, line, code }) => `${file}:${line} ${code}`)).toEqual([
    "a:12 TypeError",
    "b:1 Other",
    "c:1 TypeError",
  ]);
  expect(newFindings(after, after)).toEqual([]);
  expect(newFindings(after, [finding("a", 1, "x")])).toEqual([]);
});
