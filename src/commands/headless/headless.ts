/** `sb headless`: a headless Studio that stays, in the foreground or detached. */
import { defineSchema } from "../../protocol/schema.ts";
import { LAUNCH_ID, newLaunchId, originOf } from "../../protocol/launch-id.ts";
import { sessionInfoSchema } from "../../protocol/network.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import { selfCommand } from "../../util/self-command.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { defineCommand, streamed } from "../../command/definition.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import type { BridgeCommandContext } from "../../command/context.ts";
import type { Emission } from "../../command/emission.ts";
import { asStudioBridgeError } from "../../command/error-text.ts";
import { shortSessionId } from "../../command/sessions/session-messages.ts";
import { DATA_TEXT, dataChoice, dataSchema, dataSpelling, THROTTLE_TEXT } from "../../command/words/data.ts";
import { MEMORY_TEXT, memorySchema } from "../../command/words/memory.ts";
import { flagFor } from "../../command/words/spelling.ts";
import { waitForLaunchAsync } from "../../command/sessions/start-headless.ts";

const input = defineSchema((z) =>
  z.strictObject({
    place: z
      .string()
      .min(1, "expected a file")
      .optional()
      .describe("The file to open: .rbxl, .rbxlx, .rbxm, .rbxmx or a Rojo project; with --coverage a class"),
    save: z
      .string()
      .min(1, "expected a file")
      .optional()
      .describe("Save the place to this file when it ends"),
    coverage: z
      .boolean()
      .default(false)
      .describe("Print what is simulated, of all classes or of one, and end"),
    detach: z.boolean().default(false).describe("Leave it running in the background"),
    name: z
      .string()
      .min(1, "expected a name")
      .max(100, "expected at most 100 characters")
      .optional()
      .describe("Name of the place"),
    data: dataSchema(z).optional().describe(`With it, ${DATA_TEXT}`),
    throttle: z.boolean().default(false).describe(`With --data: ${THROTTLE_TEXT}`),
    memoryLimitMb: memorySchema(z).optional().describe(`Memory: ${MEMORY_TEXT}`),
    launchId: z
      .string()
      .regex(LAUNCH_ID, "expected a launch id")
      .optional()
      .describe("An id for this start, so that a launcher can find the session"),
  }),
);
type HeadlessInput = OutputOf<typeof input>;

const output = defineSchema((z) => z.object({ session: sessionInfoSchema(z), pid: z.int() }));

export const command = defineCommand({
  name: "headless",
  summary: "Run a headless Studio that stays",
  description:
    "Runs a Studio without Studio: a real Luau VM over a simulated engine, with an empty place or the given one. It runs until Ctrl+C, or in the background with --detach. A member that it does not simulate, as for physics and rendering, raises an error.",
  group: "Studio",
  examples: [
    { command: "sb headless", note: "until Ctrl+C" },
    { command: "sb headless game.rbxl --save new.rbxl", note: "open a place, and save it at the end" },
    { command: "sb headless default.project.json", note: "a Rojo project" },
    { command: "sb headless --detach --name Test", note: "in the background" },
    { command: "sb headless --coverage Players", note: "what is simulated of a class" },
    { command: "sb exec --headless 'print(1)'", note: "for one command only" },
  ],
  surfaces: ["cli"],
  target: "bridge",
  neverHosts: true,
  graceMs: 30_000,
  annotations: { readOnly: false, destructive: false, idempotent: false },
  input,
  output,
  cli: {
    isLocal: true,
    positionals: [{ key: "place", label: "PLACE" }],
    flags: [
      flagFor(input, "save", { kind: "string", label: "OUT" }),
      flagFor(input, "coverage", { kind: "boolean", label: "[CLASS]" }),
      flagFor(input, "detach", { kind: "boolean" }),
      flagFor(input, "name", { kind: "string", label: "NAME" }),
      flagFor(input, "data", dataSpelling),
      flagFor(input, "throttle", { kind: "boolean" }),
      flagFor(input, "memoryLimitMb", { name: "memory", kind: "number", label: "MB" }),
      flagFor(input, "launchId", { name: "launch-id", kind: "string", hidden: true }),
    ],
  },
  format: ({ session, pid }) => `${readyText(session)} It runs in the background as process ${pid}.`,
  async prepareAsync(options, { emit, status }) {
    if (options.coverage) {
      const { coverageAsync } = await import("./coverage.ts");
      emit(await coverageAsync(options.place));
      return streamed;
    }
    status("Starting headless Studio");
    // Read the files before detaching, because a detached process has no terminal to report a bad file to.
    const files = await placeFilesAsync(options.place, options.save);
    // What was read is garbage now, and a process that stays would keep the memory for it.
    Bun.gc(true);
    const choice = dataChoice(options.data, options.throttle);
    if (options.detach && choice !== undefined) {
      const { checkDataAsync } = await import("../../headless/index.ts");
      await checkDataAsync(choice.place, true);
    }
    return async (context) => {
      if (options.detach) return detachAsync(options, context);
      await runInForegroundAsync(options, files, context);
      return streamed;
    };
  },
});

async function runInForegroundAsync(
  { save, name, data, throttle, memoryLimitMb, launchId: launchersId }: HeadlessInput,
  files: Awaited<ReturnType<typeof placeFilesAsync>>,
  context: BridgeCommandContext,
): Promise<void> {
  const { bridge, signal, emit, status } = context;
  const launchId = launchersId ?? newLaunchId("headless");
  const choice = dataChoice(data, throttle);
  const { runHeadlessAsync } = await import("../../command/sessions/run-headless.ts");
  const note = await noteAsync(launchId);
  if (save !== undefined) {
    const saving = `Saving ${visibleOnOneLine(save)} (Ctrl+C again ends it without)`;
    signal.addEventListener("abort", () => status(saving), { once: true });
  }
  try {
    const ended = runHeadlessAsync({
      port: bridge.port,
      launchId,
      signal,
      onRestart: () => emit(restarted),
      ...files,
      ...(name === undefined ? {} : { placeName: name }),
      ...(choice === undefined ? {} : { data: choice }),
      ...(memoryLimitMb === undefined ? {} : { memoryLimitMb }),
    });
    const session = await waitForLaunchAsync(context, launchId, ended);
    emit({ stream: "stdout", text: () => `${readyText(session)} ${endText(save)}`, json: { session } });
    // A Studio that another process has started has no reader.
    using _shown = launchersId === undefined ? await showStudioAsync(session, context) : undefined;
    await ended;
  } catch (error) {
    if (save !== undefined && signal.aborted) note?.keep(asStudioBridgeError(error).message);
    else await note?.forgetAsync();
    throw error;
  }
  await note?.forgetAsync();
}

async function showStudioAsync(session: SessionInfo, context: BridgeCommandContext): Promise<Disposable> {
  const { showStudio } = await import("./show-studio.ts");
  return showStudio(session, context);
}

const endText = (save: string | undefined): string =>
  save === undefined ? "Ctrl+C ends it." : `Ctrl+C ends it and saves ${save}.`;

const restarted: Emission = {
  stream: "stderr",
  text: () =>
    "A script used up the memory of headless Studio, which starts again. Changes since its start are lost.",
};

/** What is opened at the start, and what happens with it at the end. */
async function placeFilesAsync(place: string | undefined, save: string | undefined) {
  const headless = await import("../../headless/index.ts");
  if (save === undefined) return place === undefined ? {} : headless.readPlaceAsync(place);
  await headless.checkSavedFileAsync(save);
  const { kept, ...opened } = place === undefined ? {} : await headless.readSavablePlaceAsync(place);
  const savePlaceAsync = (bytes: Uint8Array) => headless.writePlaceAsync(save, bytes, kept);
  return { ...opened, savePlaceAsync };
}

/** The note about this process; one of both is called at its end. */
interface OwnNote {
  /** Tells `sb close` why the place was not saved. */
  keep(loss: string): void;
  forgetAsync(): Promise<void>;
}

/** So that `sb close` finds this process; who gives it another kind of id keeps track himself. */
async function noteAsync(launchId: string): Promise<OwnNote | undefined> {
  if (originOf(launchId) !== "headless") return undefined;
  const [{ forgetLaunchAsync, writeLaunchNote }, { thisMachine }] = await Promise.all([
    import("../../studio/launch-notes.ts"),
    import("../../studio/machine.ts"),
  ]);
  const machine = thisMachine();
  const note = {
    launchId,
    kind: "headless",
    pid: process.pid,
    startedAtMs: Date.now(),
    patienceMs: 0,
    isAwaited: true,
  } as const;
  writeLaunchNote(note, machine);
  return {
    keep: (loss) => writeLaunchNote({ ...note, loss }, machine),
    forgetAsync: () => forgetLaunchAsync(note, machine),
  };
}

/** Starts a process of its own, in a process session of its own, without our streams. */
async function detachAsync(
  { place, save, name, data, throttle, memoryLimitMb }: HeadlessInput,
  context: BridgeCommandContext,
) {
  const launchId = newLaunchId("headless");
  const words = ["headless", "--port", String(context.bridge.port), "--launch-id", launchId];
  if (name !== undefined) words.push(`--name=${name}`);
  if (save !== undefined) words.push(`--save=${save}`);
  if (data !== undefined) words.push(`--data=${data}`);
  if (throttle) words.push("--throttle");
  if (memoryLimitMb !== undefined) words.push(`--memory=${memoryLimitMb}`);
  if (place !== undefined) words.push("--", place);
  const { vmEnvironment } = await import("../../headless/index.ts");
  const child = Bun.spawn(selfCommand(...words), {
    env: vmEnvironment(),
    stdio: ["ignore", "ignore", "ignore"],
    detached: true,
    windowsHide: true,
  });
  child.unref();
  try {
    return { session: await waitForLaunchAsync(context, launchId, child.exited), pid: child.pid };
  } catch (error) {
    child.kill();
    throw error;
  }
}

function readyText({ sessionId, placeName }: SessionInfo): string {
  return `Headless Studio ${visibleOnOneLine(placeName)} is ready: session ${shortSessionId(sessionId, [])}.`;
}
