/** Long answers: they fit, the counts are exact, and what is small stays whole. */
import { describe, expect, test } from "bun:test";
import { fit, jsonBytes } from "../../../../src/mcp/studio/fit.ts";
import { KeptResults } from "../../../../src/mcp/studio/kept-results.ts";

const lines = (count: number) => Array.from({ length: count }, (_, index) => ({ body: `line ${index}` }));

describe("an answer that is too long", () => {
  test("keeps both ends of its long list and all that is small", () => {
    const { value, cuts } = fit({ success: true, logs: lines(1_000), durationMs: 5 }, 2_000);
    expect(jsonBytes(value)).toBeLessThanOrEqual(2_000);
    const logs = Array.isArray(value["logs"]) ? value["logs"] : [];
    expect(cuts).toEqual([{ path: "logs", unit: "items", kept: logs.length, total: 1_000 }]);
    expect({ success: value["success"], durationMs: value["durationMs"] }).toEqual({
      success: true,
      durationMs: 5,
    });
    expect([logs[0], logs.at(-1)]).toEqual([{ body: "line 0" }, { body: "line 999" }]);
    expect(logs.length).toBeGreaterThan(80);
  });

  test("gives a long list the room that a short one leaves", () => {
    const { value, cuts } = fit({ short: lines(3), long: lines(500) }, 1_000);
    expect(value["short"]).toEqual(lines(3));
    expect(cuts.map(({ path }) => path)).toEqual(["long"]);
  });

  test("is cut where it is long, however deep", () => {
    const { cuts } = fit({ instance: { name: "Workspace", children: lines(500) } }, 1_000);
    expect(cuts).toMatchObject([{ path: "instance.children", total: 500 }]);
  });

  test("loses the middle of a long text, with the number of what is missing in its place", () => {
    const { value, cuts } = fit({ source: "ä".repeat(5_000) }, 1_000);
    expect(jsonBytes(value)).toBeLessThanOrEqual(1_000);
    const [cut] = cuts;
    expect(value["source"]).toContain(`…[${5_000 - (cut?.kept ?? 0)} characters cut]…`);
  });

  test("keeps within its room a text whose ends take more bytes than its middle", () => {
    const ends = '\n"'.repeat(2_000);
    const { value, cuts } = fit({ diff: `${ends}${"x".repeat(50_000)}${ends}` }, 4_000);
    expect(jsonBytes(value)).toBeLessThanOrEqual(4_000);
    expect(cuts).toMatchObject([{ path: "diff", unit: "characters", total: 58_000 }]);
  });

  test("is cut between characters, whatever they are made of", () => {
    const faces = "😀".repeat(2_000);
    const { value, cuts } = fit({ source: `x${faces}` }, 1_000);
    const [cut] = cuts;
    const half = (cut?.kept ?? 0) / 2;
    expect(cut?.total).toBe(2_001);
    expect(value["source"]).toBe(
      `x${"😀".repeat(half - 1)}…[${2_001 - 2 * half} characters cut]…${"😀".repeat(half)}`,
    );
  });

  test("that is one huge item is cut inside it", () => {
    const { value } = fit({ returnValues: ["x".repeat(10_000)] }, 1_000);
    expect(jsonBytes(value)).toBeLessThanOrEqual(1_000);
  });

  test("that has very many keys keeps the first", () => {
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`key${index}`, index]));
    const { value, cuts } = fit({ returnValues: [many] }, 1_000);
    expect(jsonBytes(value)).toBeLessThanOrEqual(1_000);
    expect(cuts).toMatchObject([{ path: "returnValues[0]", unit: "keys", total: 2_000 }]);
  });

  test("that fits is given back as it is", () => {
    const value = { a: 1 };
    expect(fit(value, 100).value).toBe(value);
  });
});

describe("kept results", () => {
  test("are read part by part and put together again", () => {
    const kept = new KeptResults();
    const text = "0123456789".repeat(50_000);
    const { uri, parts } = kept.keep(text);
    const read = Array.from(
      { length: parts },
      (_, index) => kept.read(uri.replace(/\d+$/, String(index + 1)))?.text ?? "",
    );
    expect(read.join("")).toBe(text);
    expect(kept.read(uri.replace(/\d+$/, String(parts + 1)))).toBeUndefined();
    expect(kept.read("studio://results/1/0")).toBeUndefined();
  });

  test("make room for newer ones", () => {
    const kept = new KeptResults();
    const uris = Array.from({ length: 9 }, (_, index) => kept.keep(`text ${index}`).uri);
    expect(uris.map((uri) => kept.read(uri)?.text)).toEqual([
      undefined,
      ...Array.from({ length: 8 }, (_, index) => `text ${index + 1}`),
    ]);
  });
});

test("a verdict is never cut; what stands beside it is, and cuts are counted", () => {
  const items = Array.from({ length: 60 }, (_, index) => ({
    index,
    ok: index !== 7,
    path: `Workspace.Part${index}`,
    id: `@${index}`,
    ...(index === 7 ? { code: "INVALID_VALUE", message: "It does not fit." } : {}),
    diff: "x".repeat(index === 3 ? 20 : 2_000),
  }));
  const { value, cuts } = fit({ ok: false, items }, 16 * 1024);
  const verdicts = items.map(({ diff: _, ...verdict }) => verdict);
  expect(value["items"]).toMatchObject(verdicts);
  expect(value["items"]).toHaveLength(60);
  expect(Object(value["items"])[3].diff).toBe("x".repeat(20));
  expect(cuts).toHaveLength(59);
  expect(jsonBytes(value)).toBeLessThanOrEqual(16 * 1024);
});
