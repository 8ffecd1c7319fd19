/** Every command, in the order of help. A new command is a new file and one line here. */
import type { Command } from "./define.ts";
import { closeCommand } from "./close.ts";
import { completeCommand } from "./complete.ts";
import { completionCommand } from "./completion.ts";
import { doctorCommand } from "./doctor.ts";
import { connectCommand } from "./connect.ts";
import { execCommand } from "./exec.ts";
import { headlessCommand } from "./headless.ts";
import { helpCommand } from "./help.ts";
import { installPluginCommand } from "./install-plugin.ts";
import { launchCommand } from "./launch.ts";
import { logsCommand } from "./logs.ts";
import { mcpCommand } from "./mcp.ts";
import { mcpInstallCommand } from "./mcp-install.ts";
import { mcpUninstallCommand } from "./mcp-uninstall.ts";
import { queryCommand } from "./query.ts";
import { runCommand } from "./run.ts";
import { screenshotCommand } from "./screenshot.ts";
import { serveCommand } from "./serve.ts";
import { sessionsCommand } from "./sessions.ts";
import { stateCommand } from "./state.ts";
import { terminalCommand } from "./terminal.ts";
import { toolCommand } from "./tool.ts";
import { toolListCommand } from "./tool-list.ts";
import { uninstallPluginCommand } from "./uninstall-plugin.ts";
import { versionCommand } from "./version.ts";

export const commands: readonly Command[] = [
  runCommand,
  execCommand,
  terminalCommand,
  sessionsCommand,
  connectCommand,
  stateCommand,
  logsCommand,
  queryCommand,
  screenshotCommand,
  launchCommand,
  headlessCommand,
  closeCommand,
  installPluginCommand,
  uninstallPluginCommand,
  doctorCommand,
  completionCommand,
  mcpInstallCommand,
  mcpUninstallCommand,
  serveCommand,
  mcpCommand,
  toolCommand,
  toolListCommand,
  helpCommand,
  versionCommand,
  completeCommand,
];
