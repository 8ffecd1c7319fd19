/**
 * How a run in the cloud divides files into tasks and reacts to tasks without results, against a fake service whose
 * tasks answer at once with results that the test makes up.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OpenCloud } from "../../../../src/cloud/open-cloud.ts";
import { loadFileSchemaAsync } from "../../../../src/headless/index.ts";
import { modelOf, newNode } from "../../../../src/roblox/rojo/node.ts";
import { type CloudRunOptions, runCloudTestsAsync } from "../../../../src/testing/cloud/run-cloud-tests.ts";
import type { TestEvent } from "../../../../src/testing/events.ts";
import { EDIT } from "../../../../src/testing/test-context.ts";
import type { TestFile } from "../../../../src/testing/test-file.ts";
import { FakeOpenCloud, KEY, type ScriptEnd, type ScriptRun } from "../../../cloud/fake-open-cloud.ts";
import { QuickClock } from "../../../cloud/quick-clock.ts";

interface Job {
  readonly file: string;
  readonly ids: readonly string[] | undefined;
}

/** The files of a task, as its script has them. */
function jobsIn({ script }: ScriptRun): readonly Job[] {
  const [, text = "[]"] = /runAsync\(__sbTest, __sbTestCoverage, \[=*\[\n(.*)\]=*\]\)$/.exec(script) ?? [];
  const jobs: { input: string; ids?: string[] }[] = JSON.parse(text);
  return jobs.map(({ input, ids }) => ({ file: JSON.parse(input).file, ids }));
}

const caseOf = (id: string) => ({ id, names: [id] });

/** Each file has the cases `one` and `two`; those of `failing` fail. */
function resultsOf(
  run: ScriptRun,
  failing: readonly string[] = [],
): Extract<ScriptEnd, { kind: "returned" }> {
  const lines = jobsIn(run).flatMap(({ file, ids }, index) => {
    const told = (event: object) => ({ file: index + 1, event });
    const plan =
      ids === undefined && !run.script.includes('\\"chooses\\":true')
        ? []
        : [told({ type: "plan", cases: ["one", "two"].map(caseOf) })];
    const chosen = ["one", "two"].filter((id) => (plan.length === 0 ? true : ids?.includes(id)));
    const ends = chosen.map((id) =>
      failing.includes(`${file} ${id}`)
        ? told({
            type: "case-end",
            case: caseOf(id),
            status: "failed",
            durationMs: 1,
            failure: { message: "no" },
          })
        : told({ type: "case-end", case: caseOf(id), status: "passed", durationMs: 1 }),
    );
    return [...plan, ...ends, told({ type: "end" }), { file: index + 1, durationMs: 5, isLate: false }];
  });
  const text = [...lines, { isWhole: true }].map((line) => JSON.stringify(line)).join("\n");
  return { kind: "returned", values: [], binary: new TextEncoder().encode(text), messages: [] };
}

const fileOf = (path: string): TestFile => ({
  path,
  absolutePath: `/${path}`,
  framework: "built-in",
  why: "",
  context: EDIT,
});

interface World extends Partial<Omit<CloudRunOptions, "files">> {
  readonly files?: readonly string[];
  readonly answer?: (run: ScriptRun, count: number) => ScriptEnd;
  readonly before?: (fake: FakeOpenCloud) => void;
  /** In place of those that `files` names. */
  readonly testFiles?: readonly TestFile[];
}

const { XDG_STATE_HOME: stateHome } = process.env;
beforeAll(async () => {
  process.env["XDG_STATE_HOME"] = await mkdtemp(join(tmpdir(), "sb-test-"));
});
afterAll(() => {
  if (stateHome === undefined) delete process.env["XDG_STATE_HOME"];
  else process.env["XDG_STATE_HOME"] = stateHome;
});

async function runAsync({
  files = ["a", "b"],
  answer = (run) => resultsOf(run),
  before = () => {},
  testFiles = files.map(fileOf),
  ...wishes
}: World) {
  const clock = new QuickClock();
  let count = 0;
  const fake = new FakeOpenCloud({ runScript: async (run) => answer(run, ++count), now: () => clock.now() });
  before(fake);
  const events: TestEvent[] = [];
  const told: string[] = [];
  const control = new AbortController();
  const end = runCloudTestsAsync({
    files: testFiles,
    expectedMs: () => undefined,
    caseTimeoutMs: 1000,
    snapshots: "none",
    fileTimeoutMs: 10_000,
    retries: 0,
    fileOfScript: () => undefined,
    report: (event) => events.push(event),
    signal: control.signal,
    connect: (signal) =>
      new OpenCloud({ service: fake.origin, key: KEY, fetch: fake.fetchAsync, clock, signal }),
    site: { universe: "11", places: ["22"], upload: "never" },
    place: undefined,
    setup: [],
    covered: undefined,
    tell: (text) => told.push(text),
    ...wishes,
  });
  return { fake, clock, told, events, control, end, cases: () => casesOf(events) };
}

/** The status of each case, in order. */
const casesOf = (events: readonly TestEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === "case-end" ? [`${event.file} ${event.id} ${event.status}`] : []));

const tasksOf = ({ runs }: FakeOpenCloud): readonly string[] =>
  runs.map((run) =>
    jobsIn(run)
      .map(({ file, ids }) => (ids === undefined ? file : `${file}:${ids}`))
      .join(" "),
  );

const BROKEN: ScriptEnd = { kind: "broken" };
const LATE: ScriptEnd = { kind: "late", messages: ["begins", "b waits"] };

test("few tests are one task", async () => {
  const { fake, end, cases, told } = await runAsync({});
  expect(await end).toBeUndefined();
  expect(tasksOf(fake)).toEqual(["a b"]);
  expect(cases()).toEqual(["a one passed", "a two passed", "b one passed", "b two passed"]);
  expect(told).toEqual(["Tests run in universe 11, place 22. Data stores there are the real ones."]);
  expect(fake.faults).toEqual([]);
});

test("many tests are several tasks, spread over the places, at most ten at a time in each", async () => {
  const files = Array.from({ length: 40 }, (_, index) => `f${index}`);
  const { fake, end, events } = await runAsync({
    files,
    expectedMs: () => 60_000,
    site: { universe: "11", places: ["22", "33"], upload: "never" },
  });
  await end;
  expect(fake.runs.length).toBe(32);
  expect(fake.mostTasks).toBe(10);
  expect(new Set(fake.runs.map(({ placeId }) => placeId))).toEqual(new Set(["22", "33"]));
  expect(events.filter(({ type }) => type === "file-end").length).toBe(40);
});

test("if cases are chosen, a first task only lists them", async () => {
  const choose: CloudRunOptions["choose"] = (file) => (file.path === "a" ? ["two"] : []);
  const { fake, end, cases } = await runAsync({ choose });
  await end;
  expect(tasksOf(fake)).toEqual(["a b", "a:two"]);
  expect(cases()).toEqual(["a two passed"]);
});

test("a file that cannot run in the cloud fails without a task", async () => {
  const client = { ...fileOf("a"), context: { kind: "client", players: 1 } } as const;
  const { fake, end, cases } = await runAsync({ testFiles: [client], choose: () => [] });
  await end;
  expect(fake.runs).toEqual([]);
  expect(cases()).toEqual(["a (file) failed"]);
});

test("failed cases run again in a task of their own", async () => {
  const { fake, end, events } = await runAsync({
    retries: 2,
    answer: (run, count) => resultsOf(run, count === 1 ? ["b one"] : []),
  });
  await end;
  expect(tasksOf(fake)).toEqual(["a b", "b:one"]);
  expect(casesOf(events).at(-1)).toBe("b one passed");
  expect(events.findLast(({ type }) => type === "file-end")).toMatchObject({ file: "b", try: 2 });
});

test("each repetition of a file has its own seed", async () => {
  const { fake, end } = await runAsync({ files: ["a"], repeats: 2, seed: 7 });
  await end;
  expect([...(fake.runs[0]?.script.matchAll(/\\"seed\\":(\d+)/g) ?? [])].map(([, seed]) => seed)).toEqual([
    "7",
    "8",
  ]);
});

test("a task that the service loses runs once more", async () => {
  const { fake, end, cases } = await runAsync({
    answer: (run, count) => (count === 1 ? BROKEN : resultsOf(run)),
  });
  expect(await end).toBeUndefined();
  expect(tasksOf(fake)).toEqual(["a b", "a b"]);
  expect(cases().length).toBe(4);
});

test("if a file ends its task, only that file fails", async () => {
  const { fake, end, events, cases } = await runAsync({
    answer: (run) => (jobsIn(run).some(({ file }) => file === "b") ? BROKEN : resultsOf(run)),
  });
  await end;
  expect(tasksOf(fake)).toEqual(["a b", "a b", "a", "b"]);
  expect(cases()).toEqual(["a one passed", "a two passed", "b (file) failed"]);
  expect(JSON.stringify(events)).toContain("INTERNAL_ERROR: Internal error. (universes/11/places/22/");
});

test("if a file holds its task beyond the time limit, only that file fails, with the last lines of the log", async () => {
  const { fake, end, events, cases } = await runAsync({
    answer: (run) => (jobsIn(run).some(({ file }) => file === "b") ? LATE : resultsOf(run)),
  });
  await end;
  expect(tasksOf(fake)).toEqual(["a b", "a", "b"]);
  expect(cases()).toEqual(["a one passed", "a two passed", "b (file) failed"]);
  expect(JSON.stringify(events)).toMatch(/--file-timeout[^"]*\\nThe log ends with:\\nbegins\\nb waits"/);
});

test("if the answer to a new task is lost, its tests do not run twice, and fail if their results cannot be read", async () => {
  const keys: (string | undefined)[] = [];
  const { fake, end, cases, events } = await runAsync({
    answer: (run) => {
      const [, key] = /claimAsync\("([^"]+)"\)/.exec(run.script) ?? [];
      keys.push(key);
      return keys.length === 1 ? resultsOf(run) : { ...resultsOf(run), values: ["runs already"] };
    },
    before: (fake) => fake.planned.push({ path: "luau-execution-session-tasks", answer: 502 }),
  });
  expect(await end).toBeUndefined();
  expect(tasksOf(fake)).toEqual(["a b", "a b"]);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(keys[1]).toBe(keys[0]);
  expect(cases()).toEqual(["a (file) failed", "b (file) failed"]);
  expect(JSON.stringify(events)).toContain("ANSWER_LOST: the answer with the name of the task");
});

test("each task has a key of its own, but for one that only lists cases", async () => {
  const { fake, end } = await runAsync({
    choose: (_, cases) => cases.map(({ id }) => id),
    isolation: "file",
  });
  await end;
  const keys = fake.runs.map(({ script }) => /claimAsync\("([^"]+)"\)/.exec(script)?.[1]);
  expect(keys).toHaveLength(3);
  expect(keys[0]).toBeUndefined();
  expect(new Set(keys).size).toBe(3);
});

test("a task that a user has stopped is not repeated", async () => {
  const { fake, end, cases, events } = await runAsync({
    answer: () => ({ kind: "cancelled", messages: ["last"] }),
  });
  expect(await end).toBeUndefined();
  expect(tasksOf(fake)).toEqual(["a b"]);
  expect(cases()).toEqual(["a (file) failed", "b (file) failed"]);
  expect(JSON.stringify(events)).toContain(
    "CANCELLED: a user has cancelled the task (universes/11/places/22/",
  );
});

test("short results arrive even if their bytes cannot be read", async () => {
  const { end, cases } = await runAsync({
    answer: (run) => {
      const { binary, ...rest } = resultsOf(run);
      return { ...rest, binary, values: [new TextDecoder().decode(binary)] };
    },
    before: (fake) => fake.planned.push({ path: "/bytes/", answer: () => new Response("", { status: 404 }) }),
  });
  expect(await end).toBeUndefined();
  expect(cases().length).toBe(4);
});

test("if a file keeps its task from ever ending, only that file fails", async () => {
  const hasB = (run: ScriptRun): boolean => jobsIn(run).some(({ file }) => file === "b");
  const { fake, end, cases } = await runAsync({
    answer: (run) => (hasB(run) ? { kind: "stuck" } : resultsOf(run)),
  });
  expect(await end).toBeUndefined();
  // A task without files shows that the place can be loaded.
  expect(tasksOf(fake)).toEqual(["a b", "", "a", "b"]);
  expect(cases()).toEqual(["a one passed", "a two passed", "b (file) failed"]);
});

test("if no task ever ends in a place, the run ends with an error that names the task", async () => {
  const { fake, end } = await runAsync({ answer: () => ({ kind: "stuck" }) });
  expect(await end.catch((error: unknown) => error)).toMatchObject({
    code: "CLOUD_FAILED",
    message: expect.stringContaining("LOST"),
    hint: expect.stringContaining("Open the place"),
  });
  expect(fake.runs.length).toBe(2);
});

test("files that have no time left in a task run in another one", async () => {
  const onlyFirst = (run: ScriptRun): ScriptEnd =>
    resultsOf({
      ...run,
      script: run.script.replace(/,\{"input":"\{[^}]*b[^}]*\}","fileTimeoutSeconds":10\}\]/, "]"),
    });
  const { fake, end, cases } = await runAsync({
    answer: (run, count) => (count === 1 ? onlyFirst(run) : resultsOf(run)),
  });
  await end;
  expect(tasksOf(fake)).toEqual(["a b", "b"]);
  expect(cases()).toEqual(["a one passed", "a two passed", "b one passed", "b two passed"]);
});

test("after enough failures (--bail), no further task begins", async () => {
  const { end, fake } = await runAsync({
    files: Array.from({ length: 12 }, (_, index) => `f${index}`),
    isolation: "file",
    bail: 1,
    answer: (run) =>
      resultsOf(
        run,
        jobsIn(run).map(({ file }) => `${file} one`),
      ),
  });
  expect(await end).toBe("bail");
  expect(fake.runs.length).toBe(10);
});

test("after an interruption no task begins, and a message says that running tasks go on", async () => {
  const { end, control, told, fake } = await runAsync({ answer: () => ({ kind: "stuck" }) });
  while (fake.runs.length === 0) await Bun.sleep(1);
  control.abort();
  expect(await end).toBe("interrupted");
  expect(told.at(-1)).toStartWith("1 task keeps running in the cloud");
});

test("a place is uploaded once, and a task that finds the version of another program runs again in ours", async () => {
  const schema = await loadFileSchemaAsync();
  const folder = newNode("Workspace", "Workspace");
  const place = { schema, model: modelOf({ ...newNode("", "DataModel"), children: [folder] }, schema) };
  const site = { universe: "11", places: ["22"], upload: "save" } as const;
  // Scripts of tasks compare the version in which they run with the one that was uploaded.
  const answer = (run: ScriptRun): ScriptEnd => {
    const [, wanted] = /game\.PlaceVersion ~= (\d+)/.exec(run.script) ?? [];
    const isOther = wanted !== undefined && Number(wanted) !== run.version;
    return isOther ? { ...resultsOf(run), values: ["other version", run.version] } : resultsOf(run);
  };
  const first = await runAsync({ site, place, answer });
  await first.end;
  expect(first.fake.runs.map(({ version }) => version)).toEqual([2]);
  const byOther = (fake: FakeOpenCloud): void => {
    fake.saveByOther("11", "22", new Uint8Array([1]));
    fake.saveByOther("11", "22", new Uint8Array([2]));
  };
  const second = await runAsync({ site, place, answer, before: byOther });
  await second.end;
  expect(second.fake.runs.map(({ version }) => version)).toEqual([3, 2]);
  expect(second.fake.heard.some(({ path }) => path.startsWith("/universes/"))).toBe(false);
});

test("a failed step of the preparation ends the run", async () => {
  const broken = (step: string): ScriptEnd => ({
    kind: "returned",
    values: [],
    binary: new TextEncoder().encode(`{"broken":"${step}","message":"boom"}\n{"isWhole":true}`),
    messages: [],
  });
  const { end } = await runAsync({ answer: () => broken("place") });
  expect(await end.catch((error: unknown) => error)).toMatchObject({
    code: "CLOUD_FAILED",
    hint: expect.stringContaining('"upload": "save"'),
  });
  const setup = await runAsync({ answer: () => broken("set-up script x.luau") });
  expect(await setup.end.catch((error: unknown) => error)).toMatchObject({
    message: "In the cloud, the set-up script x.luau failed: boom",
  });
  const uncounted = await runAsync({ answer: () => broken("coverage") });
  expect(await uncounted.end.catch((error: unknown) => error)).toMatchObject({
    code: "COVERAGE_UNAVAILABLE",
    message: "Lines cannot be counted in the cloud: boom",
  });
});
