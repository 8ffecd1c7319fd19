/**
 * When a server learns of changes that another server makes in data stores. The servers are two DataModels with the
 * same data; their clocks stand still, and the tests move them.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { LocalData } from "../../../../src/headless/data/local-data.ts";
import { HeadlessStudio } from "../../../../src/headless/window/studio.ts";
import { assets, noNetwork } from "../../../headless/run-spec.ts";

/** `after(seconds)` lets time pass; `now(call)` lets as many frames pass as a call takes. */
const WORDS = `
local Clock, Scheduler = engine("./Kernel/Clock"), engine("./Kernel/Scheduler")
Clock.useManual()
_G.after = function(seconds)
	Clock.advance(seconds)
	Scheduler.step()
	Scheduler.step()
end
_G.now = function(call)
	local result
	local thread = task.spawn(function() result = call() end)
	while coroutine.status(thread) ~= "dead" do _G.after(Clock.FRAME) end
	return result
end
_G.store = game:GetService("DataStoreService"):GetDataStore("Shared")
_G.get = function() return _G.now(function() return (_G.store:GetAsync("key")) end) end
_G.set = function(value) return _G.now(function() return _G.store:SetAsync("key", value) end) end
`;
/** Three calls take less than this. */
const FRAMES = 0.2;

class Server {
  readonly #studio: HeadlessStudio;
  #lines: string[] = [];

  constructor(data: LocalData) {
    const log = (_type: number, text: string): void => void this.#lines.push(text);
    this.#studio = new HeadlessStudio({ assets, host: { ...noNetwork, log }, data });
    this.run(WORDS);
  }

  /** Runs a script and returns the lines that it prints. */
  run(source: string): readonly string[] {
    this.#lines = [];
    this.#studio.runSource("=server", source);
    return this.#lines;
  }

  [Symbol.dispose](): void {
    this.#studio[Symbol.dispose]();
  }
}

let here: Server;
let there: Server;
beforeEach(() => {
  const data = new LocalData();
  [here, there] = [new Server(data), new Server(data)];
});
afterEach(() => {
  for (const server of [here, there]) server[Symbol.dispose]();
});

test("GetAsync gives for four seconds what it has read, although another server has replaced it", () => {
  there.run("_G.set(1)");
  expect(here.run("print(_G.get())")).toEqual(["1"]);
  there.run("_G.set(2)");
  expect(here.run("print(_G.get())")).toEqual(["1"]);
  expect(here.run(`_G.after(${4 - FRAMES}) print(_G.get())`)).toEqual(["1"]);
  expect(here.run(`_G.after(${FRAMES}) print(_G.get())`)).toEqual(["2"]);
  expect(there.run("print(_G.get())")).toEqual(["2"]);
});

test("a change of its own begins the four seconds anew", () => {
  here.run("_G.get() _G.after(3) _G.set(1)");
  there.run("_G.set(2)");
  expect(here.run("_G.after(3) print(_G.get())")).toEqual(["1"]);
  expect(here.run("_G.after(1) print(_G.get())")).toEqual(["2"]);
});

test("OnUpdate hears of its own server's changes at once, and of another's within a minute", () => {
  here.run('_G.store:OnUpdate("key", function(value) print("heard", value) end)');
  expect(here.run("_G.set(1) _G.after(0)")).toEqual(["heard 1"]);
  there.run("_G.set(2) _G.set(3)");
  expect(here.run("_G.after(50)")).toEqual([]);
  // Of several changes it hears the last one.
  expect(here.run("_G.after(10)")).toEqual(["heard 3"]);
  expect(here.run("_G.after(60)")).toEqual([]);
});

test("UpdateAsync gets what another server has just written, whatever GetAsync remembers", () => {
  here.run("_G.set(1) _G.get()");
  there.run("_G.set(5)");
  const update = '_G.store:UpdateAsync("key", function(old) print("old", old) return old + 1 end)';
  expect(here.run(`_G.now(function() return (${update}) end) print(_G.get())`)).toEqual(["old 5", "6"]);
});
