import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDataFolder } from "../../../../src/headless/data/data-folder.ts";
import { checkDataIsFreeAsync, lockDataFolderAsync } from "../../../../src/headless/data/data-lock.ts";

const COINS = '["standard","Coins","global"]';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "data-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const put = (name: string, text: string): void => writeFileSync(join(folder, name), text);

test("a change is in one file for its store, which only its user can read, and comes back", () => {
  const data = openDataFolder(folder, { isWritten: true });
  data.setVersions(COINS, "__proto__", ['{"value":1}']);
  data.setVersions(COINS, "two", ['{"value":1}', '{"deleted":true}']);
  data.setVersions('["ordered","Coins","global"]', "key", ['{"value":3}']);
  const files = readdirSync(folder);
  expect(files).toHaveLength(2);
  if (process.platform !== "win32")
    for (const name of files) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  const again = openDataFolder(folder, { isWritten: false });
  expect(again.keys(COINS)).toEqual(["__proto__", "two"]);
  expect(again.versions(COINS, "two")).toEqual(['{"value":1}', '{"deleted":true}']);
  expect(again.storeIds()).toEqual(data.storeIds());
});

test("a fixture has a name of its own, and a change stays in it", () => {
  put("coins.json", `{ "name": "Coins", "keys": { "player": { "value": { "coins": 5 } } } }`);
  const data = openDataFolder(folder, { isWritten: true });
  expect(data.versions(COINS, "player")).toEqual(['{"value":{"coins":5}}']);
  data.setVersions(COINS, "other", ['{"value":1}']);
  expect(readdirSync(folder)).toEqual(["coins.json"]);
  expect(JSON.parse(readFileSync(join(folder, "coins.json"), "utf8"))).toEqual({
    kind: "standard",
    name: "Coins",
    scope: "global",
    keys: { player: { value: { coins: 5 } }, other: { value: 1 } },
  });
});

test("a fixture may begin with a byte order mark and have CRLF lines", () => {
  put("coins.json", `\ufeff{ "name": "Coins",\r\n"keys": { "player": { "value": 5 } } }\r\n`);
  expect(openDataFolder(folder, { isWritten: false }).versions(COINS, "player")).toEqual(['{"value":5}']);
});

test("a fixture may have every field of a version", () => {
  const version = `{"value":1,"version":"a","created":1,"updated":2,"userIds":[7],"metadata":{"a":"b"}}`;
  put("coins.json", `{ "name": "", "keys": { "player": [{ "deleted": true }, ${version}] } }`);
  const data = openDataFolder(folder, { isWritten: false });
  expect(data.versions('["standard","","global"]', "player")).toEqual(['{"deleted":true}', version]);
});

test("nothing is written where fixtures are only read", () => {
  const data = openDataFolder(folder, { isWritten: false });
  data.setVersions(COINS, "key", ['{"value":1}']);
  expect(data.keys(COINS)).toEqual(["key"]);
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ["", "not JSON: the file is empty"],
  [`{\n  "name": Coins }`, "not JSON: line 2, column 11: expected a value"],
  [`{ "name": "Coins", "keys": {}, }`, "no trailing commas"],
  ["[]", 'expected { "name": …, "keys": … }'],
  [`{ "keys": {} }`, "name: expected"],
  [`{ "name": "Coins" }`, "keys: expected an object"],
  [`{ "name": "Coins", "kind": "other", "keys": {} }`, "kind: expected"],
  [
    `{ "name": "Coins", "type": "ordered", "keys": {} }`,
    '"type" is not known; known fields are kind, name, scope, keys',
  ],
  [
    `{ "name": "Coins", "kind": "ordered", "keys": { "player": { "value": 1.5 } } }`,
    "value: expected a whole number",
  ],
  [
    `{ "name": "Coins", "keys": { "player": { "value": 1, "userIds": 7 } } }`,
    '"player": userIds: expected a list',
  ],
  [
    `{ "name": "Coins", "keys": { "player": [{ "value": 1, "users": [] }] } }`,
    '"player": "users" is not known',
  ],
  [`{ "name": "Coins", "keys": { "player": 5 } }`, 'keys: "player": expected { "value": … }'],
])("a file that is no data store is named with its fault: %p", (text, reason) => {
  put("coins.json", text);
  expect(() => openDataFolder(folder, { isWritten: true })).toThrow("coins.json");
  expect(() => openDataFolder(folder, { isWritten: true })).toThrow(reason);
});

test("two files for one store are refused", () => {
  put("a.json", `{ "name": "Coins", "keys": { "a": { "value": 1 } } }`);
  put("b.json", `{ "name": "Coins", "scope": "global", "keys": { "b": { "value": 1 } } }`);
  expect(() => openDataFolder(folder, { isWritten: true })).toThrow("is the same data store as");
});

test("a change that cannot be written is undone, and leaves the file and no other", () => {
  put("coins.json", `{ "name": "Coins", "keys": { "player": { "value": 1 } } }`);
  const data = openDataFolder(folder, { isWritten: true });
  rmSync(join(folder, "coins.json"));
  writeFileSync(join(folder, "other"), "");
  // A folder has the name of the file, so that the file cannot be written.
  mkdirSync(join(folder, "coins.json", "full"), { recursive: true });
  expect(() => data.setVersions(COINS, "player", ['{"value":2}'])).toThrow("coins.json");
  expect(data.versions(COINS, "player")).toEqual(['{"value":1}']);
  expect(readdirSync(folder).sort()).toEqual(["coins.json", "other"]);
});

test("a folder has one writer, which the refusal of a second one names", async () => {
  await checkDataIsFreeAsync(folder);
  const first = await lockDataFolderAsync(folder);
  const refusal = `${folder}: the headless Studio of process ${process.pid} uses it.`;
  await expect(lockDataFolderAsync(folder)).rejects.toThrow(refusal);
  await expect(checkDataIsFreeAsync(folder)).rejects.toThrow(refusal);
  await first[Symbol.asyncDispose]();
  expect(readdirSync(folder)).toEqual([]);
});

test("what a killed writer was writing is removed by the next one, and by no reader", () => {
  put("coins.json", `{ "name": "Coins", "keys": { "player": { "value": 1 } } }`);
  put("coins.json.0123abcd.tmp", `{ "na`);
  put("notes.tmp", "mine");
  openDataFolder(folder, { isWritten: false });
  expect(readdirSync(folder)).toHaveLength(3);
  expect(openDataFolder(folder, { isWritten: true }).keys(COINS)).toEqual(["player"]);
  expect(readdirSync(folder).sort()).toEqual(["coins.json", "notes.tmp"]);
});
