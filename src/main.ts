/**
 * argv in, exit code out. `--version` answers, and the child process of a headless Studio starts, without the command
 * line; `process.exit` is called here only.
 */
import { HEADLESS_CHILD } from "./headless/process/child-word.ts";
import { isStdoutMissingAsync } from "./util/missing-stdout.ts";
import { version } from "./version.ts";

async function mainAsync(argv: readonly string[]): Promise<number> {
  const [word, ...more] = argv;
  if ((word === "--version" || word === "-V") && more.length === 0) {
    const isTold =
      !(await isStdoutMissingAsync()) &&
      (await Bun.write(Bun.stdout, `${version}\n`).then(
        () => true,
        () => false,
      ));
    // If the write fails, fall through: the command line reports why.
    if (isTold) return 0;
  }
  if (word === HEADLESS_CHILD)
    return (await import("./command-kit/sessions/headless-child.ts")).runHeadlessChildAsync();
  const { runCliAsync } = await import("./cli/index.ts");
  return runCliAsync(argv, {
    terminalAsync: async (context) => (await import("./terminal/index.ts")).runTerminalAsync(context),
    mcpAsync: async (options, context) => (await import("./mcp/index.ts")).runMcpAsync(options, context),
    toolAsync: async (serving, context) =>
      (await import("./mcp/templates/serve-tool.ts")).serveToolAsync(serving, context),
  });
}

// Before a process is started, which would get it. Loaded only where there is a key, because every command passes here.
if ("ROBLOX_OPEN_CLOUD_API_KEY" in process.env) (await import("./cloud/api-key.ts")).takeApiKey();
process.exit(await mainAsync(process.argv.slice(2)));
