/** A repository of git in a folder of its own, for tests. It does not see the settings of the person who runs them. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const SETTINGS = ["user.name=Test", "user.email=test@example.com", "protocol.file.allow=always"].flatMap(
  (setting) => ["-c", setting],
);

export class TestRepository {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  static async createAsync(...options: readonly string[]): Promise<TestRepository> {
    const made = new TestRepository(await realpath(await mkdtemp(join(tmpdir(), "sb-git-"))));
    made.git("init", "-q", "-b", "main", ...options);
    return made;
  }

  /** What git prints. Throws what it says where it fails. */
  git(...words: readonly string[]): string {
    return this.gitWithInput("", ...words);
  }

  gitWithInput(input: string | Uint8Array, ...words: readonly string[]): string {
    const { exitCode, stdout, stderr } = Bun.spawnSync(["git", "-C", this.folder, ...SETTINGS, ...words], {
      stdin: Buffer.from(input),
      env: { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    });
    if (exitCode !== 0) throw new Error(stderr.toString());
    return stdout.toString();
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  async putAsync(name: string, content: string): Promise<void> {
    await mkdir(dirname(this.path(name)), { recursive: true });
    await writeFile(this.path(name), content);
  }

  /** The id of a commit of all that is in the folder. */
  commit(): string {
    this.git("add", "-A");
    this.git("commit", "-q", "--allow-empty", "-m", "A state");
    return this.git("rev-parse", "HEAD").trim();
  }

  async commitAsync(files: Readonly<Record<string, string>>): Promise<string> {
    for (const [name, content] of Object.entries(files)) await this.putAsync(name, content);
    return this.commit();
  }

  removeAsync(): Promise<void> {
    return rm(this.folder, { recursive: true });
  }
}
