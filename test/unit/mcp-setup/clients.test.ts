import { describe, expect, test } from "bun:test";
import { clients } from "../../../src/mcp-setup/clients.ts";
import type { ClientMachine } from "../../../src/mcp-setup/clients.ts";

function pathsOn(machine: Partial<ClientMachine> & Pick<ClientMachine, "platform" | "home">) {
  const whole: ClientMachine = { env: {}, names: () => [], ...machine };
  return Object.fromEntries(clients.map(({ id, configPath }) => [id, configPath(whole)]));
}

describe("where clients keep their configuration", () => {
  test("on macOS", () => {
    expect(pathsOn({ platform: "darwin", home: "/Users/me" })).toEqual({
      "claude-code": "/Users/me/.claude.json",
      "claude-desktop": "/Users/me/Library/Application Support/Claude/claude_desktop_config.json",
      cursor: "/Users/me/.cursor/mcp.json",
      vscode: "/Users/me/Library/Application Support/Code/User/mcp.json",
      codex: "/Users/me/.codex/config.toml",
      gemini: "/Users/me/.gemini/settings.json",
      windsurf: "/Users/me/.codeium/windsurf/mcp_config.json",
      zed: "/Users/me/.config/zed/settings.json",
    });
  });

  test("on Linux", () => {
    expect(pathsOn({ platform: "linux", home: "/home/me" })).toEqual({
      "claude-code": "/home/me/.claude.json",
      "claude-desktop": "/home/me/.config/Claude/claude_desktop_config.json",
      cursor: "/home/me/.cursor/mcp.json",
      vscode: "/home/me/.config/Code/User/mcp.json",
      codex: "/home/me/.codex/config.toml",
      gemini: "/home/me/.gemini/settings.json",
      windsurf: "/home/me/.codeium/windsurf/mcp_config.json",
      zed: "/home/me/.config/zed/settings.json",
    });
  });

  test("on Windows", () => {
    const home = "C:\\Users\\me";
    expect(pathsOn({ platform: "win32", home })).toEqual({
      "claude-code": "C:\\Users\\me\\.claude.json",
      "claude-desktop": "C:\\Users\\me\\AppData\\Roaming\\Claude\\claude_desktop_config.json",
      cursor: "C:\\Users\\me\\.cursor\\mcp.json",
      vscode: "C:\\Users\\me\\AppData\\Roaming\\Code\\User\\mcp.json",
      codex: "C:\\Users\\me\\.codex\\config.toml",
      gemini: "C:\\Users\\me\\.gemini\\settings.json",
      windsurf: "C:\\Users\\me\\.codeium\\windsurf\\mcp_config.json",
      zed: "C:\\Users\\me\\AppData\\Roaming\\Zed\\settings.json",
    });
  });

  test("the packaged Claude Desktop of Windows has a folder of its own", () => {
    const packages = "D:\\Local\\Packages";
    const { "claude-desktop": path } = pathsOn({
      platform: "win32",
      home: "C:\\Users\\me",
      env: { LOCALAPPDATA: "D:\\Local" },
      names: (folder) => (folder === packages ? ["Microsoft.Claude", "Claude_pzs8sxrjxfjjc"] : []),
    });
    expect(path).toBe(
      `${packages}\\Claude_pzs8sxrjxfjjc\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json`,
    );
  });

  test("variables move them", () => {
    const env = { CLAUDE_CONFIG_DIR: "/c", CODEX_HOME: "/x", XDG_CONFIG_HOME: "/g" };
    expect(pathsOn({ platform: "linux", home: "/home/me", env })).toMatchObject({
      "claude-code": "/c/.claude.json",
      "claude-desktop": "/g/Claude/claude_desktop_config.json",
      codex: "/x/config.toml",
      vscode: "/g/Code/User/mcp.json",
      zed: "/g/zed/settings.json",
    });
    const none = { CLAUDE_CONFIG_DIR: "", CODEX_HOME: "", XDG_CONFIG_HOME: "" };
    const linux = { platform: "linux", home: "/home/me" } as const;
    expect(pathsOn({ ...linux, env: none })).toEqual(pathsOn(linux));
    const { zed } = pathsOn({ platform: "darwin", home: "/Users/me", env });
    expect(zed).toBe("/Users/me/.config/zed/settings.json");
  });
});
