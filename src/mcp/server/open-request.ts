/** The input of every method: one request that has passed each check but those of its parameters, and ways to its client. */
import type { Notice } from "../wire/answers.ts";
import type { Dialect } from "../wire/dialects.ts";
import type { JsonObject } from "../wire/json.ts";
import type { RequestId } from "../wire/mcp-types.ts";
import type { ClientIdentity } from "./client-identity.ts";
import type { Asker, Features, ToolCall } from "./features.ts";
import type { Tasks } from "./tasks.ts";
import type { Telemetry } from "./telemetry.ts";

/** Tells the client something without expecting an answer. */
export type Notify = (notice: Notice) => void;

/** What is the same for every request of a server. */
export interface ServerOptions {
  readonly features: Features;
  readonly telemetry: Telemetry;
  /** Errors carry stack traces. */
  readonly debug: boolean;
  /** Absent where no call becomes a task. */
  readonly tasks?: Tasks;
}

export interface OpenRequest extends ServerOptions {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
  readonly dialect: Dialect;
  readonly client: ClientIdentity;
  /** Fires when the client cancels the request or has left. */
  readonly signal: AbortSignal;
  readonly notify: Notify;
  /** Absent where the client cannot put a question to its user. */
  readonly asker: Asker | undefined;
  /** Absent where the client cannot be asked for its folders. */
  readonly rootsAsync?: NonNullable<ToolCall["rootsAsync"]> | undefined;
}
