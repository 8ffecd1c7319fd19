import { expect, test } from "bun:test";
import { LocalData, MAX_STORE_BYTES, MAX_VERSIONS } from "../../../../src/headless/data/local-data.ts";

const COINS = '["standard","Coins","global"]';

test("a store lists its keys by their bytes, and is gone with its last key", () => {
  const data = new LocalData();
  for (const key of ["b", "ü", "a", "\u{1f600}", "\uffff"]) data.setVersions(COINS, key, ["{}"]);
  expect(data.keys(COINS)).toEqual(["a", "b", "ü", "\uffff", "\u{1f600}"]);
  expect(data.storeIds()).toEqual([COINS]);
  for (const key of data.keys(COINS)) data.setVersions(COINS, key, []);
  expect(data.storeIds()).toEqual([]);
});

test("a key keeps a limited number of versions, the latest ones", () => {
  const data = new LocalData();
  const versions = Array.from({ length: MAX_VERSIONS + 2 }, (_, index) => String(index));
  data.setVersions(COINS, "key", versions);
  expect(data.versions(COINS, "key")).toEqual(versions.slice(2));
});

test("a change that makes a store too large is refused, and changes nothing", () => {
  const data = new LocalData();
  const large = "x".repeat(MAX_STORE_BYTES - 10);
  data.setVersions(COINS, "large", [large]);
  expect(() => data.setVersions(COINS, "other", ["more than ten"])).toThrow("256 MB");
  expect(data.keys(COINS)).toEqual(["large"]);
  data.setVersions(COINS, "large", ["small"]);
  data.setVersions(COINS, "other", ["more than ten"]);
  expect(data.keys(COINS)).toEqual(["large", "other"]);
});

test("what was kept comes back as often as it is wanted", () => {
  const data = new LocalData();
  data.setVersions(COINS, "key", ["1"]);
  const kept = data.keep();
  for (const _ of [1, 2]) {
    data.setVersions(COINS, "key", ["2"]);
    data.setVersions(COINS, "new", ["3"]);
    data.returnTo(kept);
    expect([data.keys(COINS), data.versions(COINS, "key")]).toEqual([["key"], ["1"]]);
  }
});
