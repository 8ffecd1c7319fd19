/** Help fits the width of the terminal and describes every word, flag and field. */
import { describe, expect, test } from "bun:test";
import { describeCommand } from "../../../../src/command-kit/words/command-help.ts";
import { helpPageAsync, helpPages } from "../../../../src/command-kit/words/help-pages.ts";
import { commandText, overviewText, pageText } from "../../../../src/command-kit/words/help-text.ts";
import { commands as catalog } from "../../../../src/commands/index.ts";

import { createStyle, plainStyle } from "../../../../src/util/style.ts";

const commands = await catalog.allAsync();

const columns = (width: number) =>
  createStyle({ columns: width, color: false, isScreen: true, prettyJson: true });

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
    const described =
      "Give up after this time, such as 30s or 2m; a plain number is milliseconds (default: 2m)";
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

describe("a page", () => {
  const markdown =
    "# Title\n\nSome **bold** words that go on and on, until the line is far too long for it.\n";

  test("is set for a screen at its width, with colours only where they are wanted", () => {
    const plain = pageText(markdown, columns(40));
    expect(plain).not.toContain("*");
    expect(plain).not.toContain("\x1b");
    expect(plain.split("\n").filter((line) => Bun.stringWidth(line) > 40)).toEqual([]);
    const coloured = createStyle({ columns: 40, color: true, isScreen: true, prettyJson: true });
    expect(pageText(markdown, coloured)).toContain("\x1b[1m");
  });

  test("stays Markdown in a file or a pipe", () => {
    expect(pageText(markdown, plainStyle)).toBe(markdown);
  });

  test.each(helpPages.map(({ name }) => name))(
    "%s has no prose that is wider than 60 columns",
    async (name) => {
      const page = pageText((await helpPageAsync(name)) ?? "", columns(60));
      // Code keeps its lines, and a table whose words do not fit is as wide as they are.
      const prose = page.split("\n").filter((line) => !/^\s*[|+│┌└├]/.test(line));
      expect(prose.filter((line) => Bun.stringWidth(line) > 60)).toEqual([]);
    },
  );
});
