/** A story of one project: a git repository, the Studios that are opened and left with it, and what syncs say. */
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { newestFile, syncStateAsync } from "../../src/sync/state-paths.ts";
import { Sandbox, untilAsync } from "../harness.ts";
import { type Files, SyncProject } from "./sync-project.ts";

interface OpenStudio {
  /** Ends it at once, as a crash does; nothing is saved. */
  killAsync(): Promise<void>;
}

/** A source of some length, so that another version of it is known as such. */
export const text = (name: string, version: number): string =>
  Array.from({ length: 10 }, (_, line) => `local ${name}${line} = ${line} -- ${version}`).join("\n");

/** The published place of most stories. */
const PLACE_ID = 4815;

export class Story implements AsyncDisposable {
  readonly box: Sandbox;
  readonly project: SyncProject;

  private constructor(box: Sandbox, project: SyncProject) {
    this.box = box;
    this.project = project;
  }

  /** The files are the first commit. */
  static async createAsync(files: Files): Promise<Story> {
    const box = await Sandbox.createAsync();
    const story = new Story(box, await SyncProject.createAsync(box, files));
    story.git("init", "-b", "main");
    story.commit("first");
    return story;
  }

  /** Gives back what git prints. */
  git(...words: readonly string[]): string {
    const identity = ["-c", "user.name=t", "-c", "user.email=t@t"];
    const cwd = this.project.folder;
    const { exitCode, stdout, stderr } = Bun.spawnSync(["git", ...identity, ...words], { cwd });
    if (exitCode !== 0) throw new Error(stderr.toString());
    return stdout.toString();
  }

  commit(message: string): void {
    this.git("add", "--all", "default.project.json", "shared", "server");
    this.git("commit", "-m", message);
  }

  /** The files of the project that differ from HEAD, as `M shared/A.luau`. */
  changed(): string[] {
    const lines = this.git("status", "--porcelain", "shared", "server").split("\n");
    return lines.filter((line) => line !== "").map((line) => line.trim());
  }

  /** Opens a place, or a new one. Without an id it is not published, and known by what a sync has left in it. */
  async openAsync(place?: string, placeId: number | "none" = PLACE_ID, name = "Lobby"): Promise<OpenStudio> {
    const words = placeId === "none" ? [] : ["--place-id", String(placeId)];
    const studio = this.box.spawn([
      ...["headless", "--name", name, ...words],
      ...(place === undefined ? [] : [join(this.project.folder, place)]),
    ]);
    await untilAsync(`${name} is connected`, async () => {
      if (studio.exitCode !== null) throw new Error(`${name} has ended: ${await studio.stderr.text()}`);
      return (await this.#isOpenAsync(name)) ? true : undefined;
    });
    return {
      killAsync: async () => {
        studio.kill("SIGKILL");
        await studio.exited;
        await this.#untilGoneAsync(name);
      },
    };
  }

  async #isOpenAsync(name: string): Promise<boolean> {
    return (await this.box.sessionsAsync()).some(({ placeName }) => placeName === name);
  }

  async #untilGoneAsync(name: string): Promise<void> {
    await untilAsync(`${name} is gone`, async () => ((await this.#isOpenAsync(name)) ? undefined : true));
  }

  /** Leaves the only Studio without saving, as a person does. */
  async closeAsync(name = "Lobby"): Promise<void> {
    await this.#succeedsAsync("close", "-s", name, "--discard");
    await this.#untilGoneAsync(name);
  }

  async saveAsync(place: string, name = "Lobby"): Promise<void> {
    await this.#succeedsAsync("save", "-s", name, join(this.project.folder, place));
  }

  async execAsync(script: string, name = "Lobby"): Promise<unknown> {
    return JSON.parse(await this.#succeedsAsync("exec", "-s", name, "--json", script)).returnValues?.[0];
  }

  /** The source of a module in ReplicatedStorage. */
  sourceAsync(module: string, name = "Lobby"): Promise<unknown> {
    return this.execAsync(
      `local m = game.ReplicatedStorage:FindFirstChild("${module}") return if m then m.Source else false`,
      name,
    );
  }

  async #succeedsAsync(...words: readonly string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await this.box.sbAsync(words);
    if (exitCode !== 0) throw new Error(`sb ${words.join(" ")} failed: ${stdout}${stderr}`);
    return stdout;
  }

  /** `push edit ReplicatedStorage.A`, with the reason of what is open, and the status. */
  async syncAsync(...words: readonly string[]): Promise<readonly string[]> {
    const { status, items, exitCode } = await this.project.reportAsync(...words);
    const lines = items.map((item: Item) => textOf(item)).sort();
    return [`${status} ${exitCode}`, ...lines];
  }

  /** Lets a person change a module of ReplicatedStorage in Studio. */
  async setAsync(module: string, version: number, name = "Lobby"): Promise<void> {
    await this.execAsync(
      `game.ReplicatedStorage.${module}.Source = ${JSON.stringify(text(module, version))}`,
      name,
    );
  }

  /** From now on git waits until it is let go. */
  async blockGitAsync() {
    const [asked, go] = [join(this.box.folder, "git-asked"), join(this.box.folder, "git-go")];
    const script = `#!/bin/sh\n: > ${asked}\nuntil [ -e ${go} ]; do sleep 0.01; done\nexec ${Bun.which("git")} "$@"\n`;
    await chmod(await this.box.writeAsync("bin/git", script), 0o755);
    return {
      untilAskedAsync: () =>
        untilAsync("git is asked", async () => ((await Bun.file(asked).exists()) ? true : undefined)),
      letGoAsync: () => Bun.write(go, ""),
    };
  }

  /** What the state folder holds of the newest revision. */
  async revisionAsync(): Promise<string> {
    const env = { XDG_STATE_HOME: this.box.stateFolder };
    const state = await syncStateAsync(join(this.project.folder, "default.project.json"), env);
    const file = Bun.file(newestFile(state));
    return (await file.exists()) ? Buffer.from(await file.bytes()).toString("latin1") : "";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.box[Symbol.asyncDispose]();
  }
}

interface Item {
  readonly verdict: string;
  readonly change: string;
  readonly path: string;
  readonly reason?: string;
  readonly applied?: boolean;
}

function textOf({ verdict, change, path, reason, applied }: Item): string {
  const why = verdict === "unresolved" || reason === "studio_older" ? ` ${reason}` : "";
  return `${verdict} ${change} ${path.replace("ReplicatedStorage.", "")}${why}${applied === false ? ": failed" : ""}`;
}
