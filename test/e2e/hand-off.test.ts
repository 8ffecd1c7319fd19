/** Everybody who uses a bridge host when it ends, whichever way it ends: what each gets, and what each is told. */
import { describe, expect, test } from "bun:test";
import { outcomeAsync, Sandbox, untilAsync } from "../harness.ts";
import { Keyboard, keys } from "../peers/keyboard.ts";
import { McpPeer } from "../peers/mcp-peer.ts";

const TICKS = 20;
/** Leaves a mark in the place each time it runs. */
const marking = (mark: number, work = "") => `
  workspace:SetAttribute("Run_${mark}", (workspace:GetAttribute("Run_${mark}") or 0) + 1)
  ${work}
  return ${mark}`;
const ticking = `for tick = 1, ${TICKS} do print("tick " .. tick) task.wait(0.05) end`;

/** Reads on for as long as the stream lasts. */
class Heard {
  text = "";
  readonly over: Promise<void>;

  constructor(stream: ReadableStream<Uint8Array>) {
    const decoder = new TextDecoder();
    this.over = stream.pipeTo(
      new WritableStream({ write: (part) => void (this.text += decoder.decode(part, { stream: true })) }),
    );
  }

  untilAsync(text: string): Promise<true> {
    return untilAsync(`${JSON.stringify(text)} is heard`, () =>
      this.text.includes(text) ? true : undefined,
    );
  }
}

/** The kinds of hosts, each with a Studio connected to it. `end` ends a host that does not end with its process. */
const hosts: { readonly [kind: string]: (box: Sandbox) => Promise<{ readonly end?: () => unknown }> } = {
  "that a command started": async (box) => {
    await box.headlessAsync();
    return {};
  },
  "of sb serve": async (box) => {
    await box.spawn(["serve", "--json"]).stdout.getReader().read();
    await box.headlessAsync();
    return {};
  },
  "of sb mcp": async (box) => {
    const agent = new McpPeer(box);
    await agent.initializeAsync();
    await hostIsAsync(box, agent.pid);
    await box.headlessAsync();
    return { end: () => agent.endAsync() };
  },
  "of sb terminal": async (box) => {
    const agent = new McpPeer(box);
    await agent.initializeAsync();
    await hostIsAsync(box, agent.pid);
    await box.headlessAsync();
    const person = await Keyboard.openAsync(["terminal"], box);
    agent.kill("SIGKILL");
    await hostIsAsync(box, person.pid);
    await person.seesAsync("The bridge host was replaced");
    return { end: () => person.press(`.exit${keys.enter}`) };
  },
};

function hostIsAsync(box: Sandbox, pid: number): Promise<true> {
  return untilAsync(`process ${pid} is the host`, async () => {
    const { hostPid } = await box.hostAsync().catch(() => ({ hostPid: 0 }));
    return hostPid === pid || undefined;
  });
}

const everyWay = ["SIGTERM", "SIGINT", "SIGKILL"] as const;
const waysOf = (kind: string) =>
  kind === "of sb mcp" || kind === "of sb terminal" ? ["its own end", ...everyWay] : everyWay;

async function endUnderEverybodyAsync(kind: string, way: string): Promise<void> {
  await using box = await Sandbox.createAsync();
  const host = await hosts[kind]?.(box);
  const { hostPid } = await box.hostAsync();
  const [session] = await box.sessionsAsync();

  await using person = await Keyboard.openAsync(["terminal"], box);
  await person.typeAsync("kept = 'kept'", "> ");
  await using agent = new McpPeer(box);
  await agent.initializeAsync();
  await agent.toolAsync("studio_state");
  const follower = box.spawn(["logs", "--follow"]);
  const [followed, told] = [new Heard(follower.stdout), new Heard(follower.stderr)];
  await untilAsync("the follower follows", async () => {
    await box.sbAsync(["exec", 'print("before")']);
    return followed.text.includes("before") ? true : undefined;
  });

  const running = box.spawn(["exec", marking(1, ticking)]);
  await followed.untilAsync("tick 1");
  const queued = box.spawn(["exec", marking(2)]);
  const asked = agent.toolAsync("studio_exec", { script: marking(3) });
  const signal = everyWay.find((each) => each === way);
  if (signal === undefined) host?.end?.();
  else process.kill(hostPid, signal);

  const lines = Array.from({ length: TICKS }, (_, index) => `tick ${index + 1}\n`).join("");
  expect(await outcomeAsync(running)).toEqual({ exitCode: 0, stdout: `${lines}1\n`, stderr: "" });
  expect(await outcomeAsync(queued)).toEqual({ exitCode: 0, stdout: "2\n", stderr: "" });
  expect((await asked)["structuredContent"]).toMatchObject({ success: true, returnValues: [3] });
  await person.seesAsync("The bridge host was replaced; going on with the next one.");
  await person.typeAsync("kept .. ' on'", '\n"kept on"\n');
  await told.untilAsync("(another bridge host took over)");
  expect(await box.sbAsync(["exec", 'print("after")'])).toMatchObject({ exitCode: 0 });
  await followed.untilAsync("after");
  const missed = [...told.text.matchAll(/\((\d+) lines? (?:was|were) missed\)/g)];
  const ticks = [...followed.text.matchAll(/tick \d+/g)];
  expect(ticks.length + missed.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(TICKS);
  expect(await agent.toolAsync("studio_state")).not.toHaveProperty("isError", true);

  const { stdout } = await box.sbAsync(["exec", "return workspace:GetAttributes()", "--json"]);
  expect(JSON.parse(stdout).returnValues).toEqual([{ Run_1: 1, Run_2: 1, Run_3: 1 }]);
  expect((await box.sessionsAsync()).map(({ sessionId }) => sessionId)).toEqual([session?.sessionId ?? ""]);
  person.press(`.exit${keys.enter}`);
  expect(await person.exited).toBe(0);
  follower.kill("SIGINT");
  expect(await follower.exited).toBe(130);
  expect((await agent.endAsync()).exitCode).toBe(0);
}

describe.skipIf(process.platform === "win32")("a host", () => {
  test.each(Object.keys(hosts))(
    "%s that ends loses no call and no session, whichever way it ends",
    async (kind) => {
      const tries = waysOf(kind).map((way) =>
        endUnderEverybodyAsync(kind, way).catch((cause: unknown) => {
          throw new Error(`by ${way}`, { cause });
        }),
      );
      await Promise.all(tries);
    },
    120_000,
  );
});
