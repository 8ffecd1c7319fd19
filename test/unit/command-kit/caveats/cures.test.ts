/** A cure for what never fires is named only if this `sb` has it. */
import { expect, test } from "bun:test";
import { withCuresAsync } from "../../../../src/command-kit/caveats/cures.ts";
import type { CommandFacts } from "../../../../src/command-kit/facts.ts";
import { command as exec } from "../../../../src/commands/script/exec.ts";

const counted = (event: string) => ({ neverFires: [{ event, connections: 14 }], approximated: [] });
const catalogOf = (...commands: readonly CommandFacts[]) => ({ allAsync: async () => commands });
const cureAsync = async (event: string, ...commands: readonly CommandFacts[]) =>
  (await withCuresAsync(counted(event), catalogOf(...commands))).neverFires?.[0]?.cure;

test("a command is a cure once an example of it begins so", async () => {
  const input: CommandFacts = { ...exec, examples: [{ command: "sb input click X", note: "" }] };
  expect(await cureAsync("GuiButton.Activated", exec)).toBeUndefined();
  expect(await cureAsync("GuiButton.Activated", exec, input)).toBe("sb input");
});

test("a flag is a cure that commands have, beside one that they have not yet", async () => {
  const collide: CommandFacts = { ...exec, examples: [{ command: "sb input collide A B", note: "" }] };
  expect(await cureAsync("BasePart.Touched", exec)).toBe("--walk");
  expect(await cureAsync("BasePart.Touched", collide)).toBe("--walk, sb input collide");
});
