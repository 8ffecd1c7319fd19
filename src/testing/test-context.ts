/** The DataModel of a Studio in which a test file runs: the edited place, or the server or the clients of a play test. */

export const contextKinds = ["edit", "server", "client"] as const;
export type ContextKind = (typeof contextKinds)[number];

export interface TestContext {
  readonly kind: ContextKind;
  /** The number of clients of the play test; 0 in the edited place. */
  readonly players: number;
  /** Whether characters walk in headless Studio; undefined where the run decides. */
  readonly walks?: boolean;
}

export const EDIT: TestContext = { kind: "edit", players: 0 };

/** Without a number of players, a play test has one. */
export function testContext(kind: ContextKind, players: number | undefined): TestContext {
  return kind === "edit" ? EDIT : { kind, players: players ?? 1 };
}

export const isSameContext = (one: TestContext, other: TestContext): boolean =>
  one.kind === other.kind && one.players === other.players && one.walks === other.walks;

/** The numbers of the clients in which a file runs, from 1; one `undefined` if it runs in no client. */
export function clientsOf({ kind, players }: TestContext): readonly (number | undefined)[] {
  return kind === "client" ? Array.from({ length: players }, (_, index) => index + 1) : [undefined];
}

/** The name of the DataModel in events: `server`, `client`, or `client 2` of several. Undefined for the edited place. */
export function contextName({ kind, players }: TestContext, client: number | undefined): string | undefined {
  if (kind === "edit") return undefined;
  return client === undefined || players === 1 ? kind : `${kind} ${client}`;
}

/** The context as `--list` shows it. */
export function contextText({ kind, players, walks }: TestContext): string {
  const walking = walks === undefined ? "" : walks ? ", walking" : ", not walking";
  return `${players > 1 ? `${kind}, ${players} players` : kind}${walking}`;
}
