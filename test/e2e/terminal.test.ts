/** The REPL on a pseudo-terminal, the way a person uses it, with a real headless Studio. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { Sandbox, untilAsync } from "../harness.ts";
import { Keyboard, keys } from "../peers/keyboard.ts";

// Pseudo-terminals are not to be had on Windows.
const describeOnTty = process.platform === "win32" ? describe.skip : describe;

describeOnTty("a terminal", () => {
  let box: Sandbox;
  let person: Keyboard;
  beforeAll(async () => {
    box = await Sandbox.createAsync();
    await box.headlessAsync("Alpha");
    person = await Keyboard.openAsync(["terminal"], box);
  }, 120_000);
  afterAll(async () => {
    await person[Symbol.asyncDispose]();
    await box[Symbol.asyncDispose]();
  });

  test("shows the value of an expression, and keeps globals", async () => {
    await person.typeAsync("total = 40 + 1", "> ");
    await person.typeAsync("total + 1", "\n42\n");
    await person.typeAsync("workspace", "game.Workspace (Workspace)");
  });

  test("follows a play test to its server and back, and the prompt says where it is", async () => {
    const role = 'print("server", game:GetService("RunService"):IsRunning())';
    await person.typeAsync(".play start", "\nserver> ");
    await person.typeAsync(role, "\nserver true\n");
    await person.typeAsync(".context client 1", "\nclient 1> ");
    await person.typeAsync(".context edit", "\nedit> ");
    await person.typeAsync(role, "\nserver false\n");
    await person.typeAsync(".context server", "\nserver> ");
    await person.typeAsync(".play stop", "\n> ");
    await person.typeAsync(role, "\nserver false\n");
  });

  test("goes on over the next line while the text is unfinished", async () => {
    await person.typeAsync("for index = 1, 2 do", "| ");
    await person.typeAsync("print('round', index)", "| ");
    await person.typeAsync("end", "round 1\nround 2\n");
    await person.typeAsync("'a' .. [[", "| ");
    await person.typeAsync("b]]", '"ab"');
  });

  test("runs a pasted block as one piece, tabs and all", async () => {
    person.paste("local first = 2\nif first > 1 then\n\tprint('sum', first + 1)\nend\n");
    await person.seesAsync("\nsum 3\n");
  });

  test("runs pasted dot-commands one by one, and the Luau below them as one piece", async () => {
    person.paste("\n.query Workspace.ClassName\n.state\nlocal first = 3\nprint('product', first * 2)\n");
    const seen = await person.seesAsync("\nproduct 6\n");
    expect(seen).toContain('  ClassName  "Workspace"\n');
    expect(seen).toContain("Mode:     Edit\n> local first = 3\n| print(");
  });

  test("leaves a pasted text without a last newline to be edited", async () => {
    person.paste("print('pasted'");
    await person.typeAsync(")", "\npasted\n");
  });

  test("takes dot-commands below unfinished text, which is still there afterwards", async () => {
    await person.typeAsync("if true then", "| ");
    await person.typeAsync(".state", "Mode:     Edit\n> if true then\n| ");
    await person.typeAsync("print('kept')", "| ");
    await person.typeAsync(`.sta${keys.tab}`, "Mode:     Edit\n");
    await person.typeAsync("end", "\nkept\n");
  });

  test("forgets a blank line above a dot-command", async () => {
    person.press(keys.altEnter);
    await person.seesAsync("| ");
    await person.typeAsync(".state", "Mode:     Edit\n> ");
    person.press(`'next'${keys.enter}`);
    await person.looksAsync(`> 'next'\n"next"\n>`);
  });

  test("finds a text of several lines again, and runs it whole", async () => {
    await person.typeAsync("for index = 1, 2 do", "| ");
    await person.typeAsync("print('again', index)", "| ");
    await person.typeAsync("end", "again 2\n");
    person.press(`${keys.ctrlR}again`);
    await person.looksAsync("(search 'again') for index = 1, 2 do\n| print('again', index)\n| end");
    person.press(keys.enter);
    await person.seesAsync("\nagain 1\nagain 2\n");
  });

  test("tells what is wrong, with the place", async () => {
    const seen = await person.typeAsync('error("broken")', "Script error: input:1: broken");
    expect(seen).not.toContain("INTERNAL_ERROR");
    await person.typeAsync('print("open', "Malformed string; did you forget to finish it?");
  });

  test("completes names from the live place, and dot-commands", async () => {
    await person.typeAsync('anvil = Instance.new("Part", workspace) anvil.Name = "Anvil"', "> ");
    person.press(`workspace.Anv${keys.tab}`);
    await person.looksAsync("> workspace.Anvil");
    await person.typeAsync(".ClassName", '\n"Part"\n');
    person.press(`.sta${keys.tab}`);
    await person.looksAsync("> .state");
    await person.typeAsync("", "Mode:     Edit");
    person.press(`workspace.Anvil:GetA${keys.tab}${keys.tab}`);
    await person.seesAsync("GetAttributes");
    person.press(keys.ctrlU);
    person.press(`workspace.Anvil.Anch${keys.tab}`);
    await person.looksAsync("> workspace.Anvil.Anchored");
    person.press(keys.ctrlU);
    person.press(`.query Workspace.Anvil.Anch${keys.tab}`);
    await person.looksAsync("> .query Workspace.Anvil.Anchored");
    person.press(keys.ctrlU);
    person.press(`.script rea${keys.tab}`);
    await person.looksAsync("> .script read");
    person.press(` Workspace.Anv${keys.tab}`);
    await person.looksAsync("> .script read Workspace.Anvil");
    person.press(keys.ctrlU);
    person.press(`.query Workspace.Anvil --properties Size,Anch${keys.tab}`);
    await person.looksAsync("--properties Size,Anchored");
    person.press(keys.ctrlU);
    person.press(`.set Workspace.Anvil Anch${keys.tab}`);
    await person.looksAsync("> .set Workspace.Anvil Anchored=");
    person.press(`t${keys.tab}`);
    await person.looksAsync("> .set Workspace.Anvil Anchored=true");
    person.press(keys.ctrlU);
    person.press(`.new ParticleEm${keys.tab} Workspace.Anv${keys.tab}`);
    await person.looksAsync("> .new ParticleEmitter Workspace.Anvil");
    person.press(keys.ctrlU);
    person.press(`.api Part.Anch${keys.tab}`);
    await person.looksAsync("> .api Part.Anchored");
    person.press(keys.ctrlU);
    await person.typeAsync('anvil.Name = "An\\"v\\nil"', "> ");
    person.press(`workspace["An${keys.tab}`);
    await person.typeAsync('"].ClassName', '\n"Part"\n');
    await person.typeAsync("workspace:GetChildren()", 'game.Workspace.An"v\\nil (Part)');
    await person.typeAsync('anvil.Name = "Anvil"', "> ");
  });

  test("cancels a script that never ends, and is ready at once", async () => {
    person.press(`while true do end${keys.enter}`);
    await person.seesAsync("Running input");
    person.press(keys.ctrlC);
    const seen = await person.seesAsync("Cancelled.");
    expect(seen).not.toContain("Stack");
    await person.typeAsync("'alive'", '\n"alive"\n');
  });

  test("keeps what is typed while a script runs for afterwards", async () => {
    person.press(`task.wait(0.3) print("slept")${keys.enter}`);
    person.press(`"typed " .. "ahead"${keys.enter}`);
    const seen = await person.seesAsync('\n"typed ahead"\n');
    expect(seen.indexOf("slept\n")).toBeLessThan(seen.indexOf('"typed ahead"\n'));
  });

  test("shows what threads print later, above what is being typed", async () => {
    const waiting = `workspace:GetAttributeChangedSignal("Typed"):Once(function() print("from behind") end)`;
    await person.typeAsync(waiting, "> ");
    person.press("1 + 1 + ");
    await person.seesAsync("1 + 1 + ");
    await box.sbAsync(["exec", 'workspace:SetAttribute("Typed", true)']);
    await person.seesAsync("from behind\n> 1 + 1 + ");
    await person.typeAsync("1", "\n3\n");
  });

  test("shows each line of a script once, although the log has it too", async () => {
    await person.typeAsync('for index = 1, 3 do print("once " .. index) end', "once 3\n> ");
    const seen = await person.typeAsync("task.wait(0.2) 'over'", "Script error");
    expect(seen).not.toContain("once");
  });

  test("offers the nearest name for a dot-command that is none", async () => {
    await person.typeAsync(".sesions", "Did you mean .sessions?");
    await person.typeAsync(".sessions", "1 session connected.");
    await person.typeAsync(
      ".query Workspace.Nope",
      "`.query Workspace --children` lists the Instances\nbelow it.",
    );
    await person.typeAsync(".connect nope", "Run '.sessions' to see available sessions.");
    await person.typeAsync(".query Workspace.Anvil.Anchored", "  Anchored  false\n");
    await person.typeAsync(".screenshot", "Screenshot saved to");
    await person.typeAsync(".help", "Leave");
  });

  test("ends a followed log with Enter", async () => {
    person.press(`.logs --follow${keys.enter}`);
    await person.seesAsync("(press Enter to stop)");
    await untilAsync("the log is followed", async () => {
      await box.sbAsync(["exec", 'print("heard")']);
      return person.unseen.includes("[Print]   heard") ? true : undefined;
    });
    expect(person.unseen).not.toContain("\nheard");
    await person.typeAsync("", "> ");
    await person.typeAsync("'still here'", '\n"still here"\n');
  });

  test("names the context of a play test, and says that the next test brings it back", async () => {
    await box.sbAsync(["play", "start", "--server-only"]);
    const server = (await box.sessionsAsync()).find(({ context }) => context === "server");
    await person.typeAsync(`.connect ${server?.sessionId}`, "Connected to Alpha (Server, Run mode)");
    await box.sbAsync(["play", "stop"]);
    await person.seesAsync("Alpha (Server) has gone. The terminal returns to it in the next play test.");
    await person.typeAsync("1", "Alpha (Server) is not connected.");
    await person.typeAsync(".connect Alpha", "Connected to Alpha (Edit mode)");
  });

  test("lets go of a session and takes it again", async () => {
    await person.typeAsync(".disconnect", "Disconnected from Alpha");
    await person.typeAsync("1", "Not connected to a Studio.");
    const [session] = await box.sessionsAsync();
    await person.typeAsync(`.connect ${session?.sessionId.slice(0, 8)}`, "Connected to Alpha (Edit mode)");
    expect(await person.typeAsync("2 + 3", "\n5\n")).not.toContain("Globals");
  });

  test("exits on the second Ctrl+C at an empty prompt, and remembers what was typed", async () => {
    person.press(keys.ctrlC);
    await person.seesAsync("press Ctrl+C again");
    person.press(keys.ctrlC);
    expect(await person.exited).toBe(0);
    const { mode } = await stat(join(box.stateFolder, "studio-bridge", "terminal-history"));
    expect(mode & 0o777).toBe(0o600);
    await using again = await Keyboard.openAsync(["terminal"], box, 60);
    again.press(`${keys.up}${keys.enter}`);
    await again.seesAsync("\n5\n");
    again.press(`${keys.ctrlR}alive`);
    await again.seesAsync("'alive'");
    again.press(`${keys.enter}`);
    await again.seesAsync('\n"alive"\n');
    await again.typeAsync("print('unfinished'", "| ");
    again.press(`.exit${keys.enter}`);
    expect(await again.exited).toBe(0);
  });

  test("moves between lines that are wider than the screen, drawing each row once", async () => {
    await using narrow = await Keyboard.openAsync(["terminal"], box, 40);
    const typed = `> print("${"wide ".repeat(20)}")`;
    narrow.paste(typed.slice(2));
    await narrow.looksAsync(rowsOf(typed, 40));
    for (const key of [keys.home, keys.left, keys.right, keys.end, keys.left, keys.home]) narrow.press(key);
    narrow.press('"above", ');
    const changed = typed.replace("> ", '> "above", ');
    await narrow.looksAsync(rowsOf(changed, 40));
    narrow.resize(80);
    await narrow.looksAsync(rowsOf(changed, 80));
    narrow.resize(40);
    await narrow.looksAsync(rowsOf(changed, 40));
    expect(narrow.rows.filter((row) => row.includes("wide"))).toHaveLength(3);
    narrow.press(keys.ctrlC);
    await narrow.looksAsync(`${rowsOf(changed, 40)}\n>`);
    await narrow.typeAsync("print(1,", "| ");
    await narrow.typeAsync(`-- ${"wide ".repeat(20)}`, "| ");
    narrow.press(`${keys.up}${keys.up}'above', ${keys.down}${keys.down}${keys.end}`);
    await narrow.typeAsync("2)", '\n1 2\n"above"\n');
  });
});

/** How a line looks on a screen of this width. */
function rowsOf(line: string, columns: number): string {
  const rows = line.match(new RegExp(`.{1,${columns}}`, "g")) ?? [];
  return rows.map((row) => row.trimEnd()).join("\n");
}
