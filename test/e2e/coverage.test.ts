/** What headless Studio says about itself. */
import { expect, test } from "bun:test";
import { sandbox } from "../sandbox.ts";

const box = sandbox();

test("one class lists its members, and what it says is what happens", async () => {
  const { stdout } = await box.sbAsync(["headless", "--coverage", "BasePart", "--json"]);
  const { classes } = JSON.parse(stdout);
  const members: { name: string; kind: string; simulated: boolean }[] = classes[0].members;
  const stateOf = (name: string) => members.find((member) => member.name === name)?.simulated;
  expect([
    stateOf("ApplyImpulse"),
    stateOf("GetPivot"),
    stateOf("Size"),
    stateOf("CurrentPhysicalProperties"),
  ]).toEqual([false, undefined, true, false]);
  const refused = await box.sbAsync(["exec", "--headless", "Instance.new('Part'):ApplyImpulse(Vector3.one)"]);
  expect(refused.stderr).toContain("Part:ApplyImpulse() is not available in headless Studio");
});

test("one class lists the events that fire, and those that never do", async () => {
  const { stdout } = await box.sbAsync(["headless", "--coverage", "Players"]);
  expect(stdout).toMatch(/^Players: \d+ of \d+ methods and properties and 2 of \d+ events of its own\./);
  const [, firing = "", silent = ""] = stdout.split(/EVENTS THAT (?:NEVER )?FIRE\n/);
  expect(firing.split("\n").filter(Boolean)).toEqual(["  Players.PlayerAdded", "  Players.PlayerRemoving"]);
  expect(silent).toContain("  Players.PlayerMembershipChanged\n");
});

test("a class of data stores says that it is simulated only with --data", async () => {
  const { stdout } = await box.sbAsync(["headless", "--coverage", "MemoryStoreQueue"]);
  expect(stdout).toContain("SIMULATED WITH --data, OTHERWISE REFUSED\n  MemoryStoreQueue:AddAsync()\n");
});

test("what is emulated with --walk is listed apart", async () => {
  const { stdout } = await box.sbAsync(["headless", "--coverage", "Humanoid"]);
  expect(stdout).toContain("EMULATED WITH --walk, OTHERWISE REFUSED\n  Humanoid.Jump\n  Humanoid:Move()\n");
  expect(stdout).toContain("EVENTS THAT FIRE WITH --walk\n  Humanoid.FreeFalling\n");
  const [, never = ""] = stdout.split("EVENTS THAT NEVER FIRE\n");
  expect(never).toContain("  Humanoid.Climbing\n");
  expect(never).not.toContain("Humanoid.Running");
});

test("all classes come as counts, for people", async () => {
  const { stdout } = await box.sbAsync(["headless", "--coverage"]);
  expect(stdout).toMatch(
    /^Headless Studio knows \d+ classes\. It simulates \d+ of \d+ methods, \d+ of \d+ properties and \d+ of \d+ events/,
  );
  expect(stdout).toMatch(/^ {2}RunService +\d+ of \d+$/m);
  expect(stdout).toMatch(/^ {2}DataStoreService +6 of 6, with --data$/m);
  expect(stdout).toMatch(
    /^\d+ of the methods are those of data stores, which are simulated only with --data\.$/m,
  );
});

test("a class that does not exist is named", async () => {
  const { stderr, exitCode } = await box.sbAsync(["headless", "--coverage", "Prat"]);
  expect(stderr).toBe("error: No class is named Prat.\nhint: Did you mean `sb headless --coverage Part`?\n");
  expect(exitCode).toBe(2);
});
