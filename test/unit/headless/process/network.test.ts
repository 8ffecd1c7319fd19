/** Sockets and HTTP of a headless Studio, against real local servers. */
import { afterAll, expect, test } from "bun:test";
import type { HostEvent } from "../../../../src/headless/bytes/host-ops.ts";
import { isLoopbackUrl } from "../../../../src/headless/process/loopback.ts";
import { FramePipe, readBlocksAsync } from "../../../../src/headless/process/frame-pipe.ts";
import { Network } from "../../../../src/headless/process/network.ts";

type Told = readonly [event: HostEvent, id: number, text: string];

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  routes: {
    "/echo": async (request) =>
      new Response(await request.bytes(), {
        status: 201,
        headers: { "x-method": request.method, "x-sent": request.headers.get("x-sent") ?? "" },
      }),
    "/away": () => Response.redirect("http://example.invalid/", 302),
  },
  fetch: (request, bun) =>
    bun.upgrade(request) ? undefined : new Response("no socket here", { status: 404 }),
  websocket: {
    message: (socket, text) => void socket.send(`echo ${text}`),
  },
});
afterAll(() => server.stop(true));

class Recorder {
  readonly told: Told[] = [];
  readonly frames: string[] = [];
  /** Of each event that was told. */
  readonly lives: (number | undefined)[] = [];
  readonly network: Network;

  constructor(parent?: FramePipe) {
    this.network = new Network({
      parent,
      tell: (event, id, payload, life) => {
        this.lives.push(life);
        this.told.push([
          event,
          id,
          typeof payload === "string" ? payload : new TextDecoder().decode(payload),
        ]);
      },
      takeFrame: (_, text) => {
        this.frames.push(text);
        return text === "TAKEN";
      },
      onClosed: () => {},
    });
  }

  async untilAsync(count: number): Promise<readonly Told[]> {
    while (this.told.length < count) await Bun.sleep(1);
    return this.told;
  }

  /** The only HTTP reply, as head and body. */
  async replyAsync(): Promise<{ head: unknown; body: string }> {
    const [[, , text] = ["httpReply", 0, ""]] = await this.untilAsync(1);
    const end = text.indexOf("\0");
    return { head: JSON.parse(text.slice(0, end)), body: text.slice(end + 1) };
  }
}

const request = (url: string, body = "") => ({
  url,
  method: body === "" ? "GET" : "POST",
  headers: { "x-sent": "yes" },
  body: new TextEncoder().encode(body),
});

test("a socket opens, carries text both ways and closes", async () => {
  const recorder = new Recorder();
  recorder.network.openSocket(7, `ws://127.0.0.1:${server.port}/plugin`, {});
  await recorder.untilAsync(1);
  recorder.network.sendSocket(7, "hällo");
  await recorder.untilAsync(2);
  recorder.network.closeSocket(7);
  expect(await recorder.untilAsync(3)).toEqual([
    ["socketOpened", 7, "101"],
    ["socketMessage", 7, "echo hällo"],
    ["socketClosed", 7, ""],
  ]);
  expect(recorder.frames).toEqual(["echo hällo"]);
});

test("events say before which return to the kept state a connection was made, and not for a connection that is kept", async () => {
  const recorder = new Recorder();
  const { network, lives } = recorder;
  const openAsync = async (id: number): Promise<void> => {
    network.openSocket(id, `ws://127.0.0.1:${server.port}/plugin`, {});
    await recorder.untilAsync(lives.length + 1);
  };
  const askAsync = async (): Promise<void> => {
    network.requestHttp(3, request(`http://127.0.0.1:${server.port}/echo`));
    await recorder.untilAsync(lives.length + 1);
  };
  await openAsync(1);
  network.keep();
  await openAsync(2);
  await askAsync();
  network.returnToKept();
  await openAsync(2);
  await askAsync();
  network.sendSocket(1, "kept");
  await recorder.untilAsync(6);
  expect(lives).toEqual([0, 0, 0, 1, 1, undefined]);
  network.closeAll();
});

test("a socket that is refused fails, then closes", async () => {
  const recorder = new Recorder();
  using free = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = free;
  free.stop(true);
  recorder.network.openSocket(1, `ws://127.0.0.1:${port}/`, {});
  const told = await recorder.untilAsync(2);
  expect(told.map(([event]) => event)).toEqual(["socketFailed", "socketClosed"]);
});

test("a socket to another machine is refused without a try", () => {
  const recorder = new Recorder();
  recorder.network.openSocket(1, "ws://example.com/", {});
  expect(recorder.told).toEqual([
    [
      "socketFailed",
      1,
      "HttpService:CreateWebStreamClient() beyond this machine is not available in headless Studio (needs Roblox Studio)",
    ],
    ["socketClosed", 1, ""],
  ]);
});

test("a request carries method, headers and body, and brings back the whole reply", async () => {
  const recorder = new Recorder();
  recorder.network.requestHttp(3, request(`http://127.0.0.1:${server.port}/echo`, "body\0ü"));
  const { head, body } = await recorder.replyAsync();
  expect(head).toMatchObject({ status: 201, headers: { "x-method": "POST", "x-sent": "yes" } });
  expect(body).toBe("body\0ü");
});

test("a redirect is not followed", async () => {
  const recorder = new Recorder();
  recorder.network.requestHttp(3, request(`http://localhost:${server.port}/away`));
  expect((await recorder.replyAsync()).head).toMatchObject({ status: 302 });
});

test("a request to another machine is refused", async () => {
  const recorder = new Recorder();
  recorder.network.requestHttp(3, request("http://example.com/"));
  expect((await recorder.replyAsync()).head).toEqual({
    error:
      "HttpService:RequestAsync() beyond this machine is not available in headless Studio (needs Roblox Studio)",
  });
});

test("only addresses of this machine count as loopback", () => {
  const urls = [
    "http://localhost/",
    "http://127.0.0.1:1/",
    "http://127.1/",
    "http://[::1]/",
    "http://127.0.0.1.example.com/",
    "http://localhost.example.com/",
    "http://127.0.0.1@example.com/",
    "http://0.0.0.0/",
    "file:///etc/passwd",
    "nonsense",
  ];
  expect(urls.filter((url) => isLoopbackUrl(url, ["http:"]))).toEqual(urls.slice(0, 4));
});

/** Two ends that hear each other. */
function pipes(): { readonly parent: FramePipe; readonly child: FramePipe } {
  const [down, up] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()];
  const end = (from: TransformStream<Uint8Array>, to: TransformStream<Uint8Array>): FramePipe => {
    const writer = to.writable.getWriter();
    const write = (bytes: Uint8Array) => void writer.write(bytes);
    return new FramePipe(readBlocksAsync(from.readable), { write, flush: () => undefined });
  };
  return { parent: end(up, down), child: end(down, up) };
}

test("the plugin finds the process that started it at port 0, and a second socket there is refused", async () => {
  const { parent, child } = pipes();
  void parent.listenAsync({
    frame: (linkId, text) => parent.send(linkId, `answer to ${text}`),
    closed: () => {},
  });
  const recorder = new Recorder(child);
  recorder.network.openSocket(3, "ws://127.0.0.1:0/plugin", {});
  recorder.network.openSocket(4, "ws://127.0.0.1:0/plugin", {});
  recorder.network.sendSocket(4, "never sent");
  recorder.network.sendSocket(3, "hello");
  await recorder.untilAsync(4);
  recorder.network.closeSocket(3);
  recorder.network.openSocket(5, "ws://127.0.0.1:0/plugin", {});
  expect(recorder.told).toEqual([
    ["socketOpened", 3, "101"],
    ["socketFailed", 4, "The bridge host takes one plugin only."],
    ["socketClosed", 4, ""],
    ["socketMessage", 3, "answer to hello"],
    ["socketClosed", 3, ""],
    ["socketOpened", 5, "101"],
  ]);
});

test("what the plugin asks before it opens a socket is answered there, and only with a parent", async () => {
  const [own, other] = [new Recorder(pipes().child), new Recorder()];
  for (const { network } of [own, other]) network.requestHttp(1, request("http://127.0.0.1:0/health"));
  expect(JSON.parse((await own.replyAsync()).body)).toEqual({ name: "studio-bridge" });
  expect((await other.replyAsync()).head).toMatchObject({ error: expect.any(String) });
});
