import { afterEach, beforeEach, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { History } from "../../../src/terminal/history.ts";

let folder: string;
const file = () => join(folder, "terminal-history");
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sb-history-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("the history is kept, newest first, in a file of its owner alone", () => {
  const history = History.open(folder);
  history.add("one");
  history.add("for i = 1, 2 do\n\tprint(i)\nend");
  expect(History.open(folder).entries).toEqual(["for i = 1, 2 do\n\tprint(i)\nend", "one"]);
  if (process.platform !== "win32") expect(statSync(file()).mode & 0o777).toBe(0o600);
});

test("the history keeps no blank text, and a repeated text once", () => {
  const history = History.open(folder);
  for (const text of ["one", "one", " ", "two", "one"]) history.add(text);
  expect(history.entries).toEqual(["one", "two", "one"]);
  expect(History.open(folder).entries).toEqual(["one", "two", "one"]);
});

test("the history of two terminals at once is kept whole", () => {
  const [left, right] = [History.open(folder), History.open(folder)];
  left.add("left with a long text");
  right.add("right");
  left.add("l");
  expect(History.open(folder).entries).toEqual(["l", "right", "left with a long text"]);
});

test("damaged lines of the file are left out", () => {
  writeFileSync(file(), '"good"\nrubbish\n{}\n"also good"\n"cut of');
  expect(History.open(folder).entries).toEqual(["also good", "good"]);
});

test("the file does not grow for ever", () => {
  for (let index = 0; index < 2_500; index += 1) appendFileSync(file(), `"line ${index}"\n`);
  const { entries } = History.open(folder);
  expect([entries.length, entries[0], entries.at(-1)]).toEqual([1_000, "line 2499", "line 1500"]);
  expect(readFileSync(file(), "utf8").split("\n")).toHaveLength(1_001);
});

test("the history lasts as long as the terminal if the folder cannot be written", () => {
  writeFileSync(join(folder, "file"), "");
  const history = History.open(join(folder, "file"));
  history.add("one");
  expect(history.entries).toEqual(["one"]);
});
