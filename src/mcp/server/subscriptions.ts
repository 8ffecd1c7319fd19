/** Who wants to hear of which changes: `resources/subscribe` of dated revisions and `subscriptions/listen` of 2026-07-28. */
import { untilAbortedAsync } from "../../command/follow.ts";
import { notification } from "../wire/answers.ts";
import type { OutgoingNotification, OutgoingRequest } from "../wire/answers.ts";
import { metaKeys } from "../wire/dialects.ts";
import { isObject } from "../wire/json.ts";
import type { JsonObject } from "../wire/json.ts";
import { invalidParams } from "../wire/rpc-error.ts";
import type { Features, Resources } from "./features.ts";
import type { Running } from "./methods.ts";

export type Notify = (outgoing: OutgoingNotification | OutgoingRequest) => void;

const toolsChanged = { method: "notifications/tools/list_changed" } as const;
const resourcesChanged = { method: "notifications/resources/list_changed" } as const;
const UPDATED = "notifications/resources/updated";

/** What one connection that began with a handshake is told: every change of a list, and resources it subscribed to. */
export class Subscriptions implements AsyncDisposable {
  readonly #resources: Resources | undefined;
  readonly #notify: Notify;
  readonly #watches = new Map<string, AsyncDisposable>();
  readonly #stops: readonly (() => void)[];

  constructor({ onToolsChanged, resources }: Features, notify: Notify) {
    this.#resources = resources;
    this.#notify = notify;
    this.#stops = [
      onToolsChanged?.(() => notify(notification(toolsChanged))),
      resources?.onListChanged?.(() => notify(notification(resourcesChanged))),
    ].filter((stop) => stop !== undefined);
  }

  /** Throws RpcError for a resource that does not exist. */
  async subscribeAsync(uri: string): Promise<void> {
    const watch = await this.#resources?.watchAsync?.(uri, () =>
      this.#notify(notification({ method: UPDATED, params: { uri } })),
    );
    if (watch === undefined) throw resourceNotFound(uri);
    await this.unsubscribeAsync(uri);
    this.#watches.set(uri, watch);
  }

  async unsubscribeAsync(uri: string): Promise<void> {
    const watch = this.#watches.get(uri);
    this.#watches.delete(uri);
    await watch?.[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const stop of this.#stops) stop();
    for (const uri of [...this.#watches.keys()]) await this.unsubscribeAsync(uri);
  }
}

/** No code of its own: −32002 means something else to clients of 1.0. */
export function resourceNotFound(uri: string) {
  return invalidParams(`Resource not found: ${uri}`, { uri });
}

/** Stays until the signal fires. The acknowledgement names what is really watched. */
export async function listenAsync({ id, params, features, notify, signal }: Running): Promise<JsonObject> {
  const { resources, onToolsChanged } = features;
  const wanted = params["notifications"];
  if (!isObject(wanted)) throw invalidParams("notifications must be an object");
  const _meta = { [metaKeys.subscriptionId]: id };
  const listChanged = (notice: typeof toolsChanged | typeof resourcesChanged) => () =>
    notify(notification({ ...notice, params: { _meta } }));
  await using stack = new AsyncDisposableStack();
  let isAcknowledged = false;
  const updated = (uri: string) => {
    if (isAcknowledged) notify(notification({ method: UPDATED, params: { _meta, uri } }));
  };
  const watched: string[] = [];
  for (const uri of urisIn(wanted)) {
    const watch = await resources?.watchAsync?.(uri, () => updated(uri));
    if (watch === undefined) continue;
    stack.use(watch);
    watched.push(uri);
  }
  const hearsTools = wanted["toolsListChanged"] === true ? onToolsChanged : undefined;
  const hearsResources = wanted["resourcesListChanged"] === true ? resources?.onListChanged : undefined;
  const notifications = {
    ...(hearsTools === undefined ? {} : { toolsListChanged: true }),
    ...(hearsResources === undefined ? {} : { resourcesListChanged: true }),
    ...(watched.length > 0 ? { resourceSubscriptions: watched } : {}),
  };
  const method = "notifications/subscriptions/acknowledged";
  notify(notification({ method, params: { _meta, notifications } }));
  isAcknowledged = true;
  if (hearsTools !== undefined) stack.defer(hearsTools(listChanged(toolsChanged)));
  if (hearsResources !== undefined) stack.defer(hearsResources(listChanged(resourcesChanged)));
  await untilAbortedAsync(signal);
  return {};
}

function urisIn(filter: JsonObject): string[] {
  const uris = filter["resourceSubscriptions"] ?? [];
  if (!Array.isArray(uris) || !uris.every((uri) => typeof uri === "string"))
    throw invalidParams("notifications.resourceSubscriptions must be a list of URIs");
  return [...new Set(uris)];
}
