/**
 * Every command by name, in the order of help. A new command is a new file that exports `command`, and one line here.
 * The files are loaded when their command is asked for, so that a command does not wait for all others to load.
 */
import { Catalog } from "../command/catalog.ts";

export const commands = new Catalog({
  run: () => import("./script/run.ts"),
  exec: () => import("./script/exec.ts"),
  "script read": () => import("./script/script-read.ts"),
  "script grep": () => import("./script/script-grep.ts"),
  "script edit": () => import("./script/script-edit.ts"),
  terminal: () => import("./terminal/terminal.ts"),
  sessions: () => import("./sessions/sessions.ts"),
  connect: () => import("./terminal/connect.ts"),
  state: () => import("./state.ts"),
  logs: () => import("./logs/logs.ts"),
  query: () => import("./query/query.ts"),
  find: () => import("./query/find.ts"),
  select: () => import("./select/select.ts"),
  play: () => import("./play/play.ts"),
  api: () => import("./api/api.ts"),
  screenshot: () => import("./screenshot/screenshot.ts"),
  launch: () => import("./launch.ts"),
  headless: () => import("./headless/headless.ts"),
  close: () => import("./close.ts"),
  "install-plugin": () => import("./plugin/install-plugin.ts"),
  "uninstall-plugin": () => import("./plugin/uninstall-plugin.ts"),
  doctor: () => import("./doctor/doctor.ts"),
  completion: () => import("./completion/completion.ts"),
  "mcp install": () => import("./mcp/mcp-install.ts"),
  "mcp uninstall": () => import("./mcp/mcp-uninstall.ts"),
  serve: () => import("./serve.ts"),
  mcp: () => import("./mcp/mcp.ts"),
  tool: () => import("./tool/tool.ts"),
  "tool list": () => import("./tool/tool-list.ts"),
  help: () => import("./help.ts"),
  version: () => import("./version.ts"),
  complete: () => import("./completion/complete.ts"),
});
