import { describe, expect, test } from "bun:test";
import { readToml, removeTomlServer, setTomlServer } from "../../../src/mcp-setup/toml-edit.ts";
import { faultOffset } from "./fault.ts";

const entry = { command: "C:\\Tools\\sb.exe", args: ["mcp", "--read-only"] };
const set = (text: string) => setTomlServer(text, "mcp_servers", "studio-bridge", entry);
const remove = (text: string) => removeTomlServer(text, "mcp_servers", "studio-bridge");

const table = `[mcp_servers.studio-bridge]
command = "C:\\\\Tools\\\\sb.exe"
args = ["mcp", "--read-only"]
`;

const other = `model = "o" # the model
notes = """
[mcp_servers.studio-bridge]
not = "a table"
"""

[mcp_servers.other]
command = 'x'
args = [
  "a", # not ] the end
  "b",
]
`;

describe("setTomlServer", () => {
  test("adds a table behind everything", () => {
    expect(set("")).toBe(table);
    expect(set(other)).toBe(`${other}\n${table}`);
    expect(set("a = 1")).toBe(`a = 1\n\n${table}`);
  });

  test("changes only the values that differ, and keeps keys it does not know", () => {
    const mine = `[ mcp_servers . "studio-bridge" ] # mine
args = ["mcp",
  "--read-only"]
startup_timeout_sec = 20

[mcp_servers.studio-bridge.env]
A = "1"

# about the next
[other]
b = 2
`;
    const command = `command = "C:\\\\Tools\\\\sb.exe"\n`;
    expect(set(mine)).toBe(mine.replace("# mine\n", `# mine\n${command}`));
    const old = mine.replace("startup", 'command = "old"  # where\nstartup');
    expect(set(old)).toBe(old.replace('"old"', '"C:\\\\Tools\\\\sb.exe"'));
  });

  test("is done once", () => {
    expect(set(set(other))).toBe(set(other));
  });

  test("keeps line ends", () => {
    expect(set("a = 1\r\n")).toBe(`a = 1\r\n\r\n${table.replaceAll("\n", "\r\n")}`);
  });

  test.each([
    ["a = 1\n[b\n", 8],
    ['a = "x\n', 4],
    ["a = [1\n", 7],
    ["a 1\n", 1],
    ["a = 1\na = 2\n", 6],
    ['[mcp_servers]\nstudio-bridge = { command = "x" }\n', 14],
    ['mcp_servers.studio-bridge.command = "x"\n', 0],
    ["[x]\ny = 1\n[mcp_servers.studio-bridge] z\n", 38],
  ])("refuses %j at offset %d", (text, offset) => {
    expect(faultOffset(() => set(text))).toBe(offset);
  });
});

describe("removeTomlServer", () => {
  test("restores what was there before", () => {
    for (const text of ["", other, "a = 1\r\n"]) expect(remove(set(text))).toBe(text);
  });

  test("takes the tables below it, and nothing that belongs to others", () => {
    const text = `${table}\n[mcp_servers.studio-bridge.env]\nA = "1"\n\n# about x\n[x]\nb = 2\n`;
    expect(remove(text)).toBe("\n# about x\n[x]\nb = 2\n");
    expect(readToml(remove(`${other}\n${text}`))).toEqual({ ...Object(readToml(other)), x: { b: 2 } });
  });
});
