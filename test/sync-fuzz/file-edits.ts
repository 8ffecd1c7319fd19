/** Random edits of a project's files, in the ways in which people, editors and git make them. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { MODEL_FILE } from "../../src/roblox/model-file.ts";
import type { Random } from "../simulator/random.ts";
import { type Tokens, tokensIn, tokensInFile } from "./tokens.ts";

/** The folders that the project file names. */
export const TOPS = ["src", "server"] as const;
const SCRIPT_ENDS = [".luau", ".server.luau", ".client.luau", ".lua"] as const;
const OTHER_ENDS = [".txt", ".json", ".toml", ".csv", ".model.json", ".rbxmx"] as const;
const INIT_NAMES = ["init.luau", "init.server.luau", "init.client.luau"] as const;
const META_END = ".meta.json";

interface Entry {
  readonly path: string;
  readonly isFolder: boolean;
}

export class FileEdits {
  readonly #folder: string;
  readonly #random: Random;
  readonly #tokens: Tokens;
  /** Meta files whose owner a person has taken away. */
  readonly orphans = new Set<string>();

  constructor(folder: string, random: Random, tokens: Tokens) {
    this.#folder = folder;
    this.#random = random;
    this.#tokens = tokens;
  }

  /** Does one edit and says what was done. */
  async editAsync(): Promise<string> {
    const edits: readonly (readonly [weight: number, edit: () => string | Promise<string>])[] = [
      [8, () => this.#add()],
      [12, () => this.#saveAsync()],
      [6, () => this.#removeFile()],
      [5, () => this.#renameFile()],
      [3, () => this.#moveFile()],
      [3, () => this.#changeKind()],
      [4, () => this.#changeInit()],
      [4, () => this.#changeMeta()],
      [3, () => this.#addFolder()],
      [2, () => this.#removeFolder()],
      [2, () => this.#renameFolder()],
      [2, () => this.#moveFolder()],
      [2, () => this.#git()],
    ];
    let at = this.#random.below(edits.reduce((sum, [weight]) => sum + weight, 0));
    const [, edit] = edits.find(([weight]) => (at -= weight) < 0) ?? [0, () => "nothing"];
    return edit();
  }

  /** The words in all names and texts. */
  tokens(): ReadonlySet<string> {
    const found = new Set<string>();
    for (const { path, isFolder } of this.entries()) {
      for (const token of tokensIn(basename(path))) found.add(token);
      if (!isFolder) for (const token of tokensInFile(path)) found.add(token);
    }
    return found;
  }

  /** Each folder, and each file with the hash of what is in it. */
  picture(): readonly string[] {
    return this.entries().map(({ path, isFolder }) =>
      isFolder ? path : `${path} ${Bun.hash(readFileSync(path)).toString(36)} ${statSync(path).mode}`,
    );
  }

  entries(): readonly Entry[] {
    return TOPS.flatMap((top) => entriesBelow(join(this.#folder, top)));
  }

  get #files(): readonly string[] {
    return this.entries().flatMap(({ path, isFolder }) => (isFolder || isTemporary(path) ? [] : [path]));
  }

  get #folders(): readonly string[] {
    return [
      ...TOPS.map((top) => join(this.#folder, top)),
      ...this.entries().flatMap(({ path, isFolder }) => (isFolder ? [path] : [])),
    ];
  }

  #pick<T>(list: readonly T[]): T | undefined {
    return list[this.#random.below(list.length)];
  }

  #say(what: string, path: string, more = ""): string {
    return `files: ${what} ${path.slice(this.#folder.length + 1)}${more === "" ? "" : ` ${more.replace(`${this.#folder}/`, "")}`}`;
  }

  /** A step between whose beginning and end nothing else happens; what it takes away is noted. */
  #step(act: () => void): void {
    const before = this.tokens();
    try {
      act();
    } catch (error) {
      // The sync has moved the file in the moment before.
      if (!(error instanceof Error && "code" in error)) throw error;
    }
    this.#tokens.changed(before, this.tokens());
  }

  /** Few names, so that edits meet. */
  #newName(): string {
    return `${this.#pick(["M", "Cfg", "Util"])}${this.#random.below(5)}`;
  }

  #folderForNew(): string {
    return this.#pick(this.#folders) ?? this.#folder;
  }

  async addAsync(): Promise<string> {
    return this.#add();
  }

  #add(): string {
    const end = this.#random.chance(0.7) ? this.#pick(SCRIPT_ENDS) : this.#pick(OTHER_ENDS);
    const path = join(this.#folderForNew(), `${this.#newName()}${end}`);
    this.#step(() => writeFileSync(path, contentOf(path, this.#tokens.next())));
    return this.#say("write", path);
  }

  /** Each way in which editors save. */
  async #saveAsync(): Promise<string> {
    const path = this.#pick(this.#files.filter((each) => !each.endsWith(".rbxm")));
    if (path === undefined) return this.#add();
    const content = contentOf(path, this.#tokens.next());
    const way = this.#pick(["write", "truncate", "replace", "backup", "delete"]) ?? "write";
    const gapMs = this.#random.below(25);
    switch (way) {
      case "truncate":
        this.#step(() => truncateSync(path, 0));
        await Bun.sleep(gapMs);
        break;
      case "delete":
        this.#step(() => rmSync(path));
        await Bun.sleep(gapMs);
        break;
      case "backup":
        // The old text stays beside the file for a moment.
        this.#step(() => renameSync(path, `${path}~`));
        await Bun.sleep(gapMs);
        break;
    }
    this.#step(() => {
      if (way === "replace") {
        const beside = join(dirname(path), `.${basename(path)}.tmp`);
        writeFileSync(beside, content);
        renameSync(beside, path);
      } else writeFileSync(path, content);
      rmSync(`${path}~`, { force: true });
    });
    return this.#say(`save by ${way}`, path, tokensIn(content)[0]);
  }

  #removeFile(): string {
    const path = this.#pick(this.#files);
    if (path === undefined) return this.#add();
    this.#step(() => {
      rmSync(path);
      this.#leaveMeta(path);
    });
    return this.#say("remove", path);
  }

  #renameFile(): string {
    const path = this.#pick(this.#files);
    if (path === undefined || isInit(path)) return this.#add();
    const [name, end] = nameAndEnd(path);
    const other = this.#random.chance(0.3)
      ? flipCase(name)
      : this.#random.chance(0.5)
        ? this.#newName()
        : `N${this.#tokens.next()}`;
    return this.#moveTo(path, join(dirname(path), `${other}${end}`));
  }

  #moveFile(): string {
    const path = this.#pick(this.#files);
    const folder = this.#folderForNew();
    // Of two init files in a folder only one would be read.
    const isTaken = initsIn(folder).length > 0 || statesClass(folder);
    if (path === undefined || (isInit(path) && isTaken)) return this.#add();
    return this.#moveTo(path, join(folder, basename(path)));
  }

  #changeKind(): string {
    const path = this.#pick(this.#files.filter((each) => SCRIPT_ENDS.some((end) => each.endsWith(end))));
    if (path === undefined) return this.#add();
    const [name] = nameAndEnd(path);
    return this.#moveTo(path, join(dirname(path), `${name}${this.#pick(SCRIPT_ENDS)}`));
  }

  /** With its meta file, or as some people do without it. */
  #moveTo(path: string, to: string): string {
    if (existsSync(to)) return this.#add();
    this.#step(() => {
      renameSync(path, to);
      if (to.endsWith(META_END)) this.orphans.add(to);
      const [meta, target] = [metaOf(path), metaOf(to)];
      if (meta === undefined || target === undefined || !existsSync(meta)) return;
      if (this.#random.chance(0.7) && !existsSync(target)) renameSync(meta, target);
      else this.orphans.add(meta);
    });
    return this.#say("rename", path, to);
  }

  #leaveMeta(path: string): void {
    const meta = metaOf(path);
    if (meta === undefined || !existsSync(meta)) return;
    if (this.#random.chance(0.5)) rmSync(meta);
    else this.orphans.add(meta);
  }

  #changeInit(): string {
    const folder = this.#pick(this.#folders);
    if (folder === undefined || statesClass(folder)) return this.#add();
    const [path] = initsIn(folder);
    if (path !== undefined && this.#random.chance(0.5)) {
      this.#step(() => rmSync(path));
      return this.#say("remove", path);
    }
    const target = path ?? join(folder, this.#pick(INIT_NAMES) ?? "init.luau");
    this.#step(() => writeFileSync(target, contentOf(target, this.#tokens.next())));
    return this.#say("write", target);
  }

  #changeMeta(): string {
    const owner = this.#pick([...this.#files, ...this.#folders]);
    const path = owner === undefined ? undefined : metaOf(owner);
    if (path === undefined) return this.#add();
    if (existsSync(path) && this.#random.chance(0.4)) {
      this.#step(() => rmSync(path));
      return this.#say("remove", path);
    }
    const name = `A${this.#random.below(3)}`;
    const meta = { attributes: { [name]: this.#tokens.next() } };
    this.#step(() => writeFileSync(path, JSON.stringify(meta)));
    return this.#say("write", path, JSON.stringify(meta));
  }

  #addFolder(): string {
    const path = join(this.#folderForNew(), `F${this.#random.below(6)}`);
    this.#step(() => mkdirSync(path, { recursive: true }));
    return this.#say("make folder", path);
  }

  #removeFolder(): string {
    const path = this.#pick(this.#folders.slice(TOPS.length));
    if (path === undefined) return this.#addFolder();
    this.#step(() => rmSync(path, { recursive: true }));
    return this.#say("remove folder", path);
  }

  #renameFolder(): string {
    const path = this.#pick(this.#folders.slice(TOPS.length));
    if (path === undefined) return this.#addFolder();
    const name = this.#random.chance(0.3) ? flipCase(basename(path)) : `F${this.#random.below(9)}`;
    return this.#moveTo(path, join(dirname(path), name));
  }

  #moveFolder(): string {
    const path = this.#pick(this.#folders.slice(TOPS.length));
    const parent = this.#pick(this.#folders);
    if (path === undefined || parent === undefined || `${parent}/`.startsWith(`${path}/`))
      return this.#addFolder();
    return this.#moveTo(path, join(parent, basename(path)));
  }

  #git(): string {
    const branch = `b${this.#random.below(3)}`;
    const commands: readonly (readonly string[])[] =
      this.#pick([
        [
          ["add", "-A"],
          ["commit", "-qm", "all", "--allow-empty"],
        ],
        [["checkout", "-qf", "-B", branch]],
        [["checkout", "-qf", branch]],
        [["checkout", "-q", "HEAD", "--", "src"]],
        [["stash", "-q"]],
      ]) ?? [];
    this.#step(() => {
      for (const words of commands) git(this.#folder, ...words);
    });
    return `files: git ${commands.map((words) => words.join(" ")).join("; git ")}`;
  }
}

export function git(folder: string, ...words: readonly string[]): void {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@t"];
  Bun.spawnSync(["git", ...identity, ...words], { cwd: folder });
}

function entriesBelow(folder: string): readonly Entry[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .map((entry) => ({ path: join(entry.parentPath, entry.name), isFolder: entry.isDirectory() }))
      .sort((one, other) => (one.path < other.path ? -1 : 1));
  } catch {
    // A folder that goes away while it is listed.
    return existsSync(folder) && statSync(folder).isDirectory() ? entriesBelow(folder) : [];
  }
}

/** Of a folder whose meta file says its class, which no script may have. */
function statesClass(folder: string): boolean {
  const meta = join(folder, `init${META_END}`);
  return existsSync(meta) && readFileSync(meta, "utf8").includes("className");
}

const initsIn = (folder: string): readonly string[] =>
  entriesBelow(folder).flatMap(({ path }) =>
    dirname(path) === folder && isInit(path) && !path.endsWith(META_END) ? [path] : [],
  );
const isInit = (path: string): boolean => basename(path).startsWith("init.");
const isTemporary = (path: string): boolean => basename(path).startsWith(".") || path.endsWith("~");

/** Undefined for what has no meta file. */
function metaOf(path: string): string | undefined {
  if (path.endsWith(META_END) || path.endsWith(".model.json") || MODEL_FILE.test(path) || isTemporary(path))
    return undefined;
  if (extname(path) === "" || isInit(path))
    return join(extname(path) === "" ? path : dirname(path), `init${META_END}`);
  return join(dirname(path), `${nameAndEnd(path)[0]}${META_END}`);
}

/** `M.server.luau` as `M` and `.server.luau`. */
function nameAndEnd(path: string): readonly [name: string, end: string] {
  const file = basename(path);
  const dot = file.indexOf(".");
  return dot < 0 ? [file, ""] : [file.slice(0, dot), file.slice(dot)];
}

/** The same name in another case. */
const flipCase = (name: string): string =>
  name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase();

function contentOf(path: string, token: string): string {
  if (path.endsWith(META_END)) return JSON.stringify({ attributes: { A0: token } });
  if (path.endsWith(".model.json"))
    return JSON.stringify({
      className: "StringValue",
      properties: { Value: token },
      children: [{ name: "Inner", className: "Folder" }],
    });
  if (path.endsWith(".rbxmx"))
    return `<roblox version="4"><Item class="Folder" referent="0"><Properties><string name="Name">X</string></Properties><Item class="StringValue" referent="1"><Properties><string name="Name">Y</string><string name="Value">${token}</string></Properties></Item></Item></roblox>`;
  if (path.endsWith(".json")) return JSON.stringify({ a: token });
  if (path.endsWith(".toml")) return `a = "${token}"\n`;
  if (path.endsWith(".csv")) return `Key,Source,en\nk,${token},${token}\n`;
  if (path.endsWith(".txt")) return token;
  return `${path.includes(".server.") || path.includes(".client.") ? `print("${token}")` : `return "${token}"`}\n`;
}
