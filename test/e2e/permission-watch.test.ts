/** A watched sync beside a person who changes what they allow, by the buttons of the panel. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { PersonAtStudio } from "../peers/person-at-studio.ts";
import { Sandbox, untilAsync } from "../harness.ts";

let box: Sandbox;
beforeEach(async () => {
  box = await Sandbox.createAsync();
  const tree = { $className: "DataModel", ReplicatedStorage: { $path: "src" } };
  await box.writeAsync("game/default.project.json", JSON.stringify({ name: "game", tree }));
  for (const name of ["A", "B", "C"]) await fileAsync(name);
}, 60_000);
afterEach(() => box[Symbol.asyncDispose]());

const fileAsync = (name: string): Promise<string> => box.writeAsync(`game/src/${name}.luau`, "return 1");

const LEVELS = "Permission.Levels";

function watch() {
  const child = box.spawn(["sync", "game", "--watch"]);
  const said = { text: "" };
  for (const stream of [child.stdout, child.stderr])
    void (async () => {
      const decoder = new TextDecoder();
      for await (const bytes of stream) said.text += decoder.decode(bytes, { stream: true });
    })();
  return {
    said,
    child,
    saysAsync: (text: string) =>
      untilAsync(`it says ${text}; said ${said.text}`, () => (said.text.includes(text) ? true : undefined)),
    endAsync: async () => {
      child.kill("SIGINT");
      return child.exited;
    },
  };
}

const countOf = (text: string, part: string): number => text.split(part).length - 1;

test("what is refused takes one line, and is synced as soon as the person allows it", async () => {
  using person = await PersonAtStudio.openAsync(box);
  await person.hand.pressAsync(LEVELS, "Look only");
  const { said, saysAsync, endAsync } = watch();
  await saysAsync("held   3 changes: The person at Studio lets sb look at this place only");
  await fileAsync("D");
  await saysAsync("held   4 changes");
  expect(said.text).not.toContain("push ");
  expect(said.text).not.toContain("parked +");
  await person.hand.pressAsync(LEVELS, "Everything");
  for (const name of ["A", "B", "C", "D"]) await saysAsync(`push   + ReplicatedStorage.${name} `);
  await endAsync();
}, 120_000);

test("a pause is said once and refuses no further tries, and Resume goes on", async () => {
  using person = await PersonAtStudio.openAsync(box);
  const { said, saysAsync, endAsync } = watch();
  await saysAsync("push   + ReplicatedStorage.C ");
  await saysAsync("synced · Studio");
  await person.hand.pressAsync("Permission", "Pause");
  await fileAsync("D");
  await saysAsync(
    "The person at Studio has paused Studio Bridge. It is tried again when they decide otherwise.",
  );
  await saysAsync("not synced");
  const refused = Number(
    await person.hand.readAsync(`local n = 0
    for _, o in widget.Panel.Activity.Requests:GetChildren() do
      if o:IsA("TextButton") and string.find(o.Head.Ending.Text, "paused") then n += 1 end
    end return n`),
  );
  await person.hand.pressAsync("Permission", "Resume");
  await saysAsync("push   + ReplicatedStorage.D ");
  expect(countOf(said.text, "has paused Studio Bridge")).toBe(1);
  expect(refused).toBeLessThan(4);
  await endAsync();
}, 120_000);

test("a watch that begins in a pause waits for its end", async () => {
  using person = await PersonAtStudio.openAsync(box);
  await person.hand.pressAsync("Permission", "Pause");
  const { said, saysAsync, endAsync } = watch();
  await saysAsync("The person at Studio has paused Studio Bridge. Waiting until they decide otherwise.");
  expect(said.text).not.toContain("Watching");
  await person.hand.pressAsync("Permission", "Resume");
  await saysAsync("push   + ReplicatedStorage.A ");
  expect(await endAsync()).toBe(130);
}, 120_000);

test("a No is survived, and the next change asks again", async () => {
  using person = await PersonAtStudio.openAsync(box);
  await person.hand.pressAsync(LEVELS, "Ask");
  const { said, saysAsync, endAsync } = watch();
  await saysAsync("Waiting for the person at Studio to allow this.");
  await person.hand.answerAsync("No");
  await saysAsync("held   3 changes: The person at Studio has said no to this.");
  await fileAsync("D");
  await untilAsync("it asks again", () =>
    countOf(said.text, "Waiting for the person at Studio to allow this.") === 2 ? true : undefined,
  );
  await person.hand.answerAsync("Once");
  for (const name of ["A", "B", "C", "D"]) await saysAsync(`push   + ReplicatedStorage.${name} `);
  await endAsync();
}, 120_000);
