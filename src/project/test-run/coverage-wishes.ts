/** What a run counts and reports of coverage, from the words of its caller and the settings of the project. */
import { join } from "node:path";
import { DEFAULT_COVERED } from "../../testing/coverage/covered-files.ts";
import type { CoverageFormat } from "../../testing/coverage/format-words.ts";
import type { Member } from "../../testing/project/several/member.ts";
import type { CoverageWishes } from "../../testing/project/test-wishes.ts";
import type { SuiteSettings } from "../test-settings.ts";

const DEFAULT_DIRECTORY = "coverage";

/** The settings of coverage. `named` are the formats of the command line; if it names none, those of the settings count. */
export function coverageWishes(
  folder: string,
  settings: SuiteSettings["coverage"] = {},
  named: readonly CoverageFormat[] | "none" = [],
): CoverageWishes {
  const { perFile, thresholds } = settings;
  const formats = named.length === 0 ? settings.formats : named;
  return {
    include: settings.include ?? DEFAULT_COVERED,
    exclude: settings.exclude ?? [],
    formats: formats === "none" ? [] : (formats ?? ["text"]),
    directory: settings.directory ?? join(folder, DEFAULT_DIRECTORY),
    thresholds: { ...thresholds, perFile },
  };
}

/** Suites that would write their files of coverage into one folder get a folder of their own in it, with the name of the suite. */
export function withOwnFolders(members: readonly Member[]): readonly Member[] {
  const taken = new Set<string>();
  return members.map((member) => {
    const { suite, wishes } = member;
    const { coverage } = wishes;
    if (coverage === undefined || suite === undefined) return member;
    const isShared = members.some(
      (other) => other !== member && other.wishes.coverage?.directory === coverage.directory,
    );
    if (!isShared) return member;
    const directory = freeFolder(join(coverage.directory, folderNameOf(suite)), taken);
    return { ...member, wishes: { ...wishes, coverage: { ...coverage, directory } } };
  });
}

/** Suites may have any name. */
const folderNameOf = (suite: string): string => suite.replace(/[^\w.-]+/g, "-").replace(/^\.+$/, "-");

function freeFolder(wanted: string, taken: Set<string>): string {
  let folder = wanted;
  for (let count = 2; taken.has(folder.toLowerCase()); count++) folder = `${wanted}-${count}`;
  taken.add(folder.toLowerCase());
  return folder;
}
