// HttpService of the simulated engine against a real server: requests and a WebSocket, through the host's network.
import { expect, test } from "bun:test";
import { readAssetsAsync } from "../../../../scripts/headless-assets.ts";
import { Network } from "../../../../src/headless/process/network.ts";
import { HeadlessStudio } from "../../../../src/headless/window/studio.ts";

/** Runs a script that ends with `print("done")` and gives everything it printed before. */
async function linesOfAsync(source: string): Promise<string[]> {
  const lines: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  let tell: HeadlessStudio["dispatch"] = () => {};
  const network = new Network({
    tell: (event, id, payload) => tell(event, id, payload),
    takeFrame: () => false,
    onClosed: () => {},
  });
  using studio = new HeadlessStudio({
    assets: await readAssetsAsync(),
    host: {
      log: (_type, text) => (text === "done" ? resolve() : void lines.push(text)),
      openSocket: (id, url, headers) => network.openSocket(id, url, headers),
      sendSocket: (id, text) => network.sendSocket(id, text),
      closeSocket: (id) => network.closeSocket(id),
      requestHttp: (id, request) => network.requestHttp(id, request),
      exit: () => {},
      noted: () => {},
      testStarted: () => {},
    },
  });
  tell = (event, id, payload) => studio.dispatch(event, id, payload);
  studio.runSource("=test", `local Http = game:GetService("HttpService")\n${source}\nprint("done")`);
  await promise;
  network.closeAll();
  return lines;
}

function serve() {
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request, server) {
      if (new URL(request.url).pathname === "/socket") {
        return server.upgrade(request) ? undefined : new Response("no upgrade", { status: 400 });
      }
      const body = await request.text();
      return new Response(`${request.method} ${request.headers.get("x-mine")} ${body}`, {
        status: request.url.endsWith("/missing") ? 404 : 200,
      });
    },
    websocket: {
      message: (socket, text) => (text === "bye" ? socket.close() : void socket.send(`echo ${text}`)),
    },
  });
}

test("RequestAsync sends method, headers and body, and gives the whole answer", async () => {
  await using server = serve();
  const lines = await linesOfAsync(`
    local r = Http:RequestAsync({
      Url = "${server.url}x", Method = "POST", Headers = { ["X-Mine"] = "yes" }, Body = "hello",
    })
    print(r.Success, r.StatusCode, r.Body, type(r.Headers))
  `);
  expect(lines).toEqual(["true 200 POST yes hello table"]);
});

test("GetAsync gives the body and raises for a status that is no success", async () => {
  await using server = serve();
  const lines = await linesOfAsync(`
    print(Http:GetAsync("${server.url}x"))
    print(pcall(Http.GetAsync, Http, "${server.url}missing"))
    print(Http:RequestAsync({ Url = "${server.url}missing" }).Success)
  `);
  expect(lines).toEqual(["GET null ", "false HTTP 404 (Not Found)", "false"]);
});

test("a request to a free port and one to another machine raise", async () => {
  const lines = await linesOfAsync(`
    print(pcall(Http.GetAsync, Http, "http://127.0.0.1:1/"))
    print(pcall(Http.GetAsync, Http, "https://example.com/"))
  `);
  expect(lines).toEqual([
    "false HttpError: ConnectFail",
    "false HttpService:RequestAsync() beyond this machine is not available in headless Studio (needs Roblox Studio)",
  ]);
});

test("a WebStreamClient opens, exchanges text and closes", async () => {
  await using server = serve();
  const lines = await linesOfAsync(`
    local client = Http:CreateWebStreamClient(Enum.WebStreamClientType.WebSocket, {
      Url = "${server.url.href.replace("http", "ws")}socket",
    })
    print(client.ConnectionState)
    client.MessageReceived:Connect(function(text)
      print(text)
      client:Send("bye")
    end)
    client.Opened:Wait()
    print(client.ConnectionState)
    client:Send("hello")
    client.Closed:Wait()
    print(client.ConnectionState)
    print(pcall(client.Send, client, "late"))
  `);
  expect(lines).toEqual([
    "Enum.WebStreamClientState.Connecting",
    "Enum.WebStreamClientState.Open",
    "echo hello",
    "Enum.WebStreamClientState.Closed",
    "false WebStreamClient is not open",
  ]);
});
