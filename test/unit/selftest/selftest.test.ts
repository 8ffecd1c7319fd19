/** The parts of sb selftest that need no Studio: the list of checks, the report, and the redaction of the report. */
import { expect, test } from "bun:test";
import { basename } from "node:path";
import { assumptionFindings } from "../../../src/selftest/assumption-probes.ts";
import { bridgeChecks } from "../../../src/selftest/bridge-checks.ts";
import { cannotTell, differs, holds, ONLY_IN_PLAY } from "../../../src/selftest/findings.ts";
import { redactionBy } from "../../../src/selftest/redaction.ts";
import { reportFiles } from "../../../src/selftest/report-files.ts";
import { areaOf, markdownText, type Report, screenText } from "../../../src/selftest/report.ts";
import { actionNames } from "../../../src/protocol/actions.ts";
import { createStyle } from "../../../src/util/style.ts";

test("every action of the wire has a check", () => {
  const checked = new Set(bridgeChecks.map(({ action }) => action));
  expect(actionNames.filter((name) => !checked.has(name))).toEqual([]);
});

test("in texts of Studio, only words of the self-test itself stay", () => {
  const redact = redactionBy(['eq(part.Name, "Block")', "is not a valid member of Model"]);
  expect(redact('Tür is not a valid member of Model "Workspace.SecretBoss.Block" for sam_42')).toBe(
    '… is not a valid member of Model "….….Block" … …',
  );
  expect(redact("TIMEOUT in execute: id 1234567890 at 0.123456789, line 12")).toBe(
    "TIMEOUT … execute: … # … 0.123456789, … 12",
  );
});

test("the verdict of a play test counts, and an assumption without a probe has its reason", () => {
  const probed = assumptionFindings(
    new Map([["plugin-connections", cannotTell("only a play test shows it (--play)")]]),
    new Map([["plugin-connections", differs("none")]]),
  );
  const seenOf = (id: string) => probed.find(({ subject }) => subject === id);
  expect(seenOf("plugin-connections")).toMatchObject({ result: "differs", seen: "none" });
  expect(seenOf("message-size")).toMatchObject({
    result: "unknown",
    seen: "only a play test shows it (--play)",
  });
  expect(seenOf("step-limit")).toMatchObject({ result: "unknown" });
});

test("a report is a JSON file, a Markdown file, or both", () => {
  expect(reportFiles("a.json").map((file) => basename(file))).toEqual(["a.json"]);
  expect(reportFiles("out/a.md").map((file) => basename(file))).toEqual(["a.md"]);
  expect(reportFiles("a").map((file) => basename(file))).toEqual(["a.json", "a.md"]);
  expect(() => reportFiles("a.txt")).toThrow("a.txt is neither a .json nor a .md file");
});

const report: Report = {
  ok: false,
  isWhole: true,
  sb: { version: "0.1.0", build: "0123456789ab", platform: "linux x64" },
  studio: { kind: "headless", version: "0.735", variants: ["no-set-timeout"] },
  plugin: { version: "0.1.0", build: "0123456789ab" },
  play: false,
  person: false,
  areas: [
    areaOf("bridge", [
      { subject: "execute", name: "gives values back", ...holds },
      {
        subject: "captureScreenshot",
        name: "gives a picture",
        ...cannotTell("headless Studio draws nothing"),
      },
    ]),
    areaOf("assumptions", [
      {
        subject: "set-timeout",
        name: "That a limit which is set by a plugin reaches the threads of plugins.",
        ...differs("a *loop* of 2 s came to its end, although the limit was 0.3 s"),
      },
      { subject: "end-test", name: "That a plugin may end a test.", ...cannotTell(ONLY_IN_PLAY) },
    ]),
    areaOf("engine", [
      { subject: "classes-lighting", name: "a", ...holds },
      { subject: "classes-lighting", name: "b", ...holds },
    ]),
  ],
};

test("the screen shows counts, differences and what cannot be told, in 60 columns", () => {
  const style = createStyle({ columns: 60, color: false, isScreen: true, prettyJson: false });
  const lines = screenText(report, style).split("\n");
  expect(lines.filter((line) => line.length > 60)).toEqual([]);
  expect(lines.slice(2)).toEqual([
    "",
    "Bridge       1 holds, 1 cannot be told",
    "Assumptions  0 hold, 1 differs, 1 cannot be told",
    "Engine       2 hold",
    "",
    "Differs",
    "  Assumptions: set-timeout",
    "    That a limit which is set by a plugin reaches the",
    "    threads of plugins.",
    "    a *loop* of 2 s came to its end, although the limit was",
    "    0.3 s",
    "",
    "Cannot be told (--report says why)",
    "  captureScreenshot",
    "",
    "With --play",
    "  end-test",
  ]);
});

test("the Markdown report says the same, with special characters escaped", () => {
  const text = markdownText(report);
  expect(text).toContain("| Assumptions | 0 | 1 | 1 |");
  expect(text).toContain("  - a \\*loop\\* of 2 s came to its end");
  expect(text).toContain("Headless Studio (no-set-timeout) 0.735");
  expect(text).not.toContain("was closed");
  expect(markdownText({ ...report, isWhole: false })).toContain(
    "**The Studio was closed during the self-test",
  );
});
