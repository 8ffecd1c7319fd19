/**
 * Reads the sources of scripts from a session. What was read stays with the connection, so that reading many scripts again
 * asks only for the texts that have changed.
 */
import type { BridgeConnection } from "../bridge/index.ts";
import type { ActionResult } from "../protocol/actions.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { gitBlobHash } from "../util/git-blob-hash.ts";
import type { SessionLink } from "../session/session-link.ts";
import { shownPath, wirePath } from "../tree/instance-path.ts";

/** A script as it was when it was read. */
export interface ReadScript {
  readonly path: string;
  readonly id: string;
  readonly className: string;
  readonly source: string;
  /** The source is what the script editor shows, not what is saved. */
  readonly isDraft: boolean;
  readonly hasUnsavedDraft: boolean;
  /** Present where the source is not valid UTF-8; `source` has replacement characters then. */
  readonly bytes?: Uint8Array;
}

/** One of many scripts. */
export interface ScriptText {
  readonly path: string;
  readonly source: string;
}

interface ManyOptions {
  /** Where to begin; the whole place without it. */
  readonly root?: string | undefined;
  readonly className?: string | undefined;
  readonly saved?: boolean;
}

/** What was read in one session. */
interface Kept {
  /** The life of the plugin that the revisions are of. */
  generation: string;
  readonly textByRevision: Map<number, string>;
  characters: number;
}

const KEPT_CHARACTERS = 128 * 1024 * 1024;

/** While one answer is read here, Studio writes the next. */
const REQUESTS_AT_ONCE = 3;
/** Few requests of many small texts, and no long lists for few large ones. */
const TEXTS_PER_REQUEST = 100;

const ROUNDS = 5;

const keptByConnection = new WeakMap<BridgeConnection, Map<string, Kept>>();

/** As git names the source. */
export function hashOf({ source, bytes }: Pick<ReadScript, "source" | "bytes">): string {
  return gitBlobHash(bytes ?? source);
}

/** The script that a path leads to. Throws what the plugin throws, in the words of the caller. */
export async function readScriptAsync(link: SessionLink, path: string, saved = false): Promise<ReadScript> {
  const { source, base64, ...facts } = await explainedAsync(link, path, (wire) =>
    link.callAsync("readScript", { path: wire, saved }),
  );
  const script = { ...facts, path: shownPath(facts.path) };
  if (source !== undefined) return { ...script, source };
  const bytes = Buffer.from(base64 ?? "", "base64");
  return { ...script, source: bytes.toString(), bytes };
}

/** The scripts at a path and below it, in the order of the tree. */
export async function readScriptsAsync(
  link: SessionLink,
  { root = "game", className, saved = false }: ManyOptions,
): Promise<readonly ScriptText[]> {
  const kept = keptOf(link);
  for (let round = 1; ; round += 1) {
    const { generation, paths, revisions } = await explainedAsync(link, root, (path) =>
      link.callAsync("readScripts", { path, saved, ...(className === undefined ? {} : { className }) }),
    );
    if (kept.generation !== generation) beginAgain(kept, generation);
    await readTextsAsync(link, kept, revisions);
    const scripts = paths.flatMap((path, index) => {
      const source = kept.textByRevision.get(revisions[index] ?? 0);
      return source === undefined ? [] : [{ path: shownPath(path), source }];
    });
    // A script that changes while its text is on the way has another revision by then. One that never rests is left out.
    if (scripts.length === paths.length || round === ROUNDS) return scripts;
  }
}

/** Reads the texts that are not kept yet, several requests at a time. */
async function readTextsAsync(link: SessionLink, kept: Kept, revisions: readonly number[]): Promise<void> {
  const missing = new Set(revisions.filter((revision) => !kept.textByRevision.has(revision)));
  const readAsync = async () => {
    while (missing.size > 0) {
      const wanted = [...missing.values().take(TEXTS_PER_REQUEST)];
      for (const revision of wanted) missing.delete(revision);
      const reply = await link.callAsync("readScripts", {
        generation: kept.generation,
        revisions: wanted,
      });
      keep(kept, reply);
      // What had no room comes with the next request; without any text, what is asked for has gone.
      if (reply.newRevisions.length === 0) return;
      for (const revision of wanted) if (!kept.textByRevision.has(revision)) missing.add(revision);
    }
  };
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, readAsync));
}

function keptOf({ bridge, session }: Pick<SessionLink, "bridge" | "session">): Kept {
  let sessions = keptByConnection.get(bridge);
  if (sessions === undefined) {
    sessions = new Map();
    keptByConnection.set(bridge, sessions);
  }
  // Sessions of earlier tests and closed windows are not asked again.
  for (const [sessionId, { characters }] of sessions)
    if (sessionId !== session.sessionId || characters > KEPT_CHARACTERS) sessions.delete(sessionId);
  const kept = sessions.get(session.sessionId) ?? {
    generation: "",
    textByRevision: new Map<number, string>(),
    characters: 0,
  };
  sessions.set(session.sessionId, kept);
  return kept;
}

function beginAgain(kept: Kept, generation: string): void {
  kept.generation = generation;
  kept.textByRevision.clear();
  kept.characters = 0;
}

function keep(kept: Kept, { newRevisions, newSizes, newTexts }: ActionResult<"readScripts">): void {
  const bytes = Buffer.from(newTexts);
  let start = 0;
  for (const [index, revision] of newRevisions.entries()) {
    const end = start + (newSizes[index] ?? 0);
    const text = bytes.toString("utf8", start, end);
    kept.textByRevision.set(revision, text);
    kept.characters += text.length;
    start = end;
  }
}

/** A failure that is about the path names it as the caller wrote it. */
async function explainedAsync<T>(
  link: SessionLink,
  expression: string,
  askAsync: (wire: string) => Promise<T>,
): Promise<T> {
  const wire = expression === "game" ? expression : wirePath(expression);
  try {
    return await askAsync(wire);
  } catch (error) {
    if (error instanceof StudioBridgeError && error.code === "PROPERTY_NOT_FOUND")
      throw noScript(error, expression);
    const { pathFailureAsync } = await import("../session/path-failure.ts");
    throw await pathFailureAsync(error, link, link);
  }
}

function noScript({ code, message, data }: StudioBridgeError, path: string): StudioBridgeError {
  const hint = `Name a script. A search with ${path} as its root shows the scripts below it.`;
  return new StudioBridgeError(code, `${message}.`, { hint, data });
}
