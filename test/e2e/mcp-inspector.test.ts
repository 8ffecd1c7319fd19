/** The inspector's command line against the compiled `sb mcp` and a headless Studio. */
import { expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { binaryPath } from "../../build.ts";
import { outcomeAsync } from "../harness.ts";
import { sandbox } from "../sandbox.ts";

const box = sandbox({ headless: "Alpha" });

const manifest = Bun.resolveSync("@modelcontextprotocol/inspector-cli/package.json", import.meta.dir);

test.each([
  ["tools/list", [], "studio_screenshot"],
  ["tools/call", ["--tool-name", "studio_sessions"], "Alpha"],
  [
    "tools/call",
    ["--tool-name", "studio_exec", "--tool-arg", "script=return 1 + 1"],
    '"success":true,"logs":[],"returnValues":[2]',
  ],
  ["resources/list", [], "studio://sessions"],
  ["prompts/list", [], "write_verified_script"],
])(
  "%s %j",
  async (method, flags, wanted) => {
    const server = [binaryPath, "mcp", "--port", String(box.port)];
    const child = Bun.spawn(["node", "cli.js", "--cli", ...server, "--method", method, ...flags], {
      // It looks for its own package from the folder that it is started in.
      cwd: join(dirname(manifest), "build"),
      env: box.env(),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const { exitCode, stdout, stderr } = await outcomeAsync(child);
    expect(exitCode === 0 ? "" : stderr).toBe("");
    expect(JSON.stringify(JSON.parse(stdout))).toContain(wanted);
    // Two processes of node each.
  },
  120_000,
);
