/** `sb headless`: a headless Studio that stays, in the foreground or detached. */
import { resolve } from "node:path";
import type { Fixtures, PlaceSaver } from "../../headless/index.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { defineSchema } from "../../protocol/schema.ts";
import { LAUNCH_ID, newLaunchId, originOf } from "../../protocol/launch-id.ts";
import { sessionInfoSchema } from "../../protocol/network.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import { selfCommand } from "../../util/self-command.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { defineCommand, streamed } from "../../command-kit/definition.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import type { BridgeCommandContext } from "../../command-kit/context.ts";
import type { Emission } from "../../output/emission.ts";
import { shortSessionId } from "../../session/session-messages.ts";
import { DATA_TEXT, dataChoice, dataSchema, dataSpelling, THROTTLE_TEXT } from "../../project/data-choice.ts";
import { MEMORY_TEXT, memorySchema } from "../../command-kit/words/memory.ts";
import {
  DEVICE_TEXT,
  deviceSchema,
  deviceSpelling,
  FONTS_TEXT,
  fontsSchema,
  fontsSpelling,
  INSETS_TEXT,
  insetsSchema,
  insetsSpelling,
  screenChoice,
  screenFlags,
  VIEWPORT_TEXT,
  viewportSchema,
  viewportSpelling,
} from "../../project/screen-choice.ts";
import { fontsFolderAsync } from "../../studio/fonts-folder.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import { keptLines } from "../../command-kit/sessions/kept-lines.ts";
import { waitForLaunchAsync } from "../../command-kit/sessions/start-headless.ts";
import { FIXTURES_TEXT } from "../../project/fixture-words.ts";
import { STRICT_GEOMETRY_TEXT, WALK_TEXT } from "../../project/world-choice.ts";

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
    restore: z
      .string()
      .min(1, "expected the name of a kept place")
      .optional()
      .describe("Reopen a place that was kept when its Studio ended; list shows them"),
    coverage: z
      .boolean()
      .default(false)
      .describe("Print what is simulated, for all classes or one, and exit"),
    detach: z.boolean().default(false).describe("Leave it running in the background"),
    name: z
      .string()
      .min(1, "expected a name")
      .max(100, "expected at most 100 characters")
      .optional()
      .describe("Name of the place"),
    placeId: z
      .int("expected a whole number")
      .min(1, "expected 1 or more")
      .optional()
      .describe("Treat the place as the published place with this id"),
    data: dataSchema(z).optional().describe(`With it, ${DATA_TEXT}`),
    throttle: z.boolean().default(false).describe(`With --data: ${THROTTLE_TEXT}`),
    fixtures: z.string().min(1, "expected a file").optional().describe(`Fixtures: ${FIXTURES_TEXT}`),
    walk: z.boolean().optional().describe(`Characters: ${WALK_TEXT}`),
    strictGeometry: z.boolean().default(false).describe(`Geometry: ${STRICT_GEOMETRY_TEXT}`),
    memoryLimitMb: memorySchema(z).optional().describe(`Memory: ${MEMORY_TEXT}`),
    viewport: viewportSchema(z).optional().describe(`Screen: ${VIEWPORT_TEXT}`),
    insets: insetsSchema(z).optional().describe(`Screen: ${INSETS_TEXT}`),
    device: deviceSchema(z).optional().describe(`Screen: ${DEVICE_TEXT}`),
    fonts: fontsSchema(z).optional().describe(`Fonts: ${FONTS_TEXT}`),
    launchId: z
      .string()
      .regex(LAUNCH_ID, "expected a launch id")
      .optional()
      .describe("An id for this start, so that a launcher can find the session"),
  }),
);
type HeadlessInput = OutputOf<typeof input>;

const output = defineSchema((z) => z.object({ session: sessionInfoSchema(z), pid: z.int() }));

const RESTORE_LIST = "list";

export const command = defineCommand({
  name: "headless",
  summary: "Run a headless Studio that stays",
  description:
    "Runs a Studio without Roblox Studio: a real Luau VM over a simulated engine, with an empty place or the given one. It runs until Ctrl+C, or in the background with --detach. `sb save` saves its place at any time; what is not saved when it ends is kept, and --restore opens it again. A member that it does not simulate, such as those of physics and rendering, raises an error.",
  group: "Studio",
  examples: [
    { command: "sb headless", note: "until Ctrl+C" },
    { command: "sb headless game.rbxl --save new.rbxl", note: "open a place, and save it at the end" },
    { command: "sb headless default.project.json", note: "a Rojo project" },
    { command: "sb headless --detach --name Test", note: "in the background" },
    { command: "sb headless --restore=list", note: "places that were not saved" },
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
    flags: flagsOf(input, {
      save: { kind: "string", label: "OUT" },
      restore: { kind: "string", label: "NAME|list" },
      coverage: { kind: "boolean", label: "[CLASS]" },
      detach: "boolean",
      name: { kind: "string", label: "NAME" },
      placeId: { kind: "number", label: "ID" },
      data: dataSpelling,
      throttle: "boolean",
      fixtures: { kind: "string", label: "FILE", lookup: "files" },
      walk: { kind: "boolean", negatable: true },
      strictGeometry: "boolean",
      memoryLimitMb: { name: "memory", kind: "number", label: "MB" },
      viewport: viewportSpelling,
      insets: insetsSpelling,
      device: deviceSpelling,
      fonts: fontsSpelling,
      launchId: { kind: "string", hidden: true },
    }),
  },
  format: ({ session, pid }) =>
    `${readyText(session)} It runs in the background as process ${pid}. \`sb save FILE\` saves its place, \`sb close\` ends it.`,
  async prepareAsync(options, { emit, status }) {
    if (options.coverage) {
      const { coverageAsync } = await import("../../api/coverage.ts");
      emit(await coverageAsync(options.place));
      return streamed;
    }
    if (options.restore === RESTORE_LIST) {
      const { keptPlacesAsync } = await import("./kept-place-list.ts");
      emit(await keptPlacesAsync());
      return streamed;
    }
    status("Starting headless Studio");
    // Read the files before detaching, because a detached process has no terminal to report a bad file to.
    const files = await placeFilesAsync(options);
    // What was read is garbage now, and a process that stays would keep the memory for it.
    Bun.gc(true);
    const choice = dataChoice(options.data, options.throttle);
    const answers = await fixturesAsync(options.fixtures);
    if (options.detach && choice !== undefined) {
      const { checkDataAsync } = await import("../../headless/index.ts");
      await checkDataAsync(choice.place, true);
    }
    return async (context) => {
      // The process of its own has no words for a person.
      if (options.detach) await fontsFolderAsync(options.fonts);
      if (options.detach) return detachAsync(options, context);
      await runInForegroundAsync(options, { ...files, answers }, context);
      return streamed;
    };
  },
});

async function runInForegroundAsync(
  {
    save,
    placeId,
    data,
    throttle,
    walk,
    strictGeometry,
    memoryLimitMb,
    launchId: launchersId,
    ...screenWords
  }: HeadlessInput,
  { opened, saver, answers }: PlaceFiles & { readonly answers: Fixtures | undefined },
  context: BridgeCommandContext,
): Promise<void> {
  const { bridge, signal, emit, status } = context;
  const launchId = launchersId ?? newLaunchId("headless");
  const choice = dataChoice(data, throttle);
  const screen = screenChoice(screenWords, await fontsFolderAsync(screenWords.fonts));
  const { runHeadlessAsync } = await import("../../command-kit/sessions/run-headless.ts");
  const note = await noteAsync(launchId);
  const saving = save === undefined ? "Keeping what is not saved" : `Saving ${visibleOnOneLine(save)}`;
  signal.addEventListener("abort", () => status(`${saving} (Ctrl+C again ends it at once)`), { once: true });
  try {
    const ended = runHeadlessAsync({
      port: bridge.port,
      launchId,
      signal,
      onRestart: () => emit(restarted),
      saver,
      ...opened,
      ...(placeId === undefined ? {} : { placeId }),
      ...(choice === undefined ? {} : { data: choice }),
      world: { isStrict: strictGeometry, walks: walk === true, fixtures: answers },
      ...(memoryLimitMb === undefined ? {} : { memoryLimitMb }),
      ...(screen === undefined ? {} : { screen }),
    });
    const session = await waitForLaunchAsync(context, launchId, ended);
    emit({ stream: "stdout", text: () => `${readyText(session)} ${endText(save)}`, json: { session } });
    // A Studio that another process has started has no reader.
    using _shown = launchersId === undefined ? await showStudioAsync(session, saver, context) : undefined;
    await ended;
    for (const line of keptLines(saver.putAway)) emit({ stream: "stderr", text: () => line });
  } catch (error) {
    throw withKeptPlace(error, saver);
  } finally {
    await note?.forgetAsync();
  }
}

async function fixturesAsync(file: string | undefined): Promise<Fixtures | undefined> {
  if (file === undefined) return undefined;
  return (await import("../../project/fixtures.ts")).readFixturesAsync(file);
}

/** The error that kept the place from being saved says where it is instead. */
function withKeptPlace(error: unknown, { failure, putAway }: PlaceSaver): unknown {
  if (error !== failure || !(error instanceof StudioBridgeError) || putAway?.kept === undefined) return error;
  const { code, message, data } = error;
  const hint = `The place is kept: \`sb headless --restore ${putAway.kept}\` opens it again.`;
  return new StudioBridgeError(code, message, { data, cause: error, hint });
}

async function showStudioAsync(
  session: SessionInfo,
  saver: PlaceSaver,
  context: BridgeCommandContext,
): Promise<Disposable> {
  const { showStudio } = await import("./show-studio.ts");
  return showStudio(session, context, () => saver.putAway !== undefined);
}

const endText = (save: string | undefined): string =>
  save === undefined ? "Ctrl+C ends it." : `Ctrl+C ends it and saves ${save}.`;

const restarted: Emission = {
  stream: "stderr",
  text: () =>
    "A script used up the memory of headless Studio, which starts again. Changes since its start are lost.",
};

/** What is opened at the start, and what happens with it at the end. */
interface PlaceFiles {
  readonly opened: { readonly placeName?: string; readonly place?: Uint8Array };
  readonly saver: PlaceSaver;
}

async function placeFilesAsync({ place, save, restore, name }: HeadlessInput): Promise<PlaceFiles> {
  if (place !== undefined && restore !== undefined)
    throw invalidInput("Cannot use --restore with a place.", "--restore opens a kept place; leave out one.");
  const headless = await import("../../headless/index.ts");
  if (save !== undefined) await headless.checkSavedFileAsync(save);
  const restored = restore === undefined ? undefined : await headless.findKeptPlaceAsync(restore);
  const path = restored?.path ?? place;
  const read = path === undefined ? undefined : await headless.readSavablePlaceAsync(path);
  const placeName = name ?? restored?.placeName ?? read?.placeName;
  const { placeFile: file } = restored ?? read ?? {};
  return {
    opened: {
      ...(placeName === undefined ? {} : { placeName }),
      ...(read === undefined ? {} : { place: read.place }),
    },
    saver: new headless.PlaceSaver({
      placeName: placeName ?? "Place1",
      keepsUnsaved: true,
      ...(read === undefined ? {} : { kept: read.kept }),
      ...(file === undefined ? {} : { file }),
      ...(save === undefined ? {} : { savesAt: resolve(save) }),
      ...(restored === undefined ? {} : { restoredFrom: restored.path }),
    }),
  };
}

/** So that `sb close` finds this process; who gives it another kind of id keeps track himself. */
async function noteAsync(launchId: string): Promise<{ forgetAsync(): Promise<void> } | undefined> {
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
  return { forgetAsync: () => forgetLaunchAsync(note, machine) };
}

/** Starts a process of its own, in a process session of its own, without our streams. */
async function detachAsync(
  {
    place,
    save,
    restore,
    name,
    placeId,
    data,
    throttle,
    fixtures,
    walk,
    strictGeometry,
    memoryLimitMb,
    ...screenWords
  }: HeadlessInput,
  context: BridgeCommandContext,
) {
  const launchId = newLaunchId("headless");
  const words = ["headless", "--port", String(context.bridge.port), "--launch-id", launchId];
  if (name !== undefined) words.push(`--name=${name}`);
  if (save !== undefined) words.push(`--save=${save}`);
  if (restore !== undefined) words.push(`--restore=${restore}`);
  if (placeId !== undefined) words.push(`--place-id=${placeId}`);
  if (data !== undefined) words.push(`--data=${data}`);
  if (throttle) words.push("--throttle");
  if (fixtures !== undefined) words.push(`--fixtures=${fixtures}`);
  if (walk !== undefined) words.push(walk ? "--walk" : "--no-walk");
  if (strictGeometry) words.push("--strict-geometry");
  if (memoryLimitMb !== undefined) words.push(`--memory=${memoryLimitMb}`);
  words.push(...screenFlags(screenWords));
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
