/** The harness in a headless Studio, called as a run calls it. */
import { expect, test } from "bun:test";
import {
  coveringSource,
  HARNESS_NAME,
  preparingSource,
  runningSource,
} from "../../../src/testing/harness.ts";
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

/** The number of lines that the harness read, and the number of passed cases. */
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

test("many cases run without waiting for frames if the caller answers lines", async () => {
  using peer = await BridgePeer.connectAsync();
  const { lines, passed } = await runAsync(peer, true);
  expect(passed).toBe(CASES);
  expect(lines).toBeGreaterThan(2);
});

test("the harness reads no line if the caller does not answer", async () => {
  using peer = await BridgePeer.connectAsync();
  expect(await runAsync(peer, false)).toEqual({ lines: 0, passed: CASES });
});

test("modules of the edited place are counted if the plugin lets the harness compile them; an older plugin is refused", async () => {
  using peer = await BridgePeer.connectAsync();
  const giveAsync = async (script: string, options: object) => {
    const { reply } = await peer.executeAsync(script, { keepsGlobals: true, ...options });
    const { success, returnValues, error } = Object(reply.payload);
    return success ? returnValues : error;
  };
  const source =
    "export type T = number\nlocal function add(a: T)\n\treturn a + 1\nend\nreturn { value = add(1), name = script.Name }";
  await giveAsync(
    `local module = Instance.new("ModuleScript")
    module.Name, module.Source, module.Parent = "Good", [==[${source}]==], workspace`,
    {},
  );
  const counting = coveringSource([{ names: ["Workspace", "Good"] }], true);
  expect(await giveAsync(counting, {})).toContain("the plugin of this Studio is older than sb");
  expect(await giveAsync(counting, { moduleSet: "counted" })).toEqual([]);
  const anew = { fresh: true, moduleSet: "counted" };
  expect(await giveAsync("local good = require(workspace.Good) return good.value, good.name", anew)).toEqual([
    2,
    "Good",
  ]);
  const read = "return game.HttpService:JSONEncode(__sbTestCoverage.read())";
  expect(JSON.parse(String(await giveAsync(read, {})))).toEqual([
    {
      script: 0,
      lines: [1, 2, 3, 5, 6].map((line) => [line, 1]),
      functions: expect.arrayContaining([{ name: "add", line: 2, hits: 1 }]),
    },
  ]);
});
