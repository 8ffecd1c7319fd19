/** Opens a side of a comparison: a context of a Studio, a session, a checkpoint, or a file. */
import { resolve } from "node:path";
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import type { BridgeCommandContext } from "../context.ts";
import { checkSourcesAsync, readableFileAsync } from "../../project/readable-file.ts";
import { startHeadless } from "./start-headless.ts";
import { pathFailureAsync } from "../../session/path-failure.ts";
import type { SessionTarget } from "../../session/session-target.ts";
import { resolveSession } from "./session-resolver.ts";
import { emptySide, sessionSideAsync } from "../../tree/tree-side.ts";
import type { TreeSide } from "../../tree/tree-side.ts";
import type { TreeSource } from "../../tree/read-tree.ts";
import { wirePath } from "../../tree/instance-path.ts";
import { FILE_KIND, readSideName, type SideName } from "../../tree/side-name.ts";

/**
 * The sessions that the sides name. A side that names no Studio uses the Studio of `sessionId`, else that of the
 * other side.
 */
function sessionsOf(
  names: readonly SideName[],
  sessions: readonly SessionInfo[],
  sessionId?: string,
): readonly (SessionInfo | undefined)[] {
  const named = names.map((name) =>
    name.kind === "session" ? resolveSession(sessions, { sessionId: name.sessionId }) : undefined,
  );
  const chosen = sessionId === undefined ? undefined : resolveSession(sessions, { sessionId });
  const instanceId = [chosen, ...named].find((session) => session !== undefined)?.instanceId;
  const studio = instanceId === undefined ? {} : { instanceId };
  return names.map((name, index) => {
    if (name.kind === "session") return named[index];
    if (name.kind === "file") return undefined;
    if (name.kind === "checkpoint") return resolveSession(sessions, { context: "edit", ...studio });
    const { context, player } = name;
    return contextSession(sessions, { context, ...studio, ...(player === undefined ? {} : { player }) });
  });
}

function contextSession(sessions: readonly SessionInfo[], target: SessionTarget): SessionInfo {
  try {
    return resolveSession(sessions, target);
  } catch (error) {
    if (!(error instanceof StudioBridgeError) || error.code !== "CONTEXT_UNAVAILABLE") throw error;
    const hint = "Start a play test first, or compare other sides.";
    throw new StudioBridgeError(error.code, error.message, { hint, data: error.data });
  }
}

type Options = Pick<BridgeCommandContext, "bridge" | "signal">;

/** Both sides; disposing them ends the headless Studios that read files. */
export interface Sides extends AsyncDisposable {
  readonly a: TreeSide;
  readonly b: TreeSide;
}

interface Where {
  /** Only below this Instance. */
  readonly root?: string | undefined;
  /** Which Studio is meant, where several are connected. */
  readonly sessionId?: string | undefined;
}

/** Throws where a side cannot be read, and INSTANCE_NOT_FOUND where neither side has the root. */
export async function openSidesAsync(
  names: readonly [string, string],
  { root, sessionId }: Where,
  context: BridgeCommandContext,
): Promise<Sides> {
  await using studios = new AsyncDisposableStack();
  const read = names.map(readSideName);
  const needsSession = read.some(({ kind }) => kind !== "file");
  const sessions = needsSession
    ? sessionsOf(read, await context.bridge.sessionsAsync(), sessionId)
    : read.map(() => undefined);
  context.status("Reading the trees");
  const opened = await Promise.allSettled(
    read.map((name, index) => openAsync(name, sessions[index], root, context, studios)),
  );
  const failures: unknown[] = opened.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  if (failures.length === opened.length) throw failures[0];
  for (const failure of failures) if (!isMissingRoot(failure)) throw failure;
  const [a, b] = opened.map((each) => (each.status === "fulfilled" ? each.value : emptySide));
  if (a === undefined || b === undefined) throw new Error("A comparison has two sides.");
  const kept = studios.move();
  return { a, b, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

async function openAsync(
  name: SideName,
  session: SessionInfo | undefined,
  root: string | undefined,
  context: BridgeCommandContext,
  studios: AsyncDisposableStack,
): Promise<TreeSide> {
  if (name.kind === "file") return fileTreeAsync(context, name.path, root, studios);
  if (session === undefined) throw new Error("This side is of a session.");
  if (name.kind === "checkpoint") {
    const { checkpointSideAsync } = await import("../../tree/checkpoints/checkpoint-side.ts");
    return checkpointSideAsync(session, name.name, root);
  }
  return sessionTreeAsync(context, session, root);
}

/** A session as a reader of trees sees it. */
function treeSource({ bridge, signal }: Options, session: SessionInfo): TreeSource {
  const remote = bridge.session(session.sessionId);
  return { session, callAsync: (name, request) => remote.callAsync(name, request, { signal }) };
}

async function sessionTreeAsync(
  context: Options,
  session: SessionInfo,
  root: string | undefined,
): Promise<TreeSide> {
  const source = treeSource(context, session);
  if (root === undefined) return sessionSideAsync(source, session.context);
  const wire = wirePath(root);
  try {
    return await sessionSideAsync(source, session.context, { roots: [wire] });
  } catch (error) {
    throw await pathFailureAsync(error, source);
  }
}

/** Opens the file in a headless Studio, which ends with `stack`, so that a file is read as Studio reads it. */
async function fileTreeAsync(
  context: BridgeCommandContext,
  path: string,
  root: string | undefined,
  stack: AsyncDisposableStack,
): Promise<TreeSide> {
  const file = resolve(await readableFileAsync(path, FILE_KIND, context));
  const studio = stack.use(startHeadless({ placeFile: file }));
  const { files, folders, scripts } = await studio.placeRead;
  await checkSourcesAsync(
    path,
    [...files, ...folders, ...[...scripts.values()].map((script) => script.file)],
    context,
  );
  const bridge = await studio.bridgeAsync();
  const own = { ...context, bridge };
  const session = await studio.connectAsync(own);
  return { ...(await sessionTreeAsync(own, session, root)), hasIds: false };
}

/** A root that only one of two sides has is a difference, not a failure. */
function isMissingRoot(error: unknown): boolean {
  return error instanceof StudioBridgeError && error.code === "INSTANCE_NOT_FOUND";
}
