/** A place that is replaced through Open Cloud: it is sent once, and what became of it is told apart. */
import { expect, test } from "bun:test";
import { OpenCloud } from "../../../src/cloud/open-cloud.ts";
import type { Fetch } from "../../../src/cloud/requests.ts";
import { type Fault, FakeOpenCloud, KEY } from "../../cloud/fake-open-cloud.ts";
import { QuickClock } from "../../cloud/quick-clock.ts";

const PLACE = { universe: "11", place: "22" };
const FILE = { content: new Uint8Array([1, 2, 3]), isXml: false };

function openFake({ fetch, key = KEY }: { readonly fetch?: Fetch; readonly key?: string } = {}) {
  const fake = new FakeOpenCloud({ runScript: async () => ({ kind: "broken" }) });
  const control = new AbortController();
  const cloud = new OpenCloud({
    service: fake.origin,
    key,
    fetch: fetch ?? fake.fetchAsync,
    clock: new QuickClock(),
    signal: control.signal,
  });
  return { fake, cloud, control };
}

const outcomeAsync = (promise: Promise<unknown>) =>
  promise.then(
    (value) => ({ value }),
    ({ code, message, hint, exitCode }) => ({ code, message, hint, exitCode }),
  );

async function faultAsync(answer: Fault["answer"]) {
  const { fake, cloud } = openFake();
  fake.planned.push({ path: "/versions", answer });
  const outcome = await outcomeAsync(cloud.replacePlaceAsync(PLACE, FILE, "Saved"));
  return { outcome, sent: fake.heard.length, isSaved: fake.saved.size > 0 };
}

test("a version is saved or published, in the type of its file", async () => {
  const { fake, cloud } = openFake();
  expect(await cloud.replacePlaceAsync(PLACE, FILE, "Saved")).toBe(2);
  expect(fake.saved.get("11/22")).toEqual({ file: FILE.content, versionType: "Saved" });
  const xml = { content: new Uint8Array([4]), isXml: true };
  expect(await cloud.replacePlaceAsync(PLACE, xml, "Published")).toBe(3);
  expect(fake.saved.get("11/22")?.versionType).toBe("Published");
  expect(fake.faults).toEqual([]);
});

test("a refusal says that nothing was saved, and is not repeated", async () => {
  for (const status of [400, 401, 403, 404, 409, 413, 429]) {
    const { outcome, sent, isSaved } = await faultAsync(status);
    expect([status, sent, isSaved]).toEqual([status, 1, false]);
    expect(outcome).toMatchObject({ code: "CLOUD_FAILED", exitCode: 1 });
  }
  const { fake, cloud } = openFake({ key: "wrong" });
  expect(await outcomeAsync(cloud.replacePlaceAsync(PLACE, FILE, "Saved"))).toMatchObject({
    code: "CLOUD_FAILED",
    hint: expect.stringContaining("Nothing was saved."),
  });
  expect(fake.saved.size).toBe(0);
});

test("a lost answer says that the place may have been saved, and is not repeated", async () => {
  for (const answer of [500, 502, 503, 504, 408, "truncated", () => Response.json({ ok: true })] as const) {
    const { outcome, sent } = await faultAsync(answer);
    expect([String(answer), sent]).toEqual([String(answer), 1]);
    expect(outcome).toMatchObject({
      code: "UPLOAD_UNCERTAIN",
      exitCode: 2,
      message: expect.stringContaining("Place 22 of universe 11 may have been saved"),
      hint: expect.stringContaining("version history"),
    });
  }
});

test("a connection that breaks is another thing than none", async () => {
  const failing =
    (code: string): Fetch =>
    async () => {
      throw Object.assign(new TypeError("The socket broke. For more information, pass `verbose`"), { code });
    };
  const of = async (code: string) =>
    outcomeAsync(openFake({ fetch: failing(code) }).cloud.replacePlaceAsync(PLACE, FILE, "Published"));
  expect(await of("ECONNRESET")).toMatchObject({
    code: "UPLOAD_UNCERTAIN",
    message:
      "Place 22 of universe 11 may have been published: the answer of Open Cloud was lost (The socket broke).",
  });
  expect(await of("ECONNREFUSED")).toMatchObject({ code: "CLOUD_FAILED" });
});

test("an interruption while the place is on its way leaves it unknown; one before sends nothing", async () => {
  const waiting = Promise.withResolvers<void>();
  const { cloud, control } = openFake({
    fetch: (_, { signal }) => {
      waiting.resolve();
      return new Promise((_resolve, reject) =>
        signal?.addEventListener("abort", () => reject(signal.reason)),
      );
    },
  });
  const sent = outcomeAsync(cloud.replacePlaceAsync(PLACE, FILE, "Saved"));
  await waiting.promise;
  control.abort(new Error("Ctrl+C"));
  expect(await sent).toMatchObject({
    code: "UPLOAD_UNCERTAIN",
    message: expect.stringContaining("it was interrupted"),
  });
  expect(await outcomeAsync(cloud.replacePlaceAsync(PLACE, FILE, "Saved"))).toMatchObject({
    message: "Ctrl+C",
  });
});

test("a key that the service repeats is in no error, and a large place is not sent", async () => {
  const { outcome } = await faultAsync(() => Response.json({ message: `bad ${KEY}` }, { status: 403 }));
  expect(JSON.stringify(outcome)).not.toContain(KEY);
  const { fake, cloud } = openFake();
  const large = { content: new Uint8Array(10_485_761), isXml: false };
  expect(await outcomeAsync(cloud.replacePlaceAsync(PLACE, large, "Saved"))).toMatchObject({
    code: "CLOUD_FAILED",
    message: "The place file has 10485761 bytes, and Open Cloud takes at most 10485760 bytes.",
  });
  expect(fake.heard).toEqual([]);
});
