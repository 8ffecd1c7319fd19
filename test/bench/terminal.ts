/** What a person at a terminal waits for: names at the Tab key, and a screenshot of 8 MB of pixels. */
import { createProver, loadKeyAsync } from "../../src/auth/index.ts";
import { BridgeConnection } from "../../src/bridge/index.ts";
import { encode } from "../../src/protocol/codec.ts";
import { limits } from "../../src/protocol/limits.ts";
import type { Sandbox } from "../harness.ts";
import { ScriptedPlugin } from "../peers/scripted-plugin.ts";
import { hostTimeAsync } from "./host-time.ts";
import { figures, timeAsync } from "./statistics.ts";
import type { Figures } from "./statistics.ts";

const ROUNDS = 100;
const SHOTS = 15;
const [WIDTH, HEIGHT] = [1_920, 1_080];
const CROWD = `for index = 1, 5000 do
  local part = Instance.new("Part")
  part.Name = "Part" .. index
  part.Parent = workspace
end`;

/** The first session of `box` must be a headless Studio. */
export async function terminalFiguresAsync(box: Sandbox): Promise<Figures[]> {
  process.env["XDG_STATE_HOME"] = box.stateFolder;
  await using bridge = await BridgeConnection.connectAsync({ port: box.port });
  const [studio] = (await bridge.listSessionsAsync()).sessions;
  if (studio === undefined) throw new Error("no session to measure");
  const session = bridge.session(studio.sessionId);
  const tabAsync = async (name: string, text: string, rounds = ROUNDS) => {
    const samples: number[] = [];
    for (let round = 0; round < rounds; round += 1)
      samples.push(await timeAsync(() => session.callAsync("complete", { text })));
    return figures(name, "ms", samples);
  };
  // Looks at every class and every enum there is, once.
  const firsts = [
    await tabAsync("Tab: services, the first time", 'game:GetService("', 1),
    await tabAsync("Tab: enums, the first time", "Enum.", 1),
  ];
  const members = await tabAsync("Tab: members of an Instance", "workspace:Get");
  await session.callAsync("execute", { script: CROWD });
  const children = await tabAsync("Tab: one of 5,000 children", "workspace.Part4");
  await session.callAsync("execute", { script: "workspace:ClearAllChildren()" });
  return [...firsts, members, children, ...(await screenshotFiguresAsync(box))];
}

/** Beside a command that only asks for the state, so that the difference is the picture's. */
async function screenshotFiguresAsync(box: Sandbox): Promise<Figures[]> {
  const prover = createProver(await loadKeyAsync());
  const capabilities = ["captureScreenshot" as const, "queryState" as const];
  const { plugin, sessionId } = await ScriptedPlugin.connectAsync(box.port, prover, {
    instanceId: "camera",
    capabilities,
  });
  using _plugin = plugin;
  const framesOf = screenshotFrames(sessionId);
  plugin.on("captureScreenshot", ({ requestId = "" }) => {
    for (const frame of framesOf(requestId)) plugin.sendRaw(frame);
  });
  plugin.on("queryState", (request) =>
    plugin.reply(request, "stateResult", { state: "Edit", placeName: "Camera", placeId: 0, gameId: 0 }),
  );
  const [shots, states]: [number[], number[]] = [[], []];
  const hostTime = await hostTimeAsync(box, SHOTS, async () => {
    for (let round = 0; round < SHOTS; round += 1) {
      states.push(await timeAsync(() => box.sbAsync(["state", sessionId])));
      shots.push(await timeAsync(() => box.sbAsync(["screenshot", sessionId, "-o", "shot.png"])));
    }
  });
  return [
    figures("sb state, for comparison", "ms", states),
    figures("sb screenshot of 8 MB of pixels", "ms", shots),
    ...hostTime,
  ];
}

/** As a plugin cuts them; whole before anybody asks, so that no time is measured but that of the bridge. */
function screenshotFrames(sessionId: string): (requestId: string) => string[] {
  const payload = { format: "rgba", width: WIDTH, height: HEIGHT, data: gradient().toString("base64") };
  const place = "REQUEST-ID";
  const whole = encode({ type: "screenshotResult", sessionId, requestId: place, payload });
  const total = Math.ceil(whole.length / limits.chunkChars);
  const frames = Array.from({ length: total }, (_, seq) => {
    const data = whole.slice(seq * limits.chunkChars, (seq + 1) * limits.chunkChars);
    return encode({ type: "chunk", sessionId, requestId: place, payload: { seq, total, data } }).split(place);
  });
  return (requestId) => frames.map((pieces) => pieces.join(requestId));
}

/** As smooth as a rendered sky, and as a whole no two pixels alike. */
function gradient(): Buffer {
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 4, 255);
  for (let index = 0; index < WIDTH * HEIGHT; index += 1) {
    const [x, y] = [index % WIDTH, Math.floor(index / WIDTH)];
    pixels[index * 4] = (x * 255) / WIDTH;
    pixels[index * 4 + 1] = (y * 255) / HEIGHT;
    pixels[index * 4 + 2] = (x * y) >> 10;
  }
  return pixels;
}
