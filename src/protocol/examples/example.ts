/** What an example of a message is, and what several have in common. */

export const hex = (byte: string, count: number) => byte.repeat(count);
export const SESSION = "a1b2c3d4-e5f6-4890-abcd-ef1234567890";
export const REQUEST = "0f1e2d3c4b5a69788796a5b4c3d2e1f0";

export interface MessageExample {
  readonly type: string;
  /** Distinguishes several examples of one type; part of the golden file's name. */
  readonly variant?: string;
  readonly sessionId?: string;
  readonly requestId?: string;
  readonly protocolVersion?: number;
  readonly payload: unknown;
}

export const request = { sessionId: SESSION, requestId: REQUEST };
