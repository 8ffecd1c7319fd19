/** The reporters of a run: named ones, and the defaults for a terminal, an agent and GitHub Actions. */
import { expect, test } from "bun:test";
import { checkScreen, wantedReporters } from "../../../../src/testing/project/wanted-reporters.ts";

const names = (words: readonly string[], variables = {}, isScreen = false) =>
  wantedReporters(words, variables, isScreen).map(({ name }) => name);

test("the default is pretty on a terminal, line in a pipe, and agent for an agent, unless a reporter is named", () => {
  expect(names([], {}, true)).toEqual(["pretty"]);
  expect(names([])).toEqual(["line"]);
  expect(names([], { CLAUDECODE: "1" }, true)).toEqual(["agent"]);
  expect(names(["tap"], { CLAUDECODE: "1" }, true)).toEqual(["tap"]);
});

test("a reporter with a file does not replace the one on the screen", () => {
  const [junit, line] = wantedReporters(["junit=out/a=b.xml"], {}, false);
  expect(junit).toEqual({ name: "junit", file: expect.stringMatching(/out[\\/]a=b\.xml$/) });
  expect(line).toEqual({ name: "line" });
});

test("GitHub Actions adds annotations once", () => {
  expect(names([], { GITHUB_ACTIONS: "true" })).toEqual(["line", "github"]);
  expect(names(["github"], { GITHUB_ACTIONS: "true" })).toEqual(["line", "github"]);
});

test("the reporter github adds annotations below the report on the screen, and does not replace it", () => {
  expect(names(["github", "junit=a.xml"])).toEqual(["junit", "line", "github"]);
  expect(names(["github", "agent"])).toEqual(["agent", "github"]);
});

test("GitHub Actions adds no annotations to a report that another program reads from the screen", () => {
  for (const name of ["json", "blob", "junit", "tap"] as const)
    expect(names([name], { GITHUB_ACTIONS: "true" })).toEqual([name]);
});

test("an unknown reporter, two reporters for the screen and an empty file name are refused", () => {
  expect(() => names(["jnuit"])).toThrow("There is no reporter jnuit; did you mean junit?");
  expect(() => names(["tap", "line"])).toThrow(
    "Only one reporter can have the screen, and tap, line were named.",
  );
  expect(() => names(["junit="])).toThrow("--reporter junit= names no file.");
});

test("two reporters with one file are refused, because the later report would replace the earlier one", () => {
  for (const words of [
    ["junit=a.xml", "html=./a.xml"],
    ["line", "tap=out/../a.xml", "tap=a.xml"],
  ])
    expect(() => names(words)).toThrow("would write the same file");
  expect(names(["junit=a.xml", "html=a.html"])).toEqual(["junit", "html", "line"]);
});

test("--json can be combined only with reporters that write files, and with json", () => {
  expect(() => checkScreen(["junit=a.xml", "line"], true)).toThrow("Cannot use --json with --reporter line");
  for (const words of [["junit=a.xml"], ["json"], []]) checkScreen(words, true);
  checkScreen(["line"], false);
});
