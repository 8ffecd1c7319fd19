/** Where the bridge is, and whether to use colour. */
import { describe, expect, test } from "bun:test";
import { connectOptions, optionsSchema, parseRemote } from "../../../src/cli/options.ts";
import { wantsColor } from "../../../src/util/screen.ts";

describe("--remote", () => {
  test.each([
    ["box", { host: "box" }],
    ["box:38742", { host: "box", port: 38742 }],
    ["host.docker.internal:1", { host: "host.docker.internal", port: 1 }],
    ["10.0.0.7", { host: "10.0.0.7" }],
    ["[::1]", { host: "::1" }],
    ["[fe80::1]:4000", { host: "fe80::1", port: 4000 }],
  ])("understands %s", (text, parsed) => {
    expect(parseRemote(text)).toEqual(parsed);
  });

  test.each([
    "",
    ":38741",
    "box:",
    "box:0",
    "box:65536",
    "::1",
    "[::1",
    "http://box",
    "me@box",
    "a b",
    "box:1:2",
  ])("refuses %j", (text) => {
    expect(() => parseRemote(text)).toThrow("--remote: expected HOST or HOST:PORT");
  });

  test("starts no host, and excludes --port", () => {
    const { signal } = new AbortController();
    const remote = optionsSchema().parse({ remote: "box" });
    expect(connectOptions(remote, signal, {})).toEqual({
      remote: { host: "box" },
      allowUnpaired: false,
      signal,
    });
    expect(() => connectOptions({ ...remote, port: 4000 }, signal, {})).toThrow(
      "Cannot use --port with --remote.",
    );
  });
});

test("the host that a command starts gets its port and its trust, and so does its own host's successor", () => {
  const options = optionsSchema().parse({ port: 4000, allowUnpaired: true });
  const connect = connectOptions(options, new AbortController().signal, {});
  const { hostCommand, successorCommand, stays } = connect;
  const words = ["serve", "--auto", "--port", "4000", "--allow-unpaired"];
  expect(hostCommand?.slice(-5)).toEqual(words);
  expect(successorCommand?.slice(-6)).toEqual([...words, "--join"]);
  expect(stays).toBe(false);
});

test("the process of a headless Studio never becomes the host, so that the end of a host does not end the Studio", async () => {
  const { command } = await import("../../../src/commands/headless/headless.ts");
  const { signal } = new AbortController();
  const options = optionsSchema().parse({});
  expect(connectOptions(options, signal, command)).not.toHaveProperty("host");
  expect(connectOptions(options, signal, {})).toHaveProperty("host");
});

describe("colour", () => {
  test.each([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: "1" }, false],
    [true, { NO_COLOR: "" }, true],
    [true, { TERM: "dumb" }, false],
    [false, { FORCE_COLOR: "1" }, true],
    [true, { FORCE_COLOR: "0" }, false],
    [false, { FORCE_COLOR: "1", NO_COLOR: "1" }, true],
  ])("on a screen %p with %j: %p", (isScreen, variables, expected) => {
    expect(wantsColor(isScreen, variables)).toBe(expected);
  });
});
