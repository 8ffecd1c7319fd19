import { expect, test } from "bun:test";
import { refusedUses, withoutRefused } from "../../../src/check/headless-only.ts";
import type { Finding } from "../../../src/check/finding.ts";
import { loadDefinitionsAsync, readCoverageAsync } from "../../../src/headless/index.ts";

test("definitions lose the members that headless Studio refuses, and keep the others and all events", async () => {
  const definitions = await loadDefinitionsAsync();
  const coverage = (await readCoverageAsync()) ?? [];
  const kept = withoutRefused(definitions, coverage);
  const partOf = (text: string, name: string) =>
    new RegExp(`^declare extern type ${name} [^]*?^end$`, "m").exec(text)?.[0].split("\n") ?? [];
  const refused = coverage.flatMap(({ name, members }) =>
    members
      .filter(({ simulated, kind }) => !simulated && kind === "method")
      .map((each) => `${name} ${each.name}`),
  );
  const [className = "", member = ""] = refused[0]?.split(" ") ?? [];
  const isOf = (line: string) => line.startsWith(`\tfunction ${member}(`) || line.startsWith(`\t${member}:`);
  expect(partOf(definitions, className).some(isOf)).toBe(true);
  expect(partOf(kept, className).some(isOf)).toBe(false);
  expect(partOf(kept, "Instance")).toContain(
    partOf(definitions, "Instance").find((line) => line.includes("function Clone(")) ?? "",
  );
  const events = (text: string) => text.match(/^\t\w+: RBXScriptSignal$/gm)?.length;
  expect(events(kept)).toBe(events(definitions) ?? 0);
});

test("only what the second check misses anew is a refused use", () => {
  const at = (line: number, message: string): Finding => ({
    file: "a.luau",
    line,
    column: 1,
    endLine: line,
    endColumn: 2,
    severity: "error",
    code: "TypeError",
    message,
  });
  const known = at(1, "Key 'Typo' not found in external type 'Part'");
  const second = [
    known,
    at(2, "Key 'Play' not found in external type 'Sound'"),
    at(3, "something that follows"),
  ];
  expect(refusedUses([known], second)).toEqual([
    {
      ...at(2, "Headless Studio does not simulate Sound.Play."),
      severity: "warning",
      code: "HeadlessRefuses",
    },
  ]);
});
