/** What followers of a log heard, and what must be true of it: every line in its place, or counted as missed. */
interface Feed {
  /** The plugin that numbers the lines; one that is loaded anew starts over. */
  origin: string;
  next: number;
  missed: number;
}

export class Feeds {
  readonly #feeds = new Map<string, Feed>();
  readonly #fault: (text: string) => void;

  constructor(fault: (text: string) => void) {
    this.#fault = fault;
  }

  /** The follower begins anew, or has been told that there is nothing more to hear. */
  forget(client: number, sessionId: string): void {
    this.#feeds.delete(`${client} ${sessionId}`);
  }

  missed(client: number, sessionId: string, count: number): void {
    const feed = this.#feeds.get(`${client} ${sessionId}`);
    if (feed !== undefined) feed.missed += count;
  }

  heard(client: number, sessionId: string, origin: string, seq: number): void {
    const key = `${client} ${sessionId}`;
    const feed = this.#feeds.get(key);
    if (feed?.origin === origin && seq !== feed.next + feed.missed)
      this.#fault(`R9: client ${client} heard line ${seq} after ${feed.next - 1} and ${feed.missed} missed`);
    this.#feeds.set(key, { origin, next: seq + 1, missed: 0 });
  }

  /** The number of the last line that was heard. */
  last(client: number, sessionId: string): number | undefined {
    const feed = this.#feeds.get(`${client} ${sessionId}`);
    return feed === undefined ? undefined : feed.next - 1;
  }
}
