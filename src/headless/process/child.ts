/**
 * A headless Studio as a child process of its own: killing it always works, and its crash is only a Studio's crash.
 * The child ends when its standard input does, so it never outlives the parent.
 */
import { selfCommand } from "../../util/self-command.ts";
import { HEADLESS_CHILD } from "./child-word.ts";
import { vmEnvironment } from "./vm-environment.ts";

const GRACE_MS = 2000;
const LINE_FEED = 0x0a;

export interface HeadlessChildOptions {
  /** The bridge host that the plugin dials. */
  readonly port: number;
  /** Told to the host by the plugin, so that the launcher finds its session. */
  readonly launchId: string;
  readonly placeName?: string;
  /** As readPlaceAsync gives it; without one, the place is new. */
  readonly place?: Uint8Array;
}

export interface HeadlessChild extends AsyncDisposable {
  readonly pid: number;
  /** The exit code, once the process has ended for whatever reason. */
  readonly exited: Promise<number>;
  /** What it is to run, once; it then connects to the bridge host by itself. */
  tellAsync(options: HeadlessChildOptions): Promise<void>;
}

/** Starts the child, which loads what it is made of until it is told what to do. Its standard error is this process's. */
export function spawnHeadless(): HeadlessChild {
  const child = Bun.spawn(selfCommand(HEADLESS_CHILD), {
    env: vmEnvironment(),
    stdin: "pipe",
    stdout: "ignore",
    stderr: "inherit",
    windowsHide: true,
  });
  let isTold = false;
  return {
    pid: child.pid,
    exited: child.exited,
    tellAsync: (options) => {
      isTold = true;
      return tellAsync(child.stdin, options);
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

async function tellAsync(stdin: Bun.FileSink, options: HeadlessChildOptions): Promise<void> {
  const { place, ...line } = options;
  stdin.write(`${JSON.stringify({ ...line, placeBytes: place?.length })}\n`);
  if (place !== undefined) stdin.write(place);
  await stdin.flush();
}

/** Reads what the parent wrote, leaving standard input open; throws when it is no options line. */
export async function readChildOptionsAsync(input: AsyncIterable<Uint8Array>): Promise<{
  readonly options: HeadlessChildOptions;
  /** Settles when the parent is gone. */
  readonly parentGone: Promise<void>;
}> {
  const chunks = input[Symbol.asyncIterator]();
  const nextAsync = async (): Promise<Uint8Array> => {
    const { done, value } = await chunks.next();
    if (done === true) throw new Error("the parent of this headless Studio ended before it said what to run");
    return value;
  };
  let head = Buffer.alloc(0);
  while (!head.includes(LINE_FEED)) head = Buffer.concat([head, await nextAsync()]);
  const lineEnd = head.indexOf(LINE_FEED);
  const { placeBytes, ...options } = parseOptions(head.toString("utf8", 0, lineEnd));
  const rest = head.subarray(lineEnd + 1);
  const place = placeBytes === undefined ? {} : { place: await readBytesAsync(rest, placeBytes, nextAsync) };
  return { options: { ...options, ...place }, parentGone: drainAsync(chunks) };
}

async function readBytesAsync(
  first: Uint8Array,
  count: number,
  nextAsync: () => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const parts = [first];
  for (let missing = count - first.length; missing > 0;) {
    const part = await nextAsync();
    parts.push(part);
    missing -= part.length;
  }
  return Buffer.concat(parts).subarray(0, count);
}

/** The parent is this very program, so anything else is a mistake and no input to explain. */
function parseOptions(line: string): Omit<HeadlessChildOptions, "place"> & { readonly placeBytes?: number } {
  const { port, launchId, placeName, placeBytes }: Record<string, unknown> = JSON.parse(line);
  if (typeof port !== "number" || typeof launchId !== "string")
    throw new Error("malformed options of a headless Studio");
  return {
    port,
    launchId,
    ...(typeof placeName === "string" ? { placeName } : {}),
    ...(typeof placeBytes === "number" ? { placeBytes } : {}),
  };
}

async function drainAsync(chunks: AsyncIterator<Uint8Array>): Promise<void> {
  try {
    while ((await chunks.next()).done !== true);
  } catch {
    // A broken pipe means the same as its end.
  }
}
