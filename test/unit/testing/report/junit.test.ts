/** The JUnit report is XML with unique names and one failure for a case. */
import { expect, test } from "bun:test";
import { parseXml, type XmlElement } from "../../../../src/roblox/xml-parser.ts";
import { junitText } from "../../../../src/testing/report/junit.ts";
import { Tally } from "../../../../src/testing/report/tally.ts";
import { HARMFUL, MIXED, resultsOf, runOf, type SampleCase } from "./sample-run.ts";

function elementsOf(xml: string): readonly XmlElement[] {
  const all: XmlElement[] = [];
  parseXml(xml, { take: () => undefined, begin: (element) => void all.push(element), end: () => true });
  return all;
}
const parsed = (files: Readonly<Record<string, readonly SampleCase[]>>): readonly XmlElement[] =>
  elementsOf(junitText(resultsOf(files), 1234, 0));
const named = (elements: readonly XmlElement[], name: string) =>
  elements.filter((element) => element.name === name);

test("there is a suite for each file, and the counts are right", () => {
  const elements = parsed(MIXED);
  const [root] = named(elements, "testsuites");
  expect(Object.fromEntries(root?.attributes ?? [])).toMatchObject({
    tests: "6",
    failures: "2",
    skipped: "2",
    time: "1.234",
  });
  expect(named(elements, "testsuite").map(({ attributes }) => attributes.get("name"))).toEqual(
    Object.keys(MIXED),
  );
  expect(named(elements, "testsuite")[0]?.attributes.get("timestamp")).toBe("1970-01-01T00:00:00");
});

test("a failure has its message, and its stack in the form in which readers find files", () => {
  const [failure] = named(parsed(MIXED), "failure");
  expect(failure?.attributes.get("message")).toBe("expected the value to equal 2.38, but it is 2.2");
  expect(failure?.text).toContain(
    "    at function (src/shop/Cart.spec.luau:4:1)\n    at total (src/shop/Cart.luau:2:1)",
  );
});

test("a case that passed in a later try has a flakyFailure, and a case that never passed a rerunFailure", () => {
  const elements = parsed({
    "a.spec.luau": [
      { names: ["late"], earlier: ["once"] },
      { names: ["never"], status: "failed", failure: { message: "twice" }, earlier: ["once"] },
    ],
  });
  expect(named(elements, "flakyFailure")).toHaveLength(1);
  expect(named(elements, "rerunFailure")).toHaveLength(1);
  expect(named(elements, "failure")).toHaveLength(1);
});

test("names are unique, and texts contain no character that XML forbids", () => {
  const elements = parsed({
    "a.spec.luau": [
      { names: [HARMFUL], status: "failed", failure: { message: HARMFUL }, output: [HARMFUL] },
      { names: ["b"] },
    ],
  });
  const cases = named(elements, "testcase").map(({ attributes }) => attributes.get("name"));
  expect(new Set(cases).size).toBe(2);
  expect(named(elements, "failure")[0]?.text).toContain('wiped\ufffd ]]> <b> & "q"');
  for (const { text } of elements) expect(text).not.toMatch(/[\u0000-\u0008\u001b]/);
});

test("readers such as GitLab's find every case once, and a file and a line in each stack", () => {
  const tally = new Tally();
  for (const event of runOf(MIXED)) tally.add(event);
  // The same file again, in a client and with two repetitions.
  for (const more of [{ context: "client 2" }, { repeat: 2 }])
    for (const event of runOf(MIXED)) tally.add("try" in event ? { ...event, ...more } : event);
  const elements = elementsOf(junitText(tally.files(), 1234, 0));
  // GitLab drops a case with the same class and name as another one.
  const keys = named(elements, "testcase").map(
    ({ attributes }) => `${attributes.get("classname")}\0${attributes.get("name")}`,
  );
  expect(keys).toHaveLength(18);
  expect(new Set(keys).size).toBe(18);
  // The other reader finds a file in a line that ends with the path, the line and a column in parentheses.
  const stacks = named(elements, "failure").map(({ text }) => text.split("\n"));
  expect(
    stacks.map((lines) => lines.flatMap((line) => /\((.*):(\d+):(\d+)\)$/.exec(line)?.[1] ?? [])[0]),
  ).toEqual(
    [
      "src/shop/Cart.spec.luau",
      "src/broken.spec.luau",
      "src/shop/Cart.spec.luau",
      "src/broken.spec.luau",
    ].concat(["src/shop/Cart.spec.luau", "src/broken.spec.luau"]),
  );
});

test("output of passed cases is left out, and long output is cut", () => {
  const elements = parsed({
    "a.spec.luau": [
      { names: ["good"], output: ["quiet"] },
      { names: ["bad"], status: "failed", output: ["x".repeat(500_000)] },
    ],
  });
  expect(named(elements, "system-out").map(({ text }) => text.slice(100_000))).toEqual([
    "… (400000 more characters)",
  ]);
});
