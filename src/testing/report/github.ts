/**
 * The report for GitHub Actions: annotations at the lines that failed, and a summary of the job. GitHub shows only ten
 * annotations of a step, so that the ten best ones are chosen: first one for each line that failed, then the others.
 */
import { annotation, prefixOf, type WorkflowFolders } from "../../output/github-annotation.ts";
import { visibleControls } from "../../util/visible-controls.ts";
import { flakyText } from "./flaky-text.ts";
import { type CaseResult, countsOf, failuresOf, type FileResult, flakyCases, titleOf } from "./tally.ts";
import { failureText, headline, positionOf, shownFile, titled } from "./text-failure.ts";

const MAX_ANNOTATIONS = 10;
/** GitHub drops a summary above 1 MiB. */
const MAX_SUMMARY_BYTES = 900_000;

export function annotations(files: readonly FileResult[], paths: WorkflowFolders): string[] {
  const failed = files.flatMap(failuresOf);
  const seen = new Set<string>();
  const first: CaseResult[] = [];
  const others: CaseResult[] = [];
  for (const result of failed) {
    const { path, line } = positionOf(result.end);
    const key = `${path}:${line}`;
    (seen.has(key) ? others : first).push(result);
    seen.add(key);
  }
  const prefix = prefixOf(paths);
  return [...first, ...others].slice(0, MAX_ANNOTATIONS).map(({ id, end }) => {
    const { path, line } = annotated(end);
    const place = { file: prefix + path, ...(line === undefined ? {} : { line }), title: titled(id, end) };
    return annotation("error", place, failureText(end));
  });
}

/** A source without a source map is named without a line. GitHub could not show the compiled file, which git ignores. */
function annotated(end: CaseResult["end"]): { readonly path: string; readonly line?: number } {
  const { source } = end;
  return source === undefined || source.line !== undefined ? positionOf(end) : { path: source.path };
}

/** The summary of the job, in Markdown. `breakOff` is the sentence of breakOffText, `coverage` the line of coverageLine. */
export function summary(
  files: readonly FileResult[],
  durationMs: number,
  breakOff?: string,
  coverage?: string,
): string {
  const { passed, failed, skipped, todo, flaky } = countsOf(files);
  const counts = [
    `${failed} failed`,
    `${passed} passed`,
    ...(flaky > 0 ? [`${flaky} flaky`] : []),
    ...(skipped + todo > 0 ? [`${skipped + todo} skipped`] : []),
  ];
  let text = `### ${failed > 0 || breakOff !== undefined ? "❌" : "✅"} sb test: ${counts.join(", ")} (${(durationMs / 1000).toFixed(1)} s)\n`;
  for (const line of [breakOff, coverage]) if (line !== undefined) text += `\n${html(line)}\n`;
  const parts = [
    ...files
      .flatMap(failuresOf)
      .map((result) => partText(result, headline(result.end), failureText(result.end))),
    ...flakyCases(files).map((result) =>
      partText(result, `flaky (${flakyText(result)})`, result.earlier.map(failureText).join("\n\n")),
    ),
  ];
  for (const [index, part] of parts.entries()) {
    if (Buffer.byteLength(text) + Buffer.byteLength(part) > MAX_SUMMARY_BYTES)
      return `${text}\n${parts.length - index} more in the log.\n`;
    text += part;
  }
  return text;
}

/** The name of a case and what is known about it in a few words. A click on them shows the text. */
const partText = ({ id, end }: CaseResult, words: string, text: string): string =>
  `\n<details><summary>${html(titleOf({ context: end.context, repeat: end.repeat, path: shownFile(end) }))}: ${html(titled(id, end))} — ${html(words)}</summary>\n\n<pre>${html(text)}</pre>\n</details>\n`;

const html = (text: string): string =>
  visibleControls(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
