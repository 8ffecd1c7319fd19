/** Which session a command means, for every combination of arguments and running sessions. */
import { describe, expect, test } from "bun:test";
import { resolveSession } from "../../../../src/command-kit/sessions/session-resolver.ts";
import type { SessionTarget } from "../../../../src/session/session-target.ts";
import type { SessionContext } from "../../../../src/protocol/fields/contexts.ts";
import { StudioBridgeError } from "../../../../src/protocol/errors.ts";
import type { ErrorCode } from "../../../../src/protocol/errors.ts";
import { edit, sessionInfo } from "./sessions-fixture.ts";

const server = sessionInfo({ sessionId: "b2c3d4e5-0000", context: "server", state: "Play" });
const client = sessionInfo({ sessionId: "c3d4e5f6-0000", context: "client", state: "Play" });
const playing = [edit, server, client];
const other = sessionInfo({ sessionId: "f9e8d7c6-0000", instanceId: "inst-002", placeName: "MyGame.rbxl" });
const twoInstances = [...playing, other];
const gone = sessionInfo({ sessionId: "aaaa0000", instanceId: "inst-003", health: "reconnecting" });
const alice = sessionInfo({
  sessionId: "d4e5f6a7-0000",
  context: "client",
  player: { name: "Alice", index: 1 },
});
const bob = sessionInfo({ sessionId: "e5f6a7b8-0000", context: "client", player: { name: "Bob", index: 2 } });

const chosen: readonly [
  what: string,
  sessions: readonly (typeof edit)[],
  target: SessionTarget,
  defaultContext: SessionContext,
  session: typeof edit,
][] = [
  ["edit mode, nothing said, read-only", [edit], {}, "edit", edit],
  ["edit mode, nothing said, mutating", [edit], {}, "server", edit],
  ["edit mode, --context edit", [edit], { context: "edit" }, "server", edit],
  ["play mode, nothing said, read-only", playing, {}, "edit", edit],
  ["play mode, nothing said, mutating", playing, {}, "server", server],
  ["play mode, --context edit", playing, { context: "edit" }, "server", edit],
  ["play mode, --context server", playing, { context: "server" }, "edit", server],
  ["play mode, --context client", playing, { context: "client" }, "server", client],
  ["only a server there", [server], {}, "edit", server],
  ["no server yet, mutating", [edit, client], {}, "server", edit],
  ["--session, whole", twoInstances, { sessionId: other.sessionId }, "edit", other],
  ["--session, a prefix", twoInstances, { sessionId: "b2c3" }, "edit", server],
  ["--session by place name", twoInstances, { sessionId: "MyGame.rbxl" }, "edit", other],
  [
    "--session by place name, without the ending of its file",
    twoInstances,
    { sessionId: "mygame" },
    "edit",
    other,
  ],
  [
    "--session by place name, then context",
    [...playing, other],
    { sessionId: edit.placeName, context: "client" },
    "edit",
    client,
  ],
  ["--session by place name, while it plays", playing, { sessionId: edit.placeName }, "server", server],
  ["--session, in capitals", twoInstances, { sessionId: "B2C3" }, "edit", server],
  [
    "--session and its --instance",
    twoInstances,
    { sessionId: "b2c3", instanceId: "inst-001" },
    "edit",
    server,
  ],
  ["--session and the same context", playing, { sessionId: "b2c3", context: "server" }, "edit", server],
  [
    "--session and another context of its Studio",
    twoInstances,
    { sessionId: "a1b2", context: "server" },
    "edit",
    server,
  ],
  [
    "--session of one player and --player",
    [edit, alice, bob],
    { sessionId: "d4e5", player: "Bob" },
    "edit",
    bob,
  ],
  ["--instance, in capitals", twoInstances, { instanceId: "INST-002" }, "edit", other],
  ["--instance of several", twoInstances, { instanceId: "inst-002" }, "server", other],
  ["--instance, then context", twoInstances, { instanceId: "inst-001", context: "client" }, "edit", client],
  ["--instance, a prefix", twoInstances, { instanceId: "inst-002" }, "edit", other],
  ["a Studio beside one that has just gone", [gone, edit], {}, "edit", edit],
  ["only a Studio that may come back", [gone], {}, "edit", gone],
  ["--session of a Studio that may come back", [gone, edit], { sessionId: "aaaa" }, "edit", gone],
  ["--player by name", [edit, alice, bob], { player: "bob" }, "edit", bob],
  ["--player by number", [edit, alice, bob], { context: "client", player: "1" }, "edit", alice],
];

describe("chosen", () => {
  test.each(chosen)("%s", (_, sessions, target, defaultContext, session) => {
    expect(resolveSession(sessions, target, defaultContext)).toEqual(session);
  });
});

function refusal(sessions: readonly (typeof edit)[], target: SessionTarget): StudioBridgeError {
  try {
    resolveSession(sessions, target);
  } catch (error) {
    if (error instanceof StudioBridgeError) return error;
  }
  throw new Error("accepted");
}

const refused: readonly [
  what: string,
  sessions: readonly (typeof edit)[],
  target: SessionTarget,
  code: ErrorCode,
  message: string,
][] = [
  [
    "nothing connected",
    [],
    {},
    "NO_SESSION",
    "No active sessions. Is Studio running with the studio-bridge plugin installed?",
  ],
  [
    "an unknown id",
    playing,
    { sessionId: "nope" },
    "SESSION_NOT_FOUND",
    "Session not found: nope. Run 'sb sessions' to see available sessions.",
  ],
  [
    "an unknown instance",
    playing,
    { instanceId: "nope" },
    "SESSION_NOT_FOUND",
    "Instance not found: nope. Run 'sb sessions' to see available sessions.",
  ],
  [
    "--context server in edit mode",
    [edit],
    { context: "server" },
    "CONTEXT_UNAVAILABLE",
    "No server context available. Studio is in Edit mode.",
  ],
  [
    "--context server of a Studio that plays without one",
    [{ ...edit, state: "Play" }],
    { context: "server" },
    "PLAY_CONTEXT_UNAVAILABLE",
    "No server context available. Studio plays, but the plugin has not connected from there.",
  ],
  [
    "--context client in edit mode",
    [edit],
    { context: "client" },
    "CONTEXT_UNAVAILABLE",
    "No client context available. Studio is in Edit mode.",
  ],
  [
    "--context client without a client in play",
    [edit, server],
    { context: "client" },
    "CONTEXT_UNAVAILABLE",
    "No client context available. Connected: Edit, Server.",
  ],
  [
    "--session and a context that its Studio does not have",
    [edit, server, other],
    { sessionId: "a1b2", context: "client" },
    "CONTEXT_UNAVAILABLE",
    "No client context available. Connected: Edit, Server.",
  ],
  [
    "--session of another instance",
    twoInstances,
    { sessionId: "b2c3", instanceId: "inst-002" },
    "INVALID_INPUT",
    `Session ${server.sessionId} is of the instance inst-001, not inst-002.`,
  ],
  [
    "--player with --context server",
    playing,
    { player: "Bob", context: "server" },
    "INVALID_INPUT",
    "Cannot use --player with --context server.",
  ],
  [
    "an unknown player",
    [edit, alice, bob],
    { player: "Eve" },
    "SESSION_NOT_FOUND",
    "No client belongs to player Eve. Connected: Client Alice, Client Bob.",
  ],
];

describe("refused", () => {
  test.each(refused)("%s", (_, sessions, target, code, message) => {
    const error = refusal(sessions, target);
    expect({ code: error.code, message: error.message }).toEqual({ code, message });
    expect(error.hint).not.toBe("");
  });

  test("several instances, with a grouped list and what to type", () => {
    const { code, message, hint, data } = refusal(twoInstances, {});
    expect(code).toBe("AMBIGUOUS_SESSION");
    expect(message.split("\n")).toEqual([
      "Multiple Studio instances connected. Use --session or --instance to specify one:",
      "  TestPlace.rbxl (instance inst-001)",
      "    a1b2c3d4  Edit",
      "    b2c3d4e5  Server",
      "    c3d4e5f6  Client",
      "  MyGame.rbxl (instance inst-002)",
      "    f9e8d7c6  Edit",
    ]);
    expect(hint).toBe("For example: --session a1b2c3d4");
    expect(data["sessions"]).toHaveLength(4);
  });

  test("a prefix that several ids share, listing enough of each to tell them apart", () => {
    const twins = ["aaaaaaaa-bb", "aaaaaaaa-cc"].map((sessionId) => sessionInfo({ sessionId }));
    expect(refusal(twins, { sessionId: "aaaa" }).message.split("\n").slice(2)).toEqual([
      "    aaaaaaaa-b  Edit",
      "    aaaaaaaa-c  Edit",
    ]);
  });

  test("several clients", () => {
    const { message, hint } = refusal([edit, alice, bob], { context: "client" });
    expect(message.split("\n")[0]).toBe("Several clients are connected. Use --player to specify one:");
    expect(hint).toBe("For example: --player 1");
  });

  test("an id that is a prefix of another is still exact", () => {
    const short = sessionInfo({ sessionId: "abc" });
    expect(resolveSession([short, sessionInfo({ sessionId: "abcd" })], { sessionId: "abc" })).toEqual(short);
  });

  test("names from a place cannot forge lines", () => {
    const forged = sessionInfo({ sessionId: "9", instanceId: "x", placeName: "a\n\x1b[31mb" });
    expect(refusal([edit, forged], {}).message).toContain("  a\\n\\x1b[31mb (instance x)");
  });
});
