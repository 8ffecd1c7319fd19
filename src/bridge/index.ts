/** The interface of the bridge for the rest of sb. */
export { BridgeConnection } from "./connection.ts";
export type { HostInfo, SessionEvent, SessionList, UnpairedAttempt } from "./connection.ts";
export type { ConnectOptions } from "./connect-options.ts";
export { loadProverAsync } from "./finding/load-prover.ts";
export { BridgeHost } from "./host.ts";
export type { HostClosed } from "./host.ts";
export { OTHER_PRODUCT } from "./host/host-news.ts";
export type { HostNews } from "./host/host-news.ts";
export type { HostOptions } from "./host-options.ts";
export type { InputPiece } from "./script-input.ts";
export { BridgeSession } from "./session.ts";
export type { Asker, CallOptions, PingTimes, SessionPush, SubscribeOptions } from "./session.ts";
