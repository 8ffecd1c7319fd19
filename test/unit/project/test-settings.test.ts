/** The settings of `sb test` in sb.config.json: a suite counts before `test`, and faults name their place. */
import { expect, test } from "bun:test";
import { suiteNamesIn, testSettingsIn, unknownTestKeysIn } from "../../../src/project/test-settings.ts";

const file = "/game/sb.config.json";
const found = (text: string) => ({ file, bytes: new TextEncoder().encode(text) });
const settings = (test: unknown, suite?: string) =>
  testSettingsIn(found(JSON.stringify({ test }, null, 1)), suite);

const SUITES = {
  timeoutMs: 100,
  retries: 1,
  suites: { slow: { timeoutMs: 9000, place: "slow.rbxl" }, client: { setup: ["client.luau"] } },
};

test("a suite replaces the keys that it has, and keeps the others of test", () => {
  expect(settings(SUITES)).toEqual({ timeoutMs: 100, retries: 1 });
  expect(settings(SUITES, "slow")).toEqual({ timeoutMs: 9000, retries: 1, place: "/game/slow.rbxl" });
  expect(settings(SUITES, "client")).toEqual({ timeoutMs: 100, retries: 1, setup: ["/game/client.luau"] });
});

test("an unknown suite names those that there are, and where one is written if there is none", () => {
  expect(() => settings(SUITES, "slwo")).toThrow("--suite: there is no suite slwo; did you mean slow?");
  const hintOf = (test: unknown) => {
    try {
      settings(test, "none");
    } catch (error) {
      return Object(error).hint;
    }
  };
  expect(hintOf(SUITES)).toContain("/game/sb.config.json has slow, client.");
  expect(hintOf({})).toContain("Write it under test.suites of /game/sb.config.json.");
});

test("a fault inside of a section names its keys", () => {
  const faultOf = (coverage: unknown) => () => settings({ coverage });
  expect(faultOf({ thresholds: { lines: 120 } })).toThrow(
    "/game/sb.config.json:5:14: test.coverage.thresholds.lines: expected at most 100 percent",
  );
  expect(faultOf({ formats: ["text", "html"] })).toThrow(
    "json:6:5: test.coverage.formats.1: expected text, lcov",
  );
  expect(faultOf({ directory: "../out" })).toThrow("test.coverage.directory: expected a path below");
  expect(settings({ coverage: { directory: "out" } })).toEqual({ coverage: { directory: "/game/out" } });
});

test("a key that says nothing is told with its line, in every section, and harms no run", () => {
  const test = {
    tries: 1,
    coverage: { treshold: {}, perFile: true },
    suites: { a: { retires: 1, retries: 2 } },
  };
  expect(unknownTestKeysIn(found(JSON.stringify({ test }, null, 1)))).toEqual([
    '/game/sb.config.json:3:12: test: unknown key "tries"; did you mean "retries"?',
    '/game/sb.config.json:5:16: test.coverage: unknown key "treshold"; did you mean "thresholds"?',
    '/game/sb.config.json:10:16: test.suites.a: unknown key "retires"; did you mean "retries"?',
  ]);
  expect(settings(test, "a")).toEqual({ coverage: { perFile: true }, retries: 2 });
});

test("files of reporters are relative to the settings, and not outside of their folder", () => {
  expect(settings({ reporters: ["line", "junit=out/a=b.xml"] })).toEqual({
    reporters: ["line", "junit=/game/out/a=b.xml"],
  });
  for (const path of ["../up.xml", "/etc/up.xml"])
    expect(() => settings({ reporters: [`junit=${path}`] })).toThrow(
      "/game/sb.config.json:3:16: test.reporters: expected a path below the folder of this file",
    );
});

test("a fault in a suite names its line, and harms only a run with that suite", () => {
  const faulty = { suites: { a: { retires: 1 }, b: { place: "../up.rbxl" }, c: { retries: 2 }, d: 5 } };
  expect(settings(faulty)).toEqual({});
  expect(settings(faulty, "c")).toEqual({ retries: 2 });
  expect(() => settings(faulty, "b")).toThrow("test.suites.b.place: expected a path below the folder");
  expect(() => settings(faulty, "d")).toThrow("test.suites.d: expected an object");
});

test("patterns of tests are below the folder of the settings, and there is at least one", () => {
  for (const pattern of ["../up/**", "/etc/*.luau", "a/../../up/*"])
    expect(() => settings({ include: ["a/**", pattern] })).toThrow(
      "/game/sb.config.json:5:4: test.include.1: expected files below the folder of this file",
    );
  expect(() => settings({ include: [] })).toThrow("test.include: expected a pattern");
  expect(settings({ include: ["./a/**"] })).toEqual({ include: ["./a/**"] });
});

test("suites are an object also where none is asked for", () => {
  expect(() => settings({ suites: [] })).toThrow(
    "/game/sb.config.json:3:13: test.suites: expected an object",
  );
});

test("workers are a number or a percentage of the processors", () => {
  expect(settings({ workers: "50%" })).toEqual({ workers: "50%" });
  expect(() => settings({ workers: "150%" })).toThrow(
    "test.workers: expected 1 to 64 workers, or a percentage of the processors such as 50%",
  );
});

test("the names of suites are read for completion", () => {
  expect(suiteNamesIn(found(JSON.stringify({ test: SUITES })))).toEqual(["slow", "client"]);
  expect(suiteNamesIn(found("{}"))).toEqual([]);
  expect(suiteNamesIn(found(""))).toEqual([]);
});
