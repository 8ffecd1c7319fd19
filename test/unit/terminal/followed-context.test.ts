/** Which context a terminal works in, and how people name it. */
import { describe, expect, test } from "bun:test";
import {
  contextsText,
  followedIn,
  namedContext,
  promptLabel,
} from "../../../src/terminal/followed-context.ts";
import { sessionInfo } from "../command-kit/sessions/sessions-fixture.ts";

const edit = sessionInfo({ sessionId: "edit", state: "Play" });
const server = sessionInfo({ sessionId: "server", context: "server", state: "Play" });
const clients = [1, 2].map((index) =>
  sessionInfo({
    sessionId: `client${index}`,
    context: "client",
    player: { name: `Player${index}`, index },
    state: "Play",
  }),
);
const foreign = sessionInfo({ sessionId: "foreign", instanceId: "other", context: "server" });

describe("the context that is followed", () => {
  test("is taken where a test has it, and the edited place where none does", () => {
    const follows = { context: "server" } as const;
    expect(followedIn([edit, server, ...clients, foreign], edit, follows)).toBe(server);
    expect(followedIn([edit, foreign], server, follows)).toBe(edit);
    expect(followedIn([foreign], edit, follows)).toBeUndefined();
  });

  test("may be one of several clients", () => {
    expect(followedIn([edit, ...clients], edit, namedContext("client 2"))).toBe(clients[1]);
    expect(followedIn([edit, ...clients], edit, namedContext("client"), true)).toBeUndefined();
    expect(followedIn([edit], edit, namedContext("server"), true)).toBeUndefined();
  });
});

test("a context is named as the prompt names it, or as agents do", () => {
  expect(namedContext("Server")).toEqual({ context: "server" });
  expect(namedContext("client 2")).toEqual({ context: "client", player: "2" });
  expect(namedContext("client:Ada")).toEqual({ context: "client", player: "Ada" });
  for (const word of ["sever", "server 2", ""])
    expect(() => namedContext(word)).toThrow(`There is no context ${word}.`);
});

test("the prompt names the context while a test plays", () => {
  expect([edit, server, clients[1], sessionInfo(), undefined].map(promptLabel)).toEqual([
    "edit",
    "server",
    "client 2",
    "",
    "",
  ]);
  expect(contextsText([edit, server], server)).toBe("In the server of the test. .context goes to edit.");
});
