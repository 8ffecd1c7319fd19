/** Which findings are new: lines move when a file is edited, so that findings are known by file, code and text, and counted. */
import type { Finding } from "./finding.ts";

const keyOf = ({ file, code, message }: Finding): string => JSON.stringify([file, code, message]);

/** Those of `after` that `before` does not have as often. Of several that look the same, the last ones count as new. */
export function newFindings(before: readonly Finding[], after: readonly Finding[]): readonly Finding[] {
  const left = new Map<string, number>();
  for (const finding of before) left.set(keyOf(finding), (left.get(keyOf(finding)) ?? 0) + 1);
  return after.filter((finding) => {
    const count = left.get(keyOf(finding)) ?? 0;
    left.set(keyOf(finding), count - 1);
    return count <= 0;
  });
}
