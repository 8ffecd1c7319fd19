/** A cure for what never fires is named only if this `sb` has it. */
import { expect, test } from "bun:test";
import { withCuresAsync } from "../../../../src/command/caveats/cures.ts";
import type { CommandFacts } from "../../../../src/command/facts.ts";
import { command as exec } from "../../../../src/commands/script/exec.ts";

const touched = { event: "BasePart.Touched", connections: 14 };
const counted = (...neverFires: readonly { event: string; connections: number }[]) => ({
  neverFires: [...neverFires],
  approximated: [],
});
const catalogOf = (...commands: readonly CommandFacts[]) => ({ allAsync: async () => commands });

test("a cure is told once an example of a command begins with it, or a command has the flag", async () => {
  const input: CommandFacts = { ...exec, examples: [{ command: "sb input collide A B", note: "" }] };
  const walk = exec.cli.flags?.map((flag) => ({ ...flag, name: "walk" })).slice(0, 1) ?? [];
  const cureAsync = async (...commands: readonly CommandFacts[]) =>
    (await withCuresAsync(counted(touched), catalogOf(...commands))).neverFires?.[0]?.cure;
  expect(await cureAsync({ ...exec, examples: [{ command: "sb input click X", note: "" }] })).toBeUndefined();
  expect(await cureAsync(input)).toBe("sb input collide");
  expect(await cureAsync(input, { ...exec, cli: { ...exec.cli, flags: walk } })).toBe(
    "--walk, sb input collide",
  );
});
