/** A terminal stays while Studios and hosts come and go under it. */
import { expect, test } from "bun:test";
import { Sandbox, untilAsync } from "../harness.ts";
import { Keyboard, keys } from "../peers/keyboard.ts";

// Pseudo-terminals are not to be had on Windows.
const testOnTty = process.platform === "win32" ? test.skip : test;

testOnTty(
  "a Studio that is killed is told, and the next one is taken up",
  async () => {
    await using box = await Sandbox.createAsync();
    const studio = box.spawn(["headless", "--name", "Alpha"]);
    await untilAsync("Alpha is there", async () => (await box.sessionsAsync())[0]);
    await using person = await Keyboard.openAsync(["terminal"], box);
    await person.typeAsync("kept = 1 print('kept')", "\nkept\n> ");
    person.press("40 + ");
    studio.kill("SIGKILL");
    await person.seesAsync("Alpha has gone. The terminal returns to it when it comes back.\n> 40 + ");
    await person.typeAsync("2", "Alpha is not connected.");
    await box.headlessAsync("Beta");
    await person.seesAsync(
      "Connected to Beta (Edit mode)\nGlobals that earlier scripts made are not here.\n",
    );
    await person.typeAsync("game.Name", '\n"Beta"\n');
  },
  120_000,
);

testOnTty(
  "the terminal does not announce that it waits for its own headless Studio",
  async () => {
    await using box = await Sandbox.createAsync();
    await using person = await Keyboard.openAsync(["terminal", "--headless"], box);
    await person.typeAsync(
      "local s = string.rep('x', 2e8) local t = { s .. 1, s .. 2, s .. 3 }",
      "Place1 has gone. It does not come back; leave with .exit and start again.\n",
    );
    await person.typeAsync("1", "Place1 is not connected.\nhint: It does not come back;");
  },
  120_000,
);

testOnTty(
  "a script that runs when its Studio is killed ends with the reason",
  async () => {
    await using box = await Sandbox.createAsync();
    const studio = box.spawn(["headless", "--name", "Alpha"]);
    await untilAsync("Alpha is there", async () => (await box.sessionsAsync())[0]);
    await using person = await Keyboard.openAsync(["terminal"], box);
    await person.typeAsync("print('begun') while true do task.wait() end", "begun\n");
    studio.kill("SIGKILL");
    await person.seesAsync("ended before it answered.");
    await person.typeAsync(".help", "Leave");
  },
  120_000,
);

testOnTty(
  "a host that is killed is replaced, and the session goes on with what it knew",
  async () => {
    await using box = await Sandbox.createAsync();
    await box.headlessAsync("Alpha");
    await using person = await Keyboard.openAsync(["terminal"], box);
    await person.typeAsync("kept = 'kept'", "> ");
    const { hostPid } = await box.hostAsync();
    process.kill(hostPid, "SIGKILL");
    await person.seesAsync("The bridge host was replaced; going on with the next one.");
    await person.typeAsync("kept .. ' on'", '\n"kept on"\n');
    await person.typeAsync('task.delay(0.1, print, "still heard")', "still heard");
    person.press(`.exit${keys.enter}`);
    expect(await person.exited).toBe(0);
  },
  120_000,
);
