/** A headless Studio of a test as a sync sees it, without a host. */
import { expect } from "bun:test";
import type { StudioLink } from "../../../../src/sync/studio/studio-link.ts";
import type { ActionName, ActionRequest, ActionResult } from "../../../../src/protocol/actions.ts";
import { decodeReply } from "../../../../src/protocol/codec.ts";
import { StudioBridgeError } from "../../../../src/protocol/errors.ts";
import { openClassData } from "../../../../src/roblox/class-data.ts";
import { newNode, type RojoNode } from "../../../../src/roblox/rojo/node.ts";
import { FileSchema } from "../../../../src/roblox/schema.ts";
import { assets } from "../../../headless/run-spec.ts";
import { BridgePeer, SESSION_ID } from "../../plugin/bridge-peer.ts";

export const schema = new FileSchema(openClassData(assets.classData()));

export interface Call {
  readonly name: ActionName;
  readonly request: unknown;
}

/** `calls` gets what goes to the plugin; `before` is called first, and may change the place. */
export function linkOf(
  peer: BridgePeer,
  calls: Call[] = [],
  before: (call: Call) => Promise<void> = async () => {},
): StudioLink {
  async function callAsync<Name extends ActionName>(
    name: Name,
    request: ActionRequest<Name>,
  ): Promise<ActionResult<Name>> {
    await before({ name, request });
    calls.push({ name, request });
    const requestId = crypto.randomUUID();
    peer.send(name, request, requestId);
    const answer = await peer.untilAsync(
      () => peer.inbox.find((frame) => frame.requestId === requestId && !SMALL.has(frame.type)),
      `answer to ${name}`,
    );
    expect(peer.faults).toEqual([]);
    if (answer.type === "error") throw faultOf(answer.payload);
    // An empty table of Luau becomes an empty object only when the schema reads it.
    const decoded = decodeReply(name, answer);
    if (!decoded.ok) throw new Error(decoded.fault.message);
    return decoded.value;
  }
  return { session: SESSION, caller: { id: "one", name: "sb sync" }, callAsync, callAnywayAsync: callAsync };
}

const SMALL = new Set(["output", "chunk"]);

const SESSION: StudioLink["session"] = {
  sessionId: SESSION_ID,
  instanceId: "studio",
  context: "edit",
  placeName: "Place1",
  placeId: 0,
  gameId: 0,
  state: "Edit",
  origin: "headless",
  health: "ok",
  capabilities: [],
  pluginVersion: "0.0.0",
  connectedAt: "2026-01-01T00:00:00.000Z",
  uptimeMs: 0,
};

function faultOf(payload: unknown): StudioBridgeError {
  const { code, message, details } = payload as {
    readonly code: "EDIT_REFUSED";
    readonly message: string;
    readonly details?: { readonly [key: string]: unknown };
  };
  return new StudioBridgeError(code, message, details === undefined ? {} : { data: { details } });
}

export const luauAsync = (peer: BridgePeer, script: string): Promise<unknown> => peer.luauAsync(script);

type Drawing = readonly [
  name: string,
  className: string,
  children?: readonly Drawing[],
  more?: Partial<RojoNode>,
];

/** A tree of files; nodes of classes that are services leave unknown children alone, as projects do. */
export function filesOf(drawings: readonly Drawing[]): RojoNode {
  const root = drawn(["Game", "DataModel", drawings]);
  return root;
}

function drawn([name, className, children = [], more = {}]: Drawing): RojoNode {
  const node: RojoNode = { ...newNode(name, className), ...more };
  const isProjectNode = className === "DataModel" || schema.isService(className);
  node.origin = {
    kind: isProjectNode ? "projectNode" : "folder",
    path: `/game/${name}`,
    projectFile: "/game/default.project.json",
    ignoreUnknownInstances: isProjectNode,
    statedClass: "file",
    statedProperties: new Map(),
    statedAttributes: new Map(),
    ...more.origin,
  };
  node.children.push(...children.map(drawn));
  return node;
}
