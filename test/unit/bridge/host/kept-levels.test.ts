/** The host's copies of the levels that people at Studio choose: of which place, for whom, and after a restart. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as fs from "node:fs";
import { join } from "node:path";
import { KeptLevels } from "../../../../src/bridge/host/kept-levels.ts";
import { stateFolder } from "../../../../src/util/state-folder.ts";
import { realWorldAsync } from "../real-world.ts";
import type { RealWorld } from "../real-world.ts";
import { exampleRegister } from "../../../peers/scripted-plugin.ts";
import { CoreWorld } from "./core-world.ts";

let world: RealWorld;
beforeEach(async () => {
  world = await realWorldAsync();
});
afterEach(() => world[Symbol.dispose]());

const published = { placeId: 7, instanceId: "w" };
const path = () => join(stateFolder(), "permissions.json");

test("a level is of a published place, or of a window; others have the default", () => {
  new KeptLevels().keep(published, "look");
  new KeptLevels().keep({ placeId: 0, instanceId: "w" }, "ask");
  expect(new KeptLevels().of({ placeId: 7, instanceId: "another" })).toBe("look");
  expect(new KeptLevels().of({ placeId: 0, instanceId: "w" })).toBe("ask");
  expect(new KeptLevels().of({ placeId: 8, instanceId: "w" })).toBeUndefined();
  new KeptLevels().keep("default", "askFrom5");
  expect(new KeptLevels().of({ placeId: 8, instanceId: "w" })).toBe("askFrom5");
  expect(fs.statSync(path()).mode & 0o777).toBe(0o600);
});

test("a damaged file counts as none, and the newest 256 places stay with the default", () => {
  fs.mkdirSync(stateFolder(), { recursive: true });
  fs.writeFileSync(path(), '{"levels":{"place 7":"everything and more"}}');
  expect(new KeptLevels().of(published)).toBeUndefined();
  const levels = new KeptLevels();
  levels.keep("default", "look");
  for (let placeId = 1; placeId <= 300; placeId++) levels.keep({ placeId, instanceId: "w" }, "ask");
  expect(levels.of({ placeId: 1, instanceId: "w" })).toBe("look");
  expect(levels.of({ placeId: 300, instanceId: "w" })).toBe("ask");
});

test("the plugin of the edited place hears of its level, but not one of a headless Studio", () => {
  const core = new CoreWorld({ levels: new KeptLevels() });
  const plugin = core.proven("plugin");
  const sessionId = core.register(plugin, { placeId: 7, instanceId: "one" });
  core.say(plugin, "permissionChosen", { permission: "look" }, { sessionId });
  const permissionFor = (details: object): unknown => {
    const link = core.proven("plugin");
    core.say(link, "register", { ...exampleRegister, placeId: 7, ...details }, { requestId: "r" });
    return core.frames(link).find(({ type }) => type === "registered")?.payload["permission"];
  };
  expect(permissionFor({ instanceId: "two" })).toBe("look");
  expect(permissionFor({ instanceId: "three", launchId: "headless-1" })).toBeUndefined();
  expect(permissionFor({ instanceId: "four", context: "server", state: "Server" })).toBeUndefined();
});
