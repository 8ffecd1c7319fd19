/**
 * The shapes of the dated revisions, as the official SDK has them and read-only, so that the compiler notices where ours
 * drift. Types only, so that clients of the other dialects do not wait for the SDK to load.
 */
import type * as sdk from "@modelcontextprotocol/sdk/types.js";

type Frozen<T> = T extends object ? { readonly [Key in keyof T]: Frozen<T[Key]> } : T;
type ContentBlock = Frozen<sdk.ContentBlock>;

export type RequestId = sdk.RequestId;
export type ResultResponse = Frozen<sdk.JSONRPCResultResponse>;
export type ErrorResponse = Frozen<sdk.JSONRPCErrorResponse>;

/** With lists that the SDK may change, because its server takes it as it stands. */
export type Implementation = Pick<sdk.Implementation, "name" | "title" | "version" | "description" | "icons">;
export type ServerCapabilities = Frozen<sdk.ServerCapabilities>;

export type ObjectSchema = Frozen<sdk.Tool["inputSchema"]>;
export type ToolAnnotations = Frozen<sdk.ToolAnnotations>;
export type ListedTool = Frozen<sdk.Tool>;
export type ListToolsResult = Frozen<sdk.ListToolsResult>;
/** The kinds of content that tools here give. */
export type Content = Extract<ContentBlock, { readonly type: "text" | "image" | "resource_link" }>;
export type CallToolResult = Frozen<sdk.CallToolResult>;

export type Resource = Frozen<sdk.Resource>;
export type ResourceTemplate = Frozen<sdk.ResourceTemplate>;
export type TextResourceContents = Frozen<sdk.TextResourceContents>;
export type ListResourcesResult = Frozen<sdk.ListResourcesResult>;
export type ListResourceTemplatesResult = Frozen<sdk.ListResourceTemplatesResult>;
export type ReadResourceResult = Frozen<sdk.ReadResourceResult>;

export type PromptArgument = Frozen<sdk.PromptArgument>;
export type ListPromptsResult = Frozen<sdk.ListPromptsResult>;
export type GetPromptResult = Frozen<sdk.GetPromptResult>;
export type CompleteResult = Frozen<sdk.CompleteResult>;

export type ProgressParams = Frozen<sdk.ProgressNotificationParams>;
export type ServerNotification = Frozen<sdk.ServerNotification>;
export type ElicitationParams = Frozen<sdk.ElicitRequestFormParams>;
export type ElicitationForm = ElicitationParams["requestedSchema"];
export type ElicitationAction = sdk.ElicitResult["action"];
