/** Every command, in the order of help. A new command is a new file and one line here. */
import type { Command } from "../command/definition.ts";
import { closeCommand } from "./close.ts";
import { completeCommand } from "./completion/complete.ts";
import { completionCommand } from "./completion/completion.ts";
import { doctorCommand } from "./doctor/doctor.ts";
import { connectCommand } from "./terminal/connect.ts";
import { execCommand } from "./script/exec.ts";
import { headlessCommand } from "./headless/headless.ts";
import { helpCommand } from "./help.ts";
import { installPluginCommand } from "./plugin/install-plugin.ts";
import { launchCommand } from "./launch.ts";
import { logsCommand } from "./logs.ts";
import { mcpCommand } from "./mcp/mcp.ts";
import { mcpInstallCommand } from "./mcp/mcp-install.ts";
import { mcpUninstallCommand } from "./mcp/mcp-uninstall.ts";
import { queryCommand } from "./query/query.ts";
import { runCommand } from "./script/run.ts";
import { screenshotCommand } from "./screenshot/screenshot.ts";
import { serveCommand } from "./serve.ts";
import { sessionsCommand } from "./sessions/sessions.ts";
import { stateCommand } from "./state.ts";
import { terminalCommand } from "./terminal/terminal.ts";
import { toolCommand } from "./tool/tool.ts";
import { toolListCommand } from "./tool/tool-list.ts";
import { uninstallPluginCommand } from "./plugin/uninstall-plugin.ts";
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
