import { describe, expect, test } from "bun:test";
import { readJson, removeJsonServer, setJsonServer } from "../../../src/mcp-setup/json-server.ts";
import { faultOffset } from "./fault.ts";

const entry = { command: "/bin/sb", args: ["mcp"] };
const set = (text: string) => setJsonServer(text, "mcpServers", "studio-bridge", entry);
const remove = (text: string) => removeJsonServer(text, "mcpServers", "studio-bridge");

const commented = `// who runs what
{
    "theme": "dark", /* not light */
    "mcpServers": {
        // the other one
        "other": { "command": "x", "args": ["-y"] }, // trailing
        // the end
    },
}
`;

describe("setJsonServer", () => {
  test("leaves comments, indentation and trailing commas as they are", () => {
    expect(set(commented)).toBe(
      commented.replace(
        "        // the end\n",
        `        // the end
        "studio-bridge": {
            "command": "/bin/sb",
            "args": [
                "mcp"
            ]
        },
`,
      ),
    );
  });

  test("puts the comma before a comment that follows the last member", () => {
    expect(set('{\n\t"a": 1 // one\n}\n')).toBe(
      '{\n\t"a": 1, // one\n\t"mcpServers": {\n\t\t"studio-bridge": {\n\t\t\t"command": "/bin/sb",\n\t\t\t"args": [\n\t\t\t\t"mcp"\n\t\t\t]\n\t\t}\n\t}\n}\n',
    );
  });

  test("keeps what is on one line on one line", () => {
    expect(set('{"mcpServers":{"a":{}},"z":1}')).toBe(
      '{"mcpServers":{"a":{}, "studio-bridge": {"command":"/bin/sb","args":["mcp"]}},"z":1}',
    );
  });

  test("changes only the members that differ, and keeps those it does not know", () => {
    const text = `{"mcpServers": {"studio-bridge": {"env": {"A": "1"}, "command": "old", "args": [ "mcp" ]}}}`;
    expect(set(text)).toBe(text.replace('"old"', '"/bin/sb"'));
  });

  test("makes a whole file of nothing", () => {
    expect(readJson(set(""))).toEqual({ mcpServers: { "studio-bridge": entry } });
    expect(set("// mine\n")).toStartWith("// mine\n{\n");
  });

  test.each([
    ["{", 1],
    ['{"a": 1,, }', 8],
    ["[1]", 0],
    ['{"mcpServers": []}', 15],
    ['{"a": 1} trailing', 9],
  ])("refuses %j at offset %d", (text, offset) => {
    expect(faultOffset(() => set(text))).toBe(offset);
  });
});

/** Configurations as they are met: every style, with and without other servers. */
const files = [
  "{}",
  "{}\n",
  "{ }",
  "{\n}\n",
  '{\n  "a": 1\n}\n',
  '{"a":1}',
  '{ "a": 1, }',
  '{\r\n\t"mcpServers": {\r\n\t\t"x": {}\r\n\t},\r\n\t"b": [1,\r\n2]\r\n}\r\n',
  '\ufeff{\n  "mcpServers": {}\n}',
  '{\n  "mcpServers": {\n    "x": {} // last\n  }\n}\n',
  '{\n  "mcpServers": {\n    /* only a comment */\n  }\n}\n',
  '{"mcpServers": {"x": {},\n "y": {}}}',
  '{"mcpServers": {"x": {}, // c\n}}',
  '{"mcpServers": {"a": 1}, "mcpServers": {"b": 2}}',
  commented,
];

describe("every style of file", () => {
  test.each(files)("%j", (text) => {
    const before = Object(readJson(text));
    const after = set(text);
    expect(readJson(after)).toEqual({
      ...before,
      mcpServers: { ...before.mcpServers, "studio-bridge": entry },
    });
    expect(set(after)).toBe(after);
    const comments = (of: string) => of.match(/\/\/.*|\/\*[^]*?\*\//g) ?? [];
    expect(comments(after)).toEqual(comments(text));
    const removed = remove(after);
    expect(readJson(removed)).toEqual({ ...before, mcpServers: { ...before.mcpServers } });
    expect(comments(removed)).toEqual(comments(text));
    expect(remove(removed)).toBe(removed);
  });

  test("is restored to the byte where there were servers, in any style but one that closes several lines at once", () => {
    const texts = [
      commented,
      '{\n  "mcpServers": {\n    "x": {} // last\n  }\n}\n',
      '{\r\n\t"mcpServers": {\r\n\t\t"x": {}\r\n\t}\r\n}',
      '{"mcpServers": {"x": {}}}',
    ];
    for (const text of texts) expect(remove(set(text))).toBe(text);
  });

  test("a server between others goes with its line", () => {
    const text = `{\n  "mcpServers": {\n    "a": {},\n    "studio-bridge": { "command": "x" },\n    "b": {}\n  }\n}`;
    expect(remove(text)).toBe('{\n  "mcpServers": {\n    "a": {},\n    "b": {}\n  }\n}');
    const inLine = '{"mcpServers": {"a": {}, "studio-bridge": {}, "b": {}}}';
    expect(remove(inLine)).toBe('{"mcpServers": {"a": {}, "b": {}}}');
  });
});
