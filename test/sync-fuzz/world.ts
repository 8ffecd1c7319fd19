/**
 * The world of a random story: a project on disk and an open Studio, both of which a person edits, and what must be true of
 * them in the end.
 */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { BridgeConnection } from "../../src/bridge/index.ts";
import { loadFileSchemaAsync } from "../../src/headless/index.ts";
import type { RojoNode } from "../../src/roblox/rojo/node.ts";
import { readRojoTreeAsync } from "../../src/roblox/rojo/project.ts";
import { Sandbox } from "../harness.ts";
import { Random } from "../simulator/random.ts";
import { FileEdits, git } from "./file-edits.ts";
import { StudioEdits } from "./studio-edits.ts";
import { Tokens, tokensIn, tokensInFile } from "./tokens.ts";

/** What became of a story. */
export interface Story {
  /** Everything that is wrong; empty for a good story. */
  readonly faults: readonly string[];
  /** What was done and what sb said, in order. */
  readonly log: readonly string[];
}

export interface Item {
  readonly id: string;
  readonly path: string;
  readonly fsPath?: string;
  readonly change: string;
  readonly verdict: string;
  readonly reason?: string;
  readonly detail?: string;
  readonly applied?: boolean;
  readonly failure?: string;
}

export const itemText = ({ verdict, change, path, fsPath, reason, detail, failure }: Item): string =>
  [verdict, change, path, fsPath, reason, detail, failure].filter((part) => part !== undefined).join(" ");

/** The project is in the folder `game` of the sandbox. */
export class World implements AsyncDisposable {
  readonly box: Sandbox;
  readonly random: Random;
  readonly files: FileEdits;
  readonly studio: StudioEdits;
  /** `sync` with the project, and by chance with what it compares. */
  readonly words: readonly string[];
  readonly #tokens: Tokens;
  readonly #disposables: AsyncDisposableStack;

  private constructor(
    box: Sandbox,
    random: Random,
    connection: BridgeConnection,
    sessionId: string,
    disposables: AsyncDisposableStack,
  ) {
    const isAllSynced = random.chance(0.5);
    this.box = box;
    this.random = random;
    this.#tokens = new Tokens();
    this.#disposables = disposables;
    this.files = new FileEdits(this.project, random, this.#tokens);
    this.studio = new StudioEdits(connection.session(sessionId), random, this.#tokens, isAllSynced);
    this.words = ["sync", "game", ...(isAllSynced ? ["--properties", "changed"] : [])];
  }

  static async openAsync(seed: number): Promise<World> {
    await using opened = new AsyncDisposableStack();
    const box = opened.use(await Sandbox.createAsync());
    opened.use(box.enter());
    makeProject(box);
    await box.headlessAsync("Alpha");
    const [session] = await box.sessionsAsync();
    const connection = opened.use(await BridgeConnection.connectAsync({ port: box.port }));
    const world = new World(box, new Random(seed), connection, session?.sessionId ?? "", opened.move());
    for (let count = 0; count < 12; count++) await world.files.addAsync();
    return world;
  }

  get project(): string {
    return join(this.box.folder, "game");
  }

  /** One edit on either side, as a line for the log. */
  async editAsync(): Promise<string> {
    return `  ${await (this.random.chance(0.5) ? this.files : this.studio).editAsync()}`;
  }

  /** The items of `sb sync … --json`, or what it says instead. */
  async syncAsync(...more: readonly string[]) {
    const words = [...this.words, "--json", ...more];
    const isOfFile = more.includes("--from");
    const { stdout, stderr, exitCode } = await (isOfFile
      ? this.box.localSbAsync(words)
      : this.box.sbAsync(words));
    const { status = "", items }: { readonly status?: string; readonly items?: readonly Item[] } = JSON.parse(
      stdout || "{}",
    );
    return { status, items, exitCode, said: `${stdout}${stderr}` };
  }

  /** A sync in which a person chooses sides, so that what is on neither afterwards has been given up. */
  async chooseAsync(...words: readonly string[]) {
    const presentAsync = async () => this.files.tokens().union(await this.studio.tokensAsync());
    const before = await presentAsync();
    const outcome = await this.syncAsync(...words);
    this.#tokens.changed(before, await presentAsync());
    return outcome;
  }

  /** The edits that are on neither side, in no trash, and that no person has replaced. */
  async lostAsync(): Promise<string[]> {
    const trash = tokensBelow(join(this.project, ".sb", "trash"));
    const lost = this.#tokens.lostFrom(this.files.tokens(), await this.studio.tokensAsync(), trash);
    return lost.length === 0 ? [] : [`lost: ${lost.join(", ")}`];
  }

  /** Files that make no Instance and that no person has left there. */
  async leftOverAsync(): Promise<string[]> {
    const used = new Set<string>();
    const note = ({ origin, children }: RojoNode): void => {
      for (const path of [origin?.path, origin?.init, origin?.meta]) if (path !== undefined) used.add(path);
      children.forEach(note);
    };
    const projectFile = join(this.project, "default.project.json");
    note((await readRojoTreeAsync(projectFile, await loadFileSchemaAsync())).root);
    return this.files.entries().flatMap(({ path, isFolder }) => {
      // The sync keeps an empty folder for git.
      const isKept = basename(path) === ".gitkeep";
      const isExpected = isFolder || isKept || used.has(path) || this.files.orphans.has(path);
      // A folder with an init file gives its meta file to the init file.
      const isInitMeta = basename(path) === "init.meta.json" && used.has(dirname(path));
      return isExpected || isInitMeta ? [] : [`left over: ${path.slice(this.project.length + 1)}`];
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#disposables.disposeAsync();
  }
}

function makeProject(box: Sandbox): void {
  const folder = join(box.folder, "game");
  for (const top of ["src", "src/F0", "src/F1", "server"]) mkdirSync(join(folder, top), { recursive: true });
  const tree = {
    $className: "DataModel",
    ReplicatedStorage: { Shared: { $path: "src" } },
    ServerScriptService: { $path: "server" },
  };
  writeFileSync(join(folder, "default.project.json"), JSON.stringify({ name: "Game", tree }));
  // The removal of all that a project node contains is asked about.
  for (const name of ["One", "Two", "Three", "Four"])
    writeFileSync(join(folder, "server", `${name}.server.luau`), `print("${name}")\n`);
  git(folder, "init", "-q");
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", "first", "--allow-empty");
}

function tokensBelow(folder: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const entry of listed(folder)) {
    const path = join(entry.parentPath, entry.name);
    for (const token of tokensIn(path)) found.add(token);
    if (entry.isFile()) for (const token of tokensInFile(path)) found.add(token);
  }
  return found;
}

function listed(folder: string) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch {
    return [];
  }
}
