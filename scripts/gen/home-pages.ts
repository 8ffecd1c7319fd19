/**
 * Fills the home of the project into the files that name it: pages, installers, forms of GitHub. Addresses are found by
 * the text around them; sentences that are true only before or after the first release are between two comments, `home:
 * NAME` and `/home`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { home as ownHome, setupAction } from "../../src/version.ts";

const root = join(import.meta.dir, "..", "..");

/** Every file that names the home. */
export const homeFiles: readonly string[] = [
  "README.md",
  "SECURITY.md",
  "CODE_OF_CONDUCT.md",
  "docs/install.md",
  "docs/testing.md",
  "install.sh",
  "scripts/release/install.ps1",
];

/** Names of a place that is not there yet. */
const NOWHERE = { address: "https://example.invalid", repository: "OWNER/studio-bridge" } as const;
/** What must not be left in a release. */
export const placeholder =
  /\bOWNER\b|@HASH\b|example\.invalid|[Nn]othing is published|[Nn]one of these exists yet/;

const sentences: { readonly [name: string]: { readonly before: string; readonly after: string } } = {
  get: {
    before:
      "Nothing is published yet, so that today `sb` is [built from source](#from-source), which takes a minute. Once it is published:",
    after: "One line gets it, and the same line updates it later:",
  },
  install: {
    before:
      "Nothing is published yet. Until it is, build `sb` [from source](#from-source). The lines with `https://example.invalid/` show\nhow it is installed *once it is published*; that address leads nowhere.",
    after: "Each of these ways gets the same `sb`. Building it [from source](#from-source) is one more.",
  },
  report: {
    before: "To report a weakness, write to the maintainers privately before opening an issue.",
    after:
      "To report a weakness, use the [private form](HOME/security/advisories/new), which only the maintainers\nread, and not an issue.",
  },
  conduct: {
    before: "Report to the maintainers privately.",
    after: "Report with the [private form](HOME/security/advisories/new), which only the maintainers read.",
  },
  managers: {
    before: "None of these exists yet.",
    after: "Each takes the files of a release.",
  },
};

/** The text with this home in it; the same again changes nothing, and another home replaces it. */
export function withHome(text: string, home: string, version: string): string {
  const address = home === "" ? NOWHERE.address : `${home}/releases/latest/download`;
  const repository = home === "" ? NOWHERE.repository : new URL(home).pathname.slice(1);
  return text
    .replace(/(<!-- home: (\w+) -->\n)[\s\S]*?(\n<!-- \/home -->)/g, (whole, start, name, end) => {
      const sentence = sentences[name];
      if (sentence === undefined) throw new Error(`there is no sentence for ${whole}`);
      return `${start}${home === "" ? sentence.before : sentence.after.replace("HOME", home)}${end}`;
    })
    .replace(/https:\/\/[^\s`]+(?=\/install\.(sh|ps1)\b)/g, address)
    .replace(/\S+\/\.github\/actions\/setup@\S+/g, setupAction(home, version))
    .replace(/(?<=rokit add |mise use github:|--repo )[\w.-]+\/studio-bridge/g, repository)
    .replace(/^(home=|\$ProjectHome = )'.*'$/gm, (_, start) => `${start}'${home}'`);
}

/** Each of the files as it should be. */
export function homePages(): [path: string, text: string][] {
  return homeFiles.map((path) => [
    path,
    withHome(readFileSync(join(root, path), "utf8"), ownHome, packageJson.version),
  ]);
}
