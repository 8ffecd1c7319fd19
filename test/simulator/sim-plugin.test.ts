/** The simulator's plugin says what the real plugin says: the same questions to both, the same kinds of answers. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { decodeEnvelope, encode } from "../../src/protocol/codec.ts";
import type { Envelope } from "../../src/protocol/envelope.ts";
import { UNTIL_LET_GO } from "../harness.ts";
import { BridgePeer, SESSION_ID } from "../unit/plugin/bridge-peer.ts";
import { History } from "./history.ts";
import { SimLink } from "./link.ts";
import { Random } from "./random.ts";
import type { Neighbourhood } from "./sim-client.ts";
import { SimPlugin } from "./sim-plugin.ts";
import { Timeline } from "./timeline.ts";

setDefaultTimeout(120_000);

interface Subject {
  say(type: string, payload: object, requestId: string): void;
  /** Breaks the link and waits until the plugin has registered again. */
  relinkAsync(): Promise<void>;
  /** Loads the plugin anew and waits until it has registered again. */
  reloadAsync(): Promise<void>;
  /** Lets a script that waits for it go on. */
  letGo(): void;
  /** The frames about a request until its end, or until `running`. */
  answersAsync(requestId: string): Promise<Envelope[]>;
}

const isEnd = ({ type }: Envelope) => type === "scriptComplete" || type === "error" || type === "running";

/** The script that runs while the link breaks: a real one must not end before the test has asked about it. */
const RELINKED = 5;

/** Waits, prints a line, gives its number. */
const luau = (mark: number) =>
  `${mark === RELINKED ? UNTIL_LET_GO : "task.wait(0.3)"} print("0") return ${mark}`;

async function realAsync(): Promise<Subject & Disposable> {
  const peer = await BridgePeer.connectAsync();
  return {
    say: (type, payload, requestId) => {
      const script = "script" in payload ? { script: luau(Number(payload.script)) } : {};
      peer.send(type, { ...payload, ...script }, requestId);
    },
    letGo: () => peer.letGo(),
    relinkAsync: async () => {
      const before = peer.registrations;
      peer.dropSocket();
      await peer.untilAsync(() => peer.registrations > before, "registration");
    },
    reloadAsync: async () => {
      const before = peer.registrations;
      peer.reload();
      await peer.untilAsync(() => peer.registrations > before, "registration");
    },
    answersAsync: async (requestId) => {
      const mine = (frame: Envelope) => frame.requestId === requestId;
      await peer.untilAsync(() => peer.inbox.find((frame) => mine(frame) && isEnd(frame)), requestId);
      const last = peer.inbox.findIndex((frame) => mine(frame) && isEnd(frame));
      const taken = peer.inbox.slice(0, last + 1).filter(mine);
      const rest = peer.inbox.filter((frame) => !taken.includes(frame));
      peer.inbox.splice(0, peer.inbox.length, ...rest);
      return taken;
    },
    [Symbol.dispose]: () => peer[Symbol.dispose](),
  };
}

function modelled(): Subject & Disposable {
  const timeline = new Timeline();
  const random = new Random(1);
  const inbox: Envelope[] = [];
  let link: SimLink | undefined;
  let registrations = 0;
  const reply: { [type: string]: [type: string, payload: object] } = {
    hello: ["challenge", { nonceB: "0".repeat(64), hostId: "h", proof: "a".repeat(64) }],
    auth: ["welcome", { serverVersion: "1", protocolVersion: 2 }],
    register: ["registered", { sessionId: SESSION_ID, capabilities: [] }],
  };
  const frame = (text: string) => {
    const decoded = decodeEnvelope(text);
    if (!decoded.ok) throw new Error(decoded.fault.message);
    const answer = reply[decoded.value.type];
    if (answer === undefined) return void inbox.push(decoded.value);
    const [type, payload] = answer;
    link?.send("host", encode({ type, sessionId: SESSION_ID, requestId: "register", payload }));
    if (type === "registered") registrations += 1;
  };
  const until = (condition: () => boolean) => {
    for (let step = 0; !condition() && step < 10_000; step += 1) timeline.run(timeline.nowMs + 1, () => {});
    if (!condition()) throw new Error("the model does not get there");
  };
  const world: Neighbourhood = {
    timeline,
    random,
    history: new History(),
    startHost: () => {},
    connect: (_, peer) => {
      const host = { awakeAtMs: () => 0, isAlive: () => true, frame, closed: () => {} };
      link = new SimLink(timeline, random, { peer, host });
      return link;
    },
  };
  const plugin = new SimPlugin(
    "window",
    world,
    () => 300,
    () => false,
  );
  until(() => plugin.isActive);
  return {
    say: (type, payload, requestId) =>
      link?.send("host", encode({ type, sessionId: SESSION_ID, requestId, payload })),
    // A script of the model ends after its time.
    letGo: () => {},
    relinkAsync: async () => {
      const before = registrations;
      link?.cut(false);
      until(() => registrations > before && plugin.isActive);
    },
    reloadAsync: async () => {
      const before = registrations;
      plugin.reload();
      until(() => registrations > before && plugin.isActive);
    },
    answersAsync: async (requestId) => {
      const mine = (envelope: Envelope) => envelope.requestId === requestId;
      until(() => inbox.some((envelope) => mine(envelope) && isEnd(envelope)));
      const last = inbox.findIndex((envelope) => mine(envelope) && isEnd(envelope));
      const taken = inbox.slice(0, last + 1).filter(mine);
      inbox.splice(0, inbox.length, ...inbox.filter((envelope) => !taken.includes(envelope)));
      return taken;
    },
    [Symbol.dispose]: () => {},
  };
}

/** Type, code, outcome and results of the frame that ends it; lines are as many as the script of each has. */
function gist(frames: readonly Envelope[]) {
  const end = frames.at(-1);
  const { code, outcome, returnValues } = Object(end?.payload);
  return { type: end?.type, code, outcome, returnValues };
}

async function questionsAsync(subject: Subject) {
  const execute = (mark: number, timeoutMs = 5_000) =>
    subject.say("execute", { script: String(mark), timeoutMs }, `r${mark}`);
  const askAsync = async (requestId: string) => gist(await subject.answersAsync(requestId));
  execute(1);
  execute(2);
  execute(3, 100);
  execute(4);
  subject.say("cancel", {}, "r2");
  const found: Record<string, object> = {
    "cancelled while it waited": await askAsync("r2"),
    "timed out while it waited": await askAsync("r3"),
    ran: await askAsync("r1"),
  };
  execute(1);
  found["asked to run again"] = await askAsync("r1");
  subject.say("await", { fromSeq: 0, ageMs: 100 }, "r1");
  found["asked about when done"] = await askAsync("r1");
  await askAsync("r4");
  execute(RELINKED);
  await subject.relinkAsync();
  const relinked = `r${RELINKED}`;
  subject.say("await", { fromSeq: 0, ageMs: 1 }, relinked);
  found["asked about on a new link"] = await askAsync(relinked);
  subject.letGo();
  found["ended on the new link"] = await askAsync(relinked);
  subject.say("await", { fromSeq: 0, ageMs: 1 }, "never");
  found["asked about and never sent"] = await askAsync("never");
  await subject.reloadAsync();
  subject.say("await", { fromSeq: 0, ageMs: 1 }, "r1");
  found["asked about after a reload"] = await askAsync("r1");
  return found;
}

test("the model answers like the plugin", async () => {
  using real = await realAsync();
  using model = modelled();
  const said = await questionsAsync(real);
  expect(await questionsAsync(model)).toEqual(said);
  expect(said["asked about and never sent"]).toMatchObject({ code: "NOT_RECEIVED", outcome: "not_started" });
  // A copy that was loaded before may have run it.
  expect(said["asked about after a reload"]).toMatchObject({ code: "UNKNOWN_REQUEST", outcome: "unknown" });
});
