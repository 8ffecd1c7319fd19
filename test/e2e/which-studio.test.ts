/** Which of several Studios is meant: by the name of its place, or chosen at the terminal. */
import { beforeAll, expect, test } from "bun:test";
import { sandbox } from "../sandbox.ts";
import { Keyboard, keys } from "../peers/keyboard.ts";

const box = sandbox({ headless: "Lobby" });
beforeAll(async () => {
  await box.headlessAsync("Arena.rbxl");
}, 120_000);

const WHERE = 'print("in " .. game.Name)';

test("--session takes the name of a place, in any letter case and without the ending of its file", async () => {
  expect((await box.sbAsync(["exec", "-s", "lobby", WHERE])).stdout).toBe("in Lobby\n");
  expect((await box.sbAsync(["exec", WHERE, "arena"])).stdout).toBe("in Arena.rbxl\n");
  expect((await box.sbAsync(["exec", WHERE], { env: { SB_SESSION: "Arena.rbxl" } })).stdout).toBe(
    "in Arena.rbxl\n",
  );
});

test("sb diff takes --session too, for sides that do not name a Studio", async () => {
  await box.sbAsync(["new", "Folder", "Workspace", "Name=Stage", "-s", "arena"]);
  const unclear = await box.sbAsync(["diff", "edit", "edit"]);
  expect(unclear.stderr).toContain("Multiple Studio instances connected.");
  const other = await box.sbAsync(["diff", "lobby", "edit", "-s", "arena"]);
  expect(other).toMatchObject({ stdout: "+ Workspace.Stage Folder\n", exitCode: 1 });
  const terminal = await box.sbAsync(["terminal", "-s", "arena"], { stdin: ".diff lobby edit\n" });
  expect(terminal.stdout).toBe("+ Workspace.Stage Folder\n");
  await box.sbAsync(["new", "Part", "Workspace.Stage", "-s", "arena"]);
  await box.sbAsync(["export", "Workspace.Stage", "-o", "stage.rbxm", "-s", "arena"]);
  const files = await box.sbAsync(["diff", "stage.rbxm", "stage.rbxm"], { env: { SB_SESSION: "arena" } });
  expect(files).toMatchObject({ stdout: "", exitCode: 0 });
});

test("a name that is nearly one is answered with it", async () => {
  const { stderr, exitCode } = await box.sbAsync(["exec", "-s", "Loby", WHERE]);
  expect(stderr).toContain("hint: Did you mean Lobby? Connected: ");
  expect(exitCode).toBe(1);
});

test("a person at a terminal chooses; Escape ends the command", async () => {
  {
    await using person = await Keyboard.openAsync(["exec", WHERE], box, 80, "Which Studio?");
    expect(person.sent).toContain("Lobby");
    person.press(keys.down);
    person.press(keys.enter);
    await person.seesAsync("in Arena.rbxl");
  }
  await using person = await Keyboard.openAsync(["exec", WHERE], box, 60, "Which Studio?");
  person.press("\x1b");
  await person.seesAsync("error: Cancelled");
});

test("a pipe and --json are told the choices instead", async () => {
  const piped = await box.sbAsync(["exec", WHERE]);
  expect(piped.stderr).toStartWith("error: Multiple Studio instances connected.");
  expect(piped.exitCode).toBe(1);
  await using person = await Keyboard.openAsync(["exec", "--json", WHERE], box, 80, "AMBIGUOUS_SESSION");
  expect(person.sent).not.toContain("Which Studio?");
});
