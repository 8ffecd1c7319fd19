/**
 * The least that a round trip to a headless Studio can take here: the same hops between processes and threads with
 * nothing to do at any of them. Started again as the relay and as the Studio, whose VM is a thread that echoes.
 */
import { untilAsync } from "../harness.ts";

declare const self: {
  onmessage: (event: { readonly data: unknown }) => void;
  postMessage(message: unknown): void;
};

const FRAME = "x".repeat(200);

export class Echo implements AsyncDisposable {
  readonly #processes: readonly Bun.Subprocess[];
  readonly #socket: WebSocket;
  #answered: () => void = () => {};

  private constructor(processes: readonly Bun.Subprocess[], socket: WebSocket) {
    this.#processes = processes;
    this.#socket = socket;
    socket.onmessage = () => this.#answered();
  }

  static async openAsync(): Promise<Echo> {
    const relay = start("relay");
    const { value } = await relay.stdout.getReader().read();
    const port = new TextDecoder().decode(value).trim();
    const studio = start("studio", port);
    await studio.stdout.getReader().read();
    const socket = new WebSocket(`ws://127.0.0.1:${port}/client`);
    await untilAsync("the relay has answered", () =>
      socket.readyState === WebSocket.OPEN ? true : undefined,
    );
    return new Echo([relay, studio], socket);
  }

  async callAsync(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#answered = resolve;
    this.#socket.send(FRAME);
    await promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close();
    for (const child of this.#processes) child.kill();
    await Promise.all(this.#processes.map(({ exited }) => exited));
  }
}

function start(...words: readonly string[]) {
  return Bun.spawn([process.execPath, import.meta.path, ...words], { stdout: "pipe", stderr: "inherit" });
}

function relay(): void {
  const peers = new Map<string, Bun.ServerWebSocket<string>>();
  const server = Bun.serve<string>({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request, listening) =>
      listening.upgrade(request, { data: new URL(request.url).pathname })
        ? undefined
        : new Response(null, { status: 426 }),
    websocket: {
      perMessageDeflate: false,
      open: (socket) => void peers.set(socket.data, socket),
      message: (socket, text) =>
        void peers.get(socket.data === "/client" ? "/studio" : "/client")?.send(text),
    },
  });
  console.log(server.port);
}

function studio(port: string): void {
  const worker = new Worker(import.meta.path);
  const socket = new WebSocket(`ws://127.0.0.1:${port}/studio`);
  worker.onmessage = ({ data }) => socket.send(String(data));
  socket.onmessage = ({ data }) => worker.postMessage(data);
  socket.onopen = () => console.log("open");
}

const [role, port = ""] = process.argv.slice(2);
if (!Bun.isMainThread) self.onmessage = ({ data }) => self.postMessage(data);
else if (import.meta.main && role === "relay") relay();
else if (import.meta.main && role === "studio") studio(port);
