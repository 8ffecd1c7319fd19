/**
 * Agents read no words of the command line, and people no words of agents: every sentence of the sources is looked at, as a
 * hint, as a message, and as it stands.
 */
import { expect, test } from "bun:test";
import { readSourcesAsync } from "../../scripts/check/sources.ts";
import { commands } from "../../src/commands/index.ts";
import { failureFacts } from "../../src/mcp/studio/failure-facts.ts";
import { inputSchemaOf } from "../../src/mcp/studio/tool-schemas.ts";
import { StudioBridgeError } from "../../src/protocol/errors.ts";

interface Sentence {
  readonly path: string;
  readonly text: string;
  /** The code right before it. */
  readonly before: string;
}

const LITERAL = /"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\\n]|\\.)*)`/g;

/** The texts of more than one word. What a template fills in counts as a name. */
function sentencesIn(path: string, source: string): Sentence[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/(^|\s)\/\/[^\n]*/g, "$1");
  return [...code.matchAll(LITERAL)].flatMap(({ 1: quoted, 2: template = "", index }) => {
    const text = (quoted ?? template).replaceAll("\\`", "`").replaceAll(/\$\{[^}]*\}/g, "NAME");
    return text.includes(" ") ? [{ path, text, before: code.slice(Math.max(0, index - 60), index) }] : [];
  });
}

const sources = await readSourcesAsync("src", "**/*.ts");
const sentences = [...sources].flatMap(([path, text]) => sentencesIn(path, text));

/** A flag or a command, unless the agent is to ask the user. */
const OF_PEOPLE = /(?<!Ask the user.*)(?:(?<![\w-])--[a-z]|`sb [a-z])/;

const forAgents = (text: string): readonly unknown[] => {
  const facts = (["INVALID_INPUT", "EDIT_REFUSED"] as const).map((code) =>
    failureFacts(new StudioBridgeError(code, "It failed.", { hint: text }), {}),
  );
  return facts.map(({ hint }) => hint);
};

test("a hint with words of the command line reaches an agent in its own words", () => {
  const spelled = sentences.filter(({ text }) => OF_PEOPLE.test(text));
  expect(spelled.length).toBeGreaterThan(100);
  const left = spelled.flatMap(({ path, text }) =>
    forAgents(text).flatMap((hint) => (OF_PEOPLE.test(String(hint)) ? [`${path}: ${String(hint)}`] : [])),
  );
  expect(left).toEqual([]);
});

test("a message of an error reaches an agent without commands that it has as tools", async () => {
  const tools = (await commands.allAsync()).filter(({ surfaces }) => surfaces.includes("mcp"));
  const named = new RegExp(`\`sb (?:${tools.map(({ name }) => name).join("|")})[ \`]|(?<![\\w-])--[a-z]`);
  const messages = sentences.filter(({ before }) =>
    /(?:invalidInput\(|StudioBridgeError\(\s*"[A-Z_]+",)\s*$/.test(before),
  );
  expect(messages.length).toBeGreaterThan(100);
  const left = messages.flatMap(({ path, text }) => {
    const told = String(failureFacts(new StudioBridgeError("EDIT_REFUSED", text), {})["error"]);
    return named.test(told) ? [`${path}: ${told}`] : [];
  });
  expect(left).toEqual([]);
});

test("what agents read of a tool names no flag and no command", async () => {
  const tools = (await commands.allAsync()).filter(({ surfaces }) => surfaces.includes("mcp"));
  const texts = tools.map((tool) => JSON.stringify([tool.agentDescription, inputSchemaOf(tool)]));
  expect(texts.filter((text) => OF_PEOPLE.test(text))).toEqual([]);
});

/** Files with sentences that people never read, or that are about a tool. */
const OF_AGENTS_ALONE: { readonly [path: string]: string } = {
  "check/luau-lsp/find-luau-lsp.ts": "the hints for agents stand beside those for people",
  "command-kit/surfaces/mcp-options.ts": "the flag of sb mcp says which tool it is about",
  "edit/undo-steps.ts": "the notes for agents stand beside those for people",
  "commands/model/insert.ts": "file and assetId are arguments of agents; people have one word for both",
  "commands/query/query.ts":
    "selectors and listServices are arguments of agents; people have sb find and --services",
  "scripts/edit-input.ts": "lists of edits are arguments of agents; flags are checked in words of flags",
  "commands/script/script-edit.ts": "lists of edits are arguments of agents",
  "commands/wait/wait.ts": "since is an argument of agents",
  "protocol/actions/queries.ts": "fields of messages",
  "protocol/envelope.ts": "fields of messages",
};

/** Names that only arguments have. People write `className` themselves, in files of Rojo and of operations. */
async function argumentNamesAsync(): Promise<readonly string[]> {
  const schemas = JSON.stringify((await commands.allAsync()).map((command) => inputSchemaOf(command)));
  const names = new Set([...schemas.matchAll(/"([a-z]+[A-Z]\w*)":/g)].map(([, name = ""]) => name));
  return [...names].filter((name) => name !== "className");
}

test("people read no names of tools and arguments", async () => {
  const names = await argumentNamesAsync();
  expect(names).toEqual(expect.arrayContaining(["includeAttributes", "sessionId", "endLine"]));
  const ofAgents = new RegExp(`\\bstudio_[a-z]+|\\b(?:${names.join("|")})\\b`);
  const isForAgents = ({ path, before }: Sentence) =>
    path.startsWith("mcp/") || /agent\w*:\s*(?:\([^)]*\) =>)?\s*$/i.test(before);
  const found = sentences
    .filter((each) => !isForAgents(each) && ofAgents.test(each.text))
    .map(({ path, text }) => [path, text] as const);
  expect(found.filter(([path]) => !(path in OF_AGENTS_ALONE))).toEqual([]);
  expect(Object.keys(OF_AGENTS_ALONE).filter((path) => !found.some(([each]) => each === path))).toEqual([]);
});
