/** The requests of one DataModel to its Studio window: tests, and messages to the other DataModels. */
import type { HostOpHandlers } from "../vm/engine-vm.ts";
import { decodeUtf8 } from "../vm/memory.ts";

export type TestMode = "play" | "run" | "multiplayer";

export interface WindowCalls {
  /** `place` is what the server opens. Throws when a test runs already. */
  startTest(mode: TestMode, players: number, place: Uint8Array): void;
  endTest(value: Uint8Array): void;
  /** Throws when there would be too many. */
  addPlayers(count: number): void;
  leaveTest(): void;
  kickPlayer(clientId: number): void;
  /** Answers admitPlayer: `place` is what the client opens. */
  openClient(clientId: number, place: Uint8Array): void;
  sendPeer(to: number, message: Uint8Array): void;
  closed(): void;
}

const WINDOW_OPS = [
  "startTest",
  "endTest",
  "addPlayers",
  "leaveTest",
  "kickPlayer",
  "openClient",
  "sendPeer",
  "closed",
] as const satisfies readonly (keyof WindowCalls)[];

/** A DataModel by itself, as in a test, refuses all of them. */
export function windowHandlers(
  window: WindowCalls | undefined,
): Pick<HostOpHandlers, (typeof WINDOW_OPS)[number]> {
  const of = (): WindowCalls => {
    if (window === undefined) throw new Error("this DataModel is not part of a Studio window");
    return window;
  };
  return {
    startTest: ({ number, first, second }) =>
      void of().startTest(testMode(decodeUtf8(first)), number, copy(second)),
    endTest: ({ first }) => void of().endTest(copy(first)),
    addPlayers: ({ number }) => void of().addPlayers(number),
    leaveTest: () => void of().leaveTest(),
    kickPlayer: ({ number }) => void of().kickPlayer(number),
    openClient: ({ number, first }) => void of().openClient(number, copy(first)),
    sendPeer: ({ number, first, second }) => void of().sendPeer(number, join(first, second)),
    closed: () => void of().closed(),
  };
}

function testMode(text: string): TestMode {
  if (text === "play" || text === "run" || text === "multiplayer") return text;
  throw new Error(`no test mode "${text}"`);
}

/** What the mailbox shows is overwritten by the next call. */
function copy(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}
