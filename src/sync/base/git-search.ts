/**
 * Finds texts that Studio holds in the history of the commit that is checked out. One pass over that history serves all
 * scripts, because git is slower with many paths than with none.
 */
import { posix } from "node:path";
import type { Git, Repository } from "../../util/git.ts";
import { type BlobTexts, canHaveMixedEnds } from "./blob-texts.ts";
import { type History, historyAsync } from "./git-past.ts";

export type StudioInGit =
  /** In the history of HEAD at one of the paths, or in the index at one of them. */
  | { readonly kind: "here" }
  /** Below HEAD, at another path only. The path is relative to the top of the work tree. */
  | { readonly kind: "atOtherPath"; readonly path: string }
  /** The repository has it, but nowhere below HEAD. */
  | { readonly kind: "elsewhere" }
  /** The repository does not have it. */
  | { readonly kind: "unknown" }
  /** It was not found, and the part of the history that could be read does not tell. The reason is a clause for people. */
  | { readonly kind: "unknowable"; readonly reason: string };

export interface GitSetting {
  readonly git: Git;
  /** The top of the work tree. */
  readonly top: string;
  readonly repository: Repository;
  readonly texts: BlobTexts;
  /** What people are told about a failure. Throws where the caller has given up. */
  readonly reasonOf: (error: unknown) => string;
}

/** A script in the words of git. */
export interface Subject {
  /** What Studio holds (LF). */
  readonly text: string;
  /** The ids of that text in git. */
  readonly ids: readonly string[];
  /** The paths of the script from the top of the work tree. */
  readonly names: readonly string[];
  /** The path of the present file, where there is one. */
  readonly present?: string;
}

export async function searchAsync(
  setting: GitSetting,
  subjects: readonly Subject[],
): Promise<ReadonlyMap<Subject, StudioInGit>> {
  if (subjects.length === 0) return new Map();
  const { git, top, repository, texts, reasonOf } = setting;
  const ids = subjects.flatMap((subject) => subject.ids);
  const existing = await texts.sizesAsync(ids);
  const { head, isShallow, isPartial } = repository;
  const history: History =
    head === undefined
      ? { versions: new Map(), paths: new Map() }
      : await historyAsync(git, {
          key: `${top} ${head}`,
          head,
          isKept: !isShallow && !isPartial,
          targets: subjects,
          // A partial clone knows the ids of files that it lacks.
          blobs: new Set(isPartial ? ids : existing.keys()),
          reasonOf,
        });
  if (history.cut === undefined) await readMixedEndsAsync(texts, subjects, history);
  return new Map(
    subjects.map((subject) => [subject, answerFor(subject, { history, texts, existing, repository })]),
  );
}

/** A file with both kinds of line ends has an id that does not follow from its text, so that such versions are read. */
async function readMixedEndsAsync(
  texts: BlobTexts,
  subjects: readonly Subject[],
  history: History,
): Promise<void> {
  const unread = subjects
    .filter((subject) => !isHere(subject, history, texts))
    .flatMap((subject) => versionsOf(subject, history).map((blob) => ({ blob, text: subject.text })))
    .filter(({ blob }) => texts.of(blob) === undefined);
  const sizes = await texts.sizesAsync([...new Set(unread.map(({ blob }) => blob))]);
  const likely = unread.filter(({ blob, text }) => canHaveMixedEnds(sizes.get(blob) ?? 0, text));
  await texts.readAsync(likely.map(({ blob }) => blob));
}

interface Findings {
  readonly history: History;
  readonly texts: BlobTexts;
  /** The ids that the repository has. */
  readonly existing: ReadonlyMap<string, number>;
  readonly repository: Repository;
}

function answerFor(subject: Subject, findings: Findings): StudioInGit {
  const { history, texts, existing } = findings;
  if (isHere(subject, history, texts)) return { kind: "here" };
  // The rest of a history that was cut can have the text at its own path.
  const path = history.cut === undefined ? otherPath(subject, history) : undefined;
  if (path !== undefined) return { kind: "atOtherPath", path };
  const reason = gapOf(findings);
  if (reason !== undefined) return { kind: "unknowable", reason };
  return subject.ids.some((id) => existing.has(id)) ? { kind: "elsewhere" } : { kind: "unknown" };
}

/** Why a text that was not found can still be in the history. */
function gapOf({ history, repository }: Findings): string | undefined {
  if (repository.isShallow) return "the clone is shallow and lacks older commits";
  if (repository.isPartial) return "the clone is partial and lacks older files";
  return history.cut;
}

const versionsOf = ({ names }: Subject, { versions }: History): readonly string[] =>
  names.flatMap((name) => [...(versions.get(name) ?? [])]);

const isHere = (subject: Subject, history: History, texts: BlobTexts): boolean =>
  versionsOf(subject, history).some((blob) => texts.of(blob) === subject.text);

/** Of several paths the one that most likely was this script: the same file name, else a script, else the first by name. */
function otherPath({ ids, names }: Subject, { paths }: History): string | undefined {
  const fileNames = new Set(names.map((name) => posix.basename(name)));
  const rank = (path: string): number => {
    if (fileNames.has(posix.basename(path))) return 0;
    return /\.luau?$/.test(path) ? 1 : 2;
  };
  const found = ids.flatMap((id) => [...(paths.get(id) ?? [])]);
  return found.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))[0];
}
