/** `sb sync` while it pushes: the host, Studio or the sync itself is killed. Nothing is lost or doubled, and the next run goes on. */
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { outcomeAsync, Sandbox, untilAsync } from "../harness.ts";

setDefaultTimeout(120_000);

const COUNT = 6_000;
const MODEL = JSON.stringify({
  className: "Folder",
  children: Array.from({ length: COUNT }, (_, index) => ({ name: `F${index}`, className: "Folder" })),
});

let box: Sandbox;
let model: string;
let studio: Bun.Subprocess;

async function openStudioAsync(): Promise<void> {
  studio = box.spawn(["headless", "--name", "Alpha"]);
  await untilAsync("Alpha is connected", async () =>
    (await box.sessionsAsync()).length > 0 ? true : undefined,
  );
}

beforeEach(async () => {
  box = await Sandbox.createAsync();
  const folder = join(box.folder, "game");
  await mkdir(join(folder, "src"), { recursive: true });
  await writeFile(
    join(folder, "default.project.json"),
    JSON.stringify({
      name: "Game",
      tree: { $className: "DataModel", ReplicatedStorage: { Shared: { $path: "src" } } },
    }),
  );
  model = join(folder, "src", "Many.model.json");
  await writeFile(model, MODEL);
  await openStudioAsync();
});
afterEach(() => box[Symbol.asyncDispose]());

/** How many Instances Studio has got so far. */
async function pushedAsync(): Promise<number> {
  const { stdout } = await box.sbAsync(["find", "Folder", "ReplicatedStorage", "--limit", "1", "--json"]);
  return stdout === "" ? 0 : JSON.parse(stdout).total;
}

/** A sync that has begun to push and has not ended. */
async function pushingAsync() {
  const child = box.spawn(["sync", "game", "--json"]);
  const outcome = outcomeAsync(child);
  await untilAsync("it pushes", async () => ((await pushedAsync()) > 0 ? true : undefined));
  expect(child.exitCode).toBeNull();
  return { child, outcome };
}

async function checkAgreementAsync(): Promise<void> {
  // The folder of the project, that of the model, and its children.
  expect(await pushedAsync()).toBe(COUNT + 2);
  expect(await box.sbAsync(["sync", "game", "--check"])).toMatchObject({ exitCode: 0 });
  expect(await readFile(model, "utf8")).toBe(MODEL);
}

test("the host is killed: the sync goes on with the next host, and nothing is there twice", async () => {
  const { outcome } = await pushingAsync();
  process.kill((await box.hostAsync()).hostPid, "SIGKILL");
  const { exitCode, stdout } = await outcome;
  expect([exitCode, JSON.parse(stdout).status]).toEqual([0, "success"]);
  await checkAgreementAsync();
});

test("Studio is killed: the answer says what was not applied, the files stay, and another Studio gets all of it", async () => {
  const { outcome } = await pushingAsync();
  studio.kill("SIGKILL");
  const { exitCode, stdout } = await outcome;
  const { status, items } = JSON.parse(stdout);
  expect([exitCode, status]).toEqual([1, "partial_failure"]);
  expect(items.filter(({ applied }: { applied: boolean }) => applied)).toEqual([]);
  expect(await readFile(model, "utf8")).toBe(MODEL);
  await openStudioAsync();
  expect(await box.sbAsync(["sync", "game"])).toMatchObject({ exitCode: 0 });
  await checkAgreementAsync();
});

test("the sync is killed: what it did stays and is one undo step, and the next one does the rest", async () => {
  const { child, outcome } = await pushingAsync();
  child.kill("SIGKILL");
  await outcome;
  const left = await pushedAsync();
  expect(left).toBeGreaterThan(0);
  expect(await box.sbAsync(["sync", "game"])).toMatchObject({ exitCode: 0 });
  await checkAgreementAsync();
});
