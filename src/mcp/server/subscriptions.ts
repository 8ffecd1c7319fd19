/** Tells clients of changes: `resources/subscribe` of the revisions with a handshake and `subscriptions/listen` of 2026-07-28. */
import { untilAbortedAsync } from "../../session/follow.ts";
import { metaKeys } from "../wire/dialects.ts";
import { isObject } from "../wire/json.ts";
import type { JsonObject } from "../wire/json.ts";
import { invalidParams } from "../wire/rpc-error.ts";
import type { Features, Resources } from "./features.ts";
import type { Notify, OpenRequest } from "./open-request.ts";
import type { Task } from "./task.ts";
import { checkKnowsTasks } from "./tasks.ts";

const toolsChanged = { method: "notifications/tools/list_changed" } as const;
const resourcesChanged = { method: "notifications/resources/list_changed" } as const;
const UPDATED = "notifications/resources/updated";

/** Notices to a client that began with a handshake: every change of a list, and of resources that it subscribed to. */
export class Subscriptions implements AsyncDisposable {
  readonly #resources: Resources | undefined;
  readonly #notify: Notify;
  readonly #watches = new Map<string, AsyncDisposable>();
  readonly #stops: readonly (() => void)[];

  constructor({ onToolsChanged, resources }: Features, notify: Notify) {
    this.#resources = resources;
    this.#notify = notify;
    this.#stops = [
      onToolsChanged?.(() => notify(toolsChanged)),
      resources?.onListChanged?.(() => notify(resourcesChanged)),
    ].filter((stop) => stop !== undefined);
  }

  /** Throws RpcError for a resource that does not exist. */
  async subscribeAsync(uri: string): Promise<void> {
    const watch = await this.#resources?.watchAsync?.(uri, () =>
      this.#notify({ method: UPDATED, params: { uri } }),
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

/** Invalid params, because −32002 means something else to clients of 1.0. */
export function resourceNotFound(uri: string) {
  return invalidParams(`Resource not found: ${uri}`, { uri });
}

/** Resolves when the signal fires. The acknowledgement names the resources that exist and are watched. */
export async function listenAsync(request: OpenRequest): Promise<JsonObject> {
  const { id, params, features, notify, signal } = request;
  const { resources, onToolsChanged } = features;
  const wanted = params["notifications"];
  if (!isObject(wanted)) throw invalidParams("notifications must be an object");
  const _meta = { [metaKeys.subscriptionId]: id };
  const listChanged = (notice: typeof toolsChanged | typeof resourcesChanged) => () =>
    notify({ ...notice, params: { _meta } });
  const tasks = tasksToWatch(wanted, request);
  await using stack = new AsyncDisposableStack();
  let isAcknowledged = false;
  const updated = (uri: string) => {
    if (isAcknowledged) notify({ method: UPDATED, params: { _meta, uri } });
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
    ...(tasks.length > 0 ? { taskIds: tasks.map((task) => task.id) } : {}),
  };
  const method = "notifications/subscriptions/acknowledged";
  notify({ method, params: { _meta, notifications } });
  isAcknowledged = true;
  if (hearsTools !== undefined) stack.defer(hearsTools(listChanged(toolsChanged)));
  if (hearsResources !== undefined) stack.defer(hearsResources(listChanged(resourcesChanged)));
  for (const task of tasks) {
    const tell = () => notify({ method: "notifications/tasks", params: { _meta, ...task.details() } });
    stack.defer(task.onChange(tell));
    // What changed before this subscription is told as well.
    tell();
  }
  await untilAbortedAsync(signal);
  return {};
}

function urisIn(filter: JsonObject): string[] {
  return textsIn(filter, "resourceSubscriptions", "URIs");
}

/** Throws RpcError for a client that has not said that it knows tasks. Those that do not exist are left out. */
function tasksToWatch(filter: JsonObject, { params, tasks }: OpenRequest): readonly Task[] {
  if (filter["taskIds"] === undefined) return [];
  checkKnowsTasks(params);
  return textsIn(filter, "taskIds", "ids").flatMap((id) => tasks?.task(id) ?? []);
}

function textsIn(filter: JsonObject, key: string, what: string): string[] {
  const texts = filter[key] ?? [];
  if (!Array.isArray(texts) || !texts.every((text) => typeof text === "string"))
    throw invalidParams(`notifications.${key} must be a list of ${what}`);
  return [...new Set(texts)];
}
