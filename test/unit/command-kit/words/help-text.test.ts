/** Help fits the width of the terminal and describes every word, flag and field. */
import { describe, expect, test } from "bun:test";
import { describeCommand } from "../../../../src/command-kit/words/command-help.ts";
import { commandText, overviewText } from "../../../../src/command-kit/words/help-text.ts";
import { commands as catalog } from "../../../../src/commands/index.ts";

import { createStyle } from "../../../../src/util/style.ts";

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
