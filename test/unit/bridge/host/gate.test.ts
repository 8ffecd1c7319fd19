import { describe, expect, test } from "bun:test";
import { judge } from "../../../../src/bridge/host/gate.ts";

interface Form {
  readonly headers?: { readonly [name: string]: string };
  readonly target?: string;
  readonly peer?: string | undefined;
  readonly method?: string;
}

function verdict({
  headers = { host: "127.0.0.1:38741" },
  target = "/plugin",
  method = "GET",
  ...rest
}: Form) {
  const peerAddress = "peer" in rest ? rest.peer : "127.0.0.1";
  const result = judge({ method, target, peerAddress, header: (name) => headers[name] ?? null });
  return "route" in result ? result.route : `${result.status} ${result.reason}`;
}

const host = (value: string, extra: { readonly [name: string]: string } = {}) => ({
  headers: { host: value, ...extra },
});
const origin = (value: string) => host("127.0.0.1:38741", { origin: value });

const forms: [string, Form, string][] = [
  ["loopback with our port", host("127.0.0.1:38741"), "plugin"],
  ["loopback without a port", host("127.0.0.1"), "plugin"],
  ["a forwarded port", host("127.0.0.1:50000"), "plugin"],
  ["localhost", host("localhost:38741"), "plugin"],
  ["localhost in capitals", host("LOCALHOST:38741"), "plugin"],
  ["IPv6 loopback", host("[::1]:38741"), "plugin"],
  ["a container's name for us", host("host.docker.internal:38741"), "plugin"],
  ["no Host", { headers: {} }, "403 host"],
  ["an empty Host", host(""), "403 host"],
  ["a stranger's name", host("evil.example:38741"), "403 host"],
  ["a name that ends like ours", host("evil.localhost:38741"), "403 host"],
  ["a name that begins like ours", host("localhost.evil.example"), "403 host"],
  ["a dot behind our name", host("localhost.:38741"), "403 host"],
  ["another loopback address", host("127.0.0.2:38741"), "403 host"],
  ["all interfaces", host("0.0.0.0:38741"), "403 host"],
  ["IPv6 without brackets", host("::1:38741"), "403 host"],
  ["a decimal address", host("2130706433:38741"), "403 host"],
  ["a hexadecimal address", host("0x7f000001:38741"), "403 host"],
  ["a short address", host("127.1:38741"), "403 host"],
  ["a mapped address", host("[::ffff:127.0.0.1]:38741"), "403 host"],
  ["a user name in Host", host("a@127.0.0.1:38741"), "403 host"],
  ["two names in Host", host("127.0.0.1:38741, evil.example"), "403 host"],
  ["port 0", host("127.0.0.1:0"), "403 host"],
  ["a port beyond the last", host("127.0.0.1:65536"), "403 host"],
  ["a port that is no number", host("127.0.0.1:38741a"), "403 host"],
  ["an empty port", host("127.0.0.1:"), "403 host"],
  ["our own Origin", origin("http://127.0.0.1:38741"), "plugin"],
  ["Origin null", origin("null"), "403 origin"],
  ["an empty Origin", origin(""), "403 origin"],
  ["a stranger's Origin", origin("https://evil.example"), "403 origin"],
  ["our Origin over TLS", origin("https://127.0.0.1:38741"), "403 origin"],
  ["our Origin on another port", origin("http://127.0.0.1:3000"), "403 origin"],
  ["our Origin by another name", origin("http://localhost:38741"), "403 origin"],
  ["our Origin with a path", origin("http://127.0.0.1:38741/"), "403 origin"],
  ["our Origin with more behind it", origin("http://127.0.0.1:38741.evil.example"), "403 origin"],
  ["an extension's Origin", origin("chrome-extension://abc"), "403 origin"],
  ["a file's Origin", origin("file://"), "403 origin"],
  ["a browser's same-origin request", host("localhost", { "sec-fetch-site": "same-origin" }), "403 browser"],
  ["a browser's WebSocket", host("localhost", { "sec-fetch-mode": "websocket" }), "403 browser"],
  ["a browser's navigation", host("localhost", { "sec-fetch-dest": "document" }), "403 browser"],
  ["what a person clicked in a browser", host("localhost", { "sec-fetch-user": "?1" }), "403 browser"],
  ["a peer on the network", { peer: "192.168.1.5" }, "403 peer"],
  ["a peer without an address", { peer: undefined }, "403 peer"],
  ["a peer that looks like loopback", { peer: "127.0.0.1.evil" }, "403 peer"],
  ["a mapped loopback peer", { peer: "::ffff:127.0.0.1" }, "plugin"],
  ["an IPv6 loopback peer", { peer: "::1" }, "plugin"],
  ["the client's door", { target: "/client" }, "client"],
  ["the health page", { target: "/health" }, "health"],
  ["a query behind the path", { target: "/plugin?x=1" }, "404 path"],
  ["a slash behind the path", { target: "/plugin/" }, "404 path"],
  ["a path in capitals", { target: "/PLUGIN" }, "404 path"],
  ["the root", { target: "/" }, "404 path"],
  ["a name every object has", { target: "constructor" }, "404 path"],
  ["POST", { method: "POST" }, "404 path"],
];

describe("gate", () => {
  test.each(forms)("%s", (_, form, expected) => {
    expect(verdict(form)).toBe(expected);
  });
});
