/** `sb ping` with a headless Studio: where the time of a request goes. */
import { expect, test } from "bun:test";
import { sandbox } from "../sandbox.ts";

const box = sandbox({ headless: true });

test("every part of the way is measured, and the parts are no more than the whole", async () => {
  const { stdout, exitCode } = await box.sbAsync(["ping", "-n", "5", "--json"]);
  expect(exitCode).toBe(0);
  const { hops } = JSON.parse(stdout);
  expect(hops.map(({ name }: { name: string }) => name)).toEqual([
    "start of sb",
    "connecting and proof",
    "to the host and back",
    "to Studio and back",
    "next frame of Studio",
    "handler",
    "whole request",
  ]);
  for (const { min, p50, p99 } of hops) {
    expect(min).toBeGreaterThanOrEqual(0);
    expect(p50).toBeGreaterThanOrEqual(min);
    expect(p99).toBeGreaterThanOrEqual(p50);
  }
  const least = (names: readonly string[]) =>
    hops.reduce(
      (sum: number, hop: { name: string; min: number }) => sum + (names.includes(hop.name) ? hop.min : 0),
      0,
    );
  expect(
    least(["to the host and back", "to Studio and back", "next frame of Studio", "handler"]),
  ).toBeLessThanOrEqual(hops.at(-1).p99 + 0.1);
}, 120_000);

test("people read a table that fits their terminal, and a wrong number is refused before anything is asked", async () => {
  const { stdout } = await box.sbAsync(["ping", "-n", "2"], { env: { COLUMNS: "60" } });
  expect(stdout).toContain("whole request");
  for (const row of stdout.split("\n")) expect(row.length).toBeLessThanOrEqual(60);
  const wrong = await box.sbAsync(["ping", "-n", "0"]);
  expect([wrong.exitCode, wrong.stdout]).toEqual([2, ""]);
  expect((await box.sbAsync(["doctor"])).stdout).toMatch(/answers in \d+ ms/);
}, 120_000);
