/** Opens the Studio for `--on studio`: a connected one, else a new one with a copy of the place. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { BridgeCommandContext, CommandContext } from "../../command-kit/context.ts";
import { checkPlaceAsync } from "../../project/place-rules.ts";
import { acquireSessionAsync } from "../../command-kit/sessions/acquire-session.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import type { StudioTarget } from "../../testing/target.ts";
import type { OpenedStudio } from "../../testing/run/studio-runner.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { checkStaleAsync } from "../../testing/project/stale-files.ts";
import type { OpeningWishes } from "../../testing/project/test-surface.ts";

const HEADLESS_INSTEAD = "leave out --on";

export async function openStudioAsync(
  { session: sessionId }: StudioTarget,
  { placeFile, ...stale }: OpeningWishes,
  basics: CommandContext,
): Promise<OpenedStudio> {
  const context: BridgeCommandContext = { ...basics, bridge: await basics.bridgeAsync() };
  const connected = await connectedAsync(context, sessionId).catch((error: unknown) => {
    if (sessionId === undefined && isNoSession(error)) return undefined;
    throw withOnAsHint(error);
  });
  if (connected === undefined) return launchedAsync(context, placeFile);
  await checkPlaceAsync(connected);
  await checkStaleAsync(context.bridge.session(connected.sessionId), stale, context);
  await confirmAsync(connected, context);
  return { bridge: context.bridge, session: connected, [Symbol.asyncDispose]: async () => {} };
}

/** The session of a connected Studio. Throws NO_SESSION if there is none, even if a Studio without the plugin runs. */
async function connectedAsync(
  context: BridgeCommandContext,
  sessionId: string | undefined,
): Promise<SessionInfo> {
  const target = { context: "edit", ...(sessionId === undefined ? {} : { sessionId }) } as const;
  const options = {
    runsScripts: false,
    launchesStudio: false,
    withoutStudio: `Open Studio with the plugin installed (sb install-plugin), or ${HEADLESS_INSTEAD} to run without it.`,
  };
  return (await acquireSessionAsync(context, target, options)).session;
}

/** Corrects the hint of an ambiguous session, because `sb test` has no --session: the session is a part of --on. */
function withOnAsHint(error: unknown): unknown {
  if (!(error instanceof StudioBridgeError) || error.code !== "AMBIGUOUS_SESSION") return error;
  const { code, message, hint, data } = error;
  return new StudioBridgeError(code, message, {
    ...(hint === undefined ? {} : { hint: hint.replace("--session ", "--on studio:") }),
    data,
    cause: error,
  });
}

const isNoSession = (error: unknown): boolean =>
  error instanceof StudioBridgeError && error.code === "NO_SESSION";

/** Launches a Studio with a copy of the place, which ends with the run. Throws if a Studio without the plugin runs. */
async function launchedAsync(
  context: BridgeCommandContext,
  placeFile: string | undefined,
): Promise<OpenedStudio> {
  const [{ prepareLaunchAsync, unconnectedStudioAsync }, { isStudioRunningAsync }, { thisMachine }] =
    await Promise.all([
      import("../../command-kit/sessions/launch-studio.ts"),
      import("../../studio/studio-process.ts"),
      import("../../studio/machine.ts"),
    ]);
  if (!context.isRemote && (await isStudioRunningAsync(thisMachine())))
    throw await unconnectedStudioAsync(context);
  await using made = new AsyncDisposableStack();
  const place = placeFile === undefined ? undefined : await placeForStudioAsync(placeFile, made);
  const launchAsync = await prepareLaunchAsync(context, {
    withoutStudio: HEADLESS_INSTEAD,
    ...(place === undefined ? {} : { place }),
  });
  const { connectedAsync: pluginAsync, endAsync } = await launchAsync(context);
  made.defer(endAsync);
  const session = await pluginAsync();
  await checkPlaceAsync(session);
  const kept = made.move();
  return { bridge: context.bridge, session, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** The place file for Studio. A Rojo project is built to a file first, because Studio opens place files only. */
async function placeForStudioAsync(placeFile: string, made: AsyncDisposableStack): Promise<string> {
  if (!/\.project\.jsonc?$/i.test(placeFile)) return placeFile;
  const [{ builtFile }, { projectTreeAsync }] = await Promise.all([
    import("../../roblox/rojo/build.ts"),
    import("../../rojo/project-tree.ts"),
  ]);
  const folder = await mkdtemp(join(tmpdir(), "sb-test-"));
  made.defer(() => rm(folder, { recursive: true, force: true }));
  const { tree, schema } = await projectTreeAsync(placeFile, true);
  const file = join(folder, `${basename(tree.name) || "Place"}.rbxl`);
  await Bun.write(file, builtFile(tree.root, schema, "rbxl").content);
  return file;
}

/**
 * Asks the user before tests run in a place that is published or may have unsaved changes, because tests may change the place.
 * Throws INVALID_INPUT unless the user agrees.
 */
async function confirmAsync(session: SessionInfo, context: BridgeCommandContext): Promise<void> {
  const risk = await riskAsync(session, context);
  if (risk === undefined) return;
  const place = visibleOnOneLine(session.placeName);
  const agreed = await context.confirmAsync?.(`${place} ${risk}. Run tests in it?`);
  if (agreed === true) return;
  throw new StudioBridgeError("INVALID_INPUT", `Tests may change ${place}, and it ${risk}.`, {
    hint:
      context.fileRoots === undefined
        ? "Add --yes to run them there, or leave out --on to run them in a headless Studio."
        : "Leave out `on` to run them in a headless Studio, or let the user run `sb test --on studio`.",
  });
}

/**
 * The reason to ask, as the end of a sentence; undefined for none.
 * UNVERIFIED: Studio does not say whether a place is saved. If something can be undone, the place has been changed since it
 * was opened, so that it counts as unsaved although it may have been saved after the change.
 */
async function riskAsync(
  { sessionId, placeId, origin }: SessionInfo,
  { bridge, signal }: BridgeCommandContext,
): Promise<string | undefined> {
  if (origin === "headless") return undefined;
  if (placeId !== 0) return "is a published place";
  const { success, returnValues } = await bridge
    .session(sessionId)
    .callAsync("execute", { script: CAN_UNDO, chunkName: "sb test" }, { signal });
  return success && returnValues[0] === true ? "may have changes that are not saved" : undefined;
}

const CAN_UNDO = `return (game:GetService("ChangeHistoryService"):GetCanUndo())`;
