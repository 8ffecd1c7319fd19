/** `sb test --watch` through the compiled binary, without a terminal: the tests that run after each kind of change, and its end. */
import { expect, test } from "bun:test";
import { rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { binaryPath } from "../../build.ts";
import { sandbox } from "../sandbox.ts";

const box = sandbox();

const spec = (name: string, value: number) =>
  `return { ${name} = function() local v = require(script.Parent.${name}) assert(v == ${value}, "it is " .. v) end }`;
const project = { name: "W", tree: { $className: "DataModel", ReplicatedStorage: { $path: "src" } } };

test("a change runs the tests that use the file, and after an error in the project the watch goes on", async () => {
  await box.writeAsync("default.project.json", JSON.stringify(project));
  for (const name of ["One", "Two"]) {
    await box.writeAsync(`src/${name}.luau`, "return 1");
    await box.writeAsync(`src/${name}.spec.luau`, spec(name, 1));
  }
  const child = Bun.spawn([binaryPath, "test", "--watch"], {
    cwd: box.folder,
    env: box.env({ CI: "" }),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let stdout = "";
  let stderr = "";
  const readAsync = async (stream: ReadableStream<Uint8Array>, add: (text: string) => void) => {
    for await (const chunk of stream) add(new TextDecoder().decode(chunk));
  };
  void readAsync(child.stdout, (text) => (stdout += text));
  void readAsync(child.stderr, (text) => (stderr += text));
  let rounds = 0;
  const untilAsync = async (isThere: () => boolean): Promise<void> => {
    while (!isThere()) {
      if (child.exitCode !== null) throw new Error(`it ended: ${stderr}`);
      await Bun.sleep(5);
    }
  };
  /** The output until the watch waits again after a run. */
  const nextAsync = async (): Promise<string> => {
    rounds += 1;
    const count = () => stderr.split("Watching for changes; Ctrl+C ends.\n").length - 1;
    await untilAsync(() => count() >= rounds && stdout.includes(" Files  "));
    const said = stdout + stderr;
    stdout = "";
    return said;
  };
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
  rounds += 1;
  await untilAsync(() => /default\.project\.json: line [^]*\nWatching for changes/.test(stderr));
  await box.writeAsync("default.project.json", JSON.stringify(project));
  expect(await nextAsync()).toContain("Files  3 passed      Cases  3 passed");
  await rm(join(box.folder, "src/Two.luau"));
  const removed = await nextAsync();
  expect(removed).toContain(
    "All tests run, because it is not known which tests used src/Two.luau, which was removed.",
  );
  expect(removed).toContain("Files  1 failed, 2 passed");
  await rm(join(box.folder, "src/Three.spec.luau"));
  await untilAsync(() => stderr.includes("Removed: src/Three.spec.luau\nWatching for changes"));
  // A folder behind a link, which is new itself.
  await box.writeAsync("node_modules/elsewhere/Four.luau", "return 1");
  await box.writeAsync("node_modules/elsewhere/Four.spec.luau", spec("Four", 1));
  await symlink(join(box.folder, "node_modules/elsewhere"), join(box.folder, "src/linked"), "junction");
  const linked = await nextAsync();
  expect(linked).toContain("src/linked/Four.spec.luau");
  await box.writeAsync("node_modules/elsewhere/Four.luau", "return 2");
  expect(await nextAsync()).toContain("it is 2");
  child.kill("SIGINT");
  expect(await child.exited).toBe(130);
}, 120_000);

test("watching needs headless Studio, and lists nothing", async () => {
  expect(await box.localSbAsync(["test", "-w", "--list"])).toMatchObject({ exitCode: 2 });
  const { stderr, exitCode } = await box.localSbAsync(["test", "-w", "--on", "studio"]);
  expect(stderr).toContain("--watch runs tests in headless Studio only.");
  expect(exitCode).toBe(2);
});
