/** A real browser for tests of pages, driven by Chromium's DevTools protocol: what a page shows, runs, asks for and complains of. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { PATIENCE_MS, untilAsync } from "../harness.ts";

/** Undefined where this machine has none. */
export const chromium = ["chromium", "chromium-browser", "google-chrome"].find(
  (name) => Bun.which(name) !== null,
);

const messageSchema = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});
type Message = z.output<typeof messageSchema>;

const targetSchema = z.object({ webSocketDebuggerUrl: z.string() });
const valueSchema = z.object({
  result: z.object({ value: z.unknown().optional() }),
  exceptionDetails: z.object({ text: z.string() }).optional(),
});

/** Tells the page's own complaints about what its policy forbids. */
const LISTEN = `addEventListener("securitypolicyviolation", (event) => {
  (globalThis.violations ??= []).push(event.violatedDirective + " " + event.blockedURI);
});`;

/** What happened besides showing the page: none of it should. */
const NOTED = new Set([
  "Runtime.exceptionThrown",
  "Runtime.consoleAPICalled",
  "Log.entryAdded",
  "Page.javascriptDialogOpening",
  "Network.requestWillBeSent",
]);

export class BrowserPage implements AsyncDisposable {
  /** Exceptions, lines of the console, dialogs and requests, as JSON. */
  readonly noted: string[] = [];
  readonly #child: Bun.Subprocess;
  readonly #folder: string;
  readonly #socket: WebSocket;
  readonly #answers = new Map<number, (message: Message) => void>();
  #calls = 0;

  private constructor(child: Bun.Subprocess, folder: string, socket: WebSocket) {
    this.#child = child;
    this.#folder = folder;
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) =>
      this.#take(messageSchema.parse(JSON.parse(String(data)))),
    );
  }

  /** A new browser with a profile of its own, which shows that page. */
  static async openAsync(url: string): Promise<BrowserPage> {
    const folder = await mkdtemp(join(tmpdir(), "sb-browser-"));
    const words = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"];
    const child = Bun.spawn([chromium ?? "", ...words, `--user-data-dir=${folder}`, "about:blank"], {
      env: { PATH: process.env["PATH"] ?? "", HOME: folder },
      stdio: ["ignore", "ignore", "ignore"],
    });
    const portFile = join(folder, "DevToolsActivePort");
    const port = await untilAsync(
      "the browser listens",
      async () => /^(\d+)\n/.exec(await readFile(portFile, "utf8").catch(() => ""))?.[1],
    );
    const made = await fetch(`http://127.0.0.1:${port}/json/new?about:blank`, { method: "PUT" });
    const socket = new WebSocket(targetSchema.parse(await made.json()).webSocketDebuggerUrl);
    await new Promise((resolve) => socket.addEventListener("open", resolve));
    const page = new BrowserPage(child, folder, socket);
    for (const domain of ["Page", "Runtime", "Log", "Network"]) await page.callAsync(`${domain}.enable`, {});
    await page.callAsync("Page.addScriptToEvaluateOnNewDocument", { source: LISTEN });
    await page.callAsync("Page.navigate", { url });
    await untilAsync("the page is there", async () =>
      (await page.evaluateAsync("document.readyState + location.protocol")) === "completefile:"
        ? true
        : undefined,
    );
    return page;
  }

  /** Throws what the browser answers to a call that fails. */
  async callAsync(method: string, params: object): Promise<unknown> {
    const id = ++this.#calls;
    const { promise, resolve } = Promise.withResolvers<Message>();
    this.#answers.set(id, resolve);
    this.#socket.send(JSON.stringify({ id, method, params }));
    const timer = setTimeout(() => resolve({ error: { message: "no answer" } }), PATIENCE_MS);
    const { error, result } = await promise;
    clearTimeout(timer);
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  /** The value of an expression in the page, which is JSON. */
  async evaluateAsync(expression: string): Promise<unknown> {
    const answer = valueSchema.parse(
      await this.callAsync("Runtime.evaluate", { expression, returnByValue: true }),
    );
    if (answer.exceptionDetails !== undefined) throw new Error(answer.exceptionDetails.text);
    return answer.result.value;
  }

  /** A click of the mouse on the middle of an element. */
  async clickAsync(element: string): Promise<void> {
    const point = z.object({ x: z.number(), y: z.number() }).parse(
      await this.evaluateAsync(
        `(() => { const e = ${element}; e.scrollIntoView({ block: "center" }); const box = e.getClientRects()[0];
          return { x: box.x + Math.min(box.width / 2, 20), y: box.y + box.height / 2 }; })()`,
      ),
    );
    for (const type of ["mousePressed", "mouseReleased"])
      await this.callAsync("Input.dispatchMouseEvent", { ...point, type, button: "left", clickCount: 1 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close();
    this.#child.kill();
    await this.#child.exited;
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #take(message: Message): void {
    if (message.id !== undefined) this.#answers.get(message.id)?.(message);
    else if (NOTED.has(message.method ?? "")) this.noted.push(JSON.stringify(message));
  }
}
