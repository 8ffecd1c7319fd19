import { expect, test } from "bun:test";
import type { Envelope } from "../../../../src/protocol/envelope.ts";
import { BridgePeer } from "../bridge-peer.ts";
import { PLACE_NAME } from "../plugin-studio.ts";

async function askAsync(peer: BridgePeer, type: string, payload: object): Promise<Envelope> {
  const requestId = crypto.randomUUID();
  peer.send(type, payload, requestId);
  const isAnswer = (frame: Envelope): boolean => frame.requestId === requestId;
  const found = await peer.untilAsync(() => peer.inbox.find(isAnswer), `answer to ${type}`);
  peer.inbox.splice(peer.inbox.indexOf(found), 1);
  expect(peer.faults).toEqual([]);
  return found;
}

async function placeAsync(): Promise<BridgePeer> {
  const peer = await BridgePeer.connectAsync();
  const { reply } = await peer.executeAsync(`
    local model = Instance.new("Model")
    model.Name = "House.v2"
    model:SetAttribute("Owner", "Ann")
    model:SetAttribute("Home", Vector3.new(1, 2, 3))
    for index = 1, 2 do
      local part = Instance.new("Part")
      part.Name = "Wall"
      part.Anchored = index == 2
      part.Parent = model
    end
    local value = Instance.new("StringValue")
    value.Name = "Position"
    value.Parent = model
    model.Parent = workspace`);
  expect(reply.payload).toMatchObject({ success: true });
  return peer;
}

const pathOf = (...rest: string[]): string => ["game.Workspace.House\\.v2", ...rest].join(".");
const parentOf = (className: string, name: string, path: string): object => ({
  type: "Instance",
  className,
  name,
  path,
  id: expect.any(String),
});

test("queryState gives mode and place", async () => {
  using peer = await BridgePeer.connectAsync();
  const { type, payload } = await askAsync(peer, "queryState", {});
  expect({ type, payload }).toEqual({
    type: "stateResult",
    payload: { permission: "everything", state: "Edit", placeName: PLACE_NAME, placeId: 0, gameId: 0 },
  });
});

test("a query gives the default properties, in every way to write the path", async () => {
  using peer = await placeAsync();
  const instance = {
    id: expect.stringMatching(/^@\d+$/),
    name: "House.v2",
    className: "Model",
    path: pathOf(),
    properties: {
      Name: "House.v2",
      ClassName: "Model",
      Parent: parentOf("Workspace", "Workspace", "game.Workspace"),
    },
    attributes: [],
    childCount: 3,
  };
  for (const path of [
    pathOf(),
    'game.Workspace["House.v2"]',
    "workspace['House.v2']",
    'Workspace["House.v2"][1]',
  ])
    expect((await askAsync(peer, "queryDataModel", { path })).payload).toEqual({ instance });
});

test("a query reads properties, attributes and children to a depth", async () => {
  using peer = await placeAsync();
  const { payload } = await askAsync(peer, "queryDataModel", {
    path: pathOf(),
    depth: 1,
    properties: ["Name"],
    includeAttributes: true,
  });
  const id = expect.stringMatching(/^@\d+$/);
  const child = { id, properties: {}, attributes: [], childCount: 0 };
  expect(payload).toEqual({
    instance: {
      id,
      name: "House.v2",
      className: "Model",
      path: pathOf(),
      properties: { Name: "House.v2" },
      attributes: { Owner: "Ann", Home: { type: "Vector3", value: [1, 2, 3] } },
      childCount: 3,
      children: [
        { ...child, name: "Wall", className: "Part", path: pathOf("Wall[1]"), properties: { Name: "Wall" } },
        { ...child, name: "Wall", className: "Part", path: pathOf("Wall[2]"), properties: { Name: "Wall" } },
        {
          ...child,
          name: "Position",
          className: "StringValue",
          path: pathOf("Position"),
          properties: { Name: "Position" },
        },
      ],
    },
  });
});

test("every child names its parent, and a name that is no UTF-8 is replaced beside its bytes", async () => {
  using peer = await placeAsync();
  await peer.executeAsync(`
    for _, child in workspace["House.v2"]:GetChildren() do
      if child.Name == "Wall" then child.Name = "\\255" end
    end`);
  const { payload } = await askAsync(peer, "queryDataModel", { path: pathOf(), depth: 1 });
  const Parent = parentOf("Model", "House.v2", pathOf());
  const wall = {
    name: "\u{FFFD}",
    className: "Part",
    properties: { Name: { type: "bytes", base64: "/w==" }, ClassName: "Part", Parent },
  };
  expect(payload).toMatchObject({
    instance: {
      children: [
        { ...wall, path: pathOf("\u{FFFD}[1]") },
        { ...wall, path: pathOf("\u{FFFD}[2]") },
        { properties: { Name: "Position", ClassName: "StringValue", Parent } },
      ],
    },
  });
});

test("the last segment may be a property; an Instance of that name wins", async () => {
  using peer = await placeAsync();
  const property = await askAsync(peer, "queryDataModel", { path: pathOf("Wall[2]", "Anchored") });
  expect(property.payload).toMatchObject({
    instance: { path: pathOf("Wall[2]"), className: "Part", properties: { Anchored: true } },
  });
  const instance = await askAsync(peer, "queryDataModel", { path: pathOf("Position") });
  expect(instance.payload).toMatchObject({ instance: { className: "StringValue" } });
});

test("a path that leads nowhere says how far it led and what is near", async () => {
  using peer = await placeAsync();
  const { type, payload } = await askAsync(peer, "queryDataModel", { path: pathOf("wall", "Top") });
  expect({ type, payload }).toEqual({
    type: "error",
    payload: {
      code: "INSTANCE_NOT_FOUND",
      message: `No instance found at path: ${pathOf("wall", "Top")}`,
      details: { resolvedTo: pathOf(), failedSegment: "wall", suggestions: ["Wall"] },
    },
  });
});

test("properties, methods, events and children are told apart", async () => {
  using peer = await placeAsync();
  for (const name of ["Foo", "Destroy", "Changed", "Wall"]) {
    const { payload } = await askAsync(peer, "queryDataModel", { path: pathOf(), properties: [name] });
    expect(payload).toEqual({
      code: "PROPERTY_NOT_FOUND",
      message: `Property '${name}' does not exist on House.v2 (Model)`,
      details: {
        property: name,
        properties: [name],
        path: pathOf(),
        known: expect.arrayContaining(["PrimaryPart", "Name"]),
      },
    });
  }
});

test("every property that does not exist is named at once", async () => {
  using peer = await placeAsync();
  const properties = ["Foo", "Name", "Destroy"];
  const { payload } = await askAsync(peer, "queryDataModel", { path: pathOf(), properties });
  expect(payload).toMatchObject({
    code: "PROPERTY_NOT_FOUND",
    message: "Properties 'Foo', 'Destroy' do not exist on House.v2 (Model)",
    details: { properties: ["Foo", "Destroy"] },
  });
});

test("with children, a property need not exist on the parent, but on one of them", async () => {
  using peer = await placeAsync();
  const ofParts = await askAsync(peer, "queryDataModel", {
    path: pathOf(),
    depth: 1,
    properties: ["Anchored"],
  });
  expect(ofParts.payload).toMatchObject({
    instance: { properties: [], children: [{ properties: { Anchored: false } }, {}, { properties: [] }] },
  });
  const ofNone = await askAsync(peer, "queryDataModel", { path: pathOf(), depth: 1, properties: ["Foo"] });
  expect(ofNone.payload).toMatchObject({
    code: "PROPERTY_NOT_FOUND",
    message: "Property 'Foo' does not exist on House.v2 (Model) or below it",
    details: { known: expect.arrayContaining(["Anchored", "Value"]) },
  });
});

test("a path that goes on behind a property says that it is one", async () => {
  using peer = await placeAsync();
  const { payload } = await askAsync(peer, "queryDataModel", { path: pathOf("Wall[1]", "Size", "X") });
  expect(payload).toMatchObject({ details: { failedSegment: "Size", isProperty: true } });
});

test("neither a query nor completion makes a service", async () => {
  using peer = await BridgePeer.connectAsync();
  for (const path of ["game.PathfindingService", "game.PathfindingService.Name", "PathfindingService.A.B"]) {
    const { payload } = await askAsync(peer, "queryDataModel", { path });
    expect(payload).toMatchObject({ details: { resolvedTo: "game", isUnmadeService: true } });
  }
  const properties = ["PathfindingService"];
  await askAsync(peer, "queryDataModel", { path: "game", properties });
  const methods = await askAsync(peer, "complete", { text: 'game:GetService("PathfindingService"):Cre' });
  expect(methods.payload).toMatchObject({ candidates: ["CreatePath"] });
  await askAsync(peer, "complete", { text: "game.PathfindingService:Cre" });
  const { reply } = await peer.executeAsync('return game:FindService("PathfindingService")');
  expect(reply.payload).toMatchObject({ returnValues: [{ type: "nil" }] });
});

test("a property that exists but cannot be read says why", async () => {
  using peer = await placeAsync();
  const { payload } = await askAsync(peer, "queryDataModel", {
    path: pathOf("Wall[1]"),
    properties: ["UniqueId"],
  });
  expect(payload).toMatchObject({
    instance: { properties: { UniqueId: { type: "Unsupported", typeName: "unreadable" } } },
  });
});

test("listServices gives a root with the services", async () => {
  using peer = await BridgePeer.connectAsync();
  const { payload } = await askAsync(peer, "queryDataModel", { listServices: true });
  expect(payload).toMatchObject({
    instance: {
      name: PLACE_NAME,
      className: "DataModel",
      path: "game",
      children: expect.arrayContaining([
        expect.objectContaining({ name: "Workspace", className: "Workspace", path: "game.Workspace" }),
      ]),
    },
  });
});

test("malformed queries are refused", async () => {
  using peer = await BridgePeer.connectAsync();
  const without = await askAsync(peer, "queryDataModel", {});
  expect(without.payload).toMatchObject({ code: "INVALID_PAYLOAD" });
  const malformed = await askAsync(peer, "queryDataModel", { path: "game..Part" });
  expect(malformed.payload).toEqual({
    code: "INVALID_PAYLOAD",
    message: "payload.path: a name is missing at character 6",
    details: { path: "game..Part" },
  });
});

test("a tree deeper than the wire carries is refused, not cut", async () => {
  using peer = await BridgePeer.connectAsync();
  await peer.executeAsync(`
    local parent = workspace
    for _ = 1, 40 do
      local folder = Instance.new("Folder")
      folder.Parent = parent
      parent = folder
    end`);
  const deep = await askAsync(peer, "queryDataModel", { path: "game.Workspace", depth: 100 });
  expect(deep.payload).toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  const whole = await askAsync(peer, "queryDataModel", { path: "game.Workspace", depth: 28 });
  expect(whole.type).toBe("dataModelResult");
});

test("queryLogs filters, then counts, oldest first", async () => {
  using peer = await BridgePeer.connectAsync();
  await peer.executeAsync("print('a') warn('b') print('[StudioBridge] c') print('d') warn('e')");
  const entry = (level: string, body: string, seq: number): object => ({
    level,
    body,
    seq,
    timestamp: expect.any(Number),
    time: expect.any(Number),
    isOutput: true,
  });
  const tail = await askAsync(peer, "queryLogs", { count: 2 });
  expect(tail).toMatchObject({ type: "logsResult" });
  expect(tail.payload).toEqual({
    entries: [entry("Print", "d", 4), entry("Warning", "e", 5)],
    total: 5,
    bufferCapacity: 1000,
    lastSeq: 5,
  });
  const head = await askAsync(peer, "queryLogs", { count: 1, direction: "head", levels: ["Warning"] });
  expect(head.payload).toMatchObject({ entries: [{ body: "b" }], total: 5 });
  const internal = await askAsync(peer, "queryLogs", { includeInternal: true, count: 3 });
  expect(internal.payload).toMatchObject({ entries: [{ body: "[StudioBridge] c" }, {}, {}] });
});

test("the stack of an error has the level of its error, and that of nothing else", async () => {
  using peer = await BridgePeer.connectAsync();
  await peer.executeAsync("task.delay(0, function() error('boom') end) task.wait(0.05) print('later')");
  const bodiesAsync = async (level: "Error" | "Info") => {
    const { payload } = await askAsync(peer, "queryLogs", { levels: [level] });
    return Object(payload).entries.map(({ body }: { readonly body: string }) => body);
  };
  const stack = ["Stack Begin", "Script 'Script', Line 1", "Stack End"];
  expect(await bodiesAsync("Error")).toEqual(["Script:1: boom", ...stack]);
  expect(await bodiesAsync("Info")).toEqual([]);
});

test("queryLogs keeps the last thousand lines", async () => {
  using peer = await BridgePeer.connectAsync();
  await peer.executeAsync("for index = 1, 1500 do print(index) end");
  const { payload } = await askAsync(peer, "queryLogs", { count: 1, direction: "head" });
  expect(payload).toMatchObject({ entries: [{ body: "501" }], total: 1000 });
});

test("a subscription pushes every line once until it ends", async () => {
  using peer = await BridgePeer.connectAsync();
  const subscribed = await askAsync(peer, "subscribe", { events: ["logPush"] });
  expect(subscribed).toMatchObject({ type: "subscribeResult", payload: { events: ["logPush"] } });
  peer.studio.runSource("=Other", "print('one') warn('two')");
  const push = await peer.nextAsync("logPush");
  expect(push.payload).toMatchObject({
    entries: [
      { level: "Print", body: "one" },
      { level: "Warning", body: "two" },
    ],
  });
  await askAsync(peer, "unsubscribe", { events: ["logPush"] });
  peer.studio.runSource("=Other", "print('three')");
  await askAsync(peer, "queryState", {});
  expect(peer.inbox).toEqual([]);
});

test("a subscription refuses events that do not exist", async () => {
  using peer = await BridgePeer.connectAsync();
  const { payload } = await askAsync(peer, "subscribe", { events: ["nothing"] });
  expect(payload).toMatchObject({
    code: "INVALID_PAYLOAD",
    message: "subscribe: payload.events: expected one of stateChange, logPush, otherLogPush, treeChange",
  });
});
