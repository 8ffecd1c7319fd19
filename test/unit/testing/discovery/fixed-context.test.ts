/** The `--@sb` lines by which a test file chooses its own context. */
import { describe, expect, test } from "bun:test";
import { contextFor } from "../../../../src/testing/discovery/fixed-context.ts";
import { EDIT, testContext } from "../../../../src/testing/test-context.ts";

const SERVER = testContext("server", undefined);

describe("a file chooses its context", () => {
  test.each([
    ["no such line", "return {}", EDIT],
    ["the first line", "--@sb context=server players=2\nreturn {}", testContext("server", 2)],
    ["without players, there is one", "--@sb context=client", testContext("client", 1)],
    ["behind other comments", "--!strict\n\n--[[ a\nb ]]\n-- @sb context=client\n", testContext("client", 1)],
    ["beside an allowed error", "--@sb allow-error context=no\n--@sb context=server", SERVER],
    ["in several lines", "--@sb context=server\n--@sb players=8", testContext("server", 8)],
    ["with characters that walk", "--@sb context=server walk=true", { ...SERVER, walks: true }],
    ["with carriage returns", "--@sb context=server\r\nreturn {}\r\n", SERVER],
    ["behind code it is a comment like others", "local x = 1\n--@sb context=server", EDIT],
    ["in a string it is none", "return [[\n--@sb context=server]]", EDIT],
    ["a longer word is another one", "--@sbx context=server", EDIT],
  ])("%s", (_, source, context) => {
    expect(contextFor(source, EDIT)).toEqual({ context });
  });

  test("it keeps the players of the run unless it names some", () => {
    const run = testContext("client", 3);
    expect(contextFor("--@sb context=server", run)).toEqual({ context: testContext("server", 3) });
    expect(contextFor("--@sb players=2", run)).toEqual({ context: testContext("client", 2) });
    expect(contextFor("--@sb context=edit", run)).toEqual({ context: EDIT });
  });

  test.each([
    ["context=serve", "expected context=edit, context=server, context=client"],
    ["context=", "expected context=edit"],
    ["players=0", "expected players=1 to players=8"],
    ["players=9", "expected players=1 to players=8"],
    ["players=2", "add context=server or context=client"],
    ["contxt=server", "did you mean context=…?"],
    ["allow-error", "expected context=…, players=…, walk=… or allow-error TEXT"],
    ["server", "expected context=…, players=…, walk=… or allow-error TEXT"],
    ["context=server context=client", "it says context twice"],
    ["context=server walk=yes", "expected walk=true or walk=false"],
    ["walk=true", "add context=server or context=client"],
    ["context=edit players=2", "the edited place has no players"],
  ])("%s is a fault that names the word", (words, fault) => {
    const chosen = contextFor(`--@sb ${words}\n`, EDIT);
    expect(chosen.fault).toContain(fault);
    expect(chosen.fault).toContain(words.split(" ").at(-1) ?? "");
  });
});
