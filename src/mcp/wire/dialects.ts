/**
 * The dialects spoken on one connection and how they differ: 1.0, the dated revisions that begin with a handshake, and
 * 2026-07-28, where every request is complete by itself.
 */
import { isObject, objectIn, stringIn } from "./json.ts";
import type { JsonObject } from "./json.ts";
import { invalidParams, RpcError } from "./rpc-error.ts";

export const handshakeVersions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;
const [newestHandshake] = handshakeVersions;
export const statelessVersion = "2026-07-28";
export const plainVersion = "1.0";
/** The versions that clients are told; 1.0 is only for clients that ask for it by name. */
export const datedVersions: readonly string[] = [statelessVersion, ...handshakeVersions];

export type HandshakeVersion = (typeof handshakeVersions)[number];
/** `none`: no `initialize` has come yet. */
export type Dialect = "none" | typeof plainVersion | HandshakeVersion | typeof statelessVersion;

const META = "io.modelcontextprotocol/";
export const metaKeys = {
  protocolVersion: `${META}protocolVersion`,
  clientCapabilities: `${META}clientCapabilities`,
  clientInfo: `${META}clientInfo`,
  logLevel: `${META}logLevel`,
  serverInfo: `${META}serverInfo`,
  subscriptionId: `${META}subscriptionId`,
} as const;

const logLevels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/** Methods beside the handshake and `ping`. A server without a feature lacks its methods too (`offers` in methods.ts). */
const shared = ["tools/list", "tools/call"];
const dated = [
  ...shared,
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "prompts/list",
  "prompts/get",
  "completion/complete",
];
const withHandshake = ["initialize", "ping"];
const taskMethods = ["tasks/get", "tasks/update", "tasks/cancel"];
const methodsByEra = {
  plain: [...withHandshake, ...shared],
  handshake: [...withHandshake, ...dated, "resources/subscribe", "resources/unsubscribe"],
  stateless: ["server/discover", ...dated, "subscriptions/listen", ...taskMethods],
};

type Era = keyof typeof methodsByEra;

function eraOf(dialect: Exclude<Dialect, "none">): Era {
  if (dialect === plainVersion) return "plain";
  return dialect === statelessVersion ? "stateless" : "handshake";
}

/** A revision with a date that begins with `initialize`; the SDK serves these. */
export function isHandshakeVersion(dialect: Dialect): dialect is HandshakeVersion {
  return dialect !== "none" && eraOf(dialect) === "handshake";
}

/** Before anything was negotiated every method of every dialect counts as known. */
export function hasMethod(dialect: Dialect, method: string): boolean {
  if (dialect !== "none") return methodsByEra[eraOf(dialect)].includes(method);
  return Object.values(methodsByEra).some((methods) => methods.includes(method));
}

/** True from this revision on; never for 1.0, which has nothing that the dated revisions added. */
export function isSince(dialect: Dialect, version: HandshakeVersion): boolean {
  return dialect !== "none" && dialect !== plainVersion && dialect >= version;
}

/**
 * The dialect that `initialize` agrees on. Throws RpcError for a version that is not spoken, and for a client that does not
 * say who it is. Capabilities and the client's version may be missing (golden case leg-03).
 */
export function negotiate(params: JsonObject): typeof plainVersion | HandshakeVersion {
  const requested = stringIn(params, "protocolVersion");
  if (requested === undefined) throw invalidParams("protocolVersion must be a string");
  checkClientInfo(params);
  checkCapabilities(params, requested === plainVersion);
  if (requested === plainVersion) return requested;
  const supported = handshakeVersions.find((version) => version === requested);
  if (supported !== undefined) return supported;
  if (/^\d+(\.\d+)+$/.test(requested)) {
    const spoken = [...datedVersions, plainVersion].join(", ");
    throw invalidParams(`protocolVersion ${requested} is not spoken here; these are: ${spoken}`);
  }
  return newestHandshake;
}

function checkClientInfo(params: JsonObject): void {
  const clientInfo = objectIn(params, "clientInfo");
  if (clientInfo === undefined) throw invalidParams("clientInfo must be an object");
  if (stringIn(clientInfo, "name") === undefined) throw invalidParams("clientInfo.name must be a string");
  const { version } = clientInfo;
  if (version !== undefined && typeof version !== "string")
    throw invalidParams("clientInfo.version must be a string");
}

/** 1.0 has no capabilities of the client. */
function checkCapabilities({ capabilities }: JsonObject, isPlain: boolean): void {
  if (isPlain || capabilities === undefined || isObject(capabilities)) return;
  throw invalidParams("capabilities must be an object");
}

/** The request says on its own what it speaks, whatever was negotiated. */
export function hasEnvelope(params: JsonObject | undefined): boolean {
  const meta = objectIn(params, "_meta") ?? {};
  return metaKeys.protocolVersion in meta || metaKeys.clientCapabilities in meta;
}

/** Throws RpcError for an envelope that is incomplete or of a version not spoken here. */
export function checkEnvelope(params: JsonObject | undefined): void {
  const meta = objectIn(params, "_meta") ?? {};
  const requested = meta[metaKeys.protocolVersion];
  if (typeof requested !== "string")
    throw invalidParams(`params._meta["${metaKeys.protocolVersion}"] must be a string`);
  if (requested !== statelessVersion)
    throw new RpcError("unsupportedVersion", `protocol version ${requested} needs no _meta or is unknown`, {
      supported: datedVersions,
      requested,
    });
  if (!isObject(meta[metaKeys.clientCapabilities]))
    throw invalidParams(`params._meta["${metaKeys.clientCapabilities}"] must be an object`);
  const level = meta[metaKeys.logLevel];
  if (level !== undefined && !logLevels.some((known) => known === level))
    throw invalidParams(`params._meta["${metaKeys.logLevel}"] must be one of ${logLevels.join(", ")}`);
}
