/** `sb test --watch` through the compiled binary, without a terminal: the tests that run after each kind of change, and its end. */
import { expect, test } from "bun:test";
import { rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { binaryPath } from "../../build.ts";
import { Sandbox } from "../harness.ts";
import { sandbox } from "../sandbox.ts";

const box = sandbox();

const spec = (name: string, value: number) =>
  `return { ${name} = function() local v = require(script.Parent.${name}) assert(v == ${value}, "it is " .. v) end }`;
const project = { name: "W", tree: { $className: "DataModel", ReplicatedStorage: { $path: "src" } } };

/** A watch without a terminal, and what it says. */
class Watch {
  stdout = "";
  stderr = "";
  rounds = 0;
  readonly #child;

  constructor(own: Sandbox) {
    this.#child = Bun.spawn([binaryPath, "test", "--watch"], {
      cwd: own.folder,
      env: own.env({ CI: "" }),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    void this.#readAsync(this.#child.stdout, (text) => (this.stdout += text));
    void this.#readAsync(this.#child.stderr, (text) => (this.stderr += text));
  }

  async untilAsync(isThere: (said: Watch) => boolean): Promise<void> {
    while (!isThere(this)) {
      if (this.#child.exitCode !== null) throw new Error(`it ended: ${this.stderr}`);
      await Bun.sleep(5);
    }
  }

  /** The output until the watch waits again after a run. */
  async nextAsync(): Promise<string> {
    this.rounds += 1;
    const count = () => this.stderr.split("Watching for changes; Ctrl+C ends.\n").length - 1;
    await this.untilAsync(() => count() >= this.rounds && this.stdout.includes(" Files  "));
    const said = this.stdout + this.stderr;
    this.stdout = "";
    return said;
  }

  interruptAsync(): Promise<number> {
    this.#child.kill("SIGINT");
    return this.#child.exited;
  }

  async #readAsync(stream: ReadableStream<Uint8Array>, add: (text: string) => void): Promise<void> {
    for await (const chunk of stream) add(new TextDecoder().decode(chunk));
  }
}

test("a change runs the tests that use the file, and after an error in the project the watch goes on", async () => {
  await box.writeAsync("default.project.json", JSON.stringify(project));
  for (const name of ["One", "Two"]) {
    await box.writeAsync(`src/${name}.luau`, "return 1");
    await box.writeAsync(`src/${name}.spec.luau`, spec(name, 1));
  }
  const watch = new Watch(box);
  const nextAsync = () => watch.nextAsync();
  expect(await nextAsync()).toContain("Files  2 passed      Cases  2 passed");
  await box.writeAsync("src/One.luau", "return 2");
  const failed = await nextAsync();
  expect(failed).toContain("Changed: src/One.luau");
  expect(failed).toContain("it is 2");
  expect(failed).toContain("Files  1 failed, 0 passed      Cases  1 failed, 0 passed");
  // Editors write a new file and rename it to the old name.
  await box.writeAsync("src/.One.tmp", "return 1");
  await rename(join(box.folder, "src/.One.tmp"), join(box.folder, "src/One.luau"));
  expect(await nextAsync()).toContain("Files  1 passed      Cases  1 passed");
  await box.writeAsync("src/Three.spec.luau", "return { three = function() end }");
  const added = await nextAsync();
  expect(added).toContain("Changed: src/Three.spec.luau");
  expect(added).toContain("Files  1 passed      Cases  1 passed");
  await box.writeAsync("default.project.json", "{");
  watch.rounds += 1;
  await watch.untilAsync(({ stderr }) =>
    /default\.project\.json: line [^]*\nWatching for changes/.test(stderr),
  );
  await box.writeAsync("default.project.json", JSON.stringify(project));
  expect(await nextAsync()).toContain("Files  3 passed      Cases  3 passed");
  await rm(join(box.folder, "src/Two.luau"));
  const removed = await nextAsync();
  expect(removed).toContain(
    "All tests run, because it is not known which tests used src/Two.luau, which was removed.",
  );
  expect(removed).toContain("Files  1 failed, 2 passed");
  await rm(join(box.folder, "src/Three.spec.luau"));
  await watch.untilAsync(({ stderr }) =>
    stderr.includes("Removed: src/Three.spec.luau\nWatching for changes"),
  );
  // A folder behind a link, which is new itself.
  await box.writeAsync("node_modules/elsewhere/Four.luau", "return 1");
  await box.writeAsync("node_modules/elsewhere/Four.spec.luau", spec("Four", 1));
  await symlink(join(box.folder, "node_modules/elsewhere"), join(box.folder, "src/linked"), "junction");
  const linked = await nextAsync();
  expect(linked).toContain("src/linked/Four.spec.luau");
  await box.writeAsync("node_modules/elsewhere/Four.luau", "return 2");
  expect(await nextAsync()).toContain("it is 2");
  expect(await watch.interruptAsync()).toBe(130);
}, 120_000);

test("of several projects, a change runs the tests that use the file in its project", async () => {
  await using own = await Sandbox.createAsync();
  for (const name of ["One", "Two"]) {
    const folder = `packages/${name.toLowerCase()}`;
    await own.writeAsync(`${folder}/sb.config.json`, '{ "test": {} }');
    await own.writeAsync(`${folder}/default.project.json`, JSON.stringify(project));
    await own.writeAsync(`${folder}/src/${name}.luau`, "return 1");
    await own.writeAsync(`${folder}/src/${name}.spec.luau`, spec(name, 1));
  }
  const watch = new Watch(own);
  expect(await watch.nextAsync()).toContain("Files  2 passed      Cases  2 passed");
  await own.writeAsync("packages/two/src/Two.luau", "return 2");
  const failed = await watch.nextAsync();
  expect(failed).toContain("Changed: packages/two/src/Two.luau");
  expect(failed).toContain("it is 2");
  expect(failed).toContain("Files  1 failed, 0 passed      Cases  1 failed, 0 passed");
  await own.writeAsync("packages/two/sb.config.json", '{ "test": { "include": ["src/*.spec.luau"] } }');
  const read = await watch.nextAsync();
  expect(read).toContain("The project was read again.");
  expect(read).toContain("Files  1 failed, 1 passed");
  await own.writeAsync("packages/two/src/Two.luau", "return 1");
  expect(await watch.nextAsync()).toContain("Files  1 passed      Cases  1 passed");
  expect(await watch.interruptAsync()).toBe(130);
}, 120_000);

test("watching needs headless Studio, and lists nothing", async () => {
  expect(await box.localSbAsync(["test", "-w", "--list"])).toMatchObject({ exitCode: 2 });
  const { stderr, exitCode } = await box.localSbAsync(["test", "-w", "--on", "studio"]);
  expect(stderr).toContain("--watch runs tests in headless Studio only.");
  expect(exitCode).toBe(2);
});
