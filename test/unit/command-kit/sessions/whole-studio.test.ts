/** A command for a whole Studio refuses a session of its play test, however that is named. */
import { expect, test } from "bun:test";
import { checkWholeStudio } from "../../../../src/command-kit/sessions/whole-studio.ts";
import { CommandWorld } from "../command-world.ts";
import { edit, sessionInfo } from "./sessions-fixture.ts";

const world = new CommandWorld();
const client = sessionInfo({
  sessionId: "c1c1c1c1-e5f6-7890-abcd-ef1234567890",
  context: "client",
  player: { name: "Player1", index: 1 },
});

test("a part of a test is refused by context, player and session id, and the error names both next steps", () => {
  for (const [target, found, part] of [
    [{ context: "client" }, edit, "The client"],
    [{ player: "1" }, edit, "Player 1"],
    [{ sessionId: "c1c1" }, client, "Client Player1"],
  ] as const)
    expect(() => checkWholeStudio("close", target, found)).toThrow(
      expect.objectContaining({
        code: "INVALID_INPUT",
        message: `${part} is a part of the play test in TestPlace.rbxl, and \`sb close\` is for the whole Studio.`,
        hint: "`sb play stop` ends the test; `sb close -s TestPlace.rbxl` means the Studio.",
      }),
    );
});

test("the Studio itself is taken, also by its place when only its play test is connected", () => {
  checkWholeStudio("close", {}, edit);
  checkWholeStudio("close", { context: "edit" }, edit);
  checkWholeStudio("close", {}, client);
  checkWholeStudio("close", { sessionId: "testplace" }, client);
});

test("sb close checks it before it looks for the process of the Studio, also with several clients", async () => {
  const { plugin } = await world.studioAsync();
  using _plugin = plugin;
  for (const index of [1, 2])
    await plugin.registerAsync({ context: "client", player: { name: `Player${index}`, index } });
  const closing = world.caller().dispatchAsync("close", { context: "client" });
  await expect(closing).rejects.toMatchObject({ code: "INVALID_INPUT" });
});
