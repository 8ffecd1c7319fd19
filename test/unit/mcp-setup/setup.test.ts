import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmod, mkdir, mkdtemp, readdir, readlink, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { McpSetup } from "../../../src/command-kit/surfaces/mcp-setup.ts";
import { setUpMcpAsync } from "../../../src/mcp-setup/index.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "sb-setup-"));
});
afterEach(() => rm(home, { recursive: true }));

function runAsync(setup: Partial<McpSetup>, project?: string) {
  return setUpMcpAsync(
    { action: "install", clients: [], print: false, project: false, readOnly: false, ...setup },
    {
      machine: { platform: "linux", home, env: {}, names: () => [] },
      self: ["/opt/sb"],
      folder: join(home, "project"),
      project,
    },
  );
}

const at = (...path: readonly string[]) => join(home, ...path);
const readAsync = (...path: readonly string[]) => Bun.file(at(...path)).text();
const jsonAsync = async (...path: readonly string[]): Promise<unknown> =>
  JSON.parse(await readAsync(...path));

describe("mcp install", () => {
  test("writes each client's own shape", async () => {
    const all = ["claude-code", "cursor", "vscode", "codex", "zed"] as const;
    const { clients } = await runAsync({ clients: all });
    expect(clients.map(({ client, outcome }) => [client, outcome])).toEqual(
      all.map((client) => [client, "added"]),
    );
    const entry = { command: "/opt/sb", args: ["mcp"] };
    expect(await jsonAsync(".claude.json")).toEqual({
      mcpServers: { "studio-bridge": { type: "stdio", ...entry } },
    });
    expect(await jsonAsync(".cursor/mcp.json")).toEqual({ mcpServers: { "studio-bridge": entry } });
    expect(await jsonAsync(".config/Code/User/mcp.json")).toEqual({
      servers: { "studio-bridge": { type: "stdio", ...entry } },
    });
    expect(await jsonAsync(".config/zed/settings.json")).toEqual({
      context_servers: { "studio-bridge": entry },
    });
    expect(Bun.TOML.parse(await readAsync(".codex/config.toml"))).toEqual({
      mcp_servers: { "studio-bridge": entry },
    });
  });

  test("names the project to a client that starts servers anywhere, and keeps it where there is none", async () => {
    const clients = ["claude-desktop", "cursor"] as const;
    await runAsync({ clients }, "/games/obby");
    await runAsync({ clients, readOnly: true });
    expect(await jsonAsync(".config/Claude/claude_desktop_config.json")).toEqual({
      mcpServers: {
        "studio-bridge": { command: "/opt/sb", args: ["mcp", "--read-only", "--project", "/games/obby"] },
      },
    });
    expect(await jsonAsync(".cursor/mcp.json")).toMatchObject({
      mcpServers: { "studio-bridge": { args: ["mcp", "--read-only"] } },
    });
  });

  test("sets up the installed clients where none is named", async () => {
    await mkdir(at(".cursor"));
    await mkdir(at(".gemini"));
    const { clients } = await runAsync({});
    expect(clients.map(({ client }) => client)).toEqual(["cursor", "gemini"]);
    expect((await readdir(home)).sort()).toEqual([".cursor", ".gemini"]);
  });

  test("fails where no client is installed", async () => {
    expect(await runAsync({}).catch((error: unknown) => error)).toMatchObject({
      code: "INVALID_INPUT",
      message: "No MCP client was found on this machine.",
    });
  });

  test("keeps the file as it was, its mode, and the link that it is", async () => {
    await Bun.write(at("dotfiles.json"), '{ "a": 1 }\n');
    await chmod(at("dotfiles.json"), 0o600);
    await symlink(at("dotfiles.json"), at(".claude.json"));
    const { clients } = await runAsync({ clients: ["claude-code"] });
    expect(clients.map(({ backup }) => backup)).toEqual([at(".claude.json.bak")]);
    expect(await readAsync(".claude.json.bak")).toBe('{ "a": 1 }\n');
    expect(await jsonAsync("dotfiles.json")).toHaveProperty("mcpServers");
    const modes = [await stat(at("dotfiles.json")), await stat(at(".claude.json.bak"))];
    expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o600, 0o600]);
    expect((await readdir(home)).sort()).toEqual([".claude.json", ".claude.json.bak", "dotfiles.json"]);
  });

  test("writes where a link leads to, though nothing is there yet", async () => {
    await mkdir(at("dotfiles"));
    await symlink(join("dotfiles", "claude.json"), at(".claude.json"));
    await runAsync({ clients: ["claude-code"] });
    expect(await jsonAsync("dotfiles/claude.json")).toHaveProperty("mcpServers");
    expect(await readlink(at(".claude.json"))).toBe(join("dotfiles", "claude.json"));
  });

  test("leaves a file that is marked as read-only", async () => {
    await Bun.write(at(".cursor/mcp.json"), "{}");
    await chmod(at(".cursor/mcp.json"), 0o444);
    const { clients } = await runAsync({ clients: ["cursor"] });
    expect(clients.map(({ outcome, problem }) => [outcome, problem])).toEqual([
      ["failed", `${at(".cursor/mcp.json")} is marked as read-only`],
    ]);
    expect(await readAsync(".cursor/mcp.json")).toBe("{}");
    expect(await readdir(at(".cursor"))).toEqual(["mcp.json"]);
  });

  test.each([
    ["codex", ".codex/config.toml", 'a = 1\nb = "\xff"\n', "2:6"],
    ["cursor", ".cursor/mcp.json", '{ "a": "\xe9" }', "1:9"],
  ] as const)(
    "names the place in the file of %s where it is not UTF-8",
    async (client, path, text, place) => {
      await Bun.write(at(path), Buffer.from(text, "latin1"));
      const { clients } = await runAsync({ clients: [client] });
      expect(clients.map(({ problem }) => problem)).toEqual([`${at(path)}:${place}: not valid UTF-8`]);
    },
  );

  test("changes nothing the second time", async () => {
    await runAsync({ clients: ["gemini"] });
    const { clients } = await runAsync({ clients: ["gemini"] });
    expect(clients).toEqual([
      {
        client: "gemini",
        title: "Gemini CLI",
        path: at(".gemini/settings.json"),
        outcome: "unchanged",
        diff: [],
      },
    ]);
    expect(await readdir(at(".gemini"))).toEqual(["settings.json"]);
  });

  test("--print shows the change without making it", async () => {
    await Bun.write(at(".cursor/mcp.json"), '{\n  "mcpServers": {}\n}\n');
    const { isPrinted, clients } = await runAsync({ clients: ["cursor"], print: true });
    expect(isPrinted).toBe(true);
    expect(clients.map(({ outcome, diff }) => [outcome, diff.map(({ sign, text }) => sign + text)])).toEqual([
      [
        "added",
        [
          " {",
          '-  "mcpServers": {}',
          '+  "mcpServers": {',
          '+    "studio-bridge": {',
          '+      "command": "/opt/sb",',
          '+      "args": [',
          '+        "mcp"',
          "+      ]",
          "+    }",
          "+  }",
          " }",
        ],
      ],
    ]);
    expect(await readAsync(".cursor/mcp.json")).toBe('{\n  "mcpServers": {}\n}\n');
    expect(await readdir(at(".cursor"))).toEqual(["mcp.json"]);
  });

  test("a malformed file is named with its place, and the others are set up", async () => {
    await Bun.write(at(".cursor/mcp.json"), '{\n  "mcpServers": {,}\n}\n');
    const { clients } = await runAsync({ clients: ["cursor", "windsurf"] });
    expect(clients.map(({ outcome, problem }) => [outcome, problem])).toEqual([
      ["failed", `${at(".cursor/mcp.json")}:2:18: expected a value, found ","`],
      ["added", undefined],
    ]);
    expect(await readAsync(".cursor/mcp.json")).toBe('{\n  "mcpServers": {,}\n}\n');
  });

  test("--project writes .mcp.json, which names no path of this machine", async () => {
    await mkdir(at("project"));
    await runAsync({ project: true, readOnly: true });
    expect(await jsonAsync("project/.mcp.json")).toEqual({
      mcpServers: { "studio-bridge": { type: "stdio", command: "sb", args: ["mcp", "--read-only"] } },
    });
  });
});

describe("mcp uninstall", () => {
  test("removes the server that install added, and nothing else", async () => {
    const texts = {
      ".cursor/mcp.json": '{ "mcpServers": { "other": { "url": "https://x" } } }',
      ".codex/config.toml": 'model = "o"\n\n[mcp_servers.other]\ncommand = "x"\n',
    };
    for (const [path, text] of Object.entries(texts)) await Bun.write(at(path), text);
    await runAsync({});
    const { clients } = await runAsync({ action: "uninstall" });
    expect(clients.map(({ client, outcome }) => [client, outcome])).toEqual([
      ["cursor", "removed"],
      ["codex", "removed"],
    ]);
    for (const [path, text] of Object.entries(texts)) expect(await readAsync(path)).toBe(text);
  });

  test("makes no file, and minds no broken one that has nothing of it", async () => {
    await Bun.write(at(".cursor/mcp.json"), "{ broken");
    expect(await runAsync({ action: "uninstall" })).toEqual({ isPrinted: false, clients: [] });
    const { clients } = await runAsync({ action: "uninstall", clients: ["zed"] });
    expect(clients.map(({ outcome }) => outcome)).toEqual(["unchanged"]);
    expect(await readdir(home)).toEqual([".cursor"]);
  });
});
