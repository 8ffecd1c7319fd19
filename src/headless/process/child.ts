/**
 * A headless Studio as a child process of its own: killing it always works, and its crash is only a Studio's crash.
 * The child ends when its standard input does, so it never outlives the parent.
 */
import { selfCommand } from "../../util/self-command.ts";
import type { KeptValues } from "../bytes/kept-values.ts";
import type { DataChoice } from "../data/data-choice.ts";
import type { OrderAnswer, PlaceOrder } from "./worker-messages.ts";
import type { ScreenChoice } from "../window/screen.ts";
import type { ScriptsUsed } from "../window/used-scripts.ts";
import { HEADLESS_CHILD } from "./child-word.ts";
import { refusalError, refusalOf } from "./refusal.ts";
import { FramePipe, readBlocksAsync, writeBlock } from "./frame-pipe.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { permissionSettings } from "../permission.ts";
import { headlessVariants } from "../variants.ts";
import { vmEnvironment } from "./vm-environment.ts";
import type { WorldChoice } from "../window/world-choice.ts";

const GRACE_MS = 2000;

/** For messages. */
const ORDERS: Readonly<Record<PlaceOrder, string>> = {
  note: "note which scripts are used",
  keep: "keep its place",
  return: "return to its place",
  returnAfterScript: "return to its place",
  frame: "run a frame",
  hold: "hold its clock",
  advance: "move its clock",
  release: "let its clock run",
};

export interface HeadlessChildOptions {
  /** The plugin sends it to the host, so that the launcher finds the session. */
  readonly launchId: string;
  readonly placeName?: string;
  /** The choice of data stores; without it, scripts that use data stores get an error. */
  readonly data?: DataChoice;
  readonly world?: WorldChoice;
  /** True if changes of data stay in the process and are not written to the folder. */
  readonly keepsNoData?: boolean;
  readonly memoryLimitMb?: number;
  /** The screen of the edited place and of each client. */
  readonly screen?: ScreenChoice;
  /** The place in the form of readPlaceAsync; undefined for a new place. */
  readonly place?: Uint8Array;
  /** Its place file, which it is saved to. */
  readonly placeFile?: string;
  /** What the engine cannot hold of that file. */
  readonly kept?: KeptValues;
}

export interface HeadlessChild extends AsyncDisposable {
  readonly pid: number;
  /** The exit code, once the process has ended for whatever reason. */
  readonly exited: Promise<number>;
  /**
   * Settles once the process has ended for whatever reason and its link has been read (by the listener of that link):
   * with the error that kept it from starting, if it named one.
   */
  readonly ended: Promise<StudioBridgeError | undefined>;
  /** Carries the frames of its plugin. */
  readonly link: FramePipe;
  /**
   * `note`: the Studio notes from now on which scripts are used. `keep`: it keeps the present state of all VMs. `return`: it returns
   * to the kept state. These three resolve with the scripts that were noted since the last of them; call them while no request is
   * running. `returnAfterScript`: as `return`, as soon as the next script has completed; call it before that script starts. `frame`:
   * resolves with no scripts when the next frame has run, or at once if no thread waits for it. `hold`, `advance` and `release` hold
   * the clock of the place, move it by seconds and let it run on, and resolve with no scripts; `detail` is the source of the harness in
   * stacks for `hold`, and the seconds for `advance`. Throws HEADLESS_FAILED if the Studio cannot follow the order.
   */
  orderAsync(order: PlaceOrder, detail?: string): Promise<ScriptsUsed>;
  /** Ends the process at once: its plugin says no goodbye, and nothing is saved. */
  killAsync(): Promise<void>;
  /** Tells the process what to run. Call it once; the plugin then opens a link by itself. */
  tellAsync(options: HeadlessChildOptions): Promise<void>;
}

/**
 * Starts the child. It loads its own parts until it is told what to run. Its standard error is that of this process. Throws
 * INVALID_INPUT for a variant or a permission that does not exist.
 */
export function spawnHeadless(): HeadlessChild {
  headlessVariants();
  permissionSettings();
  const child = Bun.spawn(selfCommand(HEADLESS_CHILD), {
    env: vmEnvironment(),
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
    windowsHide: true,
  });
  const link = new FramePipe(readBlocksAsync(child.stdout), child.stdin);
  let isTold = false;
  return {
    pid: child.pid,
    exited: child.exited,
    get ended() {
      return child.exited.then(() => link.refusalAsync()).then(refusalIn);
    },
    link,
    orderAsync: async (order, detail) => {
      const text = await link.orderAsync(detail === undefined ? order : `${order} ${detail}`);
      const answer: OrderAnswer = text === undefined ? { fault: "it has ended" } : JSON.parse(text);
      if ("used" in answer) return answer.used;
      throw new StudioBridgeError(
        "HEADLESS_FAILED",
        `Headless Studio could not ${ORDERS[order]}: ${answer.fault}.`,
      );
    },
    tellAsync: async ({ place, kept, ...options }) => {
      isTold = true;
      const line = { ...options, hasPlace: place !== undefined, hasKept: kept !== undefined };
      await writeBlock(child.stdin, new TextEncoder().encode(JSON.stringify(line)));
      if (place !== undefined) await writeBlock(child.stdin, place);
      if (kept !== undefined) await writeBlock(child.stdin, (await import("node:v8")).serialize(kept));
    },
    killAsync: async () => {
      child.kill("SIGKILL");
      await child.exited;
    },
    [Symbol.asyncDispose]: async () => {
      if (!isTold) child.kill("SIGKILL");
      await child.stdin.end();
      const killer = setTimeout(() => child.kill("SIGKILL"), GRACE_MS);
      await child.exited;
      clearTimeout(killer);
    },
  };
}

/** Tells the parent which error keeps this process from starting. */
export function refuse(parent: FramePipe, error: StudioBridgeError): void {
  parent.refuse(JSON.stringify(refusalOf(error)));
}

/** The text is not checked, because the child is the same program as this one. */
function refusalIn(text: string | undefined): StudioBridgeError | undefined {
  return text === undefined ? undefined : refusalError(JSON.parse(text));
}

/** Reads the first block of the parent, the options, and makes the pipe for frames. Throws if the block has no options. */
export async function readChildOptionsAsync(input: AsyncIterable<Uint8Array>): Promise<{
  readonly options: HeadlessChildOptions;
  readonly blocks: AsyncIterable<Uint8Array>;
}> {
  const blocks = readBlocksAsync(input);
  const nextAsync = async (): Promise<Uint8Array> => {
    const { done, value } = await blocks.next();
    if (done === true) throw new Error("the parent of this headless Studio ended before it said what to run");
    return value;
  };
  const { hasPlace, hasKept, ...options } = parseOptions(new TextDecoder().decode(await nextAsync()));
  const place = hasPlace ? { place: await nextAsync() } : {};
  const kept = hasKept ? { kept: (await import("node:v8")).deserialize(await nextAsync()) } : {};
  return { options: { ...options, ...place, ...kept }, blocks };
}

/** Which blocks follow the options. */
interface Following {
  readonly hasPlace: boolean;
  readonly hasKept: boolean;
}

/** Any other text is a mistake in this program and no input of a user, because the parent is the same program as this one. */
function parseOptions(text: string): Omit<HeadlessChildOptions, "place" | "kept"> & Following {
  const parsed: Record<string, unknown> = JSON.parse(text);
  const {
    launchId,
    placeName,
    placeFile,
    data,
    keepsNoData,
    world,
    memoryLimitMb,
    screen,
    hasPlace,
    hasKept,
  } = parsed;
  if (typeof launchId !== "string") throw new Error("malformed options of a headless Studio");
  return {
    launchId,
    hasPlace: hasPlace === true,
    hasKept: hasKept === true,
    ...(typeof placeFile === "string" ? { placeFile } : {}),
    ...(typeof placeName === "string" ? { placeName } : {}),
    ...(data === undefined ? {} : { data: dataIn(data) }),
    ...(keepsNoData === true ? { keepsNoData } : {}),
    ...(world === undefined ? {} : { world: worldIn(world) }),
    ...(typeof memoryLimitMb === "number" ? { memoryLimitMb } : {}),
    ...(typeof screen === "object" && screen !== null ? { screen } : {}),
  };
}

function worldIn(world: unknown): WorldChoice {
  const { isStrict, walks, fixtures } = Object(world);
  return {
    isStrict: isStrict === true,
    walks: walks === true,
    ...(fixtures === undefined ? {} : { fixtures }),
  };
}

function dataIn(data: unknown): DataChoice {
  const { place, isThrottled } = Object(data);
  return { place: String(place), isThrottled: isThrottled === true };
}
