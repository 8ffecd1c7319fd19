/**
 * What git knows about the texts of scripts: whether Studio's text is in the history of the commit that is checked out,
 * and whether the files are as committed. These are facts only; what follows from them is decided elsewhere.
 */
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { realDisk } from "../../roblox/rojo/disk.ts";
import { workTreeOfAsync } from "../../roblox/rojo/roots.ts";
import { isWithin } from "../../util/path-inside.ts";
import { type Blobs, Git, pathFromTopAsync } from "../../util/git.ts";
import { BlobTexts, idsOfText } from "./blob-texts.ts";
import { type GitSetting, searchAsync, type StudioInGit, type Subject } from "./git-search.ts";

export type { StudioInGit } from "./git-search.ts";

export interface ScriptInGit {
  /** Absolute paths of all forms that make this Instance (.lua, .luau, init…); the present file first where there is one. */
  readonly paths: readonly string[];
  /** The files' text (LF), undefined for a script that only Studio has. */
  readonly file?: string;
  /** Studio's text (LF). */
  readonly studio: string;
}

export interface ScriptFacts {
  readonly studio: StudioInGit;
  /** The files' text is that of HEAD at the present path. False for a file that is untracked or in a conflict. */
  readonly isHead: boolean;
  /** The same of the index. */
  readonly isIndex: boolean;
  /** The text (LF) at HEAD at the present path, from which a merge can start. */
  readonly headText?: string;
}

export type GitAnswer =
  | { readonly kind: "facts"; readonly head?: string; readonly scripts: readonly ScriptFacts[] }
  /** There is no repository, or no git. */
  | { readonly kind: "none" }
  /** The reason is a clause for people. */
  | { readonly kind: "failed"; readonly reason: string };

export interface GitHistoryQuestion {
  readonly folder: string;
  readonly scripts: readonly ScriptInGit[];
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

const TIMEOUT_MS = 10_000;

/** The facts are in the order of the scripts. Rejects only if `signal` is aborted. */
export async function askGitAsync(question: GitHistoryQuestion): Promise<GitAnswer> {
  const { folder, scripts, timeoutMs = TIMEOUT_MS, signal } = question;
  const place = await findGitAsync(folder);
  if (place === undefined) return { kind: "none" };
  const time = AbortSignal.timeout(timeoutMs);
  const git = new Git(
    place.program,
    place.top,
    signal === undefined ? time : AbortSignal.any([time, signal]),
  );
  const reasonOf = (error: unknown): string => {
    signal?.throwIfAborted();
    if (time.aborted) return `git took more than ${timeoutMs / 1000} s`;
    return error instanceof Error ? error.message : "git failed";
  };
  try {
    const repository = await git.repositoryAsync();
    const setting: GitSetting = {
      git,
      top: place.top,
      repository,
      texts: new BlobTexts(git, repository),
      reasonOf,
    };
    const { head } = repository;
    return {
      kind: "facts",
      ...(head === undefined ? {} : { head }),
      scripts: await factsAsync(setting, scripts),
    };
  } catch (error) {
    return { kind: "failed", reason: reasonOf(error) };
  }
}

/** The commit that is checked out; undefined before the first one, and where git does not tell. */
export async function headAsync(folder: string, timeoutMs = TIMEOUT_MS): Promise<string | undefined> {
  const place = await findGitAsync(folder);
  if (place === undefined) return undefined;
  const git = new Git(place.program, place.top, AbortSignal.timeout(timeoutMs));
  return git.headAsync().catch(() => undefined);
}

async function findGitAsync(folder: string): Promise<{ program: string; top: string } | undefined> {
  const program = Bun.which("git");
  const top = await workTreeOfAsync(await realpath(folder), realDisk);
  return program === null || top === undefined ? undefined : { program, top };
}

const NOTHING: Blobs = new Map();

async function factsAsync(
  setting: GitSetting,
  scripts: readonly ScriptInGit[],
): Promise<readonly ScriptFacts[]> {
  const { git, repository, texts } = setting;
  const [index, head, subjects] = await Promise.all([
    git.indexAsync(),
    repository.head === undefined ? NOTHING : git.treeAsync(repository.head),
    Promise.all(scripts.map((script) => subjectAsync(setting, script))),
  ]);
  for (const { file } of scripts) if (file !== undefined) texts.add(file);
  for (const { studio } of scripts) texts.add(studio);
  await texts.readAsync(
    subjects.flatMap(({ names }) => names.flatMap((name) => [head.get(name), index.get(name)])),
  );
  const isHere = ({ names, text }: Subject): boolean =>
    names.some((name) => texts.of(head.get(name)) === text || texts.of(index.get(name)) === text);
  const found = await searchAsync(
    setting,
    subjects.filter((subject) => !isHere(subject)),
  );
  return subjects.map((subject, position) => ({
    studio: found.get(subject) ?? { kind: "here" },
    ...fileFacts(scripts[position]?.file, subject.present, { texts, head, index }),
  }));
}

async function subjectAsync({ top, repository }: GitSetting, script: ScriptInGit): Promise<Subject> {
  const names = await Promise.all(script.paths.map((path) => pathFromTopAsync(top, path)));
  const [present] = names;
  return {
    text: script.studio,
    ids: idsOfText(script.studio, repository.idAlgorithm),
    names: names.filter((name) => isWithin(top, join(top, name))),
    ...(script.file === undefined || present === undefined ? {} : { present }),
  };
}

function fileFacts(
  file: string | undefined,
  present: string | undefined,
  { texts, head, index }: { readonly texts: BlobTexts; readonly head: Blobs; readonly index: Blobs },
): Omit<ScriptFacts, "studio"> {
  // The index says which files are tracked, and leaves out those in a conflict.
  if (file === undefined || present === undefined || !index.has(present))
    return { isHead: false, isIndex: false };
  const headText = texts.of(head.get(present));
  return {
    isHead: headText === file,
    isIndex: texts.of(index.get(present)) === file,
    ...(headText === undefined ? {} : { headText }),
  };
}
