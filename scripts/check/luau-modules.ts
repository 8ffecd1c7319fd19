/**
 * Luau modules: every `require` leads to a file, no modules require each other, and only the folder `Engine` of the plugin
 * names the engine.
 */
import { posix } from "node:path";
import { circlesIn } from "./circles.ts";
import { withoutComments, withoutStrings } from "./luau-text.ts";
import type { Sources } from "./sources.ts";

interface Require {
  /** As it is written: `script.Parent.Queue` or `"./Queue"`. */
  readonly written: string;
  /** It runs when the module is loaded, not within a function. */
  readonly isAtLoad: boolean;
}

/** How a require of a file is turned into the path of a module without its ending; undefined where it is another thing. */
type Resolve = (file: string, written: string) => string | undefined;

/** The plugin is a tree of Instances: `script` is the module, and an `init` file is the folder that it stands in. */
export const inPlugin: Resolve = (file, written) => {
  const [first, ...steps] = written.split(".");
  if (first !== "script") return undefined;
  const isFolder = /^init\.(?:server\.)?luau$/.test(posix.basename(file));
  const self = isFolder ? posix.dirname(file) : file.replace(/\.luau$/, "");
  return steps.reduce(
    (path, step) => (step === "Parent" ? posix.dirname(path) : posix.join(path, step)),
    self,
  );
};

/** Modules of the engine are required by their path from the folder of the file. */
export const inEngine: Resolve = (file, written) => {
  const [, path] = /^"([^"]+)"$/.exec(written) ?? [];
  return path === undefined ? undefined : posix.join(posix.dirname(file), path);
};

/** `folder`: where the sources stand, for the message. */
export function requireFaults(folder: string, sources: Sources, resolve: Resolve): string[] {
  const faults: string[] = [];
  const graph = new Map<string, string[]>();
  for (const [file, text] of sources) {
    const needed: string[] = [];
    graph.set(file, needed);
    for (const { written, isAtLoad } of requiresIn(text)) {
      const path = resolve(file, written);
      if (path === undefined) continue;
      const target = [`${path}.luau`, posix.join(path, "init.luau")].find((candidate) =>
        sources.has(candidate),
      );
      if (target === undefined) faults.push(`${folder}/${file} requires ${written}, which is no file`);
      else if (isAtLoad) needed.push(target);
    }
  }
  const circles = circlesIn(graph).map(
    (files) => `these modules of ${folder} require each other: ${files.join(", ")}`,
  );
  return [...faults, ...circles];
}

function requiresIn(text: string): Require[] {
  const found = withoutComments(text).matchAll(/^(.*?)\brequire\(([\w.]+|"[^"]+")/gm);
  return [...found].map(([, before = "", written = ""]) => ({ written, isAtLoad: !/^\s/.test(before) }));
}

/**
 * What Roblox adds to Luau, and what reaches beyond the plugin: all of it goes through `Engine`. getfenv and setfenv are
 * Luau's own and count levels of calls, so that they cannot.
 */
const ENGINE_NAMES = [
  ...[
    "game",
    "workspace",
    "plugin",
    "Instance.new",
    "Enum",
    "DateTime",
    "task",
    "os",
    "settings",
    "UserSettings",
  ],
  ...["loadstring", "print", "warn", "wait", "spawn", "delay", "tick", "time", "_G"],
];

const SEAM = "Engine/";

/** The global `plugin` exists in the boot script alone, which hands it to Engine. */
const BOOT_SCRIPT = "init.server.luau";

/** `sources`: the plugin's modules. */
export function engineNameFaults(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) => {
    if (file.startsWith(SEAM)) return [];
    const allowed = file === BOOT_SCRIPT ? ["plugin"] : [];
    const names = new Set(globalsIn(text).filter((name) => !allowed.includes(name)));
    return [
      ...[...names].map((name) => `plugin/src/${file} names ${name}; only Engine may`),
      ...requiresIn(text)
        .filter(({ written }) => inPlugin(file, written)?.startsWith(SEAM))
        .map(({ written }) => `plugin/src/${file} requires ${written}; only Engine itself may`),
    ];
  });
}

/** A name behind a dot or colon, before `=` or `:`, or that the file declares itself, is another thing than the global. */
function globalsIn(text: string): string[] {
  const code = withoutStrings(withoutComments(text));
  return ENGINE_NAMES.filter((name) => {
    if (new RegExp(`\\blocal (?:function )?(?:\\w+, *)*${name}\\b`).test(code)) return false;
    return new RegExp(`(?<![.:\\w])${RegExp.escape(name)}\\b(?!\\s*(?:=(?!=)|:(?!:)))`).test(code);
  });
}
