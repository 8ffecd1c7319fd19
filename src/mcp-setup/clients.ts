/**
 * The MCP clients that `sb mcp install` knows: where each keeps its configuration and how an entry looks there. Pure
 * knowledge of files and shapes; nothing here reads or writes.
 */
import { posix, win32 } from "node:path";
import type { ClientId } from "../command-kit/surfaces/mcp-setup.ts";
import type { Environment } from "../util/state-folder.ts";

/** The machine whose clients are set up, which need not be this one. */
export interface ClientMachine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Environment;
  /** Names in a folder; empty when there is no such folder. */
  readonly names: (folder: string) => readonly string[];
}

export interface Client {
  readonly id: ClientId;
  readonly title: string;
  readonly format: "json" | "toml";
  /** The member of the file that holds the servers. */
  readonly serversKey: string;
  /** VS Code and Claude Code name the transport. */
  readonly hasType: boolean;
  readonly configPath: (machine: ClientMachine) => string;
  /** The client is installed if this file or folder exists. */
  readonly marker: (machine: ClientMachine) => string;
  /** It starts servers in some folder of its own, and tells them no folder of a project. */
  readonly startsAnywhere?: boolean;
  /** What the user has to do before the client notices the change. */
  readonly afterwards: string;
}

/** A client, or what takes the place of one. */
export interface ClientFacts extends Omit<Client, "id" | "configPath" | "marker"> {
  readonly id: string;
}

export interface ServerEntry {
  readonly type?: "stdio";
  readonly command: string;
  readonly args: readonly string[];
}

/** What the entry is called in every client. */
export const SERVER_NAME = "studio-bridge";

export function entryFor({ hasType }: ClientFacts, [command = "", ...args]: readonly string[]): ServerEntry {
  return { ...(hasType ? { type: "stdio" as const } : {}), command, args };
}

const PROJECT_FLAG = "--project";

/** The words that name the project to a server of such a client: this one, else the one that its entry has named so far. */
export function projectWords(project: string | undefined, present: unknown): readonly string[] {
  if (project !== undefined) return [PROJECT_FLAG, project];
  const args: unknown = Object(present).args;
  const words: readonly unknown[] = Array.isArray(args) ? args : [];
  const before = words[words.indexOf(PROJECT_FLAG) + 1];
  return words.includes(PROJECT_FLAG) && typeof before === "string" ? [PROJECT_FLAG, before] : [];
}

const jsonClient = { format: "json", serversKey: "mcpServers", hasType: false } as const;

/** Sources: each client's own documentation, unless a line says otherwise. */
export const clients: readonly Client[] = [
  {
    ...jsonClient,
    id: "claude-code",
    title: "Claude Code",
    hasType: true,
    configPath: (machine) => pathsOf(machine).join(claudeCodeFolder(machine), ".claude.json"),
    marker: (machine) =>
      variable(machine, "CLAUDE_CONFIG_DIR") ?? pathsOf(machine).join(machine.home, ".claude"),
    afterwards: "Start a new Claude Code session.",
  },
  {
    ...jsonClient,
    id: "claude-desktop",
    title: "Claude Desktop",
    configPath: (machine) =>
      pathsOf(machine).join(claudeDesktopFolder(machine), "claude_desktop_config.json"),
    marker: claudeDesktopFolder,
    // It has no projects. UNVERIFIED: the folder is / on macOS, as users report.
    startsAnywhere: true,
    afterwards: "Quit Claude Desktop and open it again.",
  },
  {
    ...jsonClient,
    id: "cursor",
    title: "Cursor",
    configPath: (machine) => pathsOf(machine).join(machine.home, ".cursor", "mcp.json"),
    marker: (machine) => pathsOf(machine).join(machine.home, ".cursor"),
    afterwards: "Restart Cursor.",
  },
  {
    ...jsonClient,
    id: "vscode",
    title: "VS Code",
    serversKey: "servers",
    hasType: true,
    configPath: (machine) => pathsOf(machine).join(codeUserFolder(machine), "mcp.json"),
    marker: codeUserFolder,
    afterwards: "Start the server from the MCP view of VS Code, or reload the window.",
  },
  {
    id: "codex",
    title: "Codex",
    format: "toml",
    serversKey: "mcp_servers",
    hasType: false,
    configPath: (machine) => pathsOf(machine).join(codexFolder(machine), "config.toml"),
    marker: codexFolder,
    afterwards: "Start a new Codex session.",
  },
  {
    ...jsonClient,
    id: "gemini",
    title: "Gemini CLI",
    configPath: (machine) => pathsOf(machine).join(machine.home, ".gemini", "settings.json"),
    marker: (machine) => pathsOf(machine).join(machine.home, ".gemini"),
    afterwards: "Restart Gemini CLI.",
  },
  {
    ...jsonClient,
    id: "windsurf",
    title: "Windsurf",
    // UNVERIFIED: on Windows, Windsurf's file has the same path below the home folder, as users report. The documentation names macOS and Linux.
    configPath: (machine) => pathsOf(machine).join(windsurfFolder(machine), "mcp_config.json"),
    marker: windsurfFolder,
    // UNVERIFIED: it neither starts servers in the workspace nor has roots. Its documentation names neither.
    startsAnywhere: true,
    afterwards: "Refresh the MCP servers in Windsurf's settings.",
  },
  {
    ...jsonClient,
    id: "zed",
    title: "Zed",
    serversKey: "context_servers",
    configPath: (machine) => pathsOf(machine).join(zedFolder(machine), "settings.json"),
    marker: zedFolder,
    afterwards: "Zed notices by itself.",
  },
];

/** The file that a project shares: Claude Code and others read it. */
export const projectClient: ClientFacts = {
  ...jsonClient,
  id: "project",
  title: "this project",
  hasType: true,
  afterwards: "Clients that read .mcp.json ask for approval when they next open this project.",
};

/** The path rules of the machine, which need not be those of this process. */
export function pathsOf({ platform }: Pick<ClientMachine, "platform">): typeof posix {
  return platform === "win32" ? win32 : posix;
}

/** UNVERIFIED: with CLAUDE_CONFIG_DIR, Claude Code's file is in that folder, as users report. The variable is documented. */
function claudeCodeFolder(machine: ClientMachine): string {
  return variable(machine, "CLAUDE_CONFIG_DIR") ?? machine.home;
}

/**
 * The Windows app comes as a package whose files live in a folder of its own; the plain folder is for older installs.
 * UNVERIFIED: the name of the Linux package is known only from reports, because there is no official Linux app.
 */
function claudeDesktopFolder(machine: ClientMachine): string {
  const { join } = pathsOf(machine);
  if (machine.platform !== "win32") return join(configFolder(machine), "Claude");
  const packages = join(localFolder(machine), "Packages");
  const packaged = machine.names(packages).find((name) => /^Claude_/.test(name));
  return packaged === undefined
    ? join(configFolder(machine), "Claude")
    : join(packages, packaged, "LocalCache", "Roaming", "Claude");
}

/** UNVERIFIED: the MCP file of VS Code is in the folder of its settings file. The documentation names only the user profile. */
function codeUserFolder(machine: ClientMachine): string {
  return pathsOf(machine).join(configFolder(machine), "Code", "User");
}

function codexFolder(machine: ClientMachine): string {
  return variable(machine, "CODEX_HOME") ?? pathsOf(machine).join(machine.home, ".codex");
}

function windsurfFolder(machine: ClientMachine): string {
  return pathsOf(machine).join(machine.home, ".codeium", "windsurf");
}

/** UNVERIFIED for Windows: known from reports only. */
function zedFolder(machine: ClientMachine): string {
  const { join } = pathsOf(machine);
  if (machine.platform === "win32") return join(configFolder(machine), "Zed");
  const chosen = machine.platform === "linux" ? variable(machine, "XDG_CONFIG_HOME") : undefined;
  return join(chosen ?? join(machine.home, ".config"), "zed");
}

/** The folder in which applications keep settings. */
function configFolder(machine: ClientMachine): string {
  const { platform, home } = machine;
  const { join } = pathsOf(machine);
  if (platform === "win32") return variable(machine, "APPDATA") ?? join(home, "AppData", "Roaming");
  if (platform === "darwin") return join(home, "Library", "Application Support");
  return variable(machine, "XDG_CONFIG_HOME") ?? join(home, ".config");
}

function localFolder(machine: ClientMachine): string {
  return variable(machine, "LOCALAPPDATA") ?? pathsOf(machine).join(machine.home, "AppData", "Local");
}

/** An empty variable counts as none. */
function variable({ env }: ClientMachine, name: string): string | undefined {
  return env[name] === "" ? undefined : env[name];
}
