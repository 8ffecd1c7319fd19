/**
 * The names of the engine's calls to the host and of the host's events for the engine. The mailbox carries their
 * positions in these lists as numbers. The engine's constants are generated from the lists, so both sides use the
 * names.
 */

/** Asked by the engine: `Host.call(name, number, first, second)`. */
export const HOST_OPS = [
  /** The reply that did not fit into the mailbox. */
  "takeReply",
  /** number: 1 if lines are to be counted, first: source, second: chunk name → pushes the function or the error text. */
  "loadChunk",
  /** number: 1 for a script that was made after noteScripts; first: the full name of a script whose source is read. */
  "scriptUsed",
  /** number: message type 0 output, 1 info, 2 warning, 3 error; first: text. */
  "log",
  /** first: class name → its line of the class data, empty when unknown. */
  "classData",
  /** first: enum name → its items, empty when unknown. */
  "enumData",
  /** → all class names, one a line. */
  "classNames",
  /** → all enum names, one a line. */
  "enumNames",
  /** first: key → JSON text, empty when unset. */
  "getSetting",
  /** first: key, second: JSON text, empty to unset. */
  "setSetting",
  /** first: name of Enum.HashAlgorithm, second: bytes → the hash's bytes. */
  "digest",
  /** first: bytes → their Base64. */
  "base64",
  /** number: level, first: bytes → a Zstandard frame. */
  "zstd",
  /** first: a Zstandard frame → its bytes. */
  "unzstd",
  /** first: "NFC" or "NFD", second: text → the text in that form; fails for what is no UTF-8. */
  "normalize",
  /** first: text → the lengths in bytes of what its readers see as characters, joined by spaces; fails as above. */
  "graphemes",
  /** first: text → the text as a JSON string. */
  "quoteJson",
  /** → UUIDv4, lower case, no braces. */
  "makeGuid",
  /** → seconds since the epoch. */
  "unixTime",
  /** → the names of the variants that this Studio is, with spaces between them. */
  "variants",
  /** → the place's id at Roblox as digits. */
  "placeId",
  /** → 1 where a query that takes the box of a part for its shape is an error. */
  "isGeometryStrict",
  /** → JSON of what the file of --fixtures says, empty without one. */
  "fixtures",
  /** first: id of an asset → number: 1 and a binary model file, or 0 where --fixtures does not name it. */
  "fixtureAsset",
  /** first: key → the JSON text that setFixtureState has given it, empty when unset. All DataModels of a Studio share it. */
  "fixtureState",
  /** first: key, second: JSON text. */
  "setFixtureState",
  /**
   * number: 1 for the fonts of an installed Studio, if any are wanted, and 0 for free ones. first: name of a font's family → what
   * build/fonts.txt has or would have of it, its codes first; empty when unknown.
   */
  "fontMetrics",
  /**
   * number: 1 for a PNG, 0 for pixels of four bytes, first: `NUMBERS NAMES` (their lengths in bytes), a line break, the numbers of a
   * scene as float64 and its names, one a line; second: the world as float32 → `WIDTH HEIGHT JSON` of what is left out, a
   * line break, the picture.
   */
  "drawPicture",
  /** → 1 where characters walk, jump and fall. */
  "walks",
  /** → the screen, as screenText of window/screen.ts writes it. */
  "screen",
  /** → 1 where scripts may use data stores, 2 where they also have limited requests. */
  "dataAccess",
  /** first: store, second: key → number: 1 and the latest version as JSON, or 0 where the key has none. */
  "readData",
  /** first: store, second: key → JSON array of its versions, oldest first. */
  "readDataVersions",
  /** number: length of the store's id, first: store and key, second: the new version as JSON. */
  "writeData",
  /** As writeData, in the place of the latest version. */
  "overwriteData",
  /** number: position of the version from 0, first: store, second: key. */
  "removeDataVersion",
  /** first: store → JSON array of its keys; without a store → JSON array of the stores that have keys. */
  "listData",
  /** number: id, first: URL, second: JSON object of headers. */
  "openSocket",
  /** number: id, first: text. */
  "sendSocket",
  /** number: id. */
  "closeSocket",
  /** number: id, first: JSON { url, method, headers }, second: body. */
  "requestHttp",
  /** first: a binary model file → its Instances, as engine-bytes.ts writes them. */
  "readModel",
  /** first: Instances as engine-bytes.ts reads them → a binary model file. */
  "writeModel",
  /** first: why the place could not be opened whole. */
  "placeFailed",
  /** first: the place, as decodeSavedPlace of engine-bytes.ts reads it. Answers savePlace. */
  "placeSaved",
  /** number: 1 if the place has changed since it was opened or saved. Answers askUnsaved. */
  "unsavedTold",
  /** first: address of a table: lets Luau cache imports of functions with this environment. */
  "markSafeEnvironment",
  /** first: address of a table: makes a frozen table writable again. */
  "thawTable",
  /**
   * first: address of the function of a chunk whose lines are counted, number: 1 if its first statement is not the script's →
   * its hits, as encodeLineHits of line-hits.ts writes them.
   */
  "readLineHits",
  /** number: players, first: "play", "run" or "multiplayer", second: what the server opens. */
  "startTest",
  /** first: what the caller of the test gets. */
  "endTest",
  /** number: how many more players. */
  "addPlayers",
  /** Takes this client out of the test. */
  "leaveTest",
  /** number: the DataModel of the client that is taken out of the test. */
  "kickPlayer",
  /** number: the client's DataModel, first: what it opens. */
  "openClient",
  /** number: a DataModel, first: channel letter, second: message. */
  "sendPeer",
  /** This DataModel has done what it does before it ends. */
  "closed",
  /** number: how often, first: one of NOTE_KINDS, second: name. A limit of the engine that a command tells its caller. */
  "noted",
  /** number: exit code. */
  "exit",
  /**
   * number: seconds of the held clock until the next frame that is wanted, -1 for none, which answers tellClock; or the seconds that
   * the clock has moved, which answers moveClockFar.
   */
  "clockTold",
] as const;

/** Told by the host: `Host.on(name, function(number, text) ... end)`. */
export const HOST_EVENTS = [
  /** The first event of every process; number: seed for random numbers. */
  "start",
  /** The DataModel is again what it was earlier; number: another seed for random numbers. */
  "returned",
  /** Time has passed. */
  "tick",
  /** What runs is about to be stopped: the one event that comes while a script runs, on top of its stack. */
  "scriptStopped",
  /** number: mailbox size in bytes that the next event needs. */
  "growMailbox",
  /** text: chunk name, zero byte, source. */
  "runSource",
  /** text: a node of the plugin of this build, as nodeTexts of plugin-tree-text.ts gives it. Before a VM is saved. */
  "prepareNode",
  /** From now on, scriptUsed is called. */
  "noteScripts",
  /** text: as plugin-tree-text.ts writes it, either way. */
  "loadPlugin",
  /** text: as encodePlace of engine-bytes.ts writes it. */
  "openPlace",
  /** Answered by placeSaved. */
  "savePlace",
  /** What has changed so far counts as saved. */
  "watchPlace",
  /** Answered by unsavedTold. */
  "askUnsaved",
  "triggerAction",
  /** For the Output. number: as in "log". */
  "logMessage",
  /** number: id, text: status code. */
  "socketOpened",
  "socketMessage",
  "socketClosed",
  /** text: what went wrong. */
  "socketFailed",
  /** number: id, text: JSON { status, statusText, headers } or { error }, zero byte, body. */
  "httpReply",
  /** number: this DataModel, text: JSON of PlayStart, zero byte, what to open. */
  "openDataModel",
  /** The place and the plugin are there: the place's own scripts may run. */
  "startScripts",
  /** number: the DataModel that a new player gets, text: JSON of TestPlayer. Asked of the server. */
  "admitPlayer",
  /** number: a DataModel whose plugin this one's plugin can talk to, text: its target id. */
  "peerConnected",
  /** number: the DataModel that sends, text: channel letter, message. */
  "peerMessage",
  /** number: a DataModel that is gone. */
  "peerClosed",
  /** text: what endTest gave, empty when the test ended without. */
  "testEnded",
  /** The DataModel ends; answered by `closed`. */
  "close",
  /** The clock of the place stands still from now on. text: the source of the test harness, as it is in stacks. */
  "holdClock",
  /** Answered by clockTold. */
  "tellClock",
  /** The held clock moves. number: seconds, text: not empty where the move ends. */
  "moveClock",
  /** The held clock moves by number seconds, or by some frames. Answered by clockTold. */
  "moveClockFar",
  /** The clock of the place runs on. */
  "releaseClock",
] as const;

export type HostOp = (typeof HOST_OPS)[number];
export type HostEvent = (typeof HOST_EVENTS)[number];

/** In place of a reply's op number: the reply needs a mailbox of `number` bytes. */
export const REPLY_TOO_LARGE = 0xffff_ffff;
/** In place of a reply's op number: the operation failed, and the text says why. */
export const REPLY_FAILED = 0xffff_fffe;

export const LOG_TYPE = { output: 0, info: 1, warning: 2, error: 3 } as const;
