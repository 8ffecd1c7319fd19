/** The client of Open Cloud against a fake service: results, lost answers, limits, tasks that do not end, sizes, the key. */
import { expect, jest, test } from "bun:test";
import { OpenCloud, TaskFault } from "../../../src/cloud/open-cloud.ts";
import { FakeOpenCloud, KEY, type ScriptEnd } from "../../cloud/fake-open-cloud.ts";
import { QuickClock } from "../../cloud/quick-clock.ts";

const PLACE = { universe: "11", place: "22" };
const TASK = { script: "return 1", timeoutMs: 60_000 };
const DONE = {
  kind: "returned",
  values: [1],
  binary: new TextEncoder().encode("bytes"),
  messages: ["a", "b", "c"],
} as const;

function openFake(
  end: ScriptEnd = DONE,
  options: { readonly perMinute?: number; readonly key?: string } = {},
) {
  const clock = new QuickClock();
  const { key = KEY, ...limits } = options;
  const fake = new FakeOpenCloud({ runScript: async () => end, now: () => clock.now(), ...limits });
  const control = new AbortController();
  const waits: string[] = [];
  const cloud = new OpenCloud({
    service: fake.origin,
    key,
    fetch: fake.fetchAsync,
    clock,
    signal: control.signal,
    onWait: (milliseconds, reason) => waits.push(`${milliseconds} ms: ${reason}`),
  });
  return { fake, cloud, clock, control, waits };
}

async function runAsync({ cloud }: { readonly cloud: OpenCloud }): Promise<string> {
  const task = await cloud.waitForEndAsync(await cloud.createTaskAsync(PLACE, TASK), TASK.timeoutMs);
  return new TextDecoder().decode(await cloud.downloadOutputAsync(task));
}

const faultOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

test("a task runs, its bytes are read, and every request and answer is as Roblox describes them", async () => {
  const world = openFake();
  const { fake, cloud, clock } = world;
  expect(await runAsync(world)).toBe("bytes");
  const input = await cloud.uploadInputAsync("11", new Uint8Array([1, 2, 3]));
  await cloud.createTaskAsync(PLACE, { ...TASK, binaryInput: input }, 1);
  expect(fake.runs[1]).toMatchObject({ input: new Uint8Array([1, 2, 3]), version: 1, timeoutMs: 60_000 });
  expect(await cloud.uploadPlaceAsync(PLACE, new Uint8Array([7]), false)).toBe(2);
  expect(fake.faults).toEqual([]);
  // The first poll comes after a second.
  expect(clock.now()).toBe(1000);
  // Only the service gets the key; the addresses of the bytes do not.
  expect(fake.heard.filter(({ path }) => path.startsWith("/bytes/")).map(({ key }) => key)).toEqual([
    null,
    null,
  ]);
});

test("the newest messages of a log are read", async () => {
  const { cloud } = openFake();
  const path = await cloud.createTaskAsync(PLACE, TASK);
  await cloud.waitForEndAsync(path, 1000);
  expect(await cloud.readLogAsync(path, 2)).toEqual(["b", "c"]);
});

test("a call whose answer is lost or cut short is repeated", async () => {
  const world = openFake();
  world.fake.planned.push(
    { path: "session-tasks", answer: 502 },
    { path: "/tasks/", answer: "truncated" },
    { path: "/tasks/", answer: 503 },
  );
  expect(await runAsync(world)).toBe("bytes");
  expect(world.fake.heard.map(({ status }) => status)).toEqual([502, 200, 200, 503, 200, 200]);
  // Waits of a second are not reported.
  expect(world.waits).toEqual([]);
});

test("if all answers are lost, the error has their status", async () => {
  const { fake, cloud, waits } = openFake();
  for (let index = 0; index < 9; index += 1) fake.planned.push({ path: "session-tasks", answer: 502 });
  expect(await faultOf(cloud.createTaskAsync(PLACE, TASK))).toMatchObject({
    code: "CLOUD_FAILED",
    data: { status: 502 },
    hint: expect.stringContaining("https://status.roblox.com"),
  });
  const page = "answers 502: a web page, which may be that of a proxy";
  expect(waits).toEqual([`4000 ms: ${page}`, `8000 ms: ${page}`, `16000 ms: ${page}`]);
});

test("a service that cannot be reached is an error that says why, after some tries", async () => {
  const clock = new QuickClock();
  let tries = 0;
  const fetch = async (): Promise<Response> => {
    tries += 1;
    throw new Error("no route to host");
  };
  const { signal } = new AbortController();
  const cloud = new OpenCloud({ service: "https://apis.roblox.com", key: KEY, fetch, clock, signal });
  expect(await faultOf(cloud.createTaskAsync(PLACE, TASK))).toMatchObject({
    code: "CLOUD_FAILED",
    message: expect.stringContaining("cannot be reached (no route to host)"),
    hint: expect.stringContaining("network"),
  });
  expect([tries, clock.now()]).toEqual([6, 31_000]);
});

test("calls wait as long as the headers of the answers say", async () => {
  const { fake, cloud, clock, waits } = openFake(DONE, { perMinute: 2 });
  for (let index = 0; index < 5; index += 1)
    await cloud.createTaskAsync({ ...PLACE, place: `3${index}` }, TASK);
  // Two calls in each minute, and no refused one, because the answers say how many are left.
  expect(clock.now()).toBe(120_000);
  expect(fake.heard.every(({ status }) => status === 200)).toBe(true);
  const told = "60000 ms: allows 2 new tasks a minute";
  expect(waits).toEqual([told, told]);
});

test("several calls that wait for the same reason report it once", async () => {
  const { cloud, waits } = openFake(DONE, { perMinute: 2 });
  const places = ["30", "31", "32", "33"];
  await cloud.createTaskAsync({ ...PLACE, place: "34" }, TASK);
  await Promise.all(places.map((place) => cloud.createTaskAsync({ ...PLACE, place }, TASK)));
  expect(waits.length).toBeLessThanOrEqual(2);
  expect(waits[0]).toMatch(/^60000 ms: .*allows 2 new tasks a minute$/);
});

test("a refused call is repeated after the time that the refusal names", async () => {
  const { fake, cloud, clock, waits } = openFake();
  fake.planned.push({
    path: "session-tasks",
    answer: (response) =>
      new Response(
        JSON.stringify({ code: "RESOURCE_EXHAUSTED", message: "This place has ten unfinished tasks." }),
        {
          status: 429,
          headers: { "retry-after": "7", ...Object.fromEntries(response.headers) },
        },
      ),
  });
  await cloud.createTaskAsync(PLACE, TASK);
  expect(clock.now()).toBe(7000);
  expect(waits).toEqual(["7000 ms: answers 429 RESOURCE_EXHAUSTED: This place has ten unfinished tasks"]);
});

test("polls of all tasks together stay below 150 a minute", async () => {
  const { fake, cloud, clock } = openFake({ kind: "stuck" });
  const paths = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      cloud.createTaskAsync({ ...PLACE, place: `${100 + index}` }, TASK),
    ),
  );
  const ends = await Promise.all(paths.map((path) => faultOf(cloud.waitForEndAsync(path, 1000))));
  expect(ends.every((end) => end instanceof TaskFault && end.code === "LOST")).toBe(true);
  const polls = fake.heard.filter(({ path }) => path.includes("/tasks/")).length;
  expect(polls / (clock.now() / 60_000)).toBeLessThanOrEqual(151);
});

test("a task that fails keeps the code of Roblox and its path", async () => {
  const { cloud } = openFake({ kind: "raised", message: "boom", messages: [] });
  const path = await cloud.createTaskAsync(PLACE, TASK);
  expect(await faultOf(cloud.waitForEndAsync(path, 1000))).toMatchObject({
    code: "SCRIPT_ERROR",
    message: "boom",
    path,
  });
});

test("a task that a user has stopped says so", async () => {
  const { cloud } = openFake({ kind: "cancelled", messages: [] });
  const path = await cloud.createTaskAsync(PLACE, TASK);
  expect(await faultOf(cloud.waitForEndAsync(path, 1000))).toMatchObject({
    code: "CANCELLED",
    message: "a user has cancelled the task",
    path,
  });
});

test("a task that does not begin is reported after half a minute, and given up after ten minutes", async () => {
  const { cloud, clock, waits } = openFake({ kind: "queued" });
  const path = await cloud.createTaskAsync(PLACE, TASK);
  expect(await faultOf(cloud.waitForEndAsync(path, 60_000))).toMatchObject({ code: "LOST", path });
  expect(waits).toEqual([expect.stringMatching(/^6[\d.]+ ms: has not begun a task yet$/)]);
  expect(clock.now()).toBeGreaterThan(660_000);
});

test("a lost log is requested only once more", async () => {
  const { fake, cloud } = openFake();
  const path = await cloud.createTaskAsync(PLACE, TASK);
  await cloud.waitForEndAsync(path, 1000);
  for (let index = 0; index < 3; index += 1) fake.planned.push({ path: "/logs", answer: "truncated" });
  expect(await faultOf(cloud.readLogAsync(path, 2))).toMatchObject({ code: "CLOUD_FAILED" });
  expect(fake.planned.length).toBe(1);
});

test("each refusal has a next step of its own", async () => {
  const refusals = [
    [400, "INVALID_ARGUMENT", "has to belong to the universe"],
    [403, "PERMISSION_DENIED", "universe.place.luau-execution-session:write"],
    [404, "NOT_FOUND", "saved to Roblox once"],
    [409, "ABORTED", "Run it again"],
  ] as const;
  const { fake: places, cloud: uploading } = openFake();
  places.planned.push({ path: "/versions", answer: () => new Response("{}", { status: 403 }) });
  expect(await faultOf(uploading.uploadPlaceAsync(PLACE, new Uint8Array([7]), false))).toMatchObject({
    hint: expect.stringContaining("universe-places:write"),
  });
  for (const [status, code, hint] of refusals) {
    const { fake, cloud } = openFake();
    const answer = () => Response.json({ code, message: "No." }, { status });
    fake.planned.push({ path: "session-tasks", answer });
    expect(await faultOf(cloud.createTaskAsync(PLACE, TASK))).toMatchObject({
      message: `Open Cloud answered ${status} ${code}: No (/cloud/v2/universes/11/places/22/luau-execution-session-tasks)`,
      hint: expect.stringContaining(hint),
      data: { status, cloudCode: code },
    });
  }
});

test("a result of 5 MB fails as a whole, as in the service", async () => {
  const { cloud } = openFake({ ...DONE, values: ["x".repeat(5_000_000)] });
  const fault = await faultOf(cloud.waitForEndAsync(await cloud.createTaskAsync(PLACE, TASK), 1000));
  expect(fault).toMatchObject({ code: "OUTPUT_SIZE_LIMIT_EXCEEDED" });
});

test("bytes above the limits are refused before anything is sent", async () => {
  const { fake, cloud } = openFake();
  for (const call of [
    cloud.createTaskAsync(PLACE, { ...TASK, script: "-".repeat(4_000_001) }),
    cloud.uploadInputAsync("11", new Uint8Array(104_857_601)),
    cloud.uploadPlaceAsync(PLACE, new Uint8Array(10_485_761), false),
  ])
    expect(await faultOf(call)).toMatchObject({
      code: "CLOUD_FAILED",
      message: expect.stringContaining("at most"),
    });
  expect(fake.heard).toEqual([]);
});

test("a wrong key is an error with the next step, and is in no text", async () => {
  const { fake, cloud, waits } = openFake(DONE, { key: "wrong-key" });
  expect(await faultOf(cloud.createTaskAsync(PLACE, TASK))).toMatchObject({
    message: expect.stringContaining("answered 401: Invalid API Key"),
    hint: expect.stringContaining("ROBLOX_OPEN_CLOUD_API_KEY"),
  });
  fake.planned.push({
    path: "session-tasks",
    answer: () => Response.json({ code: "X", message: "key wrong-key" }, { status: 400 }),
  });
  expect(String(await faultOf(cloud.createTaskAsync(PLACE, TASK)))).not.toContain("wrong-key");
  const answer = () =>
    Response.json({ message: "key wrong-key" }, { status: 429, headers: { "retry-after": "9" } });
  fake.planned.push({ path: "session-tasks", answer });
  await faultOf(cloud.createTaskAsync(PLACE, TASK));
  expect(waits).toEqual(["9000 ms: answers 429: key (key)"]);
});

test("a wait for an answer is reported after five seconds, and an interruption ends it", async () => {
  jest.useFakeTimers();
  try {
    const control = new AbortController();
    const waits: string[] = [];
    const fetch = (_url: string, { signal }: RequestInit) =>
      new Promise<Response>((_resolve, reject) =>
        signal?.addEventListener("abort", () => reject(signal.reason)),
      );
    const cloud = new OpenCloud({
      service: "https://apis.roblox.com",
      key: KEY,
      fetch,
      clock: new QuickClock(),
      signal: control.signal,
      onWait: (milliseconds, reason) => waits.push(`${milliseconds} ms: ${reason}`),
    });
    const waiting = faultOf(cloud.createTaskAsync(PLACE, TASK));
    await Promise.resolve();
    jest.advanceTimersByTime(4999);
    expect(waits).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(waits).toEqual(["55000 ms: has not answered yet"]);
    control.abort(new Error("interrupted"));
    expect(await waiting).toMatchObject({ message: "interrupted" });
  } finally {
    jest.useRealTimers();
  }
});

test("an interruption ends all waits", async () => {
  const { cloud, control } = openFake({ kind: "stuck" });
  const path = await cloud.createTaskAsync(PLACE, TASK);
  const waiting = faultOf(cloud.waitForEndAsync(path, 1000));
  control.abort(new Error("interrupted"));
  expect(await waiting).toMatchObject({ message: "interrupted" });
});
