/** In which DataModel of a Studio a test file runs: the edited place, or the server or the clients of a play test. */

export const contextKinds = ["edit", "server", "client"] as const;
export type ContextKind = (typeof contextKinds)[number];

export interface TestContext {
  readonly kind: ContextKind;
  /** How many clients the play test has; 0 in the edited place. */
  readonly players: number;
}

export const EDIT: TestContext = { kind: "edit", players: 0 };

/** Without a number of players, a play test has one. */
export function testContext(kind: ContextKind, players: number | undefined): TestContext {
  return kind === "edit" ? EDIT : { kind, players: players ?? 1 };
}

export const isSameContext = (one: TestContext, other: TestContext): boolean =>
  one.kind === other.kind && one.players === other.players;

/** The clients in which a file runs, from 1; only undefined where it runs in no client. */
export function clientsOf({ kind, players }: TestContext): readonly (number | undefined)[] {
  return kind === "client" ? Array.from({ length: players }, (_, index) => index + 1) : [undefined];
}

/** What events call the DataModel: `server`, `client`, or `client 2` where there are several. Undefined for the edited place. */
export function contextName({ kind, players }: TestContext, client: number | undefined): string | undefined {
  if (kind === "edit") return undefined;
  return client === undefined || players === 1 ? kind : `${kind} ${client}`;
}

/** For `--list`. */
export function contextText({ kind, players }: TestContext): string {
  return players > 1 ? `${kind}, ${players} players` : kind;
}
