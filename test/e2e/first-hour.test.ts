/** docs/first-hour.md, word by word: its files are written, its commands and calls run, and what it shows is compared. */
import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { shellWords } from "../../src/templates/shell-words.ts";
import { McpPeer } from "../peers/mcp-peer.ts";
import { sandbox } from "../sandbox.ts";

const PAGE = join(import.meta.dir, "../../docs/first-hour.md");

const box = sandbox();

interface Block {
  /** Where the content is a file, its name. */
  readonly file: string | undefined;
  readonly isConsole: boolean;
  readonly lines: readonly string[];
}

async function blocksAsync(): Promise<readonly Block[]> {
  const page = await readFile(PAGE, "utf8");
  return Array.from(
    page.matchAll(/^```(\w+)(?: (\S+))?\n([^]*?)^```$/gm),
    ([, kind, file, content = ""]) => ({
      file,
      isConsole: kind === "console",
      lines: content.split("\n").slice(0, -1),
    }),
  );
}

interface Step {
  /** A command behind `$`, or a call behind `>`. */
  readonly line: string;
  readonly expected: string[];
}

function stepsIn(lines: readonly string[]): readonly Step[] {
  const steps: Step[] = [];
  for (const line of lines) {
    if (/^[$>] /.test(line)) steps.push({ line, expected: [] });
    else steps.at(-1)?.expected.push(line);
  }
  return steps;
}

/** `…` alone stands for any lines, and within a line for any characters. */
function patternOf(expected: readonly string[]): RegExp {
  const shown = expected.map((line) => line.trim()).filter((line) => line !== "");
  const lines = shown.map((line) =>
    line === "…" ? "(?:.*\\n)*?" : `${line.split("…").map(RegExp.escape).join(".*")}\\n`,
  );
  return new RegExp(`^${lines.join("")}$`);
}

async function answerAsync(line: string, agent: McpPeer): Promise<string> {
  const words = line.slice(2);
  if (line.startsWith("> ")) {
    const name = words.split(" ", 1)[0] ?? "";
    const { content } = await agent.toolAsync(name, JSON.parse(words.slice(name.length)));
    const blocks: readonly { text?: string }[] = Array.isArray(content) ? content : [];
    return blocks.map(({ text = "" }) => text).join("\n");
  }
  const { stdout, stderr } = await box.localSbAsync(shellWords(words).slice(1), {
    SB_PORT: String(box.port),
  });
  return [stdout, stderr].filter((text) => text !== "").join("\n");
}

const tidy = (answer: string) =>
  `${answer
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n")}\n`;

test("each line of the story does what the page shows", async () => {
  // The Studio that the story leaves in the background ends with the test, however that goes.
  await using _ = { [Symbol.asyncDispose]: async () => void (await box.sbAsync(["close", "--discard"])) };
  await using agent = new McpPeer(box);
  await agent.initializeAsync();
  for (const { file, isConsole, lines } of await blocksAsync()) {
    if (file !== undefined) await box.writeAsync(file, `${lines.join("\n")}\n`);
    for (const { line, expected } of isConsole ? stepsIn(lines) : []) {
      const answer = tidy(await answerAsync(line, agent));
      expect({ line, answer }).toEqual({ line, answer: expect.stringMatching(patternOf(expected)) });
    }
  }
}, 120_000);
