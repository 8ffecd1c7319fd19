/** What `--tag` demands before anything is built: a release that people get is whole, and made from what was tagged. */
import { join } from "node:path";
import { placeholder } from "../gen/home-pages.ts";

const root = join(import.meta.dir, "..", "..");

export interface TagFacts {
  readonly tag: string;
  readonly version: string;
  readonly home: string;
  /** Lines of `git status --porcelain`. */
  readonly changes: readonly string[];
  readonly head: string;
  /** The commit of the tag; undefined where there is no such tag. */
  readonly tagged: string | undefined;
  readonly hasAllTargets: boolean;
  /** Places of placeholders in files that people get, as `FILE:LINE`. */
  readonly placeholders: readonly string[];
}

/** One sentence for each reason against it. */
export function tagFaults(facts: TagFacts): string[] {
  const { tag, version, home, changes, head, tagged, placeholders } = facts;
  const faultIf = (isWrong: boolean, sentence: string): string[] => (isWrong ? [sentence] : []);
  return [
    ...faultIf(tag !== `v${version}`, `the tag is ${tag}, and package.json has version ${version}`),
    ...faultIf(home === "", "the project has no home: write it into src/version.ts, then npm run gen"),
    ...faultIf(changes.length > 0, `files differ from the commit: ${changes.join(", ")}`),
    ...faultIf(tagged === undefined, `there is no tag ${tag}`),
    ...faultIf(tagged !== undefined && tagged !== head, `${tag} is commit ${tagged}, and this is ${head}`),
    ...faultIf(!facts.hasAllTargets, "a release has all targets, so that --only does not go with --tag"),
    ...faultIf(placeholders.length > 0, `placeholders are left: ${placeholders.join(", ")}`),
  ];
}

/** The facts of this checkout. */
export async function tagFactsAsync(
  asked: Pick<TagFacts, "tag" | "version" | "home" | "hasAllTargets">,
): Promise<TagFacts> {
  const git = (...words: string[]): string | undefined => {
    const { exitCode, stdout } = Bun.spawnSync(["git", ...words], { cwd: root });
    return exitCode === 0 ? stdout.toString().trim() : undefined;
  };
  return {
    ...asked,
    changes: linesOf(git("status", "--porcelain")),
    head: git("rev-parse", "HEAD") ?? "unknown",
    tagged: git("rev-parse", "--verify", "--quiet", `refs/tags/${asked.tag}^{commit}`),
    placeholders: await placeholdersAsync(linesOf(git("ls-files"))),
  };
}

/** In the pages and installers that people read and run, and in what `sb` writes for them. */
async function placeholdersAsync(files: readonly string[]): Promise<string[]> {
  const shown = files.filter((file) =>
    /^(install\.sh|scripts\/release\/install\.ps1|[^/]+\.md|(docs|\.github|src\/commands)\/.*)$/.test(file),
  );
  const found = await Promise.all(
    shown.map(async (file) => placesIn(file, await Bun.file(join(root, file)).text())),
  );
  return found.flat();
}

/** `FILE:LINE` of each line with a placeholder. */
export function placesIn(file: string, text: string): string[] {
  return text.split("\n").flatMap((line, index) => (placeholder.test(line) ? [`${file}:${index + 1}`] : []));
}

const linesOf = (text: string | undefined): string[] => text?.split("\n").filter((line) => line !== "") ?? [];
