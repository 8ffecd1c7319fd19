/**
 * Ctrl+Z stops a process that may be the bridge host for others: it leaves that to another process first, and when it
 * is continued it goes on as its client. A SIGSTOP from outside gives no such chance.
 */
import type { BridgeConnection } from "../bridge/index.ts";

/** Nothing is listened for until this process is the host. */
export function leaveHostBeforeStops(connection: BridgeConnection): void {
  if (process.platform === "win32") return;
  let isListening = false;
  let isStopping = false;
  const stopAsync = async () => {
    if (isStopping) return;
    isStopping = true;
    await connection.leaveHostAsync();
    isStopping = false;
    process.kill(process.pid, "SIGSTOP");
  };
  const listener = () => void stopAsync();
  const listenIfNeeded = () => {
    if (isListening || !connection.host.isOwn) return;
    isListening = true;
    process.on("SIGTSTP", listener);
  };
  listenIfNeeded();
  connection.onHostChange(listenIfNeeded);
  void connection.closed.then(() => process.off("SIGTSTP", listener));
}
