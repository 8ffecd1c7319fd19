/** `sb mcp install` and `uninstall`, with the compiled binary and a home folder of their own. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { binaryPath } from "../../build.ts";
import { Sandbox } from "../harness.ts";

/** No variable leads out of the sandbox. */
const env = { CLAUDE_CONFIG_DIR: "", CODEX_HOME: "", XDG_CONFIG_HOME: "" };

test("sb mcp install enters this very program, and uninstall takes it out again", async () => {
  await using box = await Sandbox.createAsync();
  const installed = await box.localSbAsync(["mcp", "install", "claude-code", "--json"], env);
  const path = join(box.home, ".claude.json");
  expect(JSON.parse(installed.stdout)).toMatchObject({
    isPrinted: false,
    clients: [{ client: "claude-code", path, outcome: "added" }],
  });
  expect(await Bun.file(path).json()).toEqual({
    mcpServers: { "studio-bridge": { type: "stdio", command: binaryPath, args: ["mcp"] } },
  });
  const { stdout, exitCode } = await box.localSbAsync(["mcp", "uninstall"], env);
  expect(exitCode).toBe(0);
  expect(stdout).toStartWith(`Claude Code: taken out of ${path}\n`);
  expect(await Bun.file(path).json()).toEqual({ mcpServers: {} });
});
