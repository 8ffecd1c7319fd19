/**
 * Handles Ctrl+Z in a process that may be the bridge host for others: it hands the role to another process before it
 * stops, and continues as a client of that host. A SIGSTOP from outside gives no such chance.
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
