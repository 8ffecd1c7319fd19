/** Calls on very many things: their answers fit, and what an agent must see is listed. */
import { describe, expect, test } from "bun:test";
import { fit, jsonBytes } from "../../../../src/mcp/studio/fit.ts";
import type { JsonObject } from "../../../../src/mcp/wire/json.ts";
import { randomFrom } from "../../roblox/generated.ts";

const BUDGET = 16 * 1024;

const verdicts = (count: number, other: (index: number) => JsonObject = () => ({})) =>
  Array.from({ length: count }, (_, index) => ({
    index,
    ok: true,
    path: `Workspace.Part${index}`,
    id: `@${index + 17}`,
    ...other(index),
  }));

describe("a long list of verdicts", () => {
  test("counts what went well, and lists what was named and what has a warning", () => {
    const compile = { line: 1, message: "Expected identifier" };
    const items = verdicts(3_000, (index) => ({
      before: { properties: { Anchored: false } },
      ...(index === 7 ? { as: "floor" } : {}),
      ...(index === 9 ? { compile } : {}),
    }));
    const { value, cuts } = fit({ ok: true, items, undo: { recorded: true } }, BUDGET);
    expect(value).toEqual({
      ok: true,
      items: [items[7], items[9]],
      done: { total: 2_998, ids: ["@17-@23", "@25", "@27-@3016"] },
      undo: { recorded: true },
    });
    expect(cuts).toEqual([{ path: "items", unit: "items", kept: 2, total: 3_000 }]);
  });

  test("of a call that failed lists the failures, and counts what therefore was not done", () => {
    const failed = { ok: false, code: "INVALID_INPUT", message: "There is no class Prt." };
    const items = verdicts(3_000, (index) => {
      if (index === 7) return failed;
      return index % 2 === 0 ? {} : { ok: false, code: "NOT_TRIED", message: "Not tried." };
    });
    const { value } = fit({ ok: false, items }, BUDGET);
    expect(value).toEqual({ ok: false, items: [items[7]], notDone: { total: 2_999 } });
  });

  test("with too many failures keeps both ends of them, counted", () => {
    const items = verdicts(3_000, () => ({ ok: false, code: "INVALID_INPUT", message: "No such class." }));
    const { value, cuts } = fit({ ok: false, items }, BUDGET);
    expect(jsonBytes(value)).toBeLessThanOrEqual(BUDGET);
    const { items: listed = [] } = Object(value);
    expect([listed[0], listed.at(-1)]).toEqual([items[0], items[2_999]]);
    expect(cuts).toEqual([{ path: "items", unit: "items", kept: listed.length, total: 3_000 }]);
  });

  test("names a cut by the index of its verdict, also where verdicts before it are counted", () => {
    const items = verdicts(3_000, (index) =>
      index === 2_000 ? { as: "long", after: "x".repeat(50_000) } : {},
    );
    const { cuts } = fit({ ok: true, items }, BUDGET);
    expect(cuts).toMatchObject([{ path: "items" }, { path: "items[2000].after" }]);
  });
});

test("whatever the verdicts are, their answer has at most the bytes that are asked for", () => {
  const random = randomFrom(26);
  for (let round = 0; round < 150; round += 1) {
    const share = random();
    const items = verdicts(Math.floor(random() * 2_000) + 1, () => ({
      ...(random() < share ? {} : { ok: false, code: "INVALID_VALUE", message: "m".repeat(random() * 200) }),
      ...(random() < 0.1 * share ? { as: "name" } : {}),
      ...(random() < share ? { diff: "d\n".repeat(random() * 100) } : {}),
    }));
    const budget = 1_024 + Math.floor(random() * 63 * 1_024);
    const facts = { ok: random() < 0.5, items, undo: { recorded: true, name: "sb: edit" } };
    expect({ budget, isSmall: jsonBytes(fit(facts, budget).value) <= budget }).toEqual({
      budget,
      isSmall: true,
    });
  }
});
