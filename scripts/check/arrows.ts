/**
 * Who may import whom. The table is the architecture; a violation is reported with its file, so that either the code
 * or, on purpose, the table changes. Type-only imports count too.
 */
import { importsIn, targetOf } from "./imports.ts";
import type { Sources } from "./sources.ts";

export interface Rule {
  /** The folder (or root file) this rule is about, relative to src. */
  readonly part: string;
  /** Parts it may import, each optionally narrowed to one file. */
  readonly may: readonly string[];
  /** Packages it may import; `node:` and `bun` are free to all. */
  readonly packages: readonly string[];
}

/**
 * From the bottom to the top: a rule names only parts that stand before its own. First match wins, so a file comes before
 * its folder.
 */
const rules: readonly Rule[] = [
  { part: "version.ts", may: [], packages: [] },
  { part: "log.ts", may: [], packages: ["consola"] },
  { part: "util", may: [], packages: ["jsonc-parser"] },
  // What datatypes are made of, for all formats.
  { part: "values", may: [], packages: [] },
  { part: "protocol", may: ["values"], packages: ["zod"] },
  // What long work shows while it runs, and the files that a caller names: for all work below the commands.
  { part: "output", may: ["protocol", "util"], packages: [] },
  // Draws pictures of scenes that headless Studio describes, and compares pictures.
  { part: "pictures", may: ["util"], packages: ["pixelmatch"] },
  { part: "files", may: ["pictures", "protocol", "util"], packages: [] },
  { part: "auth", may: ["util", "protocol/errors.ts", "protocol/words.ts"], packages: [] },
  // The HTML pages that sb writes.
  { part: "pages", may: ["util"], packages: [] },
  // What a bridge host keeps of calls, and what commands read of it.
  { part: "journal", may: ["output", "pages", "protocol", "log.ts", "util"], packages: [] },
  { part: "bridge/wire", may: ["protocol", "util"], packages: ["zod"] },
  { part: "bridge/client", may: ["bridge/wire", "protocol", "auth", "util"], packages: [] },
  {
    part: "bridge/host",
    may: ["bridge/client", "bridge/wire", "journal/index.ts", "protocol", "auth", "log.ts", "util"],
    packages: [],
  },
  {
    part: "bridge",
    may: ["journal/index.ts", "protocol", "auth", "log.ts", "version.ts", "util"],
    packages: ["zod"],
  },
  { part: "roblox", may: ["values", "protocol", "util"], packages: ["jsonc-parser"] },
  { part: "studio", may: ["roblox", "protocol", "auth", "log.ts", "util"], packages: [] },
  {
    part: "headless",
    may: ["pictures", "roblox", "values", "protocol", "auth", "studio/plugin-tree.ts", "util"],
    packages: [],
  },
  { part: "cloud", may: ["protocol", "util"], packages: ["zod"] },
  // Programs that a project names.
  { part: "programs", may: ["protocol", "util"], packages: [] },
  // The sources of compiled files, for all that shows lines of them.
  { part: "source-maps", may: ["protocol", "util"], packages: ["@jridgewell/sourcemap-codec"] },
  { part: "play", may: ["bridge/index.ts", "protocol", "util"], packages: [] },
  { part: "tree", may: ["output", "protocol", "values", "util"], packages: [] },
  // What a user interface shows, out of one reading of it.
  { part: "interface", may: ["protocol", "util"], packages: [] },
  // Steps of input as people and agents write them, and how they are given to a player.
  {
    part: "input",
    may: ["bridge/index.ts", "tree/instance-path.ts", "files", "protocol", "util"],
    packages: [],
  },
  // One session, and the work of commands on it.
  {
    part: "session",
    may: ["play", "tree/instance-path.ts", "output", "bridge/index.ts", "protocol", "util"],
    packages: [],
  },
  { part: "find", may: ["session", "tree", "headless/index.ts", "output", "protocol", "util"], packages: [] },
  {
    part: "scripts",
    may: ["find", "session", "tree", "headless/index.ts", "output", "bridge/index.ts", "protocol", "util"],
    packages: ["diff"],
  },
  { part: "api", may: ["headless/index.ts", "output", "protocol", "util"], packages: [] },
  { part: "logs", may: ["scripts", "session", "protocol", "util"], packages: [] },
  {
    part: "testing",
    may: [
      "pages",
      "programs",
      "source-maps",
      "cloud",
      "bridge/index.ts",
      "headless/index.ts",
      "play",
      "input",
      "interface",
      "tree/instance-path.ts",
      "output",
      "files",
      "roblox",
      "protocol",
      "version.ts",
      "util",
    ],
    packages: ["zod"],
  },
  {
    part: "selftest",
    may: ["testing", "play", "files", "bridge/index.ts", "protocol", "version.ts", "util"],
    packages: [],
  },
  // The words of a caller and the settings of a project, together as the wishes for a run of its tests.
  {
    part: "project/test-run",
    may: ["project", "testing", "headless/index.ts", "output", "roblox", "protocol", "util"],
    packages: [],
  },
  {
    part: "project",
    may: [
      "headless/index.ts",
      "roblox",
      // What the settings of tests are made of.
      "testing/events.ts",
      "testing/coverage/format-words.ts",
      "testing/run/run-words.ts",
      "protocol",
      "util",
    ],
    packages: [],
  },
  {
    part: "rojo",
    may: ["project", "headless/index.ts", "files", "output", "roblox", "protocol", "util"],
    packages: [],
  },
  {
    part: "init",
    may: [
      "project",
      "testing",
      "source-maps",
      "headless/index.ts",
      "roblox",
      "protocol",
      "version.ts",
      "util",
    ],
    packages: [],
  },
  {
    part: "doctor",
    may: [
      "project",
      "session",
      "output",
      "studio",
      "bridge/index.ts",
      "auth",
      "protocol",
      "version.ts",
      "util",
    ],
    packages: [],
  },
  {
    part: "sync",
    may: [
      "project",
      "source-maps",
      "scripts",
      "session",
      "tree",
      "files",
      "output",
      "bridge/index.ts",
      "headless/index.ts",
      "roblox",
      "values",
      "protocol",
      "util",
    ],
    packages: ["zod", "jsonc-parser", "node-diff3"],
  },
  {
    part: "model",
    may: ["project", "session", "tree/instance-path.ts", "headless/index.ts", "roblox", "protocol", "util"],
    packages: [],
  },
  {
    part: "edit",
    may: [
      "sync/index.ts",
      "project",
      "scripts",
      "session",
      "tree",
      "headless/index.ts",
      "roblox/plain-values.ts",
      "values",
      "output",
      "protocol",
      "util",
    ],
    packages: [],
  },
  // The pages are part of the binary, as text.
  { part: "command-kit/words/help-pages.ts", may: ["../docs"], packages: [] },
  {
    part: "command-kit",
    may: [
      "project",
      "source-maps",
      "session",
      "scripts",
      "output",
      "files",
      "play",
      "tree",
      "bridge/index.ts",
      "studio",
      "headless/index.ts",
      "headless/process/run.ts",
      "auth",
      "protocol",
      "version.ts",
      "util",
    ],
    packages: ["zod", "citty"],
  },
  // What a project adds to `sb mcp`, and the settings of the clients that start it.
  {
    part: "templates",
    may: ["command-kit", "project", "session", "programs", "files", "protocol", "util"],
    packages: ["zod"],
  },
  { part: "mcp-setup", may: ["command-kit", "project", "protocol", "util"], packages: [] },
  {
    part: "commands",
    may: [
      "interface",
      "input",
      "model",
      "api",
      "journal",
      "project",
      "rojo",
      "logs",
      "init",
      "doctor",
      "session",
      "find",
      "scripts",
      "edit",
      "output",
      "files",
      "play",
      "tree",
      "command-kit",
      "bridge/index.ts",
      "studio",
      "headless/index.ts",
      "mcp-setup/index.ts",
      "templates/list-tools.ts",
      "roblox",
      "values",
      "sync",
      "testing",
      "selftest",
      "cloud",
      "auth",
      "protocol",
      "version.ts",
      "util",
    ],
    packages: ["zod"],
  },
  {
    part: "cli",
    may: [
      "auth/auth-switch.ts",
      "project",
      "session",
      "output",
      "files",
      "command-kit",
      "commands/index.ts",
      "bridge/index.ts",
      "protocol",
      "log.ts",
      "version.ts",
      "util",
    ],
    packages: ["@clack/prompts", "citty"],
  },
  // A line editor for any text.
  { part: "terminal/editor", may: ["util"], packages: [] },
  {
    part: "terminal",
    may: [
      "project",
      "session",
      // How people write paths.
      "tree/instance-path.ts",
      "output",
      "files",
      "command-kit",
      "commands/index.ts",
      "bridge/index.ts",
      "protocol",
      "log.ts",
      "version.ts",
      "util",
    ],
    packages: [],
  },
  {
    part: "mcp/wire/mcp-types.ts",
    may: [],
    packages: ["@modelcontextprotocol/sdk/types.js"],
  },
  { part: "mcp/sdk", may: ["mcp", "protocol"], packages: ["@modelcontextprotocol/sdk"] },
  {
    part: "mcp",
    may: [
      "programs",
      "model",
      "templates",
      "project",
      "logs",
      "session",
      "find",
      "scripts",
      "edit",
      "tree/instance-path.ts",
      "tree/change/step-name.ts",
      "output",
      "files",
      "play",
      "command-kit",
      "commands/index.ts",
      "sync/index.ts",
      "bridge/index.ts",
      "protocol",
      "log.ts",
      "version.ts",
      "util",
    ],
    packages: ["zod"],
  },
  {
    part: "main.ts",
    may: [
      "cli",
      "version.ts",
      "cloud/api-key.ts",
      "util/missing-stdout.ts",
      "headless/process/child-word.ts",
      "command-kit/sessions/headless-child.ts",
      "mcp",
      "terminal",
    ],
    packages: [],
  },
];

const within = (path: string, part: string) => path === part || path.startsWith(`${part}/`);

function isAllowed(rule: Rule, file: string, specifier: string): boolean {
  if (specifier.startsWith("node:") || specifier === "bun" || specifier === "bun:ffi") return true;
  if (!specifier.startsWith(".")) return rule.packages.some((name) => within(specifier, name));
  const target = targetOf(file, specifier);
  // Build products outside src are files to embed, not code.
  if (target.startsWith("../build/")) return true;
  return within(target, rule.part) || rule.may.some((part) => within(target, part));
}

/** `sources`: the TypeScript of src by path. */
export function arrowFaults(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) => {
    const rule = rules.find(({ part }) => within(file, part));
    return importsIn(text)
      .filter(({ specifier }) => rule === undefined || !isAllowed(rule, file, specifier))
      .map(({ specifier }) => `src/${file} must not import ${specifier}`);
  });
}

const roomOf = (path: string): string => path.split("/")[0] ?? "";

/** Rules that name a part above their own. Below one room, a folder may need the others. */
export function upwardFaults(table: readonly Rule[] = rules): string[] {
  const rooms = [...new Set(table.map(({ part }) => roomOf(part)))];
  const heightOf = (path: string) => rooms.indexOf(roomOf(path));
  return table.flatMap(({ part, may }) =>
    may
      .filter((other) => !other.startsWith("../") && heightOf(other) > heightOf(part))
      .map((other) => `the rule of src/${part} names ${other}, which stands above it`),
  );
}
