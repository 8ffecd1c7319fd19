/** A script that is run after an edit of a module runs the edited module, for people and for agents. */
import { expect, test } from "bun:test";
import { Sandbox } from "../harness.ts";
import { McpPeer } from "../peers/mcp-peer.ts";

const write = (word: string) =>
  `local module = workspace:FindFirstChild("Word") or Instance.new("ModuleScript")
  module.Name, module.Source, module.Parent = "Word", "return '${word}'", workspace`;
const LOOK = "return require(workspace.Word)";

test("exec, run and studio_exec load an edited module anew, unless they are told not to", async () => {
  await using box = await Sandbox.createAsync();
  await box.headlessAsync();
  await box.writeAsync("look.luau", LOOK);
  const lookAsync = async (...words: string[]) => (await box.sbAsync(words)).stdout;

  await box.sbAsync(["exec", write("one")]);
  expect(await lookAsync("exec", LOOK)).toBe("one\n");
  expect(await lookAsync("exec", "--no-fresh", LOOK)).toBe("one\n");
  await box.sbAsync(["exec", write("two")]);
  expect(await lookAsync("exec", LOOK)).toBe("two\n");
  expect(await lookAsync("exec", "--no-fresh", LOOK)).toBe("one\n");
  await box.sbAsync(["exec", write("three")]);
  expect(await lookAsync("run", "look.luau")).toBe("three\n");
  expect(await lookAsync("run", "--no-fresh", "look.luau")).toBe("one\n");

  await using agent = new McpPeer(box);
  await agent.initializeAsync();
  const valuesAsync = async (script: string) => {
    const { structuredContent } = Object(await agent.toolAsync("studio_exec", { script }));
    return structuredContent.returnValues;
  };
  expect(await valuesAsync(LOOK)).toEqual(["three"]);
  await valuesAsync(write("four"));
  expect(await valuesAsync(LOOK)).toEqual(["four"]);
}, 120_000);

test("an error of the engine in a module names the module and its line", async () => {
  await using box = await Sandbox.createAsync();
  await box.headlessAsync();
  await box.sbAsync(["exec", `${write("one")} module.Source = "local x = 1\\nreturn Instance.new('Nope')"`]);
  const { stderr } = await box.sbAsync(["exec", LOOK]);
  expect(stderr).toContain('Workspace.Word:2: Unable to create an Instance of type "Nope"');
}, 120_000);
