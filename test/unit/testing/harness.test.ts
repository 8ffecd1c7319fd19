/** The harness in a Studio of its own, spoken to as a run speaks to it. */
import { expect, test } from "bun:test";
import { HARNESS_NAME, preparingSource, runningSource } from "../../../src/testing/harness.ts";
import { harnessInput } from "../../../src/testing/harness-job.ts";
import { BridgePeer } from "../plugin/bridge-peer.ts";

const PATH = "a.spec.luau";
const CASES = 60;
const SOURCE = `return function()
  for number = 1, ${CASES} do
    it("case " .. number, function()
      local depth = 0
      local function deeper() depth += 1 if depth < 25 then task.defer(deeper) end end
      task.defer(deeper)
    end)
  end
end`;

const job = (answers: boolean) =>
  harnessInput({
    file: {
      path: PATH,
      absolutePath: `/${PATH}`,
      framework: "built-in",
      why: "",
      context: { kind: "edit", players: 0 },
      modules: { [PATH]: { source: SOURCE, links: {} } },
    },
    caseTimeoutMs: 5000,
    snapshots: "none",
    chooses: false,
    answers,
    done: [],
    tellsLeft: false,
  });

/** How often the harness read a line, and how many cases passed. */
async function runAsync(peer: BridgePeer, answers: boolean): Promise<{ lines: number; passed: number }> {
  const fields = { chunkName: HARNESS_NAME, keepsGlobals: true, emits: true };
  await peer.executeAsync(preparingSource(["built-in"]), fields);
  peer.send("execute", { script: runningSource, input: job(answers), ...fields }, "run");
  const events: string[] = [];
  for (let lines = 0; ;) {
    const frame = await peer.untilAsync(() => peer.inbox.shift(), "frame");
    if (frame.type === "output") events.push(JSON.stringify(frame.payload));
    if (frame.type === "scriptComplete")
      return { lines, passed: events.join("").match(/\\"status\\":\\"passed\\"/g)?.length ?? 0 };
    if (frame.type !== "inputWanted") continue;
    peer.send("provideInput", { scriptId: "run", seq: lines, text: "\n" }, `line-${lines}`);
    lines += 1;
  }
}

test("many cases run on without a wait for frames, where the caller answers lines", async () => {
  using peer = await BridgePeer.connectAsync();
  const { lines, passed } = await runAsync(peer, true);
  expect(passed).toBe(CASES);
  expect(lines).toBeGreaterThan(2);
});

test("no line is read where the caller answers none", async () => {
  using peer = await BridgePeer.connectAsync();
  expect(await runAsync(peer, false)).toEqual({ lines: 0, passed: CASES });
});
