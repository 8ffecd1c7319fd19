/** Flags of `sb test` for the course of a run, through the compiled binary: order, repetitions, isolation, limits, shards. */
import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { readFile } from "node:fs/promises";
import { sandbox } from "../sandbox.ts";

const box = sandbox();
/** Files that leave an Instance and a loaded module, and whose case names show what they find. */
const LEAVES = `return function()
	local found = workspace:FindFirstChild("Left") ~= nil
	describe("place", function()
		it(if found then "is used" else "is fresh", function()
			Instance.new("Part", Instance.new("Folder", workspace)).Parent.Name = "Left"
		end)
		it("b", function() end)
		it("c", function() end)
		it("d", function() end)
		it("e", function() end)
	end)
end
`;

type Event = { type: string; [key: string]: unknown };
async function eventsAsync(folder: string, ...words: string[]): Promise<Event[]> {
  const { stdout } = await box.localSbAsync(
    ["test", "--json", ...words],
    { CI: "" },
    join(box.folder, folder),
  );
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}
const testAsync = (folder: string, ...words: string[]) =>
  box.localSbAsync(["test", ...words], { CI: "" }, join(box.folder, folder));
const casesOf = (events: readonly Event[]) =>
  events
    .filter(({ type }) => type === "case-end")
    .map(({ file, id, repeat }) => [file, id, repeat].join(" "));

beforeAll(async () => {
  for (const name of ["a", "b", "c"]) await box.writeAsync(`order/${name}.spec.luau`, LEAVES);
  await box.writeAsync(
    "chance/a.spec.luau",
    `return { draws = function()
	print(math.random(2 ^ 30))
	print(Random.new():NextInteger(1, 2 ^ 30))
end }`,
  );
  await box.writeAsync("long/a.spec.luau", "return { waits = function() task.wait(20) end }");
  await box.writeAsync("long/b.spec.luau", "return { never = function() end }");
  await box.writeAsync(
    "late/a.spec.luau",
    "return { leaves = function() workspace.ChildAdded:Connect(function() error('still here') end) end }",
  );
  await box.writeAsync(
    "late/b.spec.luau",
    "return { triggers = function() local folder = Instance.new('Folder', workspace) task.wait() folder:Destroy() end }",
  );
  await box.writeAsync("skipped/a.spec.luau", "return function() xit('a', function() end) itTODO('b') end");
}, 120_000);

test("--random runs files and cases in an order that its seed repeats, and each --repeat in another order", async () => {
  const events = await eventsAsync("order", "--workers", "1", "--random", "7", "--repeat", "2");
  expect(events[0]).toMatchObject({ type: "run", seed: 7 });
  const cases = casesOf(events);
  expect(cases).toHaveLength(30);
  const ofFile = (all: readonly string[], file: string, repeat: number) =>
    all
      .filter((each) => each.startsWith(`${file}.spec`) && each.endsWith(`${repeat}`))
      .map((each) => each.split(" › ")[1]);
  expect(ofFile(cases, "a", 1).toSorted()).toEqual(
    ofFile(cases, "a", 2)
      .toSorted()
      .map((each) => each?.replace("2", "1")),
  );
  expect(casesOf(await eventsAsync("order", "--workers", "1", "--random", "7", "--repeat", "2"))).toEqual(
    cases,
  );
  // The second repetition has the order of the next seed.
  const next = casesOf(await eventsAsync("order", "--workers", "1", "--random", "8"));
  expect(next.filter((each) => each.startsWith("b.")).map((each) => each.trim())).toEqual(
    cases.filter((each) => each.startsWith("b.") && each.endsWith(" 2")).map((each) => each.slice(0, -2)),
  );
  const { stdout, exitCode } = await testAsync("order", "--random");
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/\n? Seed     (\d+) \(--random \1 runs in this order again\)/);
});

test("--repeat gives other random numbers each time, so that a case that depends on them fails in some repetitions", async () => {
  const events = await eventsAsync("chance", "--repeat", "3");
  const drawn = events.filter(({ type }) => type === "output").map(({ text }) => text);
  expect(drawn).toHaveLength(6);
  expect(new Set(drawn).size).toBe(6);
});

test("--isolate decides what a file finds, and files that leave Instances or threads are named", async () => {
  const freshAsync = async (isolate: string) =>
    casesOf(await eventsAsync("order", "--workers", "1", "--isolate", isolate)).filter((each) =>
      each.includes("is fresh"),
    );
  expect(await freshAsync("file")).toHaveLength(3);
  expect(await freshAsync("worker")).toHaveLength(3);
  expect(await freshAsync("none")).toHaveLength(1);
  const { stdout } = await testAsync("order", "--workers", "1", "--isolate", "worker");
  expect(stdout).toContain(" Left     by a.spec.luau: Workspace.Left\n");
  const late = await testAsync("late", "--workers", "1", "--isolate", "none");
  expect(late.stdout).toContain(
    " Left     by a.spec.luau: an error at a.spec.luau:1 while b.spec.luau ran (in a thread of its own: still here)\n",
  );
  expect(late.stdout).toContain("Cases  2 passed");
  expect((await testAsync("order", "--isolate", "fiel")).stderr).toContain(
    "--isolate: expected file, worker or none",
  );
});

test("--run-timeout ends the run, fails the running case, and says how many files have run", async () => {
  const { stdout, exitCode } = await testAsync("long", "--workers", "1", "--run-timeout", "1s");
  expect(exitCode).toBe(1);
  expect(stdout).toContain("the time of the run is over");
  expect(stdout).toContain("Cases  1 failed");
  expect(stdout).toContain(" Ended at the time limit of the run after 0 of 2 files.");
});

test("a run in which every case is left out passes and counts them", async () => {
  const { stdout, exitCode } = await testAsync("skipped");
  expect(exitCode).toBe(0);
  expect(stdout).toContain("1 skipped, 1 todo");
});

test("--history divides files by their durations, merge adds to it, and files that no shard ran are reported", async () => {
  const history = join(box.folder, "ci/history.jsonl");
  const entry = (file: string, durationMs: number) => JSON.stringify({ file, at: 1, durationMs, failed: [] });
  const lines = [entry("a.spec.luau", 100), entry("b.spec.luau", 900), entry("c.spec.luau", 200)].join("\n");
  await box.writeAsync("ci/history.jsonl", `${lines}\n`);
  const shardAsync = (shard: string, ...words: string[]) =>
    testAsync("order", "--shard", shard, "--reporter", `blob=${box.folder}/ci/${shard[0]}.jsonl`, ...words);
  const listed = await testAsync("order", "--shard", "1/2", "--history", history, "--list");
  expect(listed.stdout.split("\n").map((line) => line.slice(0, 1))).toEqual(["b", ""]);
  for (const shard of ["1/2", "2/2"]) await shardAsync(shard, "--history", history);
  expect(await readFile(history, "utf8")).toBe(`${lines}\n`);
  const blobs = [join(box.folder, "ci/1.jsonl"), join(box.folder, "ci/2.jsonl")];
  const mergeAsync = () =>
    box.localSbAsync(
      ["test", "merge", ...blobs, "--history", history],
      { CI: "" },
      join(box.folder, "order"),
    );
  await box.writeAsync("ci/history.jsonl", "");
  expect(await mergeAsync()).toMatchObject({ exitCode: 0, stderr: "" });
  const known = (await readFile(history, "utf8")).trim().split("\n");
  expect(known.map((line) => JSON.parse(line).file).toSorted()).toEqual([
    "a.spec.luau",
    "b.spec.luau",
    "c.spec.luau",
  ]);
  // A run of some cases does not change how long a whole file takes.
  const some = join(box.folder, "ci/some.jsonl");
  await testAsync("order", "a.spec", "-t", "no such case", "--reporter", `blob=${some}`);
  await box.localSbAsync(
    ["test", "merge", some, "--history", history],
    { CI: "" },
    join(box.folder, "order"),
  );
  // No case ran, which merge takes for a mistake unless it is told.
  for (const [words, code] of [
    [[], 1],
    [["--pass-with-no-tests"], 0],
  ] as const) {
    const merged = await box.localSbAsync(
      ["test", "merge", some, ...words],
      { CI: "" },
      join(box.folder, "order"),
    );
    expect(merged.exitCode).toBe(code);
  }
  const durations = (await readFile(history, "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ file }) => file === "a.spec.luau")
    .map(({ durationMs }) => durationMs);
  expect(durations).toEqual([durations[0], durations[0]]);
  // Shard 2 of another division has other files.
  await box.writeAsync(
    "ci/history.jsonl",
    `${entry("a.spec.luau", 9000)}\n${lines.split("\n").slice(1).join("\n")}\n`,
  );
  await shardAsync("1/2", "--history", history);
  const gap = await box.localSbAsync(["test", "merge", ...blobs], { CI: "" }, join(box.folder, "order"));
  expect(gap.exitCode).not.toBe(0);
});
