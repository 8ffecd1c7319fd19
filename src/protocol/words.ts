/**
 * Exact words that TypeScript and Luau both use: one side writes them, and the other side recognises them. The Luau
 * constants are generated from this table.
 */
export const words = {
  /** The first word of every line that the plugin writes to Studio's Output about itself. */
  logPrefix: "[StudioBridge]",
  /** Begins the plugin's line about why it has no host, after its prefix. */
  notConnected: "Not connected.",
  /** The first field of the statement that a proof signs. */
  proofLabel: "sb/2",
  /** The plugin setting by which headless Studio hands its launch id to the plugin. */
  launchIdSetting: "StudioBridge.LaunchId",
  /** Begins the plugin settings about what the person at Studio allows: for all places, and with an id behind it for one. */
  permissionSetting: "StudioBridgePermission",
  /** The plugin setting by which headless Studio, which has no person, says how questions are answered. */
  answersSetting: "StudioBridge.Answers",
  /** The name by which commands that are typed, each a client of its own, call themselves. */
  terminalCaller: "sb",
  /** The attribute of ServerStorage by which a sync knows an unpublished place again; no file ever has it. */
  placeMark: "StudioBridgePlace",
  /** Begins the attributes of ServerStorage that name the revisions of syncs, each for one project on one machine. */
  revisionPrefix: "StudioBridgeSync_",
  /** Why a call that changed nothing is no undo step. */
  nothingChanged: "nothing is different from before",
  /** Headless Studio raises this in a script that is cancelled. */
  scriptCancelled: "Script cancelled",
  /** Roblox raises this in a script that runs too long without a yield, and so does headless Studio. */
  scriptExhausted: "Script timeout: exhausted allowed execution time",
  /** Every refusal of headless Studio ends with this, so that it differs from a script's own mistake. */
  notSimulated: "is not available in headless Studio (needs Roblox Studio)",
  /** Stands before `notSimulated` where the flag would change it. */
  withoutData: "without --data memory",
  /** The start of the message when a picture of the viewport is missing or useless. */
  screenshotFailed: "Screenshot capture failed",
  /** Roblox refuses a second play test with this while the first one starts or runs, and so does headless Studio. */
  testRuns: "Previous call to start play session has not been completed",
} as const;
