/** Attacks on what the person at Studio allows, by a client that speaks only the wire, through the compiled host. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { createProver, loadKeyAsync } from "../../src/auth/index.ts";
import { CLIENT_PATH } from "../../src/protocol/limits.ts";
import { encode } from "../../src/protocol/codec.ts";
import { stateFile } from "../../src/util/state-folder.ts";
import { Sandbox } from "../harness.ts";
import { PersonAtStudio } from "../peers/person-at-studio.ts";
import { ScriptedPlugin } from "../peers/scripted-plugin.ts";

let box: Sandbox;
beforeEach(async () => {
  box = await Sandbox.createAsync();
});
afterEach(() => box[Symbol.asyncDispose]());

/** A client with the key that says what it likes. */
async function clientAsync(): Promise<ScriptedPlugin> {
  using _inside = box.enter();
  const client = new ScriptedPlugin(box.port, CLIENT_PATH);
  await client.proveAsync(box.port, createProver(await loadKeyAsync()), "client");
  return client;
}

const part = { op: "create", className: "Part", parent: "game.Workspace", name: "Smuggled" };

class Attacker implements Disposable {
  readonly #client: ScriptedPlugin;
  readonly sessionId: string;

  constructor(client: ScriptedPlugin, sessionId: string) {
    this.#client = client;
    this.sessionId = sessionId;
  }

  static async openAsync(): Promise<Attacker> {
    const [session] = await box.sessionsAsync();
    return new Attacker(await clientAsync(), session?.sessionId ?? "");
  }

  say(type: string, payload: object, requestId?: string): void {
    const head = requestId === undefined ? {} : { requestId };
    this.#client.sendRaw(encode({ type, sessionId: this.sessionId, ...head, payload }));
  }

  ask(type: string, payload: object, more: object = {}): string {
    const requestId = crypto.randomUUID();
    const action = { type, payload };
    this.say("host-envelope", { requestId, targetSessionId: this.sessionId, action, ...more }, requestId);
    return requestId;
  }

  /** The code of the error, or the type of the reply. */
  async endOfAsync(requestId: string): Promise<string> {
    for (;;) {
      const { payload } = await this.#client.nextAsync("host-response");
      const { requestId: id, result } = Object(payload);
      if (id !== requestId || ["held", "running", "output"].includes(result.type)) continue;
      return result.type === "error" ? String(result.payload.code) : String(result.type);
    }
  }

  [Symbol.dispose](): void {
    this.#client[Symbol.dispose]();
  }
}

const smuggledAsync = (person: PersonAtStudio): Promise<string> =>
  person.hand.readAsync(`return workspace:FindFirstChild("Smuggled")`);

test("no message and no word of a client makes the level wider", async () => {
  using person = await PersonAtStudio.openAsync(box);
  await person.hand.pressAsync("Permission.Levels", "Look only");
  using attacker = await Attacker.openAsync();
  for (const isDefault of [false, true]) {
    attacker.say("permissionChosen", { permission: "everything", isDefault });
    attacker.say("permissionChosen", { permission: "everything", isDefault }, "r");
  }
  attacker.say("heartbeat", { uptimeMs: 1, state: "Edit", pendingRequests: 0, permission: "everything" });
  attacker.say("registered", { sessionId: attacker.sessionId, capabilities: [], permission: "everything" });
  const lies = [
    {},
    { caller: { id: "person", name: "The person at Studio" }, summary: "only looks" },
    { permission: "everything", class: "look" },
  ];
  for (const lie of lies) {
    const id = attacker.ask("applyPatch", { operations: [part], name: "x", class: "look" }, lie);
    expect(await attacker.endOfAsync(id)).toBe("DENIED");
  }
  for (const type of ["permissionChosen", "registered", "setLevel"]) {
    const end = await attacker.endOfAsync(attacker.ask(type, { permission: "everything" }));
    expect(["UNKNOWN_REQUEST", "INVALID_PAYLOAD", "CAPABILITY_NOT_SUPPORTED"]).toContain(end);
  }
  expect(await smuggledAsync(person)).toBe("nil");
  expect((await box.sbAsync(["sessions"])).stdout).toContain("Edit (look only)");
  using _inside = box.enter();
  const { levels } = await Bun.file(stateFile("permissions.json")).json();
  expect(Object.values(levels)).toEqual(["look"]);
}, 120_000);

test("what a client says of itself is shown as its words, and the question is of what it sends", async () => {
  using person = await PersonAtStudio.openAsync(box);
  await person.hand.pressAsync("Permission.Levels", "Ask");
  using attacker = await Attacker.openAsync();
  const name = `\u202e${"Roblox Studio itself ".repeat(5)}\n\u0007`;
  const more = { caller: { id: "x", name }, summary: "queryState: only looks" };
  const first = attacker.ask("applyPatch", { operations: [part], name: "only looks" }, more);
  await person.hand.untilTextAsync("Question.Title", /./);
  const who = await person.hand.textAsync("Question.Who");
  expect(who).toMatch(
    /^Says it is \\u\{202e\}Roblox Studio itself [^\n]{40,80}…: change this place by 1 operation\./i,
  );
  expect(await person.hand.readAsync("return widget.Panel.Question.Window.Texts.Text.Text")).toContain(
    "Create game.Workspace.Smuggled = Part",
  );
  // Another client's question does not take the place of this one, and the one who leaves takes its own along.
  using other = await Attacker.openAsync();
  const second = other.ask(
    "execute",
    { script: "workspace.Name = 'Taken'" },
    { caller: { id: "y", name: "y" } },
  );
  await person.hand.untilTextAsync("Question.More", /^1 other request waits/);
  expect(await person.hand.textAsync("Question.Who")).toContain("change this place");
  attacker[Symbol.dispose]();
  await person.hand.untilTextAsync("Question.Title", /^A script waits/);
  await person.hand.answerAsync("No");
  expect(await other.endOfAsync(second)).toBe("DENIED");
  expect([first === second, await smuggledAsync(person)]).toEqual([false, "nil"]);
  expect(await person.hand.readAsync("return workspace.Name")).toBe("Workspace");
}, 120_000);
