/**
 * One example of every message and of every value type, more where an edge matters. They become the golden files
 * under test/golden/wire and the samples in docs/protocol.md; a row without an example fails the generator.
 */
import type { SerializedValue, ValueType } from "./values.ts";

const hex = (byte: string, count: number) => byte.repeat(count);
const SESSION = "a1b2c3d4-e5f6-4890-abcd-ef1234567890";
const REQUEST = "0f1e2d3c4b5a69788796a5b4c3d2e1f0";

interface MessageExample {
  readonly type: string;
  /** Distinguishes several examples of one type; part of the golden file's name. */
  readonly variant?: string;
  readonly sessionId?: string;
  readonly requestId?: string;
  readonly protocolVersion?: number;
  readonly payload: unknown;
}

const tangents = { interpolation: "Cubic", leftTangent: -1, rightTangent: 0.5 };
const filter = {
  filterType: "Exclude",
  filterDescendantsInstances: ["game.Workspace.Baseplate"],
  collisionGroup: "Default",
  respectCanCollide: false,
  bruteForceAllSlow: false,
};
const identity = [1, 2, 3, 1, 0, 0, 0, 1, 0, 0, 0, 1];

/** Every tag once; the generator checks that none is missing. */
export const valueExamples: { readonly [Type in ValueType]: SerializedValue } = {
  nil: { type: "nil" },
  number: { type: "number", value: "-inf" },
  bytes: { type: "bytes", base64: "/wD+" },
  buffer: { type: "buffer", base64: "AAECAw==" },
  table: {
    type: "table",
    entries: [
      [1, "one"],
      ["type", "a key named type"],
      [{ type: "Vector2", value: [0, 1] }, true],
    ],
  },
  ref: { type: "ref", id: 0 },
  Vector2: { type: "Vector2", value: [1, 2] },
  Vector3: { type: "Vector3", value: [1, -2.5, "nan"] },
  Vector2int16: { type: "Vector2int16", value: [1, -2] },
  Vector3int16: { type: "Vector3int16", value: [1, 2, 3] },
  CFrame: { type: "CFrame", value: identity },
  Color3: { type: "Color3", value: [0.5, 0.25, 1] },
  BrickColor: { type: "BrickColor", name: "Bright red", value: 21 },
  UDim: { type: "UDim", value: [0.5, 100] },
  UDim2: { type: "UDim2", value: [0.5, 100, 0.5, 200] },
  Rect: { type: "Rect", value: [0, 0, 10, 20] },
  NumberRange: { type: "NumberRange", value: [1, "inf"] },
  NumberSequenceKeypoint: { type: "NumberSequenceKeypoint", value: [0, 1, 0] },
  NumberSequence: { type: "NumberSequence", value: [0, 1, 0, 1, 0, 0.25] },
  ColorSequenceKeypoint: { type: "ColorSequenceKeypoint", value: [0, 1, 0, 0] },
  ColorSequence: { type: "ColorSequence", value: [0, 1, 0, 0, 1, 0, 0, 1] },
  PhysicalProperties: { type: "PhysicalProperties", value: [0.7, 0.3, 0.5, 1, 1] },
  Faces: { type: "Faces", value: ["Top", "Left"] },
  Axes: { type: "Axes", value: ["X", "Z"] },
  Ray: { type: "Ray", value: [0, 10, 0, 0, -1, 0] },
  Region3: { type: "Region3", value: [0, 0, 0, 4, 4, 4] },
  Region3int16: { type: "Region3int16", value: [0, 0, 0, 4, 4, 4] },
  Font: {
    type: "Font",
    family: "rbxasset://fonts/families/SourceSansPro.json",
    weight: "Bold",
    style: "Normal",
  },
  Content: { type: "Content", sourceType: "Uri", uri: "rbxassetid://1" },
  DateTime: { type: "DateTime", value: 1_767_225_600_000 },
  TweenInfo: {
    type: "TweenInfo",
    time: 1,
    easingStyle: "Quad",
    easingDirection: "Out",
    repeatCount: 0,
    reverses: false,
    delayTime: 0,
  },
  PathWaypoint: { type: "PathWaypoint", position: [1, 2, 3], action: "Walk", label: "" },
  Path2DControlPoint: { type: "Path2DControlPoint", value: [0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0] },
  FloatCurveKey: { type: "FloatCurveKey", time: 0, value: 1, ...tangents },
  RotationCurveKey: { type: "RotationCurveKey", time: 0, value: identity, ...tangents },
  ValueCurveKey: { type: "ValueCurveKey", time: 0, value: true, ...tangents },
  DockWidgetPluginGuiInfo: {
    type: "DockWidgetPluginGuiInfo",
    initialEnabled: false,
    initialEnabledShouldOverrideRestore: false,
    floatingXSize: 320,
    floatingYSize: 240,
    minWidth: 240,
    minHeight: 160,
  },
  RaycastParams: {
    type: "RaycastParams",
    ...filter,
    includeInstances: ["game.Workspace.Baseplate"],
    excludeInstances: [],
    ignoreWater: true,
  },
  OverlapParams: { type: "OverlapParams", ...filter, maxParts: 0, tolerance: 0 },
  RaycastResult: {
    type: "RaycastResult",
    instance: "game.Workspace.Baseplate",
    position: [0, 0, 0],
    normal: [0, 1, 0],
    material: "Plastic",
    distance: 10,
  },
  User: { type: "User", id: "1", domainType: "Roblox" },
  EnumItem: { type: "EnumItem", enum: "Material", name: "Plastic", value: 256 },
  Enum: { type: "Enum", name: "Material" },
  Instance: {
    type: "Instance",
    className: "Part",
    name: "Part1",
    path: "game.Workspace.Part1",
    id: "0_1234",
  },
  function: { type: "function", name: "greet" },
  Unsupported: { type: "Unsupported", typeName: "thread", toString: "thread: 0x00000001" },
};

const session = {
  sessionId: SESSION,
  instanceId: "inst-001",
  context: "edit",
  placeName: "TestPlace.rbxl",
  placeId: 1_234_567_890,
  gameId: 9_876_543_210,
  state: "Edit",
  origin: "user",
  health: "ok",
  capabilities: ["queryState", "execute"],
  pluginVersion: "0.1.0",
  connectedAt: "2026-01-01T00:00:00.000Z",
  uptimeMs: 150_000,
};

const spawnLocation = {
  name: "SpawnLocation",
  className: "SpawnLocation",
  path: "game.Workspace.SpawnLocation",
  properties: { Position: { type: "Vector3", value: [0, 4, 0] }, Anchored: true },
  attributes: { Team: "Red" },
  childCount: 0,
};

const request = { sessionId: SESSION, requestId: REQUEST };

export const messageExamples: readonly MessageExample[] = [
  {
    type: "hello",
    protocolVersion: 2,
    payload: {
      role: "plugin",
      pluginVersion: "0.1.0",
      buildId: "0123456789ab",
      nonceA: hex("0a", 32),
      keyId: hex("1b", 8),
    },
  },
  { type: "hello", variant: "v1", payload: { role: "plugin", sessionId: "legacy-session" } },
  { type: "challenge", payload: { nonceB: hex("0b", 32), hostId: "host-1", proof: hex("2c", 32) } },
  { type: "auth", payload: { proof: hex("3d", 32) } },
  { type: "welcome", protocolVersion: 2, payload: { serverVersion: "0.1.0", protocolVersion: 2 } },
  {
    type: "welcome",
    variant: "client",
    protocolVersion: 2,
    payload: { serverVersion: "0.1.0", protocolVersion: 2, sessions: [session] },
  },
  {
    type: "register",
    requestId: REQUEST,
    payload: {
      pluginVersion: "0.1.0",
      buildId: "0123456789ab",
      instanceId: "inst-001",
      context: "client",
      player: { name: "Player1", index: 1 },
      launchId: "headless-1",
      previousSessionId: SESSION,
      placeName: "Café ☕.rbxl",
      placeId: 0,
      gameId: 0,
      state: "Play",
      capabilities: ["queryState", "execute"],
      studioVersion: "0.735.0.7351131",
    },
  },
  {
    type: "registered",
    sessionId: SESSION,
    requestId: REQUEST,
    payload: { sessionId: SESSION, capabilities: ["queryState", "execute"], pluginUpdateAvailable: false },
  },
  { type: "unregister", sessionId: SESSION, payload: { reason: "play session ended" } },
  {
    type: "heartbeat",
    sessionId: SESSION,
    payload: { uptimeMs: 15_000, state: "Edit", pendingRequests: 0 },
  },
  { type: "ping", payload: {} },
  { type: "pong", payload: {} },
  { type: "queryState", ...request, payload: {} },
  {
    type: "stateResult",
    ...request,
    payload: { state: "Edit", placeName: "TestPlace", placeId: 1_234_567_890, gameId: 9_007_199_254_740_991 },
  },
  {
    type: "queryLogs",
    ...request,
    payload: { count: 50, direction: "tail", levels: ["Print", "Warning", "Error"], includeInternal: false },
  },
  {
    type: "logsResult",
    ...request,
    payload: {
      entries: [
        { level: "Print", body: "Hello from script", timestamp: 12_340, time: 1_767_225_600_000 },
        { level: "Print", body: "Round 1", timestamp: 12_342, context: "server", isOutput: true },
        { level: "Warning", body: 'quote " backslash \\ tab \t newline \n', timestamp: 12_345.5 },
      ],
      total: 847,
      bufferCapacity: 1_000,
    },
  },
  {
    type: "logsResult",
    variant: "empty",
    ...request,
    payload: { entries: [], total: 0, bufferCapacity: 1_000 },
  },
  {
    type: "queryDataModel",
    ...request,
    payload: {
      path: "game.Workspace.SpawnLocation",
      depth: 0,
      properties: ["Position", "Anchored"],
      allProperties: false,
      includeAttributes: true,
      listServices: false,
    },
  },
  {
    type: "dataModelResult",
    ...request,
    payload: {
      instance: { ...spawnLocation, childCount: 1, children: [{ ...spawnLocation, attributes: {} }] },
    },
  },
  { type: "checkSources", ...request, payload: { sources: ["return 1", "return = 1"] } },
  {
    type: "sourcesChecked",
    ...request,
    payload: {
      isChecked: true,
      faults: [{ index: 1, line: 1, message: "Expected identifier when parsing expression, got '='" }],
    },
  },
  { type: "readScript", ...request, payload: { path: "game.ServerScriptService.Items", saved: false } },
  {
    type: "scriptResult",
    ...request,
    payload: {
      path: "game.ServerScriptService.Items",
      id: "@1",
      className: "ModuleScript",
      isDraft: true,
      hasUnsavedDraft: true,
      source: "return {}\n",
    },
  },
  {
    type: "readScripts",
    ...request,
    payload: {
      path: "game.ServerScriptService",
      className: "ModuleScript",
      saved: false,
      generation: "1b4e28ba-2fa1-11d2-883f-0016d3cca427",
      revisions: [3, 4],
    },
  },
  {
    type: "scriptsResult",
    ...request,
    payload: {
      generation: "1b4e28ba-2fa1-11d2-883f-0016d3cca427",
      paths: ["game.ServerScriptService.Items", "game.ServerScriptService.Items.Sword"],
      revisions: [4, 3],
      newRevisions: [4],
      newSizes: [10],
      newTexts: "return {}\n",
    },
  },
  {
    type: "readTree",
    ...request,
    payload: {
      roots: ["game.Workspace"],
      cursor: "6fa459ea-ee8a-3ca4-894e-db77e160355e/2000",
      budget: 65_536,
      sliceMs: 6,
      hashes: true,
      watch: true,
      since: "16fd2706-8baf-433b-82eb-8c7fada847da/12",
    },
  },
  {
    type: "treeResult",
    ...request,
    payload: {
      generation: "1b4e28ba-2fa1-11d2-883f-0016d3cca427",
      rootPaths: ["game.Workspace"],
      isPartial: false,
      total: 3,
      mark: "16fd2706-8baf-433b-82eb-8c7fada847da/15",
      ids: "1,2,5",
      parents: "0,1,1",
      names: "Workspace\nDoor\nOpen",
      classes: "0,1,2",
      classNames: ["Workspace", "Model", "Script"],
      hashes: "0c9b3f1a22d4e5f6,,",
      scripts: [2],
      sourceHashes: ["0c0cb0a5c4f5ca5f6d8d1ad1b2b7a0c2e3a4b5c6"],
      drafts: [],
      referrers: [1],
      referenceNames: ["PrimaryPart"],
      referenceTargets: [9],
      removed: [4],
    },
  },
  {
    type: "readItems",
    ...request,
    payload: {
      ids: [2, 5],
      aspects: ["properties", "attributes", "tags", "source"],
      saved: false,
      sliceMs: 6,
    },
  },
  {
    type: "itemsResult",
    ...request,
    payload: {
      items: [
        {
          id: 2,
          className: "Part",
          properties: { Anchored: true },
          attributes: { Zone: "Lobby" },
          tags: ["Door"],
        },
        {
          id: 5,
          className: "Script",
          properties: {},
          attributes: {},
          tags: [],
          source: "print(1)\n",
          isDraft: true,
          hasUnsavedDraft: false,
        },
      ],
    },
  },
  {
    type: "findInstances",
    ...request,
    payload: {
      selector: "Part.Enemy[$Health = 10]",
      path: "game.Workspace",
      limit: 100,
      properties: ["Anchored"],
      includeAttributes: true,
    },
  },
  {
    type: "instancesResult",
    ...request,
    payload: {
      instances: [
        {
          path: "game.Workspace.Enemy",
          id: "@3",
          name: "Enemy",
          className: "Part",
          properties: { Anchored: true },
          attributes: { Health: 10 },
        },
      ],
      total: 1,
      missing: [],
    },
  },
  { type: "select", ...request, payload: { paths: ["game.Workspace.Baseplate"], focus: true } },
  {
    type: "selectResult",
    ...request,
    payload: { selection: [{ path: "game.Workspace.Baseplate", id: "@4" }] },
  },
  {
    type: "wait",
    ...request,
    payload: {
      condition: "property",
      path: "game.Workspace.Door",
      property: "Transparency",
      value: 1,
      timeoutMs: 30_000,
      holdsTest: false,
    },
  },
  {
    type: "wait",
    variant: "until",
    ...request,
    payload: {
      condition: "until",
      source: "workspace:GetAttribute('Ready')",
      timeoutMs: 5_000,
      holdsTest: false,
    },
  },
  {
    type: "waitResult",
    ...request,
    payload: { met: true, waitedMs: 120.5, evidence: { value: true } },
  },
  { type: "captureScreenshot", ...request, payload: {} },
  {
    type: "screenshotResult",
    ...request,
    payload: { format: "rgba", width: 2, height: 1, data: "/wAA/wAA//8=" },
  },
  { type: "complete", ...request, payload: { text: "print(workspace.Base" } },
  { type: "completeResult", ...request, payload: { fragment: "Base", candidates: ["Baseplate"] } },
  {
    type: "execute",
    variant: "interactive",
    ...request,
    payload: {
      script: "1 + 1",
      args: [],
      variables: [],
      chunkName: "Script",
      timeoutMs: 120_000,
      interactive: true,
      keepsGlobals: false,
      fresh: true,
      emits: false,
    },
  },
  {
    type: "execute",
    ...request,
    payload: {
      script: 'print("hi", ...)\nreturn 1',
      args: ["--fast", ""],
      variables: ["TOKEN=a=b"],
      input: "id,name\n1,zażółć\n",
      chunkName: "hello.luau",
      timeoutMs: 120_000,
      interactive: false,
      keepsGlobals: true,
      fresh: false,
      emits: true,
    },
  },
  { type: "inputWanted", ...request, payload: { seq: 1 } },
  {
    type: "provideInput",
    ...request,
    payload: { scriptId: REQUEST, seq: 1, text: "zażółć\n", isLast: true },
  },
  {
    type: "provideInput",
    variant: "fault",
    ...request,
    payload: { scriptId: REQUEST, seq: 0, text: "", isLast: false, fault: "There is no stdin." },
  },
  { type: "provideInputResult", ...request, payload: {} },
  {
    type: "output",
    ...request,
    payload: {
      messages: [
        { level: "Print", body: "zażółć 🎮", timestamp: 12 },
        { level: "Warning", body: "" },
      ],
      seq: 0,
    },
  },
  {
    type: "scriptComplete",
    ...request,
    payload: {
      success: true,
      returnValues: [null, true, 1e-7, 9_007_199_254_740_992, "", [], { a: { b: [1] } }],
      durationMs: 1.25,
      outputCount: 2,
    },
  },
  {
    type: "scriptComplete",
    variant: "failed",
    ...request,
    payload: {
      success: false,
      error: "hello.luau:2: oops",
      errorInfo: { code: "SCRIPT_RUNTIME_ERROR", line: 2, traceback: "hello.luau:2" },
      returnValues: [],
      durationMs: 0,
      outputCount: 0,
    },
  },
  {
    type: "scriptComplete",
    variant: "expression",
    ...request,
    payload: {
      success: false,
      error: "Script:1: Expected identifier when parsing expression, got '1'",
      errorInfo: { code: "SCRIPT_LOAD_ERROR", line: 1, isExpression: true },
      returnValues: [],
      durationMs: 0,
      outputCount: 0,
    },
  },
  {
    type: "scriptComplete",
    variant: "raised-table",
    ...request,
    payload: {
      success: false,
      error: "table: 0x00000000deadbeef",
      errorInfo: { code: "SCRIPT_RUNTIME_ERROR", traceback: "hello.luau:2", value: { code: 1 } },
      returnValues: [],
      durationMs: 0,
      outputCount: 0,
    },
  },
  {
    type: "applyPatch",
    ...request,
    payload: {
      operations: [
        {
          op: "create",
          className: "Part",
          parent: "Workspace",
          name: "Floor",
          as: "floor",
          properties: { Size: [100, 1, 100], Material: "Slate", Anchored: true },
          attributes: { Zone: "Lobby" },
          tags: ["Ground"],
        },
        {
          op: "set",
          path: "$floor",
          properties: { Color: "#808080" },
          attributes: { Zone: { type: "nil" } },
        },
        { op: "delete", path: "@17", expect: { className: "Part", properties: { Anchored: true } } },
        { op: "tag", path: "Workspace.Door", add: ["Locked"], remove: ["Open"] },
      ],
      name: "sb: edit 3 instances",
      caller: { id: "c0ffee", name: "claude" },
      dryRun: false,
    },
  },
  {
    type: "patchResult",
    ...request,
    payload: {
      ok: false,
      items: [
        { index: 0, ok: true, path: "game.Workspace.Floor", id: "@18", className: "Part" },
        {
          index: 1,
          ok: false,
          code: "INVALID_VALUE",
          message: "Part.Color takes a Color3.",
          details: { property: "Color", className: "Part", typeName: "Color3" },
        },
      ],
      undo: { recorded: false, name: "sb: edit 2 instances", reason: "nothing was changed" },
    },
  },
  { type: "undo", ...request, payload: { steps: 2, redo: false, only: "c0ffee", force: false } },
  {
    type: "undoResult",
    ...request,
    payload: {
      undone: ["sb: edit 3 instances"],
      stoppedAt: { name: "Move", by: "a person or another plugin" },
    },
  },
  { type: "listSteps", ...request, payload: {} },
  {
    type: "stepsResult",
    ...request,
    payload: {
      steps: [{ name: "sb: edit 3 instances", by: "claude", callerId: "c0ffee", isPartial: false }],
    },
  },
  {
    type: "syncOpen",
    ...request,
    payload: { holder: { id: "laptop/4711", name: "sb sync (process 4711)" }, holdMs: 15_000 },
  },
  {
    type: "syncOpened",
    ...request,
    payload: {
      generation: "1b4e28ba-2fa1-11d2-883f-0016d3cca427",
      state: "Edit",
      placeId: 0,
      gameId: 0,
      placeName: "Place1",
      mark: "6ba7b810-9dad-41d1-80b4-00c04fd430c8",
      canMakeModels: true,
    },
  },
  { type: "watchTree", ...request, payload: { isOn: true } },
  {
    type: "treeWatched",
    ...request,
    payload: { isWatched: true, generation: "1b4e28ba-2fa1-11d2-883f-0016d3cca427" },
  },
  { type: "treeChange", sessionId: SESSION, payload: { typing: ["@12"] } },
  { type: "subscribe", ...request, payload: { events: ["stateChange", "logPush"] } },
  { type: "subscribeResult", ...request, payload: { events: ["stateChange", "logPush"] } },
  { type: "unsubscribe", ...request, payload: { events: [] } },
  { type: "unsubscribeResult", ...request, payload: { events: [] } },
  {
    type: "stateChange",
    sessionId: SESSION,
    payload: { previousState: "Edit", newState: "Play", timestamp: 60_000 },
  },
  {
    type: "logPush",
    sessionId: SESSION,
    payload: { entries: [{ level: "Error", body: "boom", timestamp: 1 }], dropped: 3, seq: 41 },
  },
  {
    type: "otherLogPush",
    sessionId: SESSION,
    payload: {
      entries: [
        {
          level: "Print",
          body: "Round 1",
          timestamp: 5,
          context: "client",
          player: { name: "Player1", index: 1 },
        },
      ],
    },
  },
  { type: "cancel", ...request, payload: {} },
  { type: "await", ...request, payload: { fromSeq: 2, ageMs: 1_500 } },
  { type: "running", ...request, payload: {} },
  {
    type: "error",
    ...request,
    payload: {
      code: "INSTANCE_NOT_FOUND",
      message: "No instance found at path: game.Workspace.Nope",
      details: { resolvedTo: "game.Workspace", failedSegment: "Nope" },
      outcome: "not_started",
    },
  },
  { type: "chunk", ...request, payload: { seq: 0, total: 2, data: '{"type":"dataModelResult","pay' } },
  { type: "shutdown", payload: { reason: "stopped" } },
  { type: "list-sessions", requestId: REQUEST, payload: {} },
  {
    type: "list-sessions-response",
    payload: {
      requestId: REQUEST,
      sessions: [session],
      unpaired: [{ at: "2026-01-01T00:00:00.000Z", pluginVersion: "0.1.0" }],
      refusals: { origin: 2 },
      allowsUnpaired: true,
    },
  },
  {
    type: "host-envelope",
    payload: {
      requestId: REQUEST,
      targetSessionId: SESSION,
      timeoutMs: 5_000,
      action: { type: "queryState", payload: {} },
    },
  },
  {
    type: "host-response",
    payload: {
      requestId: REQUEST,
      result: { type: "running", sessionId: SESSION, requestId: REQUEST, payload: {} },
    },
  },
  { type: "session-event", payload: { event: "connected", session } },
  {
    type: "session-push",
    payload: {
      sessionId: SESSION,
      frame: { type: "logPush", sessionId: SESSION, payload: { entries: [] } },
    },
  },
  { type: "push-dropped", payload: { sessionId: SESSION, dropped: 12 } },
  { type: "host-transfer", payload: { reason: "upgrade" } },
  { type: "host-retire", payload: { version: "1.3.0" } },
  { type: "host-ready", payload: { sessionIds: [SESSION] } },
];
