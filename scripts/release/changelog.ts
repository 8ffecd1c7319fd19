/** The notes of one release, which are its chapter of docs/CHANGELOG.md. */

/** Throws an Error where there is no chapter `## VERSION`, or nothing in it. */
export function releaseNotes(changelog: string, version: string): string {
  const lines = changelog.split("\n");
  const start = lines.findIndex((line) => line === `## ${version}` || line.startsWith(`## ${version} `));
  if (start < 0) throw new Error(`docs/CHANGELOG.md has no chapter "## ${version}"`);
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith("## "));
  const notes = lines
    .slice(start + 1, length < 0 ? undefined : start + 1 + length)
    .join("\n")
    .trim();
  if (notes === "") throw new Error(`the chapter "## ${version}" of docs/CHANGELOG.md is empty`);
  return `${notes}\n`;
}
