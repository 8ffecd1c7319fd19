/**
 * Builds `build/luau.wasm`, the Luau VM of headless Studio, out of the wasm inside npm `luau-web`: plain synchronous
 * calls (no Asyncify), memory and table that can grow, cheap engine userdata, cheap calls to the host, counters of
 * statements.
 * Every patch is bound to one exact input; any other is refused.
 */
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type Binaryen from "binaryen";
import { LuauVm } from "../src/headless/vm/luau-vm.ts";
import { setLimits } from "../src/headless/vm/wasm-limits.ts";
import { addCounters } from "./luau-counters.ts";

const ROOT = dirname(import.meta.dir);
const OUTPUT = join(ROOT, "build/luau.wasm");
const STAMP = join(ROOT, "build/luau.wasm.stamp");

/** The only input whose function indices and struct offsets below are known. */
const INPUT_SHA256 = "922ec950bb3c30604cf06654ad554cded3a43d7d65378f292aefe506c0b2903b";
/** Raise when a patch changes, so that cached outputs are rebuilt. */
const PATCH_VERSION = 8;

/** Functions of the input by their C names. */
const FUNCTIONS = {
  lua_error: "257",
  luaB_newproxy: "348",
  tclone: "543",
  luaU_newudata: "549",
  luaC_step: "291",
  lua_setmetatable: "252",
} as const;

/**
 * 11 MiB: what a started Studio uses, and a little more. The input begins with 17 MiB, whose end a test run would have to
 * clear after each file.
 */
const PAGES = 176;
/** 2 GiB, so that no address is a negative number; each VM gets its own, lower maximum when it is started. */
const MAX_PAGES = 32_768;
const MAX_TABLE = 4096;

const ASYNCIFY_EXPORTS = ["start_unwind", "stop_unwind", "start_rewind", "stop_rewind", "get_state"];

/** Makes `build/luau.wasm` current and returns its path; does nothing when it already is. */
export async function buildLuauAsync(log: (line: string) => void = () => {}): Promise<string> {
  const input = await readInputAsync();
  const sha256 = new Bun.CryptoHasher("sha256").update(input).digest("hex");
  if (sha256 !== INPUT_SHA256) {
    throw new Error(
      `luau-web carries another wasm (${sha256}): check every patch point in scripts/build-luau.ts`,
    );
  }
  const stamp = `${sha256}:${PATCH_VERSION}`;
  const stampFile = Bun.file(STAMP);
  if ((await stampFile.exists()) && (await stampFile.text()) === stamp && (await Bun.file(OUTPUT).exists())) {
    return OUTPUT;
  }
  const startedMs = performance.now();
  const output = await patchAsync(input);
  await checkCountersAsync(output);
  await mkdir(dirname(OUTPUT), { recursive: true });
  await Bun.write(OUTPUT, output);
  await Bun.write(STAMP, stamp);
  log(`build/luau.wasm: ${output.length} bytes in ${Math.round(performance.now() - startedMs)} ms`);
  return OUTPUT;
}

async function readInputAsync(): Promise<Uint8Array> {
  const entry = Bun.resolveSync("luau-web", ROOT);
  const text = await Bun.file(join(dirname(entry), "lib/Luau.Web.Asyncify.js")).text();
  const base64 = /base64Decode\("([A-Za-z0-9+/=]+)"\)/.exec(text)?.[1];
  if (base64 === undefined) throw new Error("luau-web: no wasm inside lib/Luau.Web.Asyncify.js");
  return Uint8Array.fromBase64(base64);
}

async function patchAsync(input: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const { default: binaryen } = await import("binaryen");
  const module = binaryen.readBinary(input);
  const F = binaryen.Features;
  module.setFeatures(
    F.MutableGlobals |
      F.SignExt |
      F.NontrappingFPToInt |
      F.BulkMemory |
      F.BulkMemoryOpt |
      F.ReferenceTypes |
      F.Multivalue,
  );
  for (const name of ASYNCIFY_EXPORTS) module.removeExport(`asyncify_${name}`);
  module.addFunctionExport(FUNCTIONS.lua_error, "lua_error");
  addCollectStep(binaryen, module);
  extendNewproxy(binaryen, module);
  collectBeforeClone(binaryen, module);
  addCounters(binaryen, module);
  binaryen.setOptimizeLevel(3);
  binaryen.setShrinkLevel(0);
  module.runPasses(["remove-unused-module-elements", "simplify-globals-optimizing"]);
  module.optimize();
  module.runPasses(["remove-unused-module-elements"]);
  if (!module.validate()) throw new Error("luau.wasm: the patched module is not valid");
  return setLimits(module.emitBinary(), { pages: PAGES, maxPages: MAX_PAGES, maxTable: MAX_TABLE });
}

/** Compiles a chunk with counters and reads them: both only work where the layout is the known one. */
async function checkCountersAsync(wasm: Uint8Array<ArrayBuffer>): Promise<void> {
  const vm = new LuauVm(await WebAssembly.compile(wasm), {
    maxPages: MAX_PAGES,
    hostFunctions: {},
    onRing: () => 0,
    onPrint: () => {},
    onGrown: () => {},
  });
  const source = "local function named()\n\treturn 1\nend\n\nreturn named";
  const found = vm.linesOf(new TextEncoder().encode(source));
  const expected = {
    lines: new Map([1, 5, 2].map((line) => [line, 0])),
    functions: [{ name: "named", line: 1, hits: 0 }],
  };
  if (!Bun.deepEquals(found, expected))
    throw new Error("luau-web: the counters of lines have an unknown layout");
}

/** Exports one step of the garbage collector, which else takes its steps only where something is allocated. */
function addCollectStep(binaryen: typeof Binaryen, m: Binaryen.Module): void {
  const { i32, none } = binaryen;
  const state = () => m.local.get(0, i32);
  const globals = () => m.i32.load(LUA_STATE.global, 4, state());
  // The collector takes what lies above its threshold for a debt.
  const settleDebt = m.i32.store(
    GLOBAL_STATE.gcThreshold,
    4,
    globals(),
    m.i32.load(GLOBAL_STATE.totalBytes, 4, globals()),
  );
  const step = m.call(FUNCTIONS.luaC_step, [state()], none);
  m.addFunction("collect_step", i32, none, [], m.block(null, [settleDebt, step]));
  m.addFunctionExport("collect_step", "collect_step");
}

/**
 * Gives `newproxy` two more forms; every other call stays as it was, and scripts never get at them.
 *
 * `newproxy(t)` makes a userdata whose metatable *is* the table `t`, shared by all that are made of it, with a tag that
 * lets `typeof` honour `__type`. `newproxy(0)` calls the import `env.ring_host(L)`, which returns how many values it
 * has pushed.
 */
function extendNewproxy(binaryen: typeof Binaryen, m: Binaryen.Module): void {
  const { i32 } = binaryen;
  const state = () => m.local.get(0, i32);
  const top = () => m.i32.load(LUA_STATE.top, 4, state());
  const base = () => m.i32.load(LUA_STATE.base, 4, state());
  const firstArgumentIs = (type: number) =>
    m.if(
      m.i32.lt_u(base(), top()),
      m.i32.eq(m.i32.load(TVALUE.type, 4, base()), m.i32.const(type)),
      m.i32.const(0),
    );
  m.addFunctionImport("ring_host", "env", "ring_host", i32, i32);
  prepend(binaryen, m, FUNCTIONS.luaB_newproxy, [
    m.if(firstArgumentIs(LUA_TYPE.table), m.block(null, makeUserdata(binaryen, m))),
    m.if(firstArgumentIs(LUA_TYPE.number), m.return(m.call("ring_host", [state()], i32))),
  ]);
}

/** Puts code before a function that scripts call. */
function prepend(binaryen: typeof Binaryen, m: Binaryen.Module, name: string, code: number[]): void {
  const { params, results, vars, body } = binaryen.getFunctionInfo(m.getFunction(name));
  m.removeFunction(name);
  m.addFunction(name, params, results, vars, m.block(null, [...code, body], binaryen.i32));
}

/** `table.clone` allocates without looking at the collector's threshold; a loop of it would use up all memory. */
function collectBeforeClone(binaryen: typeof Binaryen, m: Binaryen.Module): void {
  const { i32, none } = binaryen;
  const state = () => m.local.get(0, i32);
  const field = (offset: number) => m.i32.load(offset, 4, m.i32.load(LUA_STATE.global, 4, state()));
  const isDue = m.i32.ge_u(field(GLOBAL_STATE.totalBytes), field(GLOBAL_STATE.gcThreshold));
  prepend(binaryen, m, FUNCTIONS.tclone, [m.if(isDue, m.call(FUNCTIONS.luaC_step, [state()], none))]);
}

/** What `lua_newuserdatatagged` and `lua_setmetatable` do in C, for the table at the bottom of the stack. */
function makeUserdata(binaryen: typeof Binaryen, m: Binaryen.Module): number[] {
  const { i32, none } = binaryen;
  const state = () => m.local.get(0, i32);
  const load = (offset: number, at: number) => m.i32.load(offset, 4, at);
  const top = () => load(LUA_STATE.top, state());
  const base = () => load(LUA_STATE.base, state());
  const globals = () => load(LUA_STATE.global, state());
  const marked = () => m.i32.load8_u(GC_HEADER.marked, 1, state());
  const push = (value: number, type: number) => [
    m.i32.store(0, 4, top(), value),
    m.i32.store(TVALUE.type, 4, top(), m.i32.const(type)),
    m.i32.store(LUA_STATE.top, 4, state(), m.i32.add(top(), m.i32.const(TVALUE.size))),
  ];
  const collectWhenDue = m.if(
    m.i32.ge_u(load(GLOBAL_STATE.totalBytes, globals()), load(GLOBAL_STATE.gcThreshold, globals())),
    m.call(FUNCTIONS.luaC_step, [state()], none),
  );
  const barrier = m.if(
    m.i32.and(marked(), m.i32.const(GC_HEADER.black)),
    m.block(null, [
      m.i32.store8(GC_HEADER.marked, 1, state(), m.i32.and(marked(), m.i32.const(0xff ^ GC_HEADER.black))),
      m.i32.store(LUA_STATE.gcList, 4, state(), load(GLOBAL_STATE.grayAgain, globals())),
      m.i32.store(GLOBAL_STATE.grayAgain, 4, globals(), state()),
    ]),
  );
  const newUserdata = m.call(FUNCTIONS.luaU_newudata, [state(), m.i32.const(0), m.i32.const(0)], i32);
  return [
    collectWhenDue,
    barrier,
    ...push(newUserdata, LUA_TYPE.userdata),
    ...push(load(0, base()), LUA_TYPE.table),
    m.drop(m.call(FUNCTIONS.lua_setmetatable, [state(), m.i32.const(-2)], i32)),
    m.return(m.i32.const(1)),
  ];
}

/** Struct offsets of the input in bytes (wasm32). */
const LUA_STATE = { top: 8, base: 12, global: 16, gcList: 64 } as const;
const GLOBAL_STATE = { grayAgain: 28, gcThreshold: 36, totalBytes: 40 } as const;
const GC_HEADER = { marked: 1, black: 4 } as const;
const TVALUE = { type: 12, size: 16 } as const;
const LUA_TYPE = { number: 3, table: 6, userdata: 8 } as const;

if (import.meta.main) {
  await buildLuauAsync((line) => process.stderr.write(`${line}\n`));
}
