/** What a server offers, independent of how it travels. Every part may be loaded when a client first asks for it. */
import type { JsonObject } from "../wire/json.ts";
import type { ClientIdentity } from "./client-identity.ts";
import type {
  CallToolResult,
  Content,
  ElicitationAction,
  ElicitationForm,
  Implementation,
  ObjectSchema,
  ProgressParams,
  Resource,
  ResourceTemplate,
  TextResourceContents,
  ToolAnnotations,
} from "../wire/mcp-types.ts";

export interface Features {
  readonly info: Implementation;
  /** One paragraph for the model, sent with the handshake. */
  readonly instructions?: string;
  toolsAsync(): Promise<readonly Tool[]>;
  /** Why the tool of this name is not among them, where the server has it and withholds it. */
  whyWithheld?(name: string): string | undefined;
  /** Absent where the tools never change. Call the result to stop listening. */
  readonly onToolsChanged?: (listener: () => void) => () => void;
  readonly resources?: Resources;
  readonly prompts?: Prompts;
  /** Candidates that begin with what was typed. */
  readonly completeAsync?: (question: CompletionQuestion) => Promise<readonly string[]>;
}

export interface Tool {
  readonly name: string;
  /** Absent where the list has no room for it. */
  readonly title?: string;
  readonly description: string;
  /** JSON Schema, as advertised. */
  readonly inputSchema: ObjectSchema;
  readonly outputSchema?: ObjectSchema;
  readonly annotations?: ToolAnnotations;
  /** A call may go on for minutes, and become a task where the client knows tasks. */
  readonly takesLong?: boolean;
  /** Throws InvalidArguments for arguments that do not fit `inputSchema`. */
  callAsync(args: JsonObject, call: ToolCall): Promise<ToolResult>;
  /** What is wrong with structured content; absent where the tool checks its own. */
  outputProblem?(structuredContent: JsonObject): string | undefined;
}

export interface ToolCall {
  readonly client: ClientIdentity;
  readonly signal: AbortSignal;
  /** Progress must rise; silent where the client did not ask for any. */
  report(step: ProgressStep): void;
  /** Absent where the client cannot put a question to its user. */
  readonly asker?: Asker;
  /** The folders that the client has opened for its user (MCP's roots); absent where the client does not tell them. */
  readonly rootsAsync?: () => Promise<readonly string[]>;
}

/** Asks the person at the client. */
export interface Asker {
  /** The answer that came with a repeated call; undefined on the first call. */
  answered(key: string): Elicited | undefined;
  /** May end this call with an exception; the client then repeats the call with the answer. */
  askAsync(question: Question): Promise<Elicited>;
}

export interface Question {
  /** Names the question within its call. */
  readonly key: string;
  readonly message: string;
  readonly form: ElicitationForm;
}

export interface Elicited {
  readonly action: ElicitationAction;
  /** Empty unless the action is accept. */
  readonly content: JsonObject;
}

export interface ProgressStep extends Pick<ProgressParams, "progress" | "total"> {
  readonly message: string;
}

export interface ToolResult extends Pick<CallToolResult, "structuredContent" | "isError"> {
  readonly content: readonly Content[];
}

export interface ArgumentIssue {
  /** Empty where the fault concerns more than one argument. */
  readonly key: string;
  readonly message: string;
}

export class InvalidArguments extends Error {
  readonly issues: readonly ArgumentIssue[];
  /** The answer of dialects that have `isError`, where an agent can act on it; 1.0 answers with an error. */
  readonly result: ToolResult | undefined;

  constructor(issues: readonly ArgumentIssue[], result?: ToolResult) {
    super(issues.map(({ key, message }) => (key === "" ? message : `${key}: ${message}`)).join("; "));
    this.name = "InvalidArguments";
    this.issues = issues;
    this.result = result;
  }
}

export interface Resources {
  listAsync(): Promise<readonly Resource[]>;
  readonly templates: readonly ResourceTemplate[];
  /** Undefined where there is no such resource. */
  readAsync(uri: string, signal: AbortSignal): Promise<TextResourceContents | undefined>;
  /** Undefined where there is no such resource; absent where nothing here ever changes. */
  watchAsync?(uri: string, onUpdate: () => void): Promise<AsyncDisposable | undefined>;
  /** Absent where the list never changes. Call the result to stop listening. */
  onListChanged?(listener: () => void): () => void;
}

export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** The text of the prompt, in the role of the user. */
  text(args: { readonly [name: string]: string }): string;
}

interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

export interface Prompts {
  listAsync(): Promise<readonly Prompt[]>;
}

export interface CompletionQuestion {
  /** A prompt's name or a resource template. */
  readonly about: { readonly prompt: string } | { readonly uriTemplate: string };
  readonly argument: string;
  readonly typed: string;
  /** Arguments that are known already. */
  readonly known: { readonly [name: string]: string };
}
