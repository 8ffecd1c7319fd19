/** What the rest of sb may know of the bridge. */
export { BridgeConnection } from "./connection.ts";
export type { ConnectOptions, HostInfo, SessionEvent, SessionList, UnpairedAttempt } from "./connection.ts";
export { BridgeHost } from "./host.ts";
export type { HostClosed, HostOptions } from "./host.ts";
export { BridgeSession } from "./session.ts";
export type { CallOptions, SessionPush, SubscribeOptions } from "./session.ts";
