/**
 * Lets the Luau VM count how often statements run. Luau's compiler can put a counter before each statement, but the wasm of
 * luau-web asks it never to. After this patch the exported global `coverage_level` says whether the chunks that are compiled
 * from then on get counters (1) or not (0). A chunk with counters is compiled without the optimizations of level 2, because
 * code that these copy into its callers would count there.
 */
import type Binaryen from "binaryen";

/** `luauLoad` of the input by its C name. The compiler is inlined into it. */
const LUAU_LOAD = "31";

/** Where `Luau::CompileOptions` is: in the frame that makes it, and in the frame that compiles with it. */
const MADE_AT = 88;
const USED_AT = 1080;
/** The upper half of these eight bytes is the level of coverage. */
const TYPE_INFO_LEVEL = 8;
/** Optimization level 1 and debug level 1, which are stored together. */
const FIRST_LEVELS = 0x1_0000_0001n;
/** Whether a function of the chunk is marked as `@native`, which raises the optimization level. */
const HAS_NATIVE_AT = 1061;
/** The local that repeats the optimization level. */
const OPTIMIZATION_LOCAL = 5;

/** What binaryen offers to change expressions, which its type definitions leave out. */
interface Expressions {
  readonly Block: {
    getNumChildren(block: number): number;
    getChildAt(block: number, index: number): number;
    insertChildAt(block: number, index: number, child: number): void;
  };
  readonly Const: { getValueI64(constant: number): bigint };
  readonly If: {
    getCondition(branch: number): number;
    getIfTrue(branch: number): number;
    getIfFalse(branch: number): number;
  };
  readonly Load: { getOffset(load: number): number; getPtr(load: number): number };
  readonly LocalGet: { getIndex(get: number): number };
  readonly LocalSet: { getValue(set: number): number };
  readonly Loop: { getBody(loop: number): number };
  readonly Store: {
    getOffset(store: number): number;
    getValue(store: number): number;
    setValue(store: number, value: number): void;
  };
}

/** A statement of a block, by its position. */
interface Statement {
  readonly block: number;
  readonly index: number;
  readonly expression: number;
}

export function addCounters(binaryen: typeof Binaryen, m: Binaryen.Module): void {
  const { Block, If, Load, LocalGet, Store } = binaryen as unknown as Expressions;
  const { i32 } = binaryen;
  m.addGlobal("coverage_level", i32, true, m.i32.const(0));
  m.addGlobalExport("coverage_level", "coverage_level");
  const level = () => m.global.get("coverage_level", i32);
  const statements = statementsOf(binaryen, binaryen.getFunctionInfo(m.getFunction(LUAU_LOAD)).body);

  const levels = theOnly("options of the compiler", statements, (each, next) => {
    const isCoverage = storesConstant(binaryen, each, MADE_AT + TYPE_INFO_LEVEL, 0n);
    return isCoverage && next !== undefined && storesConstant(binaryen, next, MADE_AT, FIRST_LEVELS);
  });
  Store.setValue(levels.expression, m.i64.shl(m.i64.extend_u(level()), m.i64.const(32n)));

  const native = theOnly("rise of the optimization level", statements, ({ expression }) => {
    if (binaryen.getExpressionId(expression) !== binaryen.IfId) return false;
    const condition = If.getCondition(expression);
    const isLoad = binaryen.getExpressionId(condition) === binaryen.LoadId;
    return isLoad && Load.getOffset(condition) === HAS_NATIVE_AT;
  });
  const frame = LocalGet.getIndex(Load.getPtr(If.getCondition(native.expression)));
  const isTooHigh = m.i32.gt_s(m.local.get(OPTIMIZATION_LOCAL, i32), m.i32.const(1));
  const lower = m.block(null, [
    m.local.set(OPTIMIZATION_LOCAL, m.i32.const(1)),
    m.i32.store(USED_AT, 4, m.local.get(frame, i32), m.i32.const(1)),
  ]);
  const limit = m.if(m.i32.and(m.i32.ne(level(), m.i32.const(0)), isTooHigh), lower);
  Block.insertChildAt(native.block, native.index + 1, limit);
}

/** The statements of all blocks, also of those inside of conditions, loops and values of locals. */
function statementsOf(binaryen: typeof Binaryen, root: number): Statement[] {
  const { Block, If, LocalSet, Loop } = binaryen as unknown as Expressions;
  const found: Statement[] = [];
  const open = [root];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at === 0) continue;
    const id = binaryen.getExpressionId(at);
    if (id === binaryen.IfId) open.push(If.getIfTrue(at), If.getIfFalse(at));
    if (id === binaryen.LoopId) open.push(Loop.getBody(at));
    if (id === binaryen.LocalSetId) open.push(LocalSet.getValue(at));
    if (id !== binaryen.BlockId) continue;
    const count = Block.getNumChildren(at);
    for (let index = 0; index < count; index += 1) {
      const expression = Block.getChildAt(at, index);
      found.push({ block: at, index, expression });
      open.push(expression);
    }
  }
  return found;
}

function storesConstant(
  binaryen: typeof Binaryen,
  { expression }: Statement,
  offset: number,
  constant: bigint,
): boolean {
  const { Const, Store } = binaryen as unknown as Expressions;
  if (binaryen.getExpressionId(expression) !== binaryen.StoreId) return false;
  const value = Store.getValue(expression);
  const isLong =
    binaryen.getExpressionId(value) === binaryen.ConstId &&
    binaryen.getExpressionType(value) === binaryen.i64;
  return isLong && Store.getOffset(expression) === offset && Const.getValueI64(value) === constant;
}

/** `fits` also gets the statement that follows in the same block. Throws unless it fits one statement. */
function theOnly(
  what: string,
  statements: readonly Statement[],
  fits: (each: Statement, next: Statement | undefined) => boolean,
): Statement {
  const found = statements.filter((each, at) => {
    const next = statements[at + 1];
    return fits(each, next?.block === each.block ? next : undefined);
  });
  const [only] = found;
  if (only === undefined || found.length > 1)
    throw new Error(`luau-web: the ${what} is in ${found.length} places`);
  return only;
}
