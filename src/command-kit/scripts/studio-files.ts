/**
 * The files of the project in this folder for what an open Studio tells of its scripts. Another place may be open there, so that a
 * file counts only if Studio has the very text of it.
 */
import { type PlaceSources, readPlaceAsync } from "../../headless/index.ts";
import { findProjectAsync } from "../../project/find-rojo-project.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { readScriptAsync } from "../../scripts/script-sources.ts";
import { textOfByteString } from "../../util/bytes.ts";
import type { SessionCommandContext } from "../context.ts";
import { openCompiledLinesAsync } from "./compiled-lines.ts";
import { namedScripts, ScriptFiles } from "./script-files.ts";

type ProjectScript = PlaceSources["scripts"] extends ReadonlyMap<string, infer Script> ? Script : never;

/** So many scripts are compared at most, because each is a request. */
const MAX_COMPARED = 20;

/** Undefined if no line names a script of the project. A project that cannot be read has no files here. */
export async function studioFilesAsync(
  context: SessionCommandContext,
  lines: readonly string[],
): Promise<ScriptFiles | undefined> {
  const names = namedScripts(lines);
  if (names.length === 0 || !context.session.capabilities.includes("readScript")) return undefined;
  try {
    const folder = context.fileRoots?.own ?? process.cwd();
    const project = await findProjectAsync(folder);
    if (project === undefined) return undefined;
    const { scripts } = (await readPlaceAsync(project)).sources;
    const known = [...new Set(names)].flatMap((name) => {
      const script = scripts.get(name);
      return script === undefined || script.namesakes !== undefined ? [] : [{ name, script }];
    });
    const same = new Map<string, ProjectScript>();
    for (const { name, script } of known.slice(0, MAX_COMPARED))
      if (await isSameAsync(context, script)) same.set(name, script);
    return same.size === 0 ? undefined : new ScriptFiles(same, await openCompiledLinesAsync(context, folder));
  } catch (error) {
    if (!(error instanceof StudioBridgeError)) throw error;
    return undefined;
  }
}

async function isSameAsync(
  context: SessionCommandContext,
  { names, source }: ProjectScript,
): Promise<boolean> {
  const path = `game${names.map((name) => `[${JSON.stringify(name)}]`).join("")}`;
  const read = await readScriptAsync(context, path).catch((error: unknown) => {
    if (error instanceof StudioBridgeError) return undefined;
    throw error;
  });
  return read?.source === textOfByteString(source);
}
