/** The home of the project: one constant, from which every file that names it is filled in, and what a tag demands. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { homeFiles, placeholder, withHome } from "../../scripts/gen/home-pages.ts";
import { placesIn, tagFactsAsync, tagFaults } from "../../scripts/release/gate.ts";
import type { TagFacts } from "../../scripts/release/gate.ts";
import { workflowText } from "../../src/init/init-plan.ts";
import { setupAction } from "../../src/version.ts";

const root = join(import.meta.dir, "..", "..");
const HOME = "https://github.com/acme/studio-bridge";
const textOf = (path: string): Promise<string> => Bun.file(join(root, path)).text();

describe("a home", () => {
  test("leaves no placeholder in any file that people get, and is taken out again", async () => {
    const tracked = Bun.spawnSync(
      ["git", "ls-files", "*.md", "install.sh", "*.ps1", ".github", "src/commands"],
      {
        cwd: root,
      },
    );
    const files = tracked.stdout.toString().trim().split("\n");
    expect(files).toEqual(expect.arrayContaining([...homeFiles]));
    for (const path of files) {
      const text = await textOf(path);
      const filled = homeFiles.includes(path) ? withHome(text, HOME, "1.2.3") : text;
      expect([path, placesIn(path, filled)]).toEqual([path, []]);
      if (homeFiles.includes(path)) expect(withHome(filled, "", "1.2.3")).toBe(text);
    }
  });

  test("stands in the install lines, the action, the attestation and both installers", async () => {
    const filled = async (path: string) => withHome(await textOf(path), HOME, "1.2.3");
    expect(await filled("README.md")).toContain(
      `curl -fsSL ${HOME}/releases/latest/download/install.sh | sh`,
    );
    const page = await filled("docs/install.md");
    expect(page).toContain(`irm ${HOME}/releases/latest/download/install.ps1 | iex`);
    expect(page).toContain("rokit add acme/studio-bridge sb");
    expect(page).toContain("uses: acme/studio-bridge/.github/actions/setup@v1.2.3");
    expect(page).toContain("--repo acme/studio-bridge");
    for (const name of ["SECURITY.md", "CODE_OF_CONDUCT.md"])
      expect(await filled(name)).toContain(`[private form](${HOME}/security/advisories/new)`);
    expect(await filled("install.sh")).toContain(`\nhome='${HOME}'\n`);
    expect(await filled("scripts/release/install.ps1")).toContain(`\n$ProjectHome = '${HOME}'\n`);
  });

  test("stands in the workflow that sb init writes, which asks for it where there is none", () => {
    const facts = { usesWally: false };
    expect(workflowText(facts, HOME)).toContain(`\n      - uses: ${setupAction(HOME)}\n      - run: sb test`);
    expect(workflowText(facts, HOME)).not.toMatch(placeholder);
    expect(workflowText(facts, "")).toContain("Write here where studio-bridge is published");
  });
});

describe("a tag", () => {
  const whole: TagFacts = {
    tag: "v1.2.3",
    version: "1.2.3",
    home: HOME,
    changes: [],
    head: "aaa",
    tagged: "aaa",
    hasAllTargets: true,
    placeholders: [],
  };

  test("of a whole release is fine", () => {
    expect(tagFaults(whole)).toEqual([]);
    const candidate = { ...whole, tag: "v1.2.3-rc.1", version: "1.2.3-rc.1" };
    expect(tagFaults(candidate)).toEqual([]);
  });

  test.each<[Partial<TagFacts>, string]>([
    [{ tag: "v1.2.4" }, "the tag is v1.2.4, and package.json has version 1.2.3"],
    [{ home: "" }, "the project has no home: write it into src/version.ts, then npm run gen"],
    [{ changes: ["M a.ts"] }, "files differ from the commit: M a.ts"],
    [{ tagged: undefined }, "there is no tag v1.2.3"],
    [{ tagged: "bbb" }, "v1.2.3 is commit bbb, and this is aaa"],
    [{ hasAllTargets: false }, "a release has all targets, so that --only does not go with --tag"],
    [{ placeholders: ["README.md:3"] }, "placeholders are left: README.md:3"],
  ])("is refused with %p", (fact, sentence) => {
    expect(tagFaults({ ...whole, ...fact })).toEqual([sentence]);
  });

  test("reads its facts from the checkout, and refuses before anything is built", async () => {
    const asked = {
      tag: `v${packageJson.version}`,
      version: packageJson.version,
      home: "",
      hasAllTargets: true,
    };
    const { head, placeholders, tagged } = await tagFactsAsync(asked);
    expect([head, tagged]).toEqual([expect.stringMatching(/^[0-9a-f]{40}$/), undefined]);
    expect(placeholders).toContainEqual(expect.stringMatching(/^README\.md:\d+$/));
    const words = ["scripts/release/index.ts", "--out", "/nonexistent/folder", "--tag", asked.tag];
    const { exitCode, stderr } = Bun.spawnSync([process.execPath, ...words], { cwd: root });
    expect([exitCode, stderr.toString()]).toEqual([
      1,
      expect.stringContaining("cannot be released\nthe project has no home"),
    ]);
  });
});
