import { expect, test } from "bun:test";
import { programOnWindows, startable, type WindowsFacts } from "../../../src/programs/start-words.ts";

const files = (...paths: string[]): WindowsFacts => ({
  environment: {
    Path: String.raw`C:\tools;relative;C:\Program Files\nodejs`,
    PATHEXT: ".COM;.EXE;.BAT;.CMD",
    SystemRoot: String.raw`C:\Windows`,
  },
  isFile: (path) => paths.some((each) => each.toLowerCase() === path.toLowerCase()),
});
const CWD = String.raw`C:\work`;
const NPX = String.raw`C:\Program Files\nodejs\npx.cmd`;
const CMD = String.raw`C:\Windows\System32\cmd.exe`;

const start = (argv: string[], facts: WindowsFacts) => startable(argv, CWD, "win32", facts);

test("elsewhere than on Windows the words stay as they are", () => {
  expect(startable(["npx", "a b", '%x% "'], CWD, "linux", files())).toEqual({
    argv: ["npx", "a b", '%x% "'],
  });
});

test("a program is found by PATH and PATHEXT in their order, and never in the present folder by its name alone", () => {
  const [exe, cmd] = [String.raw`C:\tools\npx.exe`, String.raw`C:\tools\npx.cmd`];
  expect(programOnWindows("npx", CWD, files(NPX))).toBe(NPX);
  expect(programOnWindows("npx", CWD, files(NPX, cmd, exe))).toBe(exe);
  expect(programOnWindows("npx.CMD", CWD, files(exe, cmd))?.toLowerCase()).toBe(cmd.toLowerCase());
  expect(programOnWindows("npx", CWD, files(String.raw`C:\work\npx.cmd`))).toBeUndefined();
  expect(programOnWindows("npx", CWD, files(String.raw`C:\work\relative\npx.exe`))).toBeUndefined();
  expect(programOnWindows("./npx", CWD, files(String.raw`C:\work\npx.cmd`))).toBe(
    String.raw`C:\work\npx.cmd`,
  );
  expect(programOnWindows("npx", CWD, { environment: {}, isFile: () => true })).toBeUndefined();
});

test("a batch file runs in cmd.exe by its whole path, with every word in quotes", () => {
  expect(start(["npx", "rbxtsc", "--project", String.raw`src dir\ `.trimEnd()], files(NPX))).toEqual({
    argv: [CMD, "/d", "/v:off", "/s", "/c", String.raw`""${NPX}" "rbxtsc" "--project" "src dir\\""`],
    windowsVerbatimArguments: true,
  });
});

test("any other program is started itself, with whatever words", () => {
  const exe = String.raw`C:\tools\rbxtsc.exe`;
  expect(start(["rbxtsc", '%PATH% & "x"'], files(exe))).toEqual({ argv: [exe, '%PATH% & "x"'] });
  expect(start(["gone", "x"], files())).toEqual({ argv: ["gone", "x"] });
});

test.each([
  '"',
  "%PATH%",
  "a&b",
  "a|b",
  "a>b",
  "a<b",
  "a^b",
  "!x!",
  "a\nb",
  "a\rb",
  "'",
  "`x`",
  "a*",
  "a?",
  "\u0000",
])("a batch file does not get the word %j, which cmd.exe would read as code", (word) => {
  expect(() => start(["npx", word], files(NPX))).toThrow("is a batch file, and cmd.exe would read");
});

test("a batch file in a folder whose name cmd.exe would read as code is refused too", () => {
  const facts: WindowsFacts = {
    ...files(String.raw`C:\a&b\npx.cmd`),
    environment: { PATH: String.raw`C:\a&b` },
  };
  expect(() => start(["npx"], facts)).toThrow("is a batch file");
});
